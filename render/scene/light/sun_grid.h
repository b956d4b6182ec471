// Visibility of the sun without a shadow map. A coarse grid perpendicular to the light stores the height of the
// uppermost occluder along the light direction, and the coverage of each cell, which darkens the ground. On simple
// quality tiers, the grid contains all objects. On the other tiers, it contains fluids and smoke only and darkens the
// ground. This class contains CPU data only.
#pragma once

#include <array>
#include <vector>

#include <glm/glm.hpp>

#include "render/labels/figure.h"
#include "render/scene/puffs.h"

namespace vw {

/// Square grid over [low, high] with `cells` cells per side. Corner and cell size are rounded, so that the grid stays
/// in place when the box changes slightly.
struct SnappedSquare {
  glm::vec2 corner{0};
  float cell_m = 1;
  [[nodiscard]] static SnappedSquare over(const glm::vec2& low, const glm::vec2& high, int cells);
};
/// Blurs a square array with the kernel (1, 2, 1) / 4 along both axes. `scratch` is overwritten.
void blur_square(std::vector<float>& values, std::vector<float>& scratch, int side);

class SunGrid {
 public:
  static constexpr int side = 256;

  /// Empties the grid and fits it to the box. `sun`: unit vector towards the sun.
  void start(const Bounds3& box, const glm::vec3& sun);
  /// Adds the elements that cast shadows. Rigid bodies, which are added as colliders, and fluids are left out.
  void add(const Figure& figure);
  /// Adds fluids. Call this function before anything else is added. The surface of a fluid absorbs part of the
  /// sunlight. Fluids thus darken the ground but cast no shadow on other objects.
  void add_fluids(const std::vector<Figure>& figures, std::size_t count);
  /// Adds the shadow of smoke on the ground. Call this function after add_fluids() and before adding anything else.
  void add_smoke(const PuffShade& puffs);
  /// Adds a collider or rigid body. Planes are left out.
  void add(const ColliderSnapshot& collider);
  /// Blurs the coverage. Call this function after all objects have been added and before shaded().
  void finish();

  /// Returns the fraction of sunlight in [0, 1] that reaches a point. Occluders less than `clear_m` plus 1.5 grid cells
  /// above the point, in the direction to the sun, are ignored.
  [[nodiscard]] float visible(const glm::vec3& p, float clear_m) const;
  /// Computes the shadow at points below all objects: out[i] is the shaded fraction at first + i * step. The fraction
  /// is zero outside the grid.
  void shaded(const glm::vec3& first, const glm::vec3& step, std::vector<float>& out) const;
  /// Writes the fraction of sunlight to the w components of the skin vertices' normals, or to the highest bytes of the
  /// balls' colours.
  void shade(Figure& figure) const;
  /// Writes the fraction of sunlight for the given rows of balls only.
  void shade(Figure& figure, const std::vector<std::uint32_t>& rows) const;

 private:
  [[nodiscard]] glm::vec2 place(const glm::vec3& p) const {
    return (glm::vec2(glm::dot(p, u_), glm::dot(p, v_)) - square_.corner) / square_.cell_m;
  }
  void shade_ball(Figure& figure, std::size_t row) const;
  void splat(const glm::vec3& p, float half_width);
  void splat_ball(const glm::vec3& p, float radius);
  void add_members(const Figure& figure);
  void add_mesh(const ColliderSnapshot& collider);
  void add_triangle(const std::array<glm::vec3, 3>& corners);

  glm::vec3 sun_{0, 1, 0}, u_{1, 0, 0}, v_{0, 0, 1};
  SnappedSquare square_;
  // Height of the uppermost occluder along the sun's direction [m]. lowest() means that the cell is empty.
  std::vector<float> height_;
  std::vector<float> cover_, scratch_;  ///< `cover_`: fraction of each cell that is covered
};

}  // namespace vw
