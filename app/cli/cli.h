// Command line of the program (docs/cli.md). It parses the arguments, runs the command and prints one sentence on
// failure. Exit codes: 0 success, 1 failed health check, 2 invalid usage or input.
#pragma once

#include <string>
#include <vector>

#include "sim/base/error.h"

namespace vw {

[[nodiscard]] int run_command_line(int argc, char** argv);
/// Parses arguments (without the name of the program) like run_command_line() without running a command. Returns the
/// usage error, if any.
[[nodiscard]] Result<void> check_command_line(std::vector<std::string> arguments);

}  // namespace vw
