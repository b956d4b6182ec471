// Fonts that the system provides. fonts_posix.cpp and fonts_windows.cpp implement these functions. Paths are UTF-8.
#pragma once

#include <string>
#include <vector>

namespace vw {

enum class FontWeight { regular, bold };

/// Returns the paths of sans-serif TrueType fonts in order of preference. The files may not exist.
[[nodiscard]] std::vector<std::string> sans_serif_fonts(FontWeight weight);
/// Returns the paths of fonts with Chinese, Japanese and Korean letters, in order of preference. The files may not
/// exist.
[[nodiscard]] std::vector<std::string> east_asian_fonts();
/// Returns the folders that contain fonts. Their subfolders may contain fonts too. A folder may not exist.
[[nodiscard]] std::vector<std::string> font_folders();

}  // namespace vw
