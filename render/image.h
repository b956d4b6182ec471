// A picture in memory: 8-bit sRGB with alpha, rows from top to bottom.
#pragma once

#include <cstdint>
#include <vector>

namespace vw {

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  ///< 4 * width * height bytes
};

}  // namespace vw
