// Command line of the program (docs/cli.md): parses the arguments, runs the command and prints one sentence on failure.
// Exit codes: 0 success, 1 health failure, 2 bad usage or input.
#pragma once

#include <string>
#include <vector>

#include "sim/base/error.h"

namespace vw {

[[nodiscard]] int run_command_line(int argc, char** argv);
/// Parses arguments (without the program's name) as run_command_line() does, without running anything. Returns the
/// usage error, if any.
[[nodiscard]] Result<void> check_command_line(std::vector<std::string> arguments);

}  // namespace vw
