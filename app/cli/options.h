// Options that several commands share, declared once: the same name means the same thing everywhere, and every number is checked.
// Only options.cpp reads CLI11's header, which takes longer to compile than most commands; a command needs what stands here.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace vw::cli {

/// What was declared, to say more about it.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  Option required() const;
  Option needs(Option other) const;
  Option excludes(Option other) const;
  Option type_name(const std::string& name) const;  ///< of its value, as --help shows it
  [[nodiscard]] bool given() const;

 private:
  CLI::Option* option_;
};

[[nodiscard]] CLI::App& add_command(CLI::App& program, const std::string& name, const std::string& doc);
/// Called once the command was typed and all its options were good.
void when_typed(CLI::App& command, std::function<void()> action);
[[nodiscard]] bool command_typed(const CLI::App& program);
/// Options that nobody declared are no mistake.
void allow_anything(CLI::App& command);
/// For when_typed: options that are good one by one and not together.
[[noreturn]] void refuse_usage(const std::string& sentence);

Option add_flag(CLI::App& command, const std::string& name, bool& target, const std::string& doc);
Option add_text(CLI::App& command, const std::string& name, std::string& target, const std::string& doc, const std::string& type_name = "TEXT");
/// A text that is handed over, not kept.
Option add_word(CLI::App& command, const std::string& name, const std::function<void(const std::string&)>& take, const std::string& doc);

/// What a number may be.
struct Allowed {
  double min = 0;
  double max = std::numeric_limits<double>::max();
  bool above_min = true;  ///< min itself is not allowed
};

/// `--name VALUE`: finite and within what is allowed, else one sentence that says so.
Option add_number(CLI::App& command, const std::string& name, double& target, const Allowed& allowed, const std::string& doc);
Option add_integer(CLI::App& command, const std::string& name, std::int64_t& target, std::int64_t min, std::int64_t max, const std::string& doc);
/// `-` is refused unless `or_stdout`: then it stands for standard output.
Option add_file(CLI::App& command, const std::string& name, std::string& target, const std::string& doc, bool or_stdout = false);

/// `1280x720`.
struct Size {
  int width = 1280, height = 720;
};
Option add_size(CLI::App& command, const std::string& name, Size& target, const std::string& doc);

/// SCENE, --set, --base, --strict.
struct SceneOptions {
  std::string scene;
  std::vector<std::string> sets;
  bool strict = false;
  std::string base = {};
};
Option add_scene(CLI::App& command, SceneOptions& options);

/// --threads: applied with set_thread_count by use_threads().
Option add_threads(CLI::App& command, std::int64_t& threads);
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
