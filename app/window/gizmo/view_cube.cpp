#include "app/window/gizmo/view_cube.h"

#include "app/window/gizmo/gizmo.h"

namespace vw {

std::vector<ViewCubeFace> view_cube_faces(const Camera& camera, glm::vec2 center, float half_px) {
  const glm::mat3 axes(camera.view());
  const auto pixel = [&](const glm::vec3& place) {
    const glm::vec3 seen = half_px * (axes * place);
    return center + glm::vec2(seen.x, -seen.y);
  };
  constexpr float least_facing = 0.02F;
  std::vector<ViewCubeFace> faces;
  for (std::size_t side = 0; side < view_sides.size(); ++side) {
    const glm::vec3 n = view_sides[side].normal;
    const float facing = (axes * n).z;
    if (facing < least_facing) continue;
    const glm::vec3 u(n.y, n.z, n.x), v = glm::cross(n, u);
    faces.push_back({side, {pixel(n + u + v), pixel(n - u + v), pixel(n - u - v), pixel(n + u - v)}, pixel(n), facing});
  }
  return faces;
}

std::optional<std::size_t> view_side_at(const std::vector<ViewCubeFace>& faces, glm::vec2 pointer) {
  for (const ViewCubeFace& face : faces)
    if (is_inside(pointer, face.corner)) return face.side;
  return std::nullopt;
}

}  // namespace vw
