// Copies per-row data of particles to their periodic images (images.h).
#pragma once

#include "sim/system/fluid/rows/sph_workspace.h"

namespace vw {

/// Copies all four components of each particle's row to its images.
inline void copy_to_images(const SphWorkspace& space, Float4s& rows) {
  const std::size_t first = space.size() + 1;
  for (std::size_t k = 0; k < space.image_of.size(); ++k) rows[first + k] = rows[space.image_of[k]];
}

/// Copies only w of space.rows to the images, because images have other positions than their particles.
inline void copy_w_to_images(SphWorkspace& space) {
  const std::size_t first = space.size() + 1;
  for (std::size_t k = 0; k < space.image_of.size(); ++k) space.rows[first + k].w = space.rows[space.image_of[k]].w;
}

}  // namespace vw
