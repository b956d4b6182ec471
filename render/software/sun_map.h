// Shadow maps of the sun on the CPU. Up to rounding, the maps equal the maps of render/gl/shadow.cpp, and the lookup
// equals the lookup of shaders/light.glsl.
#pragma once

#include <array>
#include <vector>

#include "render/scene/frame_data.h"
#include "render/software/bins.h"
#include "render/software/projector.h"

namespace vw::soft {

/// Angle by which the pattern of shadow lookups is rotated in the pixel that shows the point `world` [rad], as in
/// shaders/light.glsl. The angles of neighbouring pixels differ, so that a small number of lookups causes fine grain
/// instead of bands.
[[nodiscard]] float shadow_turn(const Projector& projector, const glm::vec3& world);

class SunMap {
 public:
  static constexpr int side = 2048;
  /// Draws all finite objects that cast a shadow into the maps of FrameData::shadows.
  void draw(const FrameData& set);
  /// Disables shadows until the next draw().
  void clear() { ready_ = false; }
  /// Fraction of sunlight that reaches a point. The penumbra is the same as in shaders/light.glsl. `along`:
  /// displacement of the lookup from the point, for a map that covers the surroundings [m]; in finer maps, it is
  /// smaller in proportion to the texels. `turn`: angle of the pattern of lookups [rad] (shadow_turn()).
  [[nodiscard]] float visible(const glm::vec3& world, const glm::vec3& along = glm::vec3(0), float turn = 0) const;
  /// Length of `along` that prevents a surface from shading itself [m].
  [[nodiscard]] float offset_m() const { return maps_.offset_m(side); }

 private:
  struct Disc {
    /// Centre and radius [texels]. A negative radius means that there is no disc.
    float x = 0, y = 0, radius = -1, depth = 0;
  };
  using Triangle = std::array<glm::vec3, 3>;  ///< x, y [texels]; z: depth in [0, 1]
  void place_discs(const FrameData& set);
  void place_triangles(const FrameData& set);
  void add_triangle(const CutPlanes& cut, const glm::vec3& a, const glm::vec3& b, const glm::vec3& c);
  void draw_level(const FrameData& set, std::size_t level);
  void fill_band(std::vector<float>& depth, std::size_t band);
  static void fill(std::vector<float>& depth, const Disc& disc, int low, int high);
  static void fill(std::vector<float>& depth, const Triangle& triangle, int low, int high);
  /// Fraction of sunlight according to one of the maps. `p`: position in the surroundings, in [0, 1]^3.
  [[nodiscard]] float level_visible(const glm::vec3& p, std::size_t level, float turn) const;
  [[nodiscard]] glm::vec3 to_map(const glm::vec3& world) const {
    return {glm::dot(glm::vec3(row_[0]), world) + row_[0].w, glm::dot(glm::vec3(row_[1]), world) + row_[1].w,
            glm::dot(glm::vec3(row_[2]), world) + row_[2].w};
  }

  bool ready_ = false;
  /// Bilinearly filtered comparison of a depth with the map at the position (x, y) [texels]: 1 in the light, 0 in the
  /// shadow.
  [[nodiscard]] static float lit_at(const std::vector<float>& map, float x, float y, float depth);

  ShadowMaps maps_;
  float texels_per_m_ = 1;          ///< resolution of the map that is being drawn
  float softness_ = 0;              ///< LightEnvironment::softness
  std::array<glm::vec4, 3> row_{};  ///< rows of the transformation from the world to texels and depth of this map
  std::array<glm::vec4, 3> from_world_{};  ///< rows of the transformation from the world to the surroundings, [0, 1]^3
  std::array<std::vector<float>, ShadowMaps::most> depth_;
  std::vector<Disc> discs_;
  std::vector<Triangle> triangles_;
  MemberSurface members_;
  Bins<Disc> disc_bands_;
  Bins<std::uint32_t> triangle_bands_;
};

}  // namespace vw::soft
