// Caustics: sunlight that the waves of a fluid's surface focus on the floor below. For each cell of the surface, a beam
// of sunlight is refracted, and its light is added to the map at the point where the beam hits the floor (photon
// mapping; H. W. Jensen, "Global illumination using photon maps", 1996). This class contains CPU data only, no GL
// objects.
#pragma once

#include <cstdint>
#include <vector>

#include <glm/glm.hpp>

#include "render/fluid/fluid_cloud.h"

namespace vw {

class Caustics {
 public:
  static constexpr int side = 256;
  /// Largest factor of the sunlight that the map can store.
  static constexpr float brightest = 2.5F;
  /// Weight of the focused light. The rest of the light is distributed as below a level surface, because waves smaller
  /// than a few particle spacings are not resolved and would blur the caustics.
  static constexpr float focused_share = 0.7F;

  /// Computes the map for a floor at the height `ground_m` [m]. `sun`: unit vector towards the light. The map is
  /// cleared if the fluid is empty or completely below the floor, or if the sun is near or below the horizon.
  void draw(const FluidCloud& fluid, float ground_m, const glm::vec3& sun);
  void clear() { level_scale_m_ = 0; }
  /// Whether there is a map. If not, light_at() is 1.
  [[nodiscard]] bool any() const { return level_scale_m_ > 0; }
  /// Two bytes for each of side x side texels. The first byte is the factor of the sunlight on the floor, where 255
  /// means `brightest`. The second byte is the height of the fluid's surface above the floor, where 255 means
  /// level_scale_m().
  [[nodiscard]] const std::vector<std::uint8_t>& texels() const { return bytes_; }
  /// Minimum x [m], minimum z [m], 1 / width and 1 / depth [1/m] of the map.
  [[nodiscard]] const glm::vec4& box() const { return box_; }
  [[nodiscard]] float level_scale_m() const { return level_scale_m_; }
  /// Horizontal displacement (x, z) of light below a level surface, for each metre of depth.
  [[nodiscard]] const glm::vec2& slant() const { return slant_; }
  [[nodiscard]] float ground_m() const { return ground_m_; }
  /// Factor by which the waves change the sunlight at a point. On the floor, it is the factor of the map. Towards the
  /// surface, it changes linearly to 1. At the surface and above, it is 1.
  [[nodiscard]] float light_at(const glm::vec3& world) const;
  /// Fraction of the sunlight that passes through the fluid between a point above the surface and the sun. The fluid is
  /// assumed to fill the space below its surface. At points below the surface, the result is 1.
  [[nodiscard]] float shade_at(const glm::vec3& world) const;
  /// Fraction of the sunlight that is missing in the shadow of a fluid.
  static constexpr float shade = 0.45F;

 private:
  /// Value of the map, interpolated. `channel`: 0 or 1, as in texels().
  [[nodiscard]] float texel(const glm::vec2& at, std::size_t channel) const;
  void find_surface(const FluidCloud& fluid);
  void gather(const glm::vec3& sun);

  std::vector<float> height_, filled_, light_, still_, scratch_;
  std::vector<std::uint8_t> bytes_;
  glm::vec4 box_{0};
  glm::vec2 slant_{0}, to_sun_{0};
  float cell_m_ = 1, ground_m_ = 0, level_scale_m_ = 0;
};

}  // namespace vw
