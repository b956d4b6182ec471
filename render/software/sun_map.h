// Shadow map of the sun on the CPU. Up to rounding, the map equals the map of render/gl/shadow.cpp, and the lookup
// equals the lookup of shaders/light.glsl.
#pragma once

#include <array>
#include <vector>

#include "render/scene/frame_data.h"
#include "render/software/bins.h"
#include "render/software/projector.h"

namespace vw::soft {

/// Angle by which the lookups of a shadow are turned in the pixel that shows a point, as in shaders/light.glsl. The
/// angles of neighbouring pixels differ, so that few lookups appear as fine grain and not as bands.
[[nodiscard]] float shadow_turn(const Projector& projector, const glm::vec3& world);

class SunMap {
 public:
  static constexpr int side = 2048;
  /// Draws all finite objects that cast a shadow.
  void draw(const FrameData& set);
  /// Disables shadows until the next draw().
  void clear() { ready_ = false; }
  /// Fraction of sunlight that reaches a point. The penumbra is that of shaders/light.glsl. `turn`: angle of the
  /// pattern of lookups [rad], see shadow_turn().
  [[nodiscard]] float visible(const glm::vec3& world, float turn = 0) const;
  /// Distance from a surface at which its shadow must be sampled [m].
  [[nodiscard]] float offset_m() const { return offset_m_; }

 private:
  struct Disc {
    /// centre and radius in texels; a negative radius means that there is no disc
    float x = 0, y = 0, radius = -1, depth = 0;
  };
  using Triangle = std::array<glm::vec3, 3>;  ///< x and y in texels, z: depth in [0, 1]
  void place_discs(const FrameData& set);
  void place_triangles(const FrameData& set);
  void add_triangle(const CutPlanes& cut, const glm::vec3& a, const glm::vec3& b, const glm::vec3& c);
  void fill_band(std::size_t band);
  void fill(const Disc& disc, int low, int high);
  void fill(const Triangle& triangle, int low, int high);
  [[nodiscard]] glm::vec3 to_map(const glm::vec3& world) const {
    return {glm::dot(glm::vec3(row_[0]), world) + row_[0].w, glm::dot(glm::vec3(row_[1]), world) + row_[1].w,
            glm::dot(glm::vec3(row_[2]), world) + row_[2].w};
  }

  bool ready_ = false;
  /// Bilinear comparison with the map at a place [texels].
  [[nodiscard]] float lit_at(float x, float y, float depth) const;

  float offset_m_ = 0, texels_per_m_ = 1;
  float softness_ = 0;              ///< LightEnvironment::softness
  std::array<glm::vec4, 3> row_{};  ///< rows of the transformation from the world to texels (x, y) and depth
  std::vector<float> depth_;
  std::vector<Disc> discs_;
  std::vector<Triangle> triangles_;
  MemberSurface members_;
  Bins<Disc> disc_bands_;
  Bins<std::uint32_t> triangle_bands_;
};

}  // namespace vw::soft
