// Shadow maps of the sun on the CPU. Up to rounding, the maps equal the maps of render/gl/shadow.cpp, and the lookup
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
  /// Fraction of sunlight that reaches a point. The penumbra is that of shaders/light.glsl. `along`: how far from the
  /// point the lookup in the largest map is; in finer maps it is nearer. `turn`: angle of the pattern of lookups [rad],
  /// see shadow_turn().
  [[nodiscard]] float visible(const glm::vec3& world, const glm::vec3& along = glm::vec3(0), float turn = 0) const;
  /// Length of `along` with which a surface does not shade itself [m].
  [[nodiscard]] float offset_m() const { return maps_.offset_m(side); }

 private:
  struct Disc {
    /// centre and radius in texels; a negative radius means that there is no disc
    float x = 0, y = 0, radius = -1, depth = 0;
  };
  using Triangle = std::array<glm::vec3, 3>;  ///< x and y in texels, z: depth in [0, 1]
  void place_discs(const FrameData& set);
  void place_triangles(const FrameData& set);
  void add_triangle(const CutPlanes& cut, const glm::vec3& a, const glm::vec3& b, const glm::vec3& c);
  void draw_level(const FrameData& set, std::size_t level);
  void fill_band(std::vector<float>& depth, std::size_t band);
  static void fill(std::vector<float>& depth, const Disc& disc, int low, int high);
  static void fill(std::vector<float>& depth, const Triangle& triangle, int low, int high);
  /// Lookup in one of the maps. `p`: place in the surroundings, in [0, 1]^3.
  [[nodiscard]] float level_visible(const glm::vec3& p, std::size_t level, float turn) const;
  [[nodiscard]] glm::vec3 to_map(const glm::vec3& world) const {
    return {glm::dot(glm::vec3(row_[0]), world) + row_[0].w, glm::dot(glm::vec3(row_[1]), world) + row_[1].w,
            glm::dot(glm::vec3(row_[2]), world) + row_[2].w};
  }

  bool ready_ = false;
  /// Bilinear comparison with a map at a place [texels].
  [[nodiscard]] static float lit_at(const std::vector<float>& map, float x, float y, float depth);

  ShadowMaps maps_;
  float texels_per_m_ = 1;                 ///< of the map that is drawn
  float softness_ = 0;                     ///< LightEnvironment::softness
  std::array<glm::vec4, 3> row_{};         ///< from the world to texels (x, y) and depth of the map that is drawn
  std::array<glm::vec4, 3> from_world_{};  ///< rows of the transformation from the world to the surroundings, [0, 1]^3
  std::array<std::vector<float>, ShadowMaps::most> depth_;
  std::vector<Disc> discs_;
  std::vector<Triangle> triangles_;
  MemberSurface members_;
  Bins<Disc> disc_bands_;
  Bins<std::uint32_t> triangle_bands_;
};

}  // namespace vw::soft
