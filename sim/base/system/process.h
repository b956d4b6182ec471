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

/// Called first by main(). Makes standard input, output and error streams of bytes, which the system does not change,
/// and returns the arguments of main() as UTF-8 texts.
[[nodiscard]] std::vector<std::string> prepare_process(int argc, char** argv);

[[nodiscard]] std::int64_t process_id();
/// Returns the path of the running program, or an empty text if the system does not provide it.
[[nodiscard]] std::string program_path();
/// Returns whether messages go to a terminal rather than to a file or a pipe.
[[nodiscard]] bool messages_go_to_terminal();
/// Returns the value of an environment variable. The result is empty if the variable is not set.
[[nodiscard]] std::string environment_variable(const char* name);
/// Sets an environment variable, unless it is set.
void set_default_variable(const char* name, const char* value);
/// Runs a program with arguments in place of this one. The first word is the program's path, or a name that is looked
/// up in the folders of PATH. Returns only if that fails, with errno.
[[nodiscard]] int become_program(std::vector<std::string> words);
/// Lowers the priority of the calling thread, so that other threads are served first.
void lower_thread_priority();
/// Returns whether the process can open windows. On POSIX systems, an X or Wayland display is required.
[[nodiscard]] bool can_open_windows();
/// Returns the local time of the user's time zone.
[[nodiscard]] std::tm local_time_of(std::time_t time);

/// Returns the name, release and processor of the operating system. The result is empty if unknown.
[[nodiscard]] std::string system_name();
/// Returns the name of the processor's model. The result is empty if unknown.
[[nodiscard]] std::string processor_model();
/// Returns the physical memory that the process occupies [bytes], or nullopt if it is unknown.
[[nodiscard]] std::optional<double> resident_memory();
/// Size of the caches [bytes]: second level, and last level. 0 where unknown.
struct CacheSizes {
  std::size_t second = 0, last = 0;
};
[[nodiscard]] CacheSizes cache_sizes();

}  // namespace vw
