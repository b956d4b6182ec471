// Colours of arrows and trails that represent a direction, a system or a rule instead of a magnitude.
#pragma once

#include <array>
#include <cstddef>

#include <glm/glm.hpp>

namespace vw {

/// Colour of a unit vector; sRGB. The directions +x, +y and +z are red, green and blue. The directions -x, -y and -z
/// have the complementary colours cyan, magenta and yellow. For other directions, the linear colours of the three
/// nearest half axes are mixed with the squared components as weights. The colour varies smoothly, and opposite
/// directions always differ.
[[nodiscard]] glm::vec3 direction_color(const glm::vec3& direction);

/// One half axis in the legend of the direction colours.
struct KeyArm {
  glm::vec2 tip;    ///< end point in the picture (right, up) relative to the legend's centre; the length is at most 1
  glm::vec3 color;  ///< sRGB
  const char* name = nullptr;  ///< "x", "y" or "z"; null for negative half axes
};
/// All six half axes, the farthest first. `axes`: directions of the world's axes in the picture (right, up, towards the
/// eye).
[[nodiscard]] std::array<KeyArm, 6> direction_key(const glm::mat3& axes);

/// Distinct colour of the system or rule with this index; sRGB. The colours repeat after six.
[[nodiscard]] glm::vec3 system_tint(std::size_t number);

}  // namespace vw
