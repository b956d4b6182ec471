// Subsets of TrueType fonts, for documents that embed fonts. Sizes and offsets in the file are checked.
#pragma once

#include <set>
#include <string>

#include "sim/base/error.h"

namespace vw {

/// Returns a TrueType file with the outlines of these glyphs and of the glyphs of which they are composed. Glyphs keep
/// their numbers; all other glyphs are empty. Returns an error if the file is damaged.
[[nodiscard]] Result<std::string> font_subset(const std::string& file, std::set<int> glyphs);
/// Returns the family name in the file, such as "DejaVu Sans", or an empty text if the file has none.
[[nodiscard]] std::string font_family(const std::string& file);

}  // namespace vw
