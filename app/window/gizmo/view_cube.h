// A cube in a corner of the picture that shows the directions of the world. A click on a face shows the scene from that
// side. This file does not use the GUI.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "render/camera.h"

namespace vw {

/// A direction from which the user can look at the scene.
struct ViewSide {
  const char* label;
  glm::vec3 normal;  ///< direction from the target to the eye (unit vector)
};
inline constexpr std::array<ViewSide, 6> view_sides{{{"Front", {0, 0, 1}},
                                                     {"Back", {0, 0, -1}},
                                                     {"Right", {1, 0, 0}},
                                                     {"Left", {-1, 0, 0}},
                                                     {"Top", {0, 1, 0}},
                                                     {"Bottom", {0, -1, 0}}}};

/// A visible face of the cube.
struct ViewCubeFace {
  std::size_t side = 0;           ///< index into view_sides
  std::vector<glm::vec2> corner;  ///< [px]
  glm::vec2 center{0};            ///< [px]
  float facing = 0;               ///< cosine of the angle between the normal and the direction to the eye
};
/// Visible faces of a cube with the given half edge length [px] about a pixel, as the camera sees the world's axes.
[[nodiscard]] std::vector<ViewCubeFace> view_cube_faces(const Camera& camera, glm::vec2 center, float half_px);
/// Index into view_sides of the face under the pointer, or nothing.
[[nodiscard]] std::optional<std::size_t> view_side_at(const std::vector<ViewCubeFace>& faces, glm::vec2 pointer);

}  // namespace vw
