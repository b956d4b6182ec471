// Offscreen target of a picture that Dear ImGui shows as an image. Requires a current OpenGL context.
#pragma once

#include <imgui.h>

namespace vw::ui {

class PictureTarget {
 public:
  PictureTarget() = default;
  PictureTarget(const PictureTarget&) = delete;
  PictureTarget& operator=(const PictureTarget&) = delete;

  enum class Depth { drawn, none };
  /// Creates the target with this size [px], unless it has the size already. A target without depth can only receive
  /// copies.
  void resize(int width, int height, Depth depth = Depth::drawn);
  /// Frees the GL objects. Call this before the context is destroyed.
  void release_gl();
  [[nodiscard]] bool exists() const { return framebuffer_ != 0; }
  [[nodiscard]] unsigned framebuffer() const { return framebuffer_; }  ///< name of the framebuffer object
  [[nodiscard]] ImTextureID texture() const;
  [[nodiscard]] int width() const { return width_; }
  [[nodiscard]] int height() const { return height_; }

 private:
  unsigned framebuffer_ = 0, color_ = 0, depth_ = 0;
  int width_ = 0, height_ = 0;
};

}  // namespace vw::ui
