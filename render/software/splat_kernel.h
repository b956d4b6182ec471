// Blends sorted splats into the colours of a tile, up to eight pixels of a row at a time. Highway selects the best
// instruction set of the machine. Scalar versions serve for comparison. The kernels use only multiplication, addition,
// division and square root without fused operations, so that the result is bitwise identical on every instruction set.
#pragma once

#include <span>

#include "render/scene/light/environment.h"
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

/// A ball in the picture, drawn as a disc through the centre perpendicular to the line from eye to centre. A view ray
/// with the direction D = (X, Y, 1) along right, up and forward hits this disc at the point (dot(D, e) / dot(D, a),
/// dot(D, f) / dot(D, a)), in ball radii from the centre.
struct ScreenBall {
  glm::vec3 a{0}, e{0}, f{0};
  float radius = 0;  ///< radius [px], which determines the width of the antialiased rim
  float q = 0;       ///< 1 / distance of the centre from the eye
  float opacity = 1;
  glm::vec3 color{0};  ///< linear
  float visible = 1;   ///< fraction of sunlight
  /// Unit vectors to the sun, half-way between sun and eye, and upwards. The components are along e, along f and
  /// towards the eye.
  glm::vec3 sun{0}, half_way{0}, vertical{0};
  float marked = 0;
  glm::vec2 low{0}, high{0};  ///< bounding box [px]
};

/// A puff of smoke in the picture (render/scene/puffs.h).
struct ScreenPuff {
  float x = 0, y = 0;  ///< centre [px]
  float radius = 0;    ///< [px]
  float q = 0;         ///< 1 / depth
  glm::vec3 color{0};  ///< linear RGB after lighting
  float opacity = 1;
  glm::vec2 slope{0};  ///< change of the lighting to the right and downwards
  /// Visible fraction of the puff near the ground: value in the centre, and change to the right and downwards.
  glm::vec3 fade{1, 0, 0};
};

/// Data of a picture that all splats share.
struct SplatFrame {
  float focal_px = 1, middle_x = 0, middle_y = 0;
  LightEnvironment light = {};
  bool front = false;  ///< whether splats of at least half opacity update Tile::front
};

/// These functions blend splats over the tile in the given order, which must be from back to front.
void blend_discs(const SplatFrame& frame, std::span<const ScreenDisc> splats, Tile& tile);
void blend_balls(const SplatFrame& frame, std::span<const ScreenBall> splats, Tile& tile);
void blend_puffs(const SplatFrame& frame, std::span<const ScreenPuff> splats, Tile& tile);
/// Scalar versions of the kernels, which process one pixel at a time.
void blend_discs_plainly(const SplatFrame& frame, std::span<const ScreenDisc> splats, Tile& tile);
void blend_balls_plainly(const SplatFrame& frame, std::span<const ScreenBall> splats, Tile& tile);
void blend_puffs_plainly(const SplatFrame& frame, std::span<const ScreenPuff> splats, Tile& tile);

/// Colour and coverage of a ball at the position (across_x, across_y) on its disc, in ball radii (shaders/splat.frag).
struct BallPixel {
  glm::vec3 color{0};
  float cover = 0;
};
[[nodiscard]] BallPixel ball_pixel(const LightEnvironment& light, const ScreenBall& ball, float across_x,
                                   float across_y);

/// Blends a splat at the depth 1 / q over the samples of an edge pixel that lie behind the splat.
inline void blend_edge(EdgePixel& edge, float q, const glm::vec3& color, float alpha) {
  for (std::size_t s = 0; s < samples; ++s)
    if (q > edge.q[s]) edge.color[s] += alpha * (color - edge.color[s]);
}

}  // namespace vw::soft
