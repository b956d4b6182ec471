// Bitmap font used if no font file is found: printable ASCII on a 5 x 7 grid, drawn for this program.
#pragma once

#include <array>
#include <cstdint>

namespace vw {

/// Five columns from left to right; bit 0 is the top row, bit 6 the base line. A character that is not printable ASCII
/// gives a box.
[[nodiscard]] const std::array<std::uint8_t, 5>& dots_of(char letter);

}  // namespace vw
