// Blends sorted splats into a tile's colours, eight pixels of a row at a time (Highway, best instruction set of the machine), and the same in plain
// code for comparison. Only multiplications, additions, divisions and square roots, none fused: the same bits on every instruction set.
#pragma once

#include <span>

#include "render/software/tile.h"

namespace vw::soft {

/// A flat disc on the picture.
struct ScreenDisc {
  float x = 0, y = 0;  ///< centre [px]
  float radius = 0;    ///< to be drawn (disc_table.h) [px]
  float q = 0;         ///< 1 / depth
  glm::vec3 color{0};  ///< linear
  float opacity = 1;
};

/// A ball on the picture: the sight D = (X, Y, 1) along right, up and forward meets the disc across the line from eye to centre at
/// ((D e) / (D a), (D f) / (D a)), in radii.
struct ScreenBall {
  glm::vec3 a{0}, e{0}, f{0};
  float radius = 0;  ///< in pixels, for the width of its rim
  float q = 0;       ///< 1 / distance of its centre
  float opacity = 1;
  glm::vec3 color{0};                          ///< linear
  float visible = 1;                           ///< share of the sun
  glm::vec3 sun{0}, half_way{0}, vertical{0};  ///< directions along e, f and back to the eye
  float marked = 0;
  glm::vec2 low{0}, high{0};  ///< box [px]
};

/// A puff of smoke on the picture (render/puffs.h).
struct ScreenPuff {
  float x = 0, y = 0;  ///< centre [px]
  float radius = 0;    ///< [px]
  float q = 0;         ///< 1 / depth
  glm::vec3 color{0};  ///< linear, lit
  float opacity = 1;
  glm::vec2 slope{0};       ///< of its light, to the right and to the lower rim
  glm::vec3 fade{1, 0, 0};  ///< how much of it is there: in its middle, and more towards these rims
};

/// What all splats of a picture share.
struct SplatFrame {
  float focal_px = 1, middle_x = 0, middle_y = 0;
  bool front = false;  ///< keep Tile::front up to date with splats that cover half a pixel and more
};

void blend_discs(const SplatFrame& frame, std::span<const ScreenDisc> splats, Tile& tile);
void blend_balls(const SplatFrame& frame, std::span<const ScreenBall> splats, Tile& tile);
void blend_puffs(const SplatFrame& frame, std::span<const ScreenPuff> splats, Tile& tile);
/// One pixel at a time.
void blend_discs_plainly(const SplatFrame& frame, std::span<const ScreenDisc> splats, Tile& tile);
void blend_balls_plainly(const SplatFrame& frame, std::span<const ScreenBall> splats, Tile& tile);
void blend_puffs_plainly(const SplatFrame& frame, std::span<const ScreenPuff> splats, Tile& tile);

/// Colour of a ball at a place `on` its disc, in radii (shaders/splat.frag).
struct BallPixel {
  glm::vec3 color{0};
  float cover = 0;
};
[[nodiscard]] BallPixel ball_pixel(const ScreenBall& ball, float across_x, float across_y);

/// Over the samples of an edge pixel, each by its own depth.
inline void blend_edge(EdgePixel& edge, float q, const glm::vec3& color, float alpha) {
  for (std::size_t s = 0; s < samples; ++s)
    if (q > edge.q[s]) edge.color[s] += alpha * (color - edge.color[s]);
}

}  // namespace vw::soft
