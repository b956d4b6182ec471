// Convex polygon in space, clipped by half spaces.
#pragma once

#include <array>
#include <cstddef>

#include <glm/glm.hpp>

namespace vw {

struct ConvexPolygon {
  /// Largest number of corners. Each half space adds at most one corner, so a polygon of four corners can be clipped by
  /// twenty half spaces. Further corners are dropped.
  static constexpr std::size_t most = 24;
  std::array<glm::vec3, most> corner;
  std::size_t count = 0;
};

/// Clips the polygon to the half space dot(n, p) + offset >= 0 (I. Sutherland, G. Hodgman, "Reentrant polygon
/// clipping", 1974).
inline void clip(ConvexPolygon& polygon, const glm::vec3& n, float offset) {
  ConvexPolygon out;
  for (std::size_t k = 0; k < polygon.count; ++k) {
    const glm::vec3 &a = polygon.corner[k], &b = polygon.corner[(k + 1) % polygon.count];
    const float da = glm::dot(n, a) + offset, db = glm::dot(n, b) + offset;
    if (da >= 0 && out.count < ConvexPolygon::most) out.corner[out.count++] = a;
    if ((da >= 0) != (db >= 0) && out.count < ConvexPolygon::most)
      out.corner[out.count++] = a + da / (da - db) * (b - a);
  }
  polygon = out;
}

}  // namespace vw
