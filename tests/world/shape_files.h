// Small shape files for tests.
#pragma once

#include <string>

#include <fmt/format.h>

namespace vw::test {

/// Returns a box of 0.4 x 0.1 x 0.4 m that stands on y = 0, in OBJ format.
inline std::string table_obj() {
  std::string text;
  for (const double y : {0.0, 0.1})
    for (const double z : {-0.2, 0.2})
      for (const double x : {-0.2, 0.2}) text += fmt::format("v {} {} {}\n", x, y, z);
  return text + "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n";
}

/// Returns the heights of a bowl as text: y = 2 (x^2 + z^2) over an area of 0.4 x 0.4 m.
inline std::string bowl_text() {
  std::string text;
  constexpr int n = 41;
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      const double x = 0.4 * column / (n - 1) - 0.2, z = 0.4 * row / (n - 1) - 0.2;
      text += fmt::format("{:.6f}{}", 2 * (x * x + z * z), column + 1 < n ? ' ' : '\n');
    }
  return text;
}

}  // namespace vw::test
