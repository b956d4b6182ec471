// The process, its environment and the machine. process_posix.cpp and process_windows.cpp implement these functions.
// Texts are UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

namespace vw {

/// Must be the first call of main(). Returns the arguments of main() as UTF-8 texts. On Windows, also sets standard
/// input, output and error to binary mode, so that line ends are not converted.
[[nodiscard]] std::vector<std::string> prepare_process(int argc, char** argv);

[[nodiscard]] std::int64_t process_id();
/// Returns the path of the running program, or an empty text if the system does not provide it.
[[nodiscard]] std::string program_path();
/// Returns whether messages go to a terminal rather than to a file or a pipe.
[[nodiscard]] bool messages_go_to_terminal();
/// Returns the value of an environment variable. The result is empty if the variable is not set.
[[nodiscard]] std::string environment_variable(const char* name);
/// Sets an environment variable that is not yet set.
void set_default_variable(const char* name, const char* value);
/// Replaces this program by another program with arguments. The first word is the program's path, or a name that is
/// searched for in the folders of PATH. Returns errno if this fails; otherwise does not return.
[[nodiscard]] int become_program(std::vector<std::string> words);
/// Lowers the priority of the calling thread, so that other threads are preferred.
void lower_thread_priority();
/// Returns whether the process can open windows. On POSIX systems, an X or Wayland display is required.
[[nodiscard]] bool can_open_windows();
/// Returns the local time of the user's time zone.
[[nodiscard]] std::tm local_time_of(std::time_t time);

/// Returns the name and release of the operating system, and on POSIX systems the type of the processor. The result is
/// empty if they are unknown.
[[nodiscard]] std::string system_name();
/// Returns the name of the processor's model. The result is empty if it is unknown.
[[nodiscard]] std::string processor_model();
/// Returns the physical memory that the process occupies [bytes], or nullopt if it is unknown.
[[nodiscard]] std::optional<double> resident_memory();
/// Sizes of the second-level cache and of the last-level cache [bytes]. An unknown size is 0.
struct CacheSizes {
  std::size_t second = 0, last = 0;
};
[[nodiscard]] CacheSizes cache_sizes();

}  // namespace vw
