// What the program is, what this build contains and under which licence: for --version and the dialog About.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace vw {

/// Version, commit and compiler; then graphics, video and licence of this build.
[[nodiscard]] std::string version_text();

struct ProgramFacts {
  std::string purpose;                                    ///< one sentence
  std::string licence;                                    ///< of the source, and of this build as a whole
  std::vector<std::pair<std::string, std::string>> rows;  ///< name and value: version, instruction set, graphics, video, libraries
};
/// `graphics`: the OpenGL driver in use.
[[nodiscard]] ProgramFacts program_facts(const std::string& graphics);
/// The same as plain text, for the clipboard.
[[nodiscard]] std::string to_text(const ProgramFacts& facts);

}  // namespace vw
