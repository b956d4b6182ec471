// The texts of the parameter `layers` of a voxel body: material codes of all cells, one text per layer.
//
// The first text is the bottom layer (lowest y). A text has size[2] rows in ascending order of z, and a row has size[0]
// codes in ascending order of x. Rows may be separated by `/` or a line break. A code is one character: `.` or `0` is
// an empty cell, and 1-9, A-Z and a-z are the codes 1 to 61. A text that contains a space, a tab or a comma consists of
// decimal codes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/data/value.h"
#include "sim/base/error.h"

namespace vw {

/// Largest number of cells of one voxel body. A voxel takes about 1 kB of memory. Because of the limit, a mistyped size
/// causes an error before the memory is exhausted.
inline constexpr std::size_t max_lattice_cells = std::size_t{1} << 22;
/// Number of cells of a lattice along x, y and z.
using LatticeSize = std::array<std::size_t, 3>;

/// Largest code that a single character can represent.
inline constexpr std::uint16_t max_character_code = 61;

/// Reads the codes of all cells: x varies fastest, then z, then y. An error has the members `found` and `expected`. If
/// one layer is wrong, `found` names the layer and, if possible, the row.
[[nodiscard]] Result<std::vector<std::uint16_t>> decode_layers(const TextList& layers, const LatticeSize& size);

/// Writes codes as layer texts. If a code exceeds max_character_code, all codes are decimal.
[[nodiscard]] TextList encode_layers(std::span<const std::uint16_t> codes, const LatticeSize& size);

}  // namespace vw
