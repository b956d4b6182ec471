// Options that several commands share, declared once: the same name means the same thing everywhere, and every number is checked.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace vw::cli {

/// What a number may be.
struct Allowed {
  double min = 0;
  double max = std::numeric_limits<double>::max();
  bool above_min = true;  ///< min itself is not allowed
};

/// `--name VALUE`: finite and within what is allowed, else one sentence that says so.
CLI::Option* add_number(CLI::App& command, const std::string& name, double& target, const Allowed& allowed, const std::string& doc);
CLI::Option* add_integer(CLI::App& command, const std::string& name, std::int64_t& target, std::int64_t min, std::int64_t max,
                         const std::string& doc);
CLI::Option* add_file(CLI::App& command, const std::string& name, std::string& target, const std::string& doc);

/// `1280x720`.
struct Size {
  int width = 1280, height = 720;
};
CLI::Option* add_size(CLI::App& command, const std::string& name, Size& target, const std::string& doc);

/// SCENE, --set, --base, --strict.
struct SceneOptions {
  std::string scene;
  std::vector<std::string> sets;
  bool strict = false;
  std::string base = {};
};
CLI::Option* add_scene(CLI::App& command, SceneOptions& options);

/// --threads: applied with set_thread_count by use_threads().
CLI::Option* add_threads(CLI::App& command, std::int64_t& threads);
void use_threads(std::int64_t threads);

/// How far a simulation goes; both negative: default_seconds.
struct EndOptions {
  double until_s = -1;
  std::int64_t steps = -1;
};
inline constexpr double default_seconds = 10;
void add_end(CLI::App& command, EndOptions& options);
/// The world's time at the end, for a world that stands at `now_s`.
[[nodiscard]] double end_time(const EndOptions& options, double now_s, double dt_s);

}  // namespace vw::cli
