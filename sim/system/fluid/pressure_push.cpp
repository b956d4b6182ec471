#include "sim/system/fluid/pressure_push.h"

#include "sim/system/fluid/row_images.h"

namespace vw {

void push_by_pressure(SphWorkspace& space, float dt, ChunkEnd end) {
  for (std::size_t k = 0; k < space.image_of.size(); ++k) space.rows[space.size() + 1 + k].w = space.rows[space.image_of[k]].w;
  push_sweep(space.input(), {space.inverse_density, space.before, dt}, space.motion, end);
  copy_to_images(space, space.motion);
}

}  // namespace vw
