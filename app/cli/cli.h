// The commands of the program (docs/cli.md): parses, runs, prints one clear sentence on failure. Exit 0 done, 1 health failure, 2 bad usage or input.
#pragma once

namespace vw {

[[nodiscard]] int run_command_line(int argc, char** argv);

}  // namespace vw
