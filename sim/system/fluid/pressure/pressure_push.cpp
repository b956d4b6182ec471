#include "sim/system/fluid/pressure/pressure_push.h"

#include "sim/system/fluid/rows/row_images.h"

namespace vw {

void push_by_pressure(SphWorkspace& space, float dt, ChunkEnd end) {
  copy_w_to_images(space);
  push_sweep(space.input(), {space.inverse_density, space.before, dt}, space.motion, end);
  copy_to_images(space, space.motion);
}

}  // namespace vw
