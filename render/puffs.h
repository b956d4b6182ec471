// Smoke: lighting of puffs, and the shadows that puffs cast on each other. The data are the same for every renderer.
// Plain CPU data; no GL here.
#pragma once

#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "render/figure.h"

namespace vw {

/// Opacity factor of a puff close to the eye, so that puffs do not pop: 0 nearer than 0.3 radii, 1 from 1.3 radii on.
[[nodiscard]] inline float puff_presence(float depth, float radius) {
  return glm::clamp((depth - 0.3F * radius) / radius, 0.0F, 1.0F);
}
/// Distance above the ground over which puffs fade out, in radii; and minimum radius of a puff in the picture [px].
inline constexpr float puff_fade = 0.7F, least_puff_px = 1.5F;

/// Sunlight that reaches each puff through the puffs in between (Y. Dobashi et al., "A simple, efficient method for
/// realistic animation of clouds", 2000). Puffs are visited from the sun outwards. Each reads the optical thickness
/// accumulated at its place in a grid perpendicular to the light, then adds its own.
class PuffShade {
 public:
  /// Computes the shading of all soft figures. `sun`: unit vector towards the sun.
  void build(std::span<const Figure> figures, const glm::vec3& sun);
  /// Multiplies the sun's share in the highest byte of the puffs' colours.
  void apply(std::span<Figure> figures) const;
  [[nodiscard]] bool any() const { return !puffs_.empty(); }
  /// Fraction of sunlight that all puffs together remove below them. `at`: coordinates perpendicular to the light
  /// (SunGrid's axes).
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
  std::vector<float> grid_;  ///< optical thickness
  glm::vec2 corner_{0};
  float cell_m_ = 1;
  int wide_ = 0, tall_ = 0;
};

}  // namespace vw
