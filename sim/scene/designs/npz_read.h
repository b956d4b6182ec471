// Reads two-dimensional arrays of small integers from NumPy's archives (.npz). These are zip files (PKWARE APPNOTE
// 6.3), stored or deflated, whose entries are arrays (NEP 1). The input may be malicious: sizes are checked before
// memory is allocated.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"

namespace vw {

/// A table of integers, row by row.
struct NumberTable {
  std::size_t rows = 0, columns = 0;
  std::vector<int> values;
};

/// Limits of read_npz_table().
inline constexpr std::size_t max_npz_cells = std::size_t{1} << 20;  ///< cells of a table
inline constexpr std::size_t max_npz_entries = 1000;

/// Returns the two-dimensional array `name` (without ".npy") of the archive. Its values must be integers from -1000 to
/// 1000, of any real NumPy type. An error names the file and the array.
[[nodiscard]] Result<NumberTable> read_npz_table(std::string_view bytes, const std::string& file,
                                                 const std::string& name);
/// Returns the names of the arrays of the archive, without ".npy", in the order of the file.
[[nodiscard]] Result<std::vector<std::string>> npz_names(std::string_view bytes, const std::string& file);

}  // namespace vw
