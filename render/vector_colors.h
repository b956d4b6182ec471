// Colours of arrows and trails that do not say how large something is: where it points, or whose it is.
#pragma once

#include <array>
#include <cstddef>

#include <glm/glm.hpp>

namespace vw {

/// Of a direction, a unit vector; sRGB. +x, +y, +z are red, green and blue, -x, -y, -z their opposites cyan, magenta and yellow; between them the
/// light of the three nearest is mixed by the squares of the components, so that it changes smoothly and no two opposite directions are alike.
[[nodiscard]] glm::vec3 direction_color(const glm::vec3& direction);

/// Half an axis in a key to those colours.
struct KeyArm {
  glm::vec2 tip;               ///< on the picture from the key's middle, right and up, of length 1 at most
  glm::vec3 color;             ///< sRGB
  const char* name = nullptr;  ///< "x", "y", "z"; of negative halves none
};
/// All six, the farthest first. `axes`: where x, y and z point on the picture: right, up, to the eye.
[[nodiscard]] std::array<KeyArm, 6> direction_key(const glm::mat3& axes);

/// Of the system or rule of that number; sRGB. Far apart from each other.
[[nodiscard]] glm::vec3 system_tint(std::size_t number);

}  // namespace vw
