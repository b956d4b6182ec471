// Colours of arrows and trails that encode a direction or an owner instead of a magnitude.
#pragma once

#include <array>
#include <cstddef>

#include <glm/glm.hpp>

namespace vw {

/// Colour of a unit vector; sRGB. +x, +y and +z are red, green and blue; -x, -y and -z are their opposites cyan,
/// magenta and yellow. In between, the light of the three nearest axes is mixed with the squared components as weights.
/// The colour varies smoothly, and opposite directions always differ.
[[nodiscard]] glm::vec3 direction_color(const glm::vec3& direction);

/// Half an axis in the key of the direction colours.
struct KeyArm {
  glm::vec2 tip;    ///< end point in the picture relative to the key's centre, right and up; length 1 at most
  glm::vec3 color;  ///< sRGB
  const char* name = nullptr;  ///< "x", "y", "z"; null for negative half axes
};
/// All six half axes, the farthest first. `axes`: directions of x, y and z in the picture (right, up, towards the eye).
[[nodiscard]] std::array<KeyArm, 6> direction_key(const glm::mat3& axes);

/// Distinct colour of the system or rule with this index; sRGB. The colours repeat after six.
[[nodiscard]] glm::vec3 system_tint(std::size_t number);

}  // namespace vw
