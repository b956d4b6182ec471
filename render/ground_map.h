// Darkness on the ground about what stands on it, as a small picture: contact on every tier, the sun's shadow on those without a shadow map.
// Plain CPU data; no GL here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "render/sun_grid.h"

namespace vw {

class GroundMap {
 public:
  static constexpr int side = 256;
  /// Draws the map of `box`; `sun` may be null. Returns min x, min z, 1 / width, 1 / depth.
  glm::vec4 draw(const std::vector<Figure>& figures, std::size_t count, std::span<const ColliderSnapshot> solids, const Bounds3& box, float ground_m,
                 const SunGrid* sun);

  /// side x side pairs: crowded by what stands close above; in the sun's shadow.
  [[nodiscard]] const std::vector<std::uint8_t>& texels() const { return bytes_; }
  /// Of the map's square in [0, 1], low and high corner of the part beyond which nothing is dark; both 0 where nothing is.
  [[nodiscard]] const glm::vec4& dark_part() const { return dark_part_; }

 private:
  void mix(const SteadySquare& square, float ground_m, const SunGrid* sun);

  std::vector<float> cells_, scratch_, contact_row_, sun_row_;
  std::vector<std::uint8_t> bytes_;
  glm::vec4 dark_part_{0};
};

}  // namespace vw
