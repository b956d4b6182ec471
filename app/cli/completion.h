// Completions of the command line for shells, generated from its declarations. The scripts ask `voxwake scenes` for
// the names of packaged scenes when the user presses Tab.
#pragma once

#include <string>
#include <vector>

#include "app/cli/command_facts.h"

namespace vw::cli {

/// Returns the names of the shells: bash, fish and zsh.
[[nodiscard]] const std::vector<std::string>& completion_shells();
/// Returns the file name under which the shell looks for the script of the program: "voxwake", "voxwake.fish" or
/// "_voxwake".
[[nodiscard]] std::string completion_file(const std::string& shell);
/// Returns the script for a shell of completion_shells().
[[nodiscard]] std::string completion_script(const ProgramCommands& all, const std::string& shell);

}  // namespace vw::cli
