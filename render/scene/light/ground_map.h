// Texture that darkens the ground around objects. It contains contact shadows and shadows from sunlight (SunGrid). On
// quality tiers with shadow maps, only fluids and smoke cast the shadows from sunlight. This class contains CPU data
// only, no GL objects.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/scene/light/sun_grid.h"

namespace vw {

class GroundMap {
 public:
  static constexpr int side = 256;
  /// Draws the map for the objects in `box`. If `sun` is null, the map has no shadows from sunlight. `ground_m`: height
  /// of the ground [m]. Returns minimum x [m], minimum z [m], 1 / width and 1 / depth [1/m] of the map.
  glm::vec4 draw(const std::vector<Figure>& figures, std::size_t count, std::span<const ColliderSnapshot> solids,
                 const Bounds3& box, float ground_m, const SunGrid* sun);

  /// Two bytes for each of side x side texels: the occlusion by objects close above the ground, and the fraction of
  /// sunlight that is blocked.
  [[nodiscard]] const std::vector<std::uint8_t>& texels() const { return bytes_; }
  /// Bounding rectangle of all darkened texels (low corner, high corner) in map coordinates [0, 1]. All 0 if there are
  /// none.
  [[nodiscard]] const glm::vec4& dark_part() const { return dark_part_; }

 private:
  void mix(const SnappedSquare& square, float ground_m, const SunGrid* sun);

  std::vector<float> cells_, scratch_, contact_row_, sun_row_;
  std::vector<std::uint8_t> bytes_;
  glm::vec4 dark_part_{0};
};

}  // namespace vw
