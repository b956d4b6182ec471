// Description of the program, the contents of this build and its licence, for --version and the About dialog.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace vw {

/// Version, commit and compiler; then graphics, video and licence of this build.
[[nodiscard]] std::string version_text();

struct ProgramFacts {
  std::string purpose;  ///< one sentence
  std::string licence;  ///< licence of the source and of this build as a whole
  /// Names and values: version, instruction set, graphics, video, libraries
  std::vector<std::pair<std::string, std::string>> rows;
};
/// `graphics`: description of the OpenGL driver in use.
[[nodiscard]] ProgramFacts program_facts(const std::string& graphics);
/// The same as plain text, for the clipboard.
[[nodiscard]] std::string to_text(const ProgramFacts& facts);

}  // namespace vw
