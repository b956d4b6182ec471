// Texture with the small pictures of past moments (MomentPictures). Requires a current OpenGL context.
#pragma once

#include <cstddef>

#include "app/window/ui/widgets/picture_target.h"

namespace vw::ui {

class MomentAtlas {
 public:
  /// Copies the picture in a framebuffer of `width` x `height` pixels to a cell. Copies only the middle part that has
  /// the aspect ratio of a cell, and reduces it to the size of a cell. The first call creates the texture.
  void store(std::size_t cell, unsigned framebuffer, int width, int height);
  [[nodiscard]] bool exists() const { return atlas_.exists(); }
  [[nodiscard]] ImTextureID texture() const { return atlas_.texture(); }
  /// Texture coordinates of the upper left and the lower right corner of the picture in a cell.
  struct Corners {
    ImVec2 low, high;
  };
  [[nodiscard]] static Corners corners(std::size_t cell);
  /// Frees the GL objects. Call this before the context is destroyed.
  void release_gl();

 private:
  PictureTarget atlas_, half_, quarter_;
};

}  // namespace vw::ui
