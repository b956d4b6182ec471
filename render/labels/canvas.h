// Offscreen framebuffer with one colour and one depth attachment, and one sample per pixel. Tests and measurements draw
// into a canvas instead of a window.
#pragma once

#include "render/gl/gl_object.h"

namespace vw {

class Canvas {
 public:
  /// `width` and `height` are in pixels. `color` is GL_SRGB8_ALPHA8, or GL_RGBA8 for a target without sRGB conversion.
  /// The constructor requires a current GL context.
  Canvas(int width, int height, GLenum color = GL_SRGB8_ALPHA8)
      : color_(make_texture(GL_TEXTURE_2D)), depth_(make_texture(GL_TEXTURE_2D)), framebuffer_(make_framebuffer()) {
    glTextureStorage2D(color_.id(), 1, color, width, height);
    glTextureStorage2D(depth_.id(), 1, GL_DEPTH_COMPONENT32F, width, height);
    glNamedFramebufferTexture(framebuffer_.id(), GL_COLOR_ATTACHMENT0, color_.id(), 0);
    glNamedFramebufferTexture(framebuffer_.id(), GL_DEPTH_ATTACHMENT, depth_.id(), 0);
  }
  [[nodiscard]] GLuint framebuffer() const { return framebuffer_.id(); }

 private:
  GlTexture color_, depth_;
  GlFramebuffer framebuffer_;
};

}  // namespace vw
