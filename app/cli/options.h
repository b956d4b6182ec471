// Options that several commands share. Each option is declared once, so that its name has the same meaning in all
// commands. Every number is checked. The files of the commands do not include the header of CLI11, because that header
// takes longer to compile than most commands.
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

/// A declared option. The member functions add properties to the option.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  Option required() const;
  Option needs(Option other) const;
  Option excludes(Option other) const;
  Option type_name(const std::string& name) const;  ///< name of the option's value in --help
  [[nodiscard]] bool given() const;

 private:
  CLI::Option* option_;
};

[[nodiscard]] CLI::App& add_command(CLI::App& program, const std::string& name, const std::string& doc);
/// Sets the action that runs if the command is given with valid options.
void when_typed(CLI::App& command, std::function<void()> action);
[[nodiscard]] bool command_typed(const CLI::App& program);
/// Returns the first option or argument of the program itself that is given, such as --set, or an empty text.
[[nodiscard]] std::string first_given(const CLI::App& program);
/// Makes the command accept any arguments without parsing them, including options and --help. left_over() returns these
/// arguments.
void pass_all_arguments(CLI::App& command);
[[nodiscard]] std::vector<std::string> left_over(const CLI::App& command);
/// Rejects options that are valid separately but not together. Call this function in the action of when_typed().
[[noreturn]] void refuse_usage(const std::string& sentence);

Option add_flag(CLI::App& command, const std::string& name, bool& target, const std::string& doc);
Option add_text(CLI::App& command, const std::string& name, std::string& target, const std::string& doc,
                const std::string& type_name = "TEXT");
/// Declares a text option whose value must not be empty. An empty value may come from an unset variable in a script,
/// and would otherwise mean that the option is not given.
Option add_name(CLI::App& command, const std::string& name, std::string& target, const std::string& doc,
                const std::string& type_name = "TEXT");
/// Declares a text option whose value is passed to `take` instead of being stored.
Option add_word(CLI::App& command, const std::string& name, const std::function<void(const std::string&)>& take,
                const std::string& doc);

/// Allowed range of a number.
struct Allowed {
  double min = 0;
  double max = std::numeric_limits<double>::max();
  bool above_min = true;  ///< whether the value `min` is excluded
};

/// Declares `--name VALUE`, a finite number in the allowed range. For other values, the error message names the range.
Option add_number(CLI::App& command, const std::string& name, double& target, const Allowed& allowed,
                  const std::string& doc);
Option add_integer(CLI::App& command, const std::string& name, std::int64_t& target, std::int64_t min, std::int64_t max,
                   const std::string& doc);
/// Declares a list of numbers that are separated by commas, such as 0,0.5,1. Each number must be in the allowed range.
Option add_numbers(CLI::App& command, const std::string& name, std::vector<double>& target, const Allowed& allowed,
                   const std::string& doc);
/// Declares a list of names that are separated by commas. Each must be one of `allowed`.
Option add_names(CLI::App& command, const std::string& name, std::vector<std::string>& target,
                 const std::vector<std::string>& allowed, const std::string& doc);
/// Declares a list of texts that are separated by commas.
Option add_list(CLI::App& command, const std::string& name, std::vector<std::string>& target, const std::string& doc);
/// Declares a text that must be one of `allowed`.
Option add_choice(CLI::App& command, const std::string& name, std::string& target,
                  const std::vector<std::string>& allowed, const std::string& doc);
/// Declares a file name. If `or_stdout` is set, `-` means standard output; otherwise `-` is rejected.
Option add_file(CLI::App& command, const std::string& name, std::string& target, const std::string& doc,
                bool or_stdout = false);

/// Declares an option that may be repeated, each time with the name of a file.
Option add_files(CLI::App& command, const std::string& name, std::vector<std::string>& target, const std::string& doc);

/// Size of a picture, written as `1280x720`.
struct Size {
  int width = 1280, height = 720;
};
Option add_size(CLI::App& command, const std::string& name, Size& target, const std::string& doc);

/// Declares an option that may be repeated, each time with an assignment `path=value`.
Option add_sets(CLI::App& command, const std::string& name, std::vector<std::string>& target, const std::string& doc);

/// Values of the options SCENE, --set, --base and --strict.
struct SceneOptions {
  std::string scene;
  std::vector<std::string> sets;
  bool strict = false;
  std::string base = {};
  double at_s = -1;         ///< time in the video that SCENE names [s]; negative if --at is not given
  std::string branch = {};  ///< branch of the session that SCENE names; empty if --branch is not given
};
Option add_scene(CLI::App& command, SceneOptions& options);
/// Declares --at and --branch, for commands that open the moment of a picture, a video or a session.
void add_moment(CLI::App& command, SceneOptions& options);
/// Declares --no-moment, for commands that write pictures.
void add_no_moment(CLI::App& command, bool& no_moment);

/// Declares --threads. use_threads() passes the value to set_thread_count().
Option add_threads(CLI::App& command, std::int64_t& threads);
void use_threads(std::int64_t threads);

/// End of a simulation. If both values are negative, default_seconds applies.
struct EndOptions {
  double until_s = -1;
  std::int64_t steps = -1;
};
inline constexpr double default_seconds = 10;
void add_end(CLI::App& command, EndOptions& options);
/// Returns the end time [s] of a simulation whose current time is `now_s`.
[[nodiscard]] double end_time(const EndOptions& options, double now_s, double dt_s);

}  // namespace vw::cli
