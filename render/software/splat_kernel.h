// Blends sorted splats into a tile's colours, eight pixels of a row at a time (Highway, best instruction set of the
// machine); a scalar version serves for comparison. Only multiplication, addition, division and square root are used,
// none fused, so the result is bitwise identical on every instruction set.
#pragma once

#include <span>

#include "render/software/tile.h"

namespace vw::soft {

/// A flat disc in the picture.
struct ScreenDisc {
  float x = 0, y = 0;  ///< centre [px]
  float radius = 0;    ///< corrected radius for drawing (disc_table.h) [px]
  float q = 0;         ///< 1 / depth
  glm::vec3 color{0};  ///< linear
  float opacity = 1;
};

/// A ball in the picture. A view ray D = (X, Y, 1) along right, up and forward meets the disc perpendicular to the line
/// from eye to centre at ((D e) / (D a), (D f) / (D a)), in radii.
struct ScreenBall {
  glm::vec3 a{0}, e{0}, f{0};
  float radius = 0;  ///< radius in pixels, which sets the width of the antialiased rim
  float q = 0;       ///< 1 / distance of the centre
  float opacity = 1;
  glm::vec3 color{0};                          ///< linear
  float visible = 1;                           ///< fraction of sunlight
  glm::vec3 sun{0}, half_way{0}, vertical{0};  ///< components along e, f and the direction to the eye
  float marked = 0;
  glm::vec2 low{0}, high{0};  ///< bounding box [px]
};

/// A puff of smoke in the picture (render/puffs.h).
struct ScreenPuff {
  float x = 0, y = 0;  ///< centre [px]
  float radius = 0;    ///< [px]
  float q = 0;         ///< 1 / depth
  glm::vec3 color{0};  ///< linear RGB, after lighting
  float opacity = 1;
  glm::vec2 slope{0};  ///< gradient of its lighting to the right and downwards
  /// Fraction that remains near the ground: value in the centre, and change to the right and downwards
  glm::vec3 fade{1, 0, 0};
};

/// Data shared by all splats of a picture.
struct SplatFrame {
  float focal_px = 1, middle_x = 0, middle_y = 0;
  bool front = false;  ///< update Tile::front with splats of at least half opacity
};

void blend_discs(const SplatFrame& frame, std::span<const ScreenDisc> splats, Tile& tile);
void blend_balls(const SplatFrame& frame, std::span<const ScreenBall> splats, Tile& tile);
void blend_puffs(const SplatFrame& frame, std::span<const ScreenPuff> splats, Tile& tile);
/// Scalar versions: one pixel at a time.
void blend_discs_plainly(const SplatFrame& frame, std::span<const ScreenDisc> splats, Tile& tile);
void blend_balls_plainly(const SplatFrame& frame, std::span<const ScreenBall> splats, Tile& tile);
void blend_puffs_plainly(const SplatFrame& frame, std::span<const ScreenPuff> splats, Tile& tile);

/// Colour and coverage of a ball at the position (across_x, across_y) on its disc, in radii (shaders/splat.frag).
struct BallPixel {
  glm::vec3 color{0};
  float cover = 0;
};
[[nodiscard]] BallPixel ball_pixel(const ScreenBall& ball, float across_x, float across_y);

/// Blends over those samples of an edge pixel that lie behind q.
inline void blend_edge(EdgePixel& edge, float q, const glm::vec3& color, float alpha) {
  for (std::size_t s = 0; s < samples; ++s)
    if (q > edge.q[s]) edge.color[s] += alpha * (color - edge.color[s]);
}

}  // namespace vw::soft
