// Who stands in the sun, without a shadow map: heights along the light on a coarse grid across it. CPU only; for the simple tiers.
#pragma once

#include <array>
#include <vector>

#include <glm/glm.hpp>

#include "render/figure.h"
#include "render/puffs.h"

namespace vw {

/// Corner and cell of a square grid of `cells` a side over [low, high], stepped so that it does not creep as the box grows or moves.
struct SteadySquare {
  glm::vec2 corner{0};
  float cell_m = 1;
  [[nodiscard]] static SteadySquare over(const glm::vec2& low, const glm::vec2& high, int cells);
};
/// Blurs a square of floats with the kernel 1 2 1 along both axes; `scratch` is reused.
void blur_square(std::vector<float>& values, std::vector<float>& scratch, int side);

class SunGrid {
 public:
  static constexpr int side = 256;

  void start(const Bounds3& box, const glm::vec3& sun);
  void add(const Figure& figure);
  /// Before anything else is added. A fluid's surface lets some of the sun through: it tints the ground and shades nothing else.
  void add_fluids(const std::vector<Figure>& figures, std::size_t count);
  /// Likewise, after fluids.
  void add_smoke(const PuffShade& puffs);
  void add(const ColliderSnapshot& collider);
  void finish();

  /// Share of the sun in [0, 1] that reaches a point; what is nearer than `clear_m` towards the sun does not count.
  [[nodiscard]] float visible(const glm::vec3& p, float clear_m) const;
  /// Shaded shares of points below everything, from `first` on by `step`; zero outside of the grid.
  void shaded(const glm::vec3& first, const glm::vec3& step, std::vector<float>& out) const;
  /// Writes the sun's share into the corners' normals (w) or into the spheres' alpha.
  void shade(Figure& figure) const;
  /// The same for some rows of balls.
  void shade(Figure& figure, const std::vector<std::uint32_t>& rows) const;

 private:
  [[nodiscard]] glm::vec2 place(const glm::vec3& p) const { return (glm::vec2(glm::dot(p, u_), glm::dot(p, v_)) - square_.corner) / square_.cell_m; }
  void shade_ball(Figure& figure, std::size_t row) const;
  void splat(const glm::vec3& p, float half_width);
  void splat_ball(const glm::vec3& p, float radius);
  void add_members(const Figure& figure);
  void add_mesh(const ColliderSnapshot& collider);
  void add_triangle(const std::array<glm::vec3, 3>& corners);

  glm::vec3 sun_{0, 1, 0}, u_{1, 0, 0}, v_{0, 0, 1};
  SteadySquare square_;
  std::vector<float> height_;  // [m] along the sun; lowest() where nothing is
  std::vector<float> cover_, scratch_;
};

}  // namespace vw
