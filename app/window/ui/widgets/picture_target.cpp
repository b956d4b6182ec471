#include "app/window/ui/widgets/picture_target.h"

#include <cstdint>

#include <glad/gl.h>

namespace vw::ui {

void PictureTarget::release_gl() {
  if (framebuffer_ == 0) return;
  glDeleteFramebuffers(1, &framebuffer_);
  glDeleteTextures(1, &color_);
  glDeleteRenderbuffers(1, &depth_);
  framebuffer_ = color_ = depth_ = 0;
  width_ = height_ = 0;
}

void PictureTarget::resize(int width, int height, Depth depth) {
  if (width == width_ && height == height_) return;
  release_gl();
  glCreateTextures(GL_TEXTURE_2D, 1, &color_);
  glTextureStorage2D(color_, 1, GL_RGBA8, width, height);
  glTextureParameteri(color_, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTextureParameteri(color_, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
  // Dear ImGui blends what it draws. The swizzle makes the picture opaque regardless of its alpha.
  constexpr GLint swizzle[] = {GL_RED, GL_GREEN, GL_BLUE, GL_ONE};
  glTextureParameteriv(color_, GL_TEXTURE_SWIZZLE_RGBA, swizzle);
  glCreateFramebuffers(1, &framebuffer_);
  glNamedFramebufferTexture(framebuffer_, GL_COLOR_ATTACHMENT0, color_, 0);
  if (depth == Depth::drawn) {
    glCreateRenderbuffers(1, &depth_);
    glNamedRenderbufferStorage(depth_, GL_DEPTH_COMPONENT32F, width, height);
    glNamedFramebufferRenderbuffer(framebuffer_, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_);
  }
  width_ = width;
  height_ = height;
}

ImTextureID PictureTarget::texture() const {
  // NOLINT: ImGui identifies textures by pointers
  return reinterpret_cast<ImTextureID>(static_cast<std::intptr_t>(color_));
}

}  // namespace vw::ui
