// Command line of the program (docs/cli.md). It parses the arguments, runs the command and prints one sentence on
// failure. Exit codes: 0 success, 1 failure (see exit_failed in commands/commands.h), 2 invalid usage or input.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/base/error.h"

namespace CLI {
class App;
}

namespace vw {

/// Declares commands on `program`. If the command line contains one of them, `chosen` becomes the action of this
/// command. The action returns the exit code.
using AddCommands = void (*)(CLI::App& program, std::function<int()>& chosen);
/// Declares all commands of voxwake.
void add_all_commands(CLI::App& program, std::function<int()>& chosen);
/// Runs the command in the arguments of main() and returns its exit code. The first argument is the name of the
/// program.
[[nodiscard]] int run_command_line(std::vector<std::string> arguments, AddCommands add_commands = add_all_commands);
/// Parses arguments (without the name of the program) like run_command_line() without running a command. Returns the
/// usage error, if any.
[[nodiscard]] Result<void> check_command_line(std::vector<std::string> arguments);

}  // namespace vw
