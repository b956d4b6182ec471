// Declarations of the commands. Each add_ function declares the options of one command. If the command line contains
// this command, `chosen` becomes the action to run.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"

namespace CLI {
class App;
}

namespace vw::cli {

inline constexpr int exit_done = 0;
/// Exit code for a failed health check or solver, for a replay that differs or verifies nothing, for compared runs that
/// differ, and for an interrupt without a result.
inline constexpr int exit_failed = 1;
inline constexpr int exit_bad_input = 2;

using Action = std::function<int()>;

/// Declares the options of the program without a command: voxwake [SCENE].
void add_window(CLI::App& program, Action& chosen);
void add_run(CLI::App& program, Action& chosen);
void add_render(CLI::App& program, Action& chosen);
void add_replay(CLI::App& program, Action& chosen);
void add_compare(CLI::App& program, Action& chosen);
void add_check(CLI::App& program, Action& chosen);
void add_export(CLI::App& program, Action& chosen);
void add_import(CLI::App& program, Action& chosen);
void add_solve(CLI::App& program, Action& chosen);
void add_modes(CLI::App& program, Action& chosen);
void add_field(CLI::App& program, Action& chosen);
void add_scenes(CLI::App& program, Action& chosen);
void add_parameters(CLI::App& program, Action& chosen);
void add_study(CLI::App& program, Action& chosen);
void add_lab(CLI::App& program, Action& chosen);
void add_score(CLI::App& program, Action& chosen);
void add_man(CLI::App& program, Action& chosen);
void add_completion(CLI::App& program, Action& chosen);
void add_bench(CLI::App& program, Action& chosen);

/// Writes a text to stderr. Write errors are ignored, because a closed terminal must not stop the program.
void put_on_stderr(std::string_view text);
/// Prints "voxwake: <sentence>" on stderr.
void say(std::string_view sentence);
/// Prints the error and returns exit_bad_input.
int report_error(const Error& error);
/// Prints an error that occurred while the world of a scene was built, and returns exit_bad_input. Such an error has a
/// line number but no file name, so the file name `scene` is added.
int report_error(Error error, const std::string& scene);
/// Reports that an interrupt ended the command without a result, and returns exit_failed.
int report_interrupt();
/// Creates an error about the command line. The error suggests the most similar command or option, if there is one.
[[nodiscard]] Error usage_problem(const CLI::App& program, std::string_view sentence);
int usage_error(const CLI::App& program, std::string_view sentence);
/// Returns the names of all commands.
[[nodiscard]] std::vector<std::string> command_names(const CLI::App& program);

}  // namespace vw::cli
