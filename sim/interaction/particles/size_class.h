// Size classes of particles. Particles of each class are searched in a grid whose cells fit the largest of them.
#pragma once

#include <cstddef>

namespace vw {

/// Largest ratio of two sizes within a class. It limits the number of particles per cell of a grid.
inline constexpr double size_ratio = 4;

/// Returns the number of the class of a size (a radius or a reach), at most `most` - 1. Class 0 contains the sizes
/// above widest / size_ratio. Each further class covers sizes that are smaller by the factor size_ratio. The last class
/// also contains all smaller sizes.
[[nodiscard]] inline std::size_t size_class_of(double size, double widest, std::size_t most) {
  std::size_t number = 0;
  for (double least = widest / size_ratio; size <= least && number + 1 < most; least /= size_ratio) ++number;
  return number;
}

}  // namespace vw
