#include "sim/system/fluid/rows/sph_workspace.h"

#include <algorithm>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

/// A particle whose virial (see DensityRow) is below this value counts as lacking neighbours. Particles at a free
/// surface settle to the density of the interior but have a virial of 0.7 - 0.9. The interior has a virial of 0.93 -
/// 1.06.
constexpr float free_below = 0.85F;

}  // namespace

SweepInput SphWorkspace::input() const {
  SweepInput in;
  in.lists = &lists;
  in.kernel = scale.kernel;
  in.reach_m = scale.reach_m();
  in.volume_m3 = scale.volume_m3();
  in.factor = lattice_factor(scale.kernel);
  in.rows = rows.data();
  in.motion = motion.data();
  in.walls = walls.rows.data();
  in.wall_motion = walls.motion.data();
  return in;
}

void SphWorkspace::find_densities() {
  std::vector<DensityTotals> parts(lists.chunks().size());
  const auto add_up = [&](Range range, std::size_t chunk) {
    DensityTotals part;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const double above = static_cast<double>(density[i].density - 1);
      part.above += above;
      part.over += std::max(0.0, above);
      part.sparse += density[i].virial < free_below ? 1 : 0;
    }
    parts[chunk] = part;
  };
  density_sweep(input(), density, ChunkEnd(add_up));
  totals = {};
  for (const DensityTotals& part : parts) totals += part;
}

}  // namespace vw
