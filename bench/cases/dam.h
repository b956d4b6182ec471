// Dam break: a cube of water with an edge of 1 m collapses in a box of 4 x 3 x 1.5 m. Only the fluid solver runs, with
// the settings that were used to measure other programs.
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

  /// The number of particles is rounded, so that the number along an edge is an integer.
  Dam(std::int64_t particles, bool weakly);
  [[nodiscard]] bool weakly() const { return params.method == FluidMethod::wcsph; }
  [[nodiscard]] double step_length() const;
  /// Performs one substep. Returns false if there are too many particle pairs.
  [[nodiscard]] bool step(double dt, FluidReport& report);
};

/// Results of a run of several substeps.
struct DamRun {
  double simulated_s = 0, steps = 0;
  /// `cpu_s` is the CPU time of all threads together, which hardly depends on other programs that run on the machine.
  double wall_s = 0, cpu_s = 0;
  double median_step_s = 0;  ///< median wall time of a substep [s]
  double mean_error = 0, largest_error = 0;
  FluidReport report;  ///< sum over all substeps
};
/// Runs until the simulated time `until_s` is reached or `most_steps` substeps have been performed.
[[nodiscard]] Result<DamRun> run_dam(Dam& dam, double until_s, std::int64_t most_steps);

/// Cost of each stage of the solver, repeated separately on the final state [ns per particle].
[[nodiscard]] Figures dam_stages(const Dam& dam);

/// Cost of a substep of the scalar reference (reference.h) on one thread [ns per particle], and number of iterations
/// starting from zero pressures. The run starts from the state of `dam` or, if `dam` is large, from the state of a
/// smaller dam.
[[nodiscard]] Result<Figures> dam_by_reference(const Dam& dam);

}  // namespace vw::bench
