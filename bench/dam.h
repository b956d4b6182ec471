// A cube of water, 1 m wide, that falls over in a box of 4 x 3 x 1.5 m: the fluid's solver alone, in the settings that others were measured with.
#pragma once

#include <vector>

#include "bench/registry.h"
#include "sim/system/fluid/fluid_solver.h"

namespace vw::bench {

struct Dam {
  FluidParams params;
  std::vector<FluidPhase> phases{FluidPhase{}};
  FluidDomain domain{Box3(Vec3::Constant(-50), Vec3::Constant(50)), {}};
  std::vector<Collider> colliders;
  FluidRows rows;
  FluidSolver solver;

  /// About so many particles: a whole number along an edge.
  Dam(std::int64_t particles, bool weakly);
  [[nodiscard]] bool weakly() const { return params.method == FluidMethod::wcsph; }
  [[nodiscard]] double step_length() const;
  /// False: too many pairs.
  [[nodiscard]] bool step(double dt, FluidReport& report);
};

/// How some substeps went.
struct DamRun {
  double simulated_s = 0, steps = 0;
  double wall_s = 0, cpu_s = 0;  ///< of all threads together, which other programs on the machine hardly change
  double median_step_s = 0;      ///< on the wall
  double mean_error = 0, largest_error = 0;
  FluidReport report;  ///< summed
};
/// Until so much time has been simulated or so many substeps are done.
[[nodiscard]] Result<DamRun> run_dam(Dam& dam, double until_s, std::int64_t most_steps);

/// The core's stages once more on the state at the end, one by one: nanoseconds a particle.
[[nodiscard]] Figures dam_stages(const Dam& dam);

/// Nanoseconds a particle that a substep takes in the plain reference (reference.h), one thread, from the state at hand, or, where that is large,
/// from that of a small dam; and how many iterations it took from pressures of zero.
[[nodiscard]] Result<Figures> dam_by_reference(const Dam& dam);

}  // namespace vw::bench
