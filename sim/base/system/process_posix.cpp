#include "sim/base/system/process.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace vw {

std::vector<std::string> prepare_process(int argc, char** argv) { return {argv, argv + argc}; }

std::int64_t process_id() { return ::getpid(); }

std::string program_path() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::string() : path.string();
}

bool messages_go_to_terminal() { return ::isatty(STDERR_FILENO) == 1; }

std::string environment_variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

void set_default_variable(const char* name, const char* value) { (void)::setenv(name, value, 0); }

int become_program(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execvp(pointers.front(), pointers.data());  // returns only if it fails
  return errno;
}

void lower_thread_priority() {
#ifdef __linux__  // on Linux, the priority of a thread is set through its id
  (void)::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), 5);
#endif
}

bool can_open_windows() {
  return !environment_variable("DISPLAY").empty() || !environment_variable("WAYLAND_DISPLAY").empty();
}

std::tm local_time_of(std::time_t time) {
  std::tm parts{};
  ::localtime_r(&time, &parts);
  return parts;
}

std::string system_name() {
  utsname system{};
  if (::uname(&system) != 0) return {};
  return std::string(system.sysname) + " " + system.release + " " + system.machine;
}

std::string processor_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (std::string_view(line).starts_with("model name") && colon != std::string::npos && colon + 2 < line.size())
      return line.substr(colon + 2);
  }
  return {};
}

std::optional<double> resident_memory() {
  std::ifstream file("/proc/self/statm");
  double total_pages = 0, resident_pages = 0;
  if (file >> total_pages >> resident_pages) return resident_pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
  return std::nullopt;
}

CacheSizes cache_sizes() {
  CacheSizes found;
#ifdef _SC_LEVEL2_CACHE_SIZE  // an extension of glibc
  if (const long size = ::sysconf(_SC_LEVEL2_CACHE_SIZE); size > 0) found.second = static_cast<std::size_t>(size);
  if (const long size = ::sysconf(_SC_LEVEL3_CACHE_SIZE); size > 0) found.last = static_cast<std::size_t>(size);
#endif
  return found;
}

}  // namespace vw
