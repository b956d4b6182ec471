// Texture of the darkening of the ground around objects: contact shadows on every tier, and the sun's shadow on tiers
// without a shadow map. Plain CPU data; no GL here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/sun_grid.h"

namespace vw {

class GroundMap {
 public:
  static constexpr int side = 256;
  /// Draws the map that covers `box`. `sun` may be null. Returns min x, min z, 1 / width and 1 / depth of the map.
  glm::vec4 draw(const std::vector<Figure>& figures, std::size_t count, std::span<const ColliderSnapshot> solids,
                 const Bounds3& box, float ground_m, const SunGrid* sun);

  /// side x side texels of two bytes: occlusion by objects close above, and the sun's shadow.
  [[nodiscard]] const std::vector<std::uint8_t>& texels() const { return bytes_; }
  /// Low and high corner of the part with any darkening, in map coordinates [0, 1]; all 0 if there is none.
  [[nodiscard]] const glm::vec4& dark_part() const { return dark_part_; }

 private:
  void mix(const SnappedSquare& square, float ground_m, const SunGrid* sun);

  std::vector<float> cells_, scratch_, contact_row_, sun_row_;
  std::vector<std::uint8_t> bytes_;
  glm::vec4 dark_part_{0};
};

}  // namespace vw
