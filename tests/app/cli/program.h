// Runs the built program as a user does, with arguments, and captures its exit code, standard output and standard
// error. Each runner has its own folder.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tests/support/scratch.h"
#include "tests/support/waiting.h"

namespace vw {

/// A soft cube and grains that fall on it: two systems, one two-way rule and random numbers. Running the scene takes
/// some tenths of a second.
inline constexpr const char* small_scene = R"(format = 1
title = "Small"

[[material]]
name = "jelly"
youngs_modulus = 3e4
bond_damping = 0.2

[[collider]]
kind = "plane"
name = "ground"

[[system]]
kind = "voxel_body"
name = "cube"
material = "jelly"
size = [4, 4, 4]
voxel_size = 0.02
position = [-0.04, 0.03, -0.04]

[[system]]
kind = "particles"
name = "grains"
capacity = 200
mass = 0.0005
radius = 0.005

[[system.emitter]]
kind = "box"
name = "cloud"
position = [0, 0.2, 0]
direction = [0, -1, 0]
rate = 200
speed = 0.5
spread = 0.1
lifetime = 4
size = [0.08, 0.02, 0.08]
)";

struct ProgramResult {
  int code = -1;  ///< Exit code, or the negative number of the signal that ended the program.
  std::string out, err;
};

class CliTest : public ::testing::Test {
 protected:
  void SetUp() override { write("small.toml", small_scene); }

  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }
  void write(const std::string& name, const std::string& text) const { folder_.write(name, text); }
  [[nodiscard]] static std::string slurp(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }
  [[nodiscard]] nlohmann::json json(const std::string& name) const { return nlohmann::json::parse(slurp(path(name))); }

  /// Starts the program in the folder of the test, without a display. Its output goes to files in this folder. No file
  /// may grow beyond `limit_bytes`, as if the disk were full. 0 means no limit.
  [[nodiscard]] pid_t start(const std::vector<std::string>& arguments, const std::string& out = "stdout.txt",
                            rlim_t limit_bytes = 0) const {
    const pid_t child = fork();
    if (child != 0) return child;
    const rlimit limit{limit_bytes, limit_bytes};
    if (limit_bytes > 0 && setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(125);
    if (chdir(folder_.folder().c_str()) != 0) _exit(126);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
      // If the test was started by nohup or with &, it ignores SIGHUP or SIGINT, and the program would inherit this
      // setting.
      std::signal(signal, SIG_DFL);
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    dup2(open(out.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600), STDOUT_FILENO);
    dup2(open("stderr.txt", O_CREAT | O_WRONLY | O_TRUNC, 0600), STDERR_FILENO);
    std::vector<std::string> words{program()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    execv(argv.front(), argv.data());
    _exit(127);
  }
  [[nodiscard]] ProgramResult wait_for(pid_t child) const {
    int status = 0;
    waitpid(child, &status, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return {code, slurp(path("stdout.txt")), slurp(path("stderr.txt"))};
  }
  /// Waits until the file has grown to the given size.
  [[nodiscard]] bool grows_to(const std::string& name, std::uintmax_t bytes) const {
    return test::in_time([&] {
      std::error_code not_there;
      const auto size = std::filesystem::file_size(path(name), not_there);
      return !not_there && size >= bytes;
    });
  }
  [[nodiscard]] ProgramResult run(const std::vector<std::string>& arguments) const {
    return wait_for(start(arguments));
  }

  [[nodiscard]] static std::string program() {
    if (const char* chosen = std::getenv("VOXWAKE_PROGRAM")) return chosen;
    return std::string(VOXWAKE_BINARY_DIR) + "/app/voxwake";
  }

  test::Scratch folder_;
};

}  // namespace vw
