// The commands of the program (docs/cli.md): parses, runs, prints one clear sentence on failure. Exit 0 done, 1 health failure, 2 bad usage or input.
#pragma once

#include <string>
#include <vector>

#include "sim/base/error.h"

namespace vw {

[[nodiscard]] int run_command_line(int argc, char** argv);
/// Reads arguments (without the program's name) as run_command_line() does, and runs nothing. Error: what it would complain about.
[[nodiscard]] Result<void> check_command_line(std::vector<std::string> arguments);

}  // namespace vw
