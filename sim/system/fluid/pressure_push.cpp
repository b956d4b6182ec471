#include "sim/system/fluid/pressure_push.h"

#include "sim/base/parallel.h"

namespace vw {

void push_by_pressure(SphWorkspace& space, std::span<const float> kappa, float dt) {
  const std::size_t n = space.size();
  parallel_for(n, 4096, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) space.rows[i].w = kappa[i];
  });
  for (std::size_t k = 0; k < space.image_of.size(); ++k) space.rows[n + 1 + k].w = kappa[space.image_of[k]];
  push_sweep(space.input(), {space.inverse_density, space.before, dt}, space.motion);
  for (std::size_t k = 0; k < space.image_of.size(); ++k) space.motion[n + 1 + k] = space.motion[space.image_of[k]];
}

}  // namespace vw
