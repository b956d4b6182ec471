// Description of the program, of this build and of the licence, for --version and the About dialog.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace vw {

/// Text for --version: version, commit, compiler and instruction set, then graphics, video and licence of this build.
[[nodiscard]] std::string version_text();

struct ProgramFacts {
  std::string purpose;  ///< purpose of the program in one sentence
  std::string licence;  ///< licence of the source and of this build as a whole
  /// Names and values of further facts: version, instruction set, OpenGL driver, video, libraries.
  std::vector<std::pair<std::string, std::string>> rows;
};
/// Returns the facts for the About dialog. `graphics` describes the OpenGL driver in use, or is empty if no driver is
/// in use.
[[nodiscard]] ProgramFacts program_facts(const std::string& graphics);
/// The facts as plain text, for the clipboard.
[[nodiscard]] std::string to_text(const ProgramFacts& facts);

}  // namespace vw
