// Darkness on the ground about what stands on it, as a small texture: contact on every tier, the sun's shadow on those without a shadow map.
#pragma once

#include <vector>

#include "render/gl_object.h"
#include "render/sun_grid.h"

namespace vw {

class GroundMap {
 public:
  /// Draws the map of `box` at unit 1; `sun` may be null. Returns min x, min z, 1 / width, 1 / depth.
  glm::vec4 draw(const std::vector<Figure>& figures, std::size_t count, const Snapshot& snapshot, const Bounds3& box, float ground_m,
                 const SunGrid* sun);

 private:
  void mix(const SteadySquare& square, float ground_m, const SunGrid* sun);

  std::vector<float> cells_, scratch_, contact_row_, sun_row_;
  std::vector<std::uint8_t> bytes_;
  GlTexture texture_;
};

}  // namespace vw
