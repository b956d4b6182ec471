// What is told of rows is told of their images across periodic sides too (images.h).
#pragma once

#include "sim/system/fluid/sph_workspace.h"

namespace vw {

/// Whatever is told of the workspace's rows, told of their images too.
inline void copy_to_images(const SphWorkspace& space, Float4s& rows) {
  const std::size_t first = space.size() + 1;
  for (std::size_t k = 0; k < space.image_of.size(); ++k) rows[first + k] = rows[space.image_of[k]];
}

/// What the w of the workspace's rows is, beside their places: images stand elsewhere.
inline void copy_w_to_images(SphWorkspace& space) {
  const std::size_t first = space.size() + 1;
  for (std::size_t k = 0; k < space.image_of.size(); ++k) space.rows[first + k].w = space.rows[space.image_of[k]].w;
}

}  // namespace vw
