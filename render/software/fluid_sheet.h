// A fluid's surface without OpenGL, as shaders/fluid_*.frag and render/fluid_pass.cpp make it: depths of balls over the whole picture, smoothed, the
// thickness behind them, then light. Needs the finished picture of what is solid: it is seen through the surface, displaced.
#pragma once

#include <vector>

#include "render/fluid_cloud.h"
#include "render/software/bins.h"
#include "render/software/shade.h"

namespace vw::soft {

/// What is solid, as it would be seen without the fluid.
struct SolidPicture {
  int width = 0, height = 0;
  std::vector<glm::vec3> color;  ///< as it goes into the picture, linear
  std::vector<float> q;          ///< 1 / depth, 0 where there is nothing
  void size(int w, int h);
  /// Takes what the tile holds.
  void keep(const Tile& tile);
  [[nodiscard]] std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
  }
};

class FluidSheet {
 public:
  void draw(const FluidCloud& cloud, const Projector& projector, const SolidPicture& behind);
  /// Over what the tile holds, where the surface is before it.
  void blend(const Scenery& scenery, const SolidPicture& behind, Tile& tile) const;

 private:
  /// In view axes.
  struct Ball {
    glm::vec3 center{0};
    float spacing = 0;
    std::uint32_t color = 0;  ///< uppermost byte: foam
  };
  struct Box {
    int x0 = 0, y0 = 0, x1 = -1, y1 = -1;
  };
  [[nodiscard]] Box box_of(const Ball& ball) const;
  void fill_depths(const FluidCloud& cloud);
  void draw_ball(const Ball& ball, int first_row, int last_row);
  void fill_thickness(const SolidPicture& behind);
  void thicken(const Ball& ball, const SolidPicture& behind, int first_row, int last_row);
  void smooth(float deviation_px_m, bool along_x);
  [[nodiscard]] glm::vec3 sight(float x, float y) const {
    return {(x - projector_.middle_x) / projector_.focal_px, (projector_.middle_y - y) / projector_.focal_px, 1};
  }
  [[nodiscard]] float thickness_at(int x, int y) const;
  [[nodiscard]] glm::vec3 along_surface(int x, int y, int dx, int dy) const;
  /// The surface at a pixel that shows some of it.
  struct Spot {
    float depth = 0;
    float cover = 0;  ///< rims fade out where less than a particle is left, the outline of single balls does not show, and beyond walls
    glm::vec3 normal{0}, from_eye{0};
  };
  [[nodiscard]] Spot spot_at(int x, int y) const;
  [[nodiscard]] glm::vec3 to_world(const glm::vec3& v) const;
  [[nodiscard]] glm::vec3 color_at(const Scenery& scenery, const SolidPicture& behind, int x, int y, const Spot& spot) const;
  [[nodiscard]] glm::vec3 color_within(const SolidPicture& behind, int x, int y) const;
  void blend_within(const SolidPicture& behind, Tile& tile) const;
  [[nodiscard]] std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(projector_.width) + static_cast<std::size_t>(x);
  }

  Projector projector_;
  std::vector<Ball> balls_;
  std::vector<glm::vec2> map_, other_;  ///< depth along the view, 0 where there is nothing; foam
  std::vector<std::uint32_t> tints_;
  std::vector<float> thick_;  ///< of every second pixel each way
  int thick_width_ = 0, thick_height_ = 0;
  Bins<Ball> bands_;
  FluidWalls walls_;
  std::optional<std::uint32_t> around_eye_;
  float spacing_m_ = 1, clarity_m_ = 1;
  bool is_channel_ = false;
};

}  // namespace vw::soft
