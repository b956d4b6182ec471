// One function a command: declares its options on the program and, when the command is the one that was typed, sets what to run.
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
inline constexpr int exit_failed = 1;  ///< failed health check, replay that differs or verifies nothing, interrupt that left no result
inline constexpr int exit_bad_input = 2;

using Action = std::function<int()>;

void add_window(CLI::App& program, Action& chosen);  ///< no command: voxwake [SCENE]
void add_run(CLI::App& program, Action& chosen);
void add_render(CLI::App& program, Action& chosen);
void add_replay(CLI::App& program, Action& chosen);
void add_check(CLI::App& program, Action& chosen);
void add_export(CLI::App& program, Action& chosen);
void add_import(CLI::App& program, Action& chosen);
void add_solve(CLI::App& program, Action& chosen);
void add_modes(CLI::App& program, Action& chosen);
void add_field(CLI::App& program, Action& chosen);
void add_scenes(CLI::App& program, Action& chosen);
void add_parameters(CLI::App& program, Action& chosen);
void add_bench(CLI::App& program, Action& chosen);

/// Text on stderr. A terminal that has closed is no reason to stop: errors of this write are ignored.
void put_on_stderr(std::string_view text);
/// "voxwake: <sentence>" on stderr.
void say(std::string_view sentence);
/// Says the error and returns exit_bad_input.
int complain(const Error& error);
/// The same of a mistake that was found in a scene when it became a world: such errors know their line, not their file.
int complain(Error error, const std::string& scene);
/// A mistake in the command line itself; adds the nearest command or option where there is one.
[[nodiscard]] Error usage_problem(const CLI::App& program, std::string_view sentence);
int usage_error(const CLI::App& program, std::string_view sentence);
/// Names of all commands.
[[nodiscard]] std::vector<std::string> command_names(const CLI::App& program);

}  // namespace vw::cli
