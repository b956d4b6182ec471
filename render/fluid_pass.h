// Fluids as a surface by OpenGL (W. van der Laan, S. Green, M. Sainz, "Screen space fluid rendering with curvature flow", 2009): depths of balls,
// smoothed; the thickness behind them; then the surface over a copy of the scene.
#pragma once

#include <array>

#include "render/fluid_cloud.h"
#include "render/gl_object.h"

namespace vw {

struct Stage;

/// The framebuffer that is drawn into, and how finely its fluids' depths are drawn: every pixel, or every second one each way.
struct FluidTarget {
  GLuint framebuffer = 0;
  int width = 0, height = 0;
  bool half = false;
  GLuint color = 0, depth = 0;  ///< its textures, where they can be looked up; half resolution then needs no copy of them
};

struct FluidBuffers {
  StreamBuffer places, colors;
  GlFramebuffer balls;
  std::array<GlFramebuffer, 2> maps;  ///< from one to the other as they are smoothed
  std::array<GlTexture, 2> depths;    ///< with the foam
  GlTexture tints;                    ///< of balls
  GlTexture nearest;                  ///< depth buffer of balls
  GlFramebuffer thick_target, scene, shaded_target;
  GlTexture shaded;  ///< the surface, where it is drawn with fewer pixels than the target has
  GlTexture thickness, scene_color, scene_depth;
  int width = 0, height = 0, scene_width = 0, scene_height = 0;

  void upload(const FluidCloud& cloud);
  void size(const FluidTarget& target);
};

/// Over what the target holds, which must be finished but for what is blended. Depth test and blending are on afterwards, depths are not written.
void draw_fluid(Stage& stage, const FluidCloud& cloud, const FluidTarget& target);

}  // namespace vw
