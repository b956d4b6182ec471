// Runs a test of this program in a separate process, for tests of the files that a killed process leaves behind. The
// process starts the program again, because ThreadSanitizer does not allow a child of fork() to start threads.
#pragma once

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace vw::test {

/// Environment variable that passes a path to the test in the new process.
inline constexpr const char* own_process_path = "VOXWAKE_TEST_PATH";

/// Starts this program again so that it runs only the disabled test `test`, and waits for its end. Returns the status
/// as waitpid() does, or -1 if the process does not start. The test reads `path` with path_of_own_process(). The
/// temporary folders of a killed process remain in the folder of `path`, so the caller must remove that folder.
inline int run_in_own_process(const std::string& test, const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  std::vector<std::string> settings = {std::string(own_process_path) + "=" + path, "TMPDIR=" + folder};
  std::vector<char*> variables;
  for (std::string& setting : settings) variables.push_back(setting.data());
  for (char** variable = environ; *variable != nullptr; ++variable)
    if (std::string_view(*variable).rfind("TMPDIR=", 0) != 0) variables.push_back(*variable);
  variables.push_back(nullptr);
  std::string program = "/proc/self/exe", filter = "--gtest_filter=" + test,
              disabled = "--gtest_also_run_disabled_tests";
  char* words[] = {program.data(), filter.data(), disabled.data(), nullptr};
  pid_t child = 0;
  const int failed = ::posix_spawn(&child, program.c_str(), nullptr, nullptr, words, variables.data());
  int status = 0;
  if (failed != 0 || ::waitpid(child, &status, 0) != child) return -1;
  return status;
}

/// Returns the path that run_in_own_process() gave to this process. The path is empty if the test was started in
/// another way.
inline std::string path_of_own_process() {
  const char* path = std::getenv(own_process_path);
  return path == nullptr ? std::string() : std::string(path);
}

}  // namespace vw::test
