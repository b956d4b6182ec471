// Runs a test of the same program in a process of its own, for tests of what a killed process leaves behind. A child of
// fork() may not start threads under ThreadSanitizer; a new process may.
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

/// Environment variable with the path that the test in the new process works on.
inline constexpr const char* own_process_path = "VOXWAKE_TEST_PATH";

/// Starts this program again with a single disabled test, waits for its end and returns its status as waitpid() does,
/// or -1 if the process does not start. The test finds `path` in the environment variable own_process_path. The
/// temporary folders of a killed process remain; they are created in the folder of `path`, which the caller removes.
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

/// Path that run_in_own_process() gave to this process. Empty if the test was started in another way.
inline std::string path_of_own_process() {
  const char* path = std::getenv(own_process_path);
  return path == nullptr ? std::string() : std::string(path);
}

}  // namespace vw::test
