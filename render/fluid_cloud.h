// Particles of the fluids that are drawn as a surface: the particles that may be visible, and the amount of foam where
// the surface breaks. Plain CPU data; no GL here.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "render/fluid_walls.h"

namespace vw {

/// Radius of a ball in rest distances; this closes the gaps in a face of the particle lattice. The surface lies half a
/// rest distance outside the particle centres.
inline constexpr float fluid_ball_share = 0.75F;

class FluidCloud {
 public:
  /// Collects all figures of shape FigureShape::surface. `is_channel`: the fluids are coloured by a channel and
  /// therefore opaque.
  /// `colliders`: all colliders; planes that hold the fluid are found among them.
  void build(const std::vector<Figure>& figures, std::size_t count, const ViewParams& view, bool is_channel,
             std::span<const ColliderSnapshot> colliders = {},
             const glm::vec3& eye = glm::vec3(std::numeric_limits<float>::max()));
  [[nodiscard]] bool empty() const { return places_.empty(); }
  /// Position [m]; w: rest distance [m], reduced for isolated drops. Particles that may be visible come first.
  [[nodiscard]] const std::vector<glm::vec4>& places() const { return places_; }
  /// sRGB bytes; the highest byte is the amount of foam.
  [[nodiscard]] const std::vector<std::uint32_t>& colors() const { return colors_; }
  [[nodiscard]] std::size_t shell() const { return shell_; }
  [[nodiscard]] float spacing_m() const { return spacing_m_; }
  [[nodiscard]] float clarity_m() const { return clarity_m_; }
  [[nodiscard]] bool is_channel() const { return is_channel_; }
  [[nodiscard]] const FluidWalls& walls() const { return walls_; }
  /// Colour (sRGB bytes) of the fluid that contains the eye, if any. In that case there is no surface in front of the
  /// eye, and everything is seen through the fluid.
  [[nodiscard]] const std::optional<std::uint32_t>& around_eye() const { return around_eye_; }
  /// Bounding box of the particle centres.
  [[nodiscard]] Bounds3 bounds() const { return {low_, high_}; }

 private:
  /// Grid of cells with the number of particles (w) and the sum of their velocities (xyz).
  struct Cells {
    glm::vec3 corner{0};
    float edge_m = 1, full = 1;  ///< number of particles in a cell of fluid at rest
    glm::ivec3 count{1};
    std::vector<glm::vec4> sums;
    [[nodiscard]] std::size_t at(const glm::ivec3& c) const {
      return (static_cast<std::size_t>(c.z) * static_cast<std::size_t>(count.y) + static_cast<std::size_t>(c.y)) *
                 static_cast<std::size_t>(count.x) +
             static_cast<std::size_t>(c.x);
    }
    [[nodiscard]] glm::ivec3 of(const glm::vec3& p) const {
      return glm::clamp(glm::ivec3((p - corner) / edge_m), glm::ivec3(0), count - 1);
    }
    [[nodiscard]] glm::vec4 around(const glm::vec3& p) const;
    [[nodiscard]] bool is_inside(const glm::vec3& p) const;
  };
  void add(const Figure& figure, bool foam);
  void detect_eye_inside(const Figure& figure, const glm::vec3& eye);
  void fill_cells(const Figure& figure);
  [[nodiscard]] std::uint32_t foam_of(const Figure& figure, std::size_t i, const glm::vec4& around) const;

  Cells cells_;
  FluidWalls walls_;
  std::optional<std::uint32_t> around_eye_;
  std::vector<glm::vec4> places_, inner_places_;
  std::vector<std::uint32_t> colors_, inner_colors_;
  std::vector<std::uint8_t> inside_, foam_;  // of the figure being added
  std::vector<float> share_;                 // relative ball size of each particle
  glm::vec3 low_{0}, high_{0};
  std::size_t shell_ = 0;
  float spacing_m_ = 0, clarity_m_ = 1;
  bool is_channel_ = false;
};

}  // namespace vw
