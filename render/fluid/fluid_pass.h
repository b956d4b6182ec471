// OpenGL pass for fluids that are drawn as a surface (W. van der Laan, S. Green, M. Sainz, "Screen space fluid
// rendering with curvature flow", 2009). The pass draws the depths of balls and smooths them, draws the thickness of
// the fluid, and shades the surface over a copy of the scene.
#pragma once

#include <array>

#include "render/fluid/fluid_cloud.h"
#include "render/gl/gl_object.h"
#include "render/scene/member_pass.h"

namespace vw {

struct Stage;

/// Framebuffer to draw into, and the resolution of the fluid's depth maps: full, or half in each direction.
struct FluidTarget {
  GLuint framebuffer = 0;
  int width = 0, height = 0;
  bool half = false;
  /// Textures of the framebuffer if shaders can sample them, otherwise 0. With these textures, the half-resolution pass
  /// needs no copy of the scene.
  GLuint color = 0, depth = 0;
  int rays = 1;  ///< number of refracted and of reflected rays for each pixel of the surface
  /// Whether each layer of FluidBuffers::far is available.
  std::array<bool, 2> has_far{};
};

struct FluidBuffers {
  StreamBuffer places, colors;
  Mesh surface;  ///< FluidCloud::surface()
  GlFramebuffer balls;
  std::array<GlFramebuffer, 2> maps;  ///< ping-pong framebuffers of the smoothing
  std::array<GlTexture, 2> depths;    ///< depth and foam
  GlTexture tints;                    ///< colours of the balls
  GlTexture nearest;                  ///< depth buffer of the balls
  GlFramebuffer thick_target, scene, shaded_target;
  GlTexture shaded;  ///< shaded surface if it has fewer pixels than the target
  GlTexture thickness, scene_color, scene_depth;
  GlFramebuffer mesh_target;  ///< depths[0] and mesh_normals
  GlTexture mesh_normals;     ///< empty at half resolution
  /// Scene behind the objects in the picture. The first layer omits bodies, flocks and balls. The second layer also
  /// omits obstacles.
  struct FarLayer {
    GlFramebuffer target;
    GlTexture color, depth;
  };
  std::array<FarLayer, 2> far;
  GlFramebuffer back_target;
  GlTexture back_depth;  ///< depth of the nearest back faces of bodies and obstacles
  int far_width = 0, far_height = 0;
  /// Blurred thickness and occupancy, and thickness without blur (shaders/fluid_blur.frag); empty at half resolution.
  std::array<GlTexture, 2> blurred;
  std::array<GlFramebuffer, 2> blurred_targets;
  int width = 0, height = 0, scene_width = 0, scene_height = 0;

  /// Copies the particles and the surface to the GPU.
  void upload(const FluidCloud& cloud);
  /// Creates the textures and framebuffers for the size and resolution of the target, if they have changed.
  void size(const FluidTarget& target);
  /// Gives `far` and `back_target` the size of the target.
  void size_far(const FluidTarget& target);
};

/// Draws the fluids over the contents of the target. Only blended objects may be drawn into the target afterwards. On
/// return, the depth test and blending are enabled and depth writes are disabled.
void draw_fluid(Stage& stage, const FluidCloud& cloud, const FluidTarget& target);

}  // namespace vw
