// What --version says.
#pragma once

#include <string>

namespace vw {

/// Version, commit and compiler; then graphics, video and licence of this build.
[[nodiscard]] std::string version_text();

}  // namespace vw
