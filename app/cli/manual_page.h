// Manual pages in the language of man(7), generated from the declarations of the command line.
#pragma once

#include <string>

#include "app/cli/command_facts.h"

namespace vw::cli {

/// Returns the file name of a page without its ending: "voxwake" for an empty command, otherwise "voxwake-COMMAND".
[[nodiscard]] std::string manual_page_name(const std::string& command);
/// Returns the page of the program itself: options, commands, environment, exit status.
[[nodiscard]] std::string program_manual_page(const ProgramCommands& all);
/// Returns the page of one command of `all`.
[[nodiscard]] std::string command_manual_page(const ProgramCommands& all, const CommandFacts& command);

}  // namespace vw::cli
