// The generated page docs/materials.md, which lists the packaged materials with the source of each figure.
#pragma once

#include <string>

namespace vw {

/// Returns the page in Markdown. A test compares the page with the file in docs. `./test.sh pages` writes this file.
[[nodiscard]] std::string materials_page();

}  // namespace vw
