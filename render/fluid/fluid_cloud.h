// Particles of fluids that are drawn as a surface: the particles that may be visible, and the amount of foam where the
// surface breaks up. This class contains CPU data only, no GL objects.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "render/fluid/fluid_walls.h"
#include "sim/base/surface_mesh.h"

namespace vw {

/// Radius of the balls that represent particles, in units of the particle spacing. Balls of this size leave no gaps in
/// a face of the particle lattice. The surface lies half a particle spacing outside the particle centres.
inline constexpr float fluid_ball_share = 0.75F;
/// Radius of the balls that are drawn into the depth map at full resolution, in the same units. These larger balls
/// close the gaps along bodies. They do not affect the outline of the fluid, which follows from the blurred thickness.
inline constexpr float fluid_depth_ball_share = 0.95F;
/// Maximum radius of the filter that smooths the surface [px]. The limit applies near the eye, where a few particles
/// fill the picture.
inline constexpr int most_filter_px = 24;

/// Contents of a FluidCloud. `particles`: particles only. `images`: in addition, mirror images behind walls. `surface`:
/// in addition, the surface as a mesh, which takes longer to compute.
enum class FluidDetail { particles, images, surface };

/// A particle of a fluid that is drawn with foam or spray.
struct SprayParticle {
  glm::vec3 place{0};   ///< [m]
  float spacing_m = 0;  ///< particle spacing of the fluid [m]
  float amount = 0;     ///< amount of foam, from 0 to 1
  std::uint32_t id = 0;
};

class FluidCloud {
 public:
  /// Collects those of the first `count` figures whose shape is FigureShape::surface. If `is_channel` is set, the
  /// fluids are coloured by a channel and are therefore opaque. `colliders`: all colliders, including the planes that
  /// bound the fluid. `solids`: obstacles and rigid bodies as they are drawn. The mesh of the surface extends into
  /// these solids without a rounded edge. Only FluidDetail::surface requires `solids`.
  void build(const std::vector<Figure>& figures, std::size_t count, const ViewParams& view, bool is_channel,
             std::span<const ColliderSnapshot> colliders = {},
             const glm::vec3& eye = glm::vec3(std::numeric_limits<float>::max()),
             FluidDetail detail = FluidDetail::particles, std::span<const ColliderSnapshot> solids = {});
  [[nodiscard]] bool empty() const { return places_.empty(); }
  /// Positions [m]; w: particle spacing [m], reduced for isolated drops and enlarged in the edge between two walls.
  /// Mirror images come first, and their w is negative. Particles that may be visible follow, then all other particles.
  /// A mirror image is the reflection of a particle at a nearby wall. The images extend the surface of the fluid behind
  /// the wall. Without images, the surface would be rounded at the wall.
  [[nodiscard]] const std::vector<glm::vec4>& places() const { return places_; }
  /// Colour as sRGB bytes; the highest byte is the amount of foam.
  [[nodiscard]] const std::vector<std::uint32_t>& colors() const { return colors_; }
  /// Number of elements of places() that are mirror images or particles that may be visible.
  [[nodiscard]] std::size_t shell() const { return shell_; }
  [[nodiscard]] float spacing_m() const { return spacing_m_; }
  /// Particles with foam, in the order of the figures.
  [[nodiscard]] const std::vector<SprayParticle>& spray() const { return spray_; }
  /// Mesh of the surface of all fluids, computed with mirror images but without isolated drops. The mesh is empty
  /// unless build() is called with FluidDetail::surface. Single particles cause no bumps in it, even at grazing view
  /// angles.
  [[nodiscard]] const SurfaceMesh& surface() const { return surface_; }
  /// Thickness of fluid at which the transmitted light has the colour of the fluid [m].
  [[nodiscard]] float clarity_m() const { return clarity_m_; }
  [[nodiscard]] bool is_channel() const { return is_channel_; }
  [[nodiscard]] const FluidWalls& walls() const { return walls_; }
  /// Colour (sRGB bytes) of the fluid that contains the eye, or nothing. If the eye is in a fluid, no fluid surface is
  /// drawn, and everything is seen through the fluid.
  [[nodiscard]] const std::optional<std::uint32_t>& around_eye() const { return around_eye_; }
  /// Bounding box of the particle centres.
  [[nodiscard]] Bounds3 bounds() const { return {low_, high_}; }

 private:
  /// Grid whose cells store the number of particles (w) and the sum of the particle velocities (xyz).
  struct Cells {
    glm::vec3 corner{0};
    float edge_m = 1, full = 1;  ///< `full`: number of particles in a cell that is filled with fluid at rest
    /// Whether only the cells with particles are stored, in `sparse`. The coordinates of cells may then be negative,
    /// and `count` and `sums` are not used.
    bool is_sparse = false;
    glm::ivec3 count{1};
    std::vector<glm::vec4> sums;
    std::unordered_map<std::uint64_t, glm::vec4> sparse;
    [[nodiscard]] std::size_t at(const glm::ivec3& c) const {
      return (static_cast<std::size_t>(c.z) * static_cast<std::size_t>(count.y) + static_cast<std::size_t>(c.y)) *
                 static_cast<std::size_t>(count.x) +
             static_cast<std::size_t>(c.x);
    }
    [[nodiscard]] glm::ivec3 of(const glm::vec3& p) const;
    [[nodiscard]] glm::vec4 sum_at(const glm::ivec3& c) const;
    [[nodiscard]] glm::vec4 around(const glm::vec3& p) const;
    [[nodiscard]] bool is_inside(const glm::vec3& p) const;
    [[nodiscard]] bool is_alone(const glm::vec3& p) const;
  };
  void add(const Figure& figure, bool foam, FluidDetail detail);
  void add_surface(const Figure& figure, std::size_t first_image, std::span<const Figure> figures,
                   std::span<const ColliderSnapshot> solids);
  void add_images(const glm::vec4& place, std::uint32_t color, float spacing_m);
  void detect_eye_inside(const Figure& figure, const glm::vec3& eye);
  void fill_cells(const Figure& figure);
  [[nodiscard]] std::uint32_t foam_of(const Figure& figure, std::size_t i, const glm::vec4& around) const;

  Cells cells_;
  FluidWalls walls_;
  std::optional<std::uint32_t> around_eye_;
  std::vector<glm::vec4> places_, shell_places_, inner_places_;
  std::vector<std::uint32_t> colors_, shell_colors_, inner_colors_;
  // For each particle of the fluid that is being added: 1 if the particles around it hide it, and its amount of foam
  // (0 to 255).
  std::vector<std::uint8_t> inside_, foam_;
  std::vector<SprayParticle> spray_;
  SurfaceMesh surface_;
  std::vector<float> share_;  // size factor of each particle's ball
  glm::vec3 low_{0}, high_{0};
  std::size_t shell_ = 0;
  float spacing_m_ = 0, clarity_m_ = 1;
  bool is_channel_ = false;
};

}  // namespace vw
