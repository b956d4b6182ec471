// Smoke: lighting of puffs, and the shadows that puffs cast on each other. All renderers use the same data. This file
// contains CPU data only, no GL objects.
#pragma once

#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "render/labels/figure.h"

namespace vw {

/// Returns the factor on the opacity of a puff near the eye. The factor is 0 at depths below 0.3 radii and 1 at depths
/// above 1.3 radii, so that puffs do not vanish abruptly when the eye passes through them.
[[nodiscard]] inline float puff_presence(float depth, float radius) {
  return glm::clamp((depth - 0.3F * radius) / radius, 0.0F, 1.0F);
}
/// `puff_fade`: height above the ground over which puffs fade out, in radii. `least_puff_px`: minimum radius of a puff
/// in the picture [px].
inline constexpr float puff_fade = 0.7F, least_puff_px = 1.5F;

/// Sunlight that reaches each puff through the puffs above it (Y. Dobashi et al., "A simple, efficient method for
/// realistic animation of clouds", 2000). Puffs are processed in the order of their distance from the sun. Each puff
/// reads the optical thickness accumulated so far in a grid perpendicular to the light, then adds its own thickness.
class PuffShade {
 public:
  /// Computes the shading of all soft figures. `sun`: unit vector towards the sun.
  void build(std::span<const Figure> figures, const glm::vec3& sun);
  /// Multiplies the sunlight fraction, which is the highest byte of each puff's colour, by the computed fraction.
  void apply(std::span<Figure> figures) const;
  /// Whether there are any puffs.
  [[nodiscard]] bool any() const { return !puffs_.empty(); }
  /// Returns the fraction of sunlight that all puffs together remove from a ray parallel to the light. `at`:
  /// coordinates of the ray in the plane perpendicular to the light, on the axes of SunGrid.
  [[nodiscard]] float shadow_at(const glm::vec2& at) const;

 private:
  struct Puff {
    std::uint32_t figure = 0, element = 0;
    glm::vec2 at{0};
    float along = 0, radius = 0, thickness = 0, share = 1;
  };
  void gather(std::span<const Figure> figures, const glm::vec3& sun);
  void size_grid();
  [[nodiscard]] float thickness_at(const glm::vec2& at) const;
  void add(const Puff& puff);

  std::vector<Puff> puffs_;
  std::vector<std::uint32_t> order_;
  std::vector<float> grid_;  ///< optical thickness of each grid cell
  glm::vec2 corner_{0};
  float cell_m_ = 1;
  int wide_ = 0, tall_ = 0;
};

}  // namespace vw
