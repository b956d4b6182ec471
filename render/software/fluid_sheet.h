// CPU version of the fluid surface of shaders/fluid_*.frag and render/fluid/fluid_pass.cpp. The depths of balls are
// drawn over the whole picture and smoothed, the thickness of the fluid is added up, and the surface is shaded. The
// finished picture of the solid objects is required, because the surface refracts it.
#pragma once

#include <array>
#include <vector>

#include "render/fluid/fluid_cloud.h"
#include "render/software/bins.h"
#include "render/software/shade.h"

namespace vw::soft {

/// Height of the bands that are filled in parallel [px].
inline constexpr int sheet_band_rows = 32;

/// Picture of the solid objects without the fluid.
struct SolidPicture {
  int width = 0, height = 0;
  std::vector<glm::vec3> color;  ///< displayed colours, linear
  std::vector<float> q;          ///< 1 / depth; 0 if the pixel shows no object
  void size(int w, int h);
  /// Copies the contents of a tile into the picture.
  void keep(const Tile& tile);
  [[nodiscard]] std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  }
};

class FluidSheet {
 public:
  void draw(const FluidCloud& cloud, const LightEnvironment& light, const Projector& projector,
            const SolidPicture& behind);
  /// Blends the surface over the pixels of the tile at which the surface is in front of solid objects.
  void blend(const Scenery& scenery, const SolidPicture& behind, Tile& tile) const;

 private:
  /// A particle in view axes.
  struct Ball {
    glm::vec3 center{0};
    float spacing = 0;
    std::uint32_t color = 0;  ///< sRGB bytes; the highest byte is the amount of foam
    bool is_image = false;    ///< mirror image behind a wall (FluidCloud)
  };
  struct Box {
    int x0 = 0, y0 = 0, x1 = -1, y1 = -1;
  };
  [[nodiscard]] Box box_of(const Ball& ball) const;
  void fill_depths(const FluidCloud& cloud);
  void draw_ball(const Ball& ball, int first_row, int last_row);
  /// Replaces the depths of the balls by those of the mesh, where there is one, as shaders/fluid_mesh.frag does.
  void fill_mesh_depths(const SurfaceMesh& mesh);
  void draw_facets(const SurfaceMesh& mesh);
  [[nodiscard]] float outline_at(int x, int y) const;
  /// A triangle in the picture: coordinates [px] and 1 / depth, and the normals of its corners.
  struct Facet {
    std::array<glm::vec3, 3> at, normal;
  };
  void draw_facet(const Facet& facet, int first_row, int last_row);
  void fill_thickness(const SolidPicture& behind);
  void thicken(const Ball& ball, const SolidPicture& behind, int first_row, int last_row);
  void smooth(float deviation_px_m, bool along_x);
  [[nodiscard]] glm::vec3 sight(float x, float y) const {
    return {(x - projector_.middle_x) / projector_.focal_px, (projector_.middle_y - y) / projector_.focal_px, 1};
  }
  void blur_thickness();
  void blur(std::vector<float>& map, const std::vector<float>& weights) const;
  [[nodiscard]] float thickness_at(int x, int y) const { return half_at(thick_, x, y); }
  [[nodiscard]] float wide_thickness(int x, int y, float depth) const;
  /// Bilinear lookup in a map of half resolution.
  [[nodiscard]] float half_at(const std::vector<float>& map, int x, int y) const;
  [[nodiscard]] glm::vec3 along_surface(int x, int y, int dx, int dy) const;
  /// Properties of the surface at a covered pixel.
  struct Spot {
    float depth = 0;
    /// Opacity. It decreases beyond walls and where the thickness is less than one particle, so that the outlines of
    /// single balls are not visible.
    float cover = 0;
    glm::vec3 normal{0}, from_eye{0};
    float entry = 0;         ///< depth at which the ray passes the wall
    glm::vec3 unbounded{0};  ///< normal without the wall
    float wall_share = 0;    ///< OnWall::share
    glm::vec3 wall_normal{0};
  };
  [[nodiscard]] Spot spot_at(int x, int y) const;
  /// `spacings`: radius of the average, in particle spacings.
  [[nodiscard]] glm::vec3 calm_normal(int x, int y, const Spot& spot, float spacings) const;
  [[nodiscard]] glm::vec3 calm_mesh_normal(int x, int y, const glm::vec3& own, float reach_px, float limit) const;
  [[nodiscard]] bool is_meshed(int x, int y) const;
  /// Colour of the picture that the surface reflects, premultiplied by its weight w.
  [[nodiscard]] glm::vec4 mirrored_at(const SolidPicture& behind, const glm::vec3& world, const glm::vec3& along,
                                      float depth) const;
  [[nodiscard]] glm::vec3 background_at(const SolidPicture& behind, int x, int y, const Spot& spot, float thick) const;
  [[nodiscard]] glm::vec3 to_world(const glm::vec3& v) const;
  [[nodiscard]] glm::vec3 color_at(const Scenery& scenery, const SolidPicture& behind, int x, int y,
                                   const Spot& spot) const;
  /// Colour of the fluid at a pixel. In the transition between the surface and a wall, the colours of both are mixed.
  /// Elsewhere, the result is that of color_at().
  [[nodiscard]] glm::vec3 mixed_color(const Scenery& scenery, const SolidPicture& behind, int x, int y,
                                      const Spot& spot) const;
  [[nodiscard]] glm::vec3 color_within(const SolidPicture& behind, int x, int y) const;
  void blend_within(const SolidPicture& behind, Tile& tile) const;
  [[nodiscard]] std::uint32_t tint_near(int x, int y) const;
  [[nodiscard]] std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(projector_.width) + static_cast<std::size_t>(x);
  }

  Projector projector_;
  LightEnvironment light_;
  std::vector<Ball> balls_;
  std::vector<glm::vec2> map_, other_;  ///< x: depth along the view direction, 0 if empty; y: amount of foam
  std::vector<std::uint32_t> tints_;
  std::vector<Facet> facets_;
  std::vector<glm::vec3> mesh_normal_;  ///< normals of the mesh, not of unit length
  std::vector<float> mesh_q_;           ///< 1 / depth of the mesh, 0 if there is none
  /// Effect of the mesh on the opacity of each pixel; empty if there is no mesh. x: minimum opacity; y: factor on the
  /// opacity that follows from the thickness.
  std::vector<glm::vec2> mesh_cover_;
  /// Maps of half resolution in each direction: blurred thickness [m]; blurred occupancy (shaders/fluid_blur.frag);
  /// thickness with mirror images, without blur [m].
  std::vector<float> thick_, occupancy_, thick_raw_;
  int thick_width_ = 0, thick_height_ = 0;
  Bins<Ball> bands_;
  Bins<std::uint32_t> facet_bands_;
  FluidWalls walls_;
  std::optional<std::uint32_t> around_eye_;
  float spacing_m_ = 1, clarity_m_ = 1;
  bool is_channel_ = false;
};

}  // namespace vw::soft
