// Smoke: how a puff is lit, and what puffs take of the sun from each other. Alike for every renderer. Plain CPU data; no GL here.
#pragma once

#include <span>
#include <vector>

#include <glm/glm.hpp>

#include "render/figure.h"

namespace vw {

/// What is left of a puff that the eye comes close to, so that none bursts into the picture: none within a third of its radius.
[[nodiscard]] inline float puff_presence(float depth, float radius) { return glm::clamp((depth - 0.3F * radius) / radius, 0.0F, 1.0F); }
/// Puffs fade over this share of their radius into the ground.
inline constexpr float puff_fade = 0.7F, least_puff_px = 1.5F;

/// The sun's share that reaches puffs through those between (Y. Dobashi et al., "A simple, efficient method for realistic animation of clouds",
/// 2000): from the sun outwards, each takes what the grid across the light holds at its place and then adds its own.
class PuffShade {
 public:
  /// Of all figures that are soft.
  void build(std::span<const Figure> figures, const glm::vec3& sun);
  /// Into the uppermost byte of their colours, times the share that stands there.
  void apply(std::span<Figure> figures) const;
  [[nodiscard]] bool any() const { return !puffs_.empty(); }
  /// How much of the sun all of them take from what lies below, at a place across its light (SunGrid's axes).
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
