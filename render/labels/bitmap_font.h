// Built-in bitmap font that is used if no font file is found: printable ASCII on a 5 x 7 grid.
#pragma once

#include <array>
#include <cstdint>

namespace vw {

/// Returns the five columns of a character, from left to right. In each column, bit 0 is the top row and bit 6 is the
/// base line. For a character that is not printable ASCII, the function returns a box.
[[nodiscard]] const std::array<std::uint8_t, 5>& dots_of(char letter);

}  // namespace vw
