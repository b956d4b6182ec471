// OpenGL pass for ambient occlusion in screen space (shaders/occlusion.frag). It darkens the opaque objects of a
// picture where other objects are near.
#pragma once

#include <array>

#include "render/gl/gl_object.h"

namespace vw {

struct Stage;

/// Distance up to which objects occlude each other, in units of the distance from the eye to the camera's target.
inline constexpr float occlusion_reach = 0.06F;
/// Strength of ambient occlusion: the share of the light that is multiplied by the unoccluded fraction. Occlusion
/// should reduce the ambient light alone, but a picture does not store ambient and key light separately. The same share
/// is therefore used for all surfaces. It is right for surfaces in shadow and too large for lit surfaces.
inline constexpr float occlusion_strength = 0.6F;

struct OcclusionBuffers {
  GlFramebuffer scene;  ///< framebuffer of `depth`, a copy of the picture's depth buffer without multisampling
  GlTexture depth;
  std::array<GlFramebuffer, 2> targets;
  std::array<GlTexture, 2> maps;  ///< unoccluded fraction and depth, before and after the filter
  int width = 0, height = 0, pixel = 0;

  /// Creates the textures for a picture of w x h pixels with one value for each square of `pixel_px` pixels per side.
  void size(int w, int h, int pixel_px);
};

/// Darkens the contents of the framebuffer by ambient occlusion. The framebuffer must be bound and encoded as sRGB. The
/// occlusion is computed once for each square of `pixel_px` x `pixel_px` pixels. On return, the depth test is enabled
/// and blending is disabled.
void draw_occlusion(Stage& stage, GLuint framebuffer, int width, int height, int pixel_px);

}  // namespace vw
