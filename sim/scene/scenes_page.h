// The generated page docs/scenes.md, which lists the packaged scenes.
#pragma once

#include <string>

namespace vw {

/// The page in Markdown. A test compares it with the file in docs; `./test.sh pages` writes it.
[[nodiscard]] std::string scenes_page();

}  // namespace vw
