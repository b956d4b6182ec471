// Surfaces of the solids in a fluid, for mirror images of particles inside these solids. This class contains CPU data
// only, no GL objects.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "render/labels/figure.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

/// Triangles of opaque closed surfaces, and a grid that finds the triangles near a point.
class SolidSurfaces {
 public:
  /// Collects the skins among the figures, and the opaque solids. For points farther than `reach_m` from a surface, or
  /// outside `bounds`, image_of() returns nothing. Images keep the distance `clearance_m` from other sides of the
  /// solid.
  SolidSurfaces(std::span<const Figure> figures, std::span<const ColliderSnapshot> solids, const Bounds3& bounds,
                float reach_m, float clearance_m);
  [[nodiscard]] bool empty() const { return triangles_.empty(); }
  /// Returns the reflection of a point outside all solids at the nearest surface. If the solid is too thin, the image
  /// lies nearer to the surface. Returns nothing if no surface is within reach or if no image fits in the solid.
  [[nodiscard]] std::optional<glm::vec3> image_of(const glm::vec3& place) const;

 private:
  struct Nearest {
    glm::vec3 place{0};
    float distance_squared = 0, side = 0;  ///< `side` is positive outside the solid
  };
  using Triangle = std::array<glm::vec3, 3>;
  void add(const Triangle& triangle);
  /// Adds a part of the triangle `index` to the cells within reach. Large parts are divided, so that few cells are far
  /// from the triangle.
  void add_part(const Triangle& part, std::uint32_t index);
  [[nodiscard]] glm::ivec3 cell_of(const glm::vec3& place) const;
  [[nodiscard]] std::uint64_t key_of(const glm::ivec3& cell) const;
  [[nodiscard]] std::optional<Nearest> nearest(const glm::vec3& place) const;

  std::vector<Triangle> triangles_;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> cells_;  ///< cells and triangles, sorted
  glm::vec3 low_{0};
  glm::ivec3 count_{0};
  float reach_m_ = 1, clearance_m_ = 0;
};

}  // namespace vw
