// The particles of fluids that are drawn as a surface: which of them may be seen, and where the surface breaks into foam. Plain CPU data; no GL here.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "render/fluid_walls.h"

namespace vw {

/// A ball of this many rest distances closes the gaps of a lattice's face; the surface lies half a distance outside of the particles.
inline constexpr float fluid_ball_share = 0.75F;

class FluidCloud {
 public:
  /// Takes all figures of shape surface. `is_channel`: they are coloured by a channel, so that nothing is seen through them.
  /// `colliders`: whatever may hold the fluid.
  void build(const std::vector<Figure>& figures, std::size_t count, const ViewParams& view, bool is_channel,
             std::span<const ColliderSnapshot> colliders = {}, const glm::vec3& eye = glm::vec3(std::numeric_limits<float>::max()));
  [[nodiscard]] bool empty() const { return places_.empty(); }
  /// w: distance of particles at rest, less for drops by themselves. Those that may be seen come first.
  [[nodiscard]] const std::vector<glm::vec4>& places() const { return places_; }
  /// sRGB bytes; uppermost: foam.
  [[nodiscard]] const std::vector<std::uint32_t>& colors() const { return colors_; }
  [[nodiscard]] std::size_t shell() const { return shell_; }
  [[nodiscard]] float spacing_m() const { return spacing_m_; }
  [[nodiscard]] float clarity_m() const { return clarity_m_; }
  [[nodiscard]] bool is_channel() const { return is_channel_; }
  [[nodiscard]] const FluidWalls& walls() const { return walls_; }
  /// The eye is in a fluid, of this colour (sRGB bytes): no surface is before it, and all that is seen is seen through the fluid.
  [[nodiscard]] const std::optional<std::uint32_t>& around_eye() const { return around_eye_; }
  /// Of the particles' middles.
  [[nodiscard]] Bounds3 bounds() const { return {low_, high_}; }

 private:
  /// Number of particles and sum of their velocities, by cells.
  struct Cells {
    glm::vec3 corner{0};
    float edge_m = 1, full = 1;  ///< particles in a cell of fluid at rest
    glm::ivec3 count{1};
    std::vector<glm::vec4> sums;
    [[nodiscard]] std::size_t at(const glm::ivec3& c) const {
      return (static_cast<std::size_t>(c.z) * static_cast<std::size_t>(count.y) + static_cast<std::size_t>(c.y)) * static_cast<std::size_t>(count.x) +
             static_cast<std::size_t>(c.x);
    }
    [[nodiscard]] glm::ivec3 of(const glm::vec3& p) const { return glm::clamp(glm::ivec3((p - corner) / edge_m), glm::ivec3(0), count - 1); }
    [[nodiscard]] glm::vec4 around(const glm::vec3& p) const;
    [[nodiscard]] bool is_inside(const glm::vec3& p) const;
  };
  void add(const Figure& figure, bool foam);
  void look_around(const Figure& figure, const glm::vec3& eye);
  void fill_cells(const Figure& figure);
  [[nodiscard]] std::uint32_t foam_of(const Figure& figure, std::size_t i, const glm::vec4& around) const;

  Cells cells_;
  FluidWalls walls_;
  std::optional<std::uint32_t> around_eye_;
  std::vector<glm::vec4> places_, inner_places_;
  std::vector<std::uint32_t> colors_, inner_colors_;
  std::vector<std::uint8_t> inside_, foam_;  // of the figure in hand
  std::vector<float> share_;                 // how large its balls are
  glm::vec3 low_{0}, high_{0};
  std::size_t shell_ = 0;
  float spacing_m_ = 0, clarity_m_ = 1;
  bool is_channel_ = false;
};

}  // namespace vw
