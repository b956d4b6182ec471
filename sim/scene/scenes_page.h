// The generated page docs/scenes.md, which lists the packaged scenes.
#pragma once

#include <string>

namespace vw {

/// Returns the page in Markdown. A test compares the page with the file in docs. `./test.sh pages` writes this file.
[[nodiscard]] std::string scenes_page();

}  // namespace vw
