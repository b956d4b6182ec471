// Dam break: a cube of water with an edge of 1 m collapses in a box of 4 x 3 x 1.5 m. Only the fluid solver runs, with
// the settings of published measurements of other programs.
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

  /// Creates a dam of about `particles` particles, such that the number along an edge is an integer.
  Dam(std::int64_t particles, bool weakly);
  [[nodiscard]] bool weakly() const { return params.method == FluidMethod::wcsph; }
  [[nodiscard]] double step_length() const;
  /// Performs one substep. Returns false if there are too many particle pairs.
  [[nodiscard]] bool step(double dt, FluidReport& report);
};

/// Results of a run of several substeps.
struct DamRun {
  double simulated_s = 0, steps = 0;
  /// `cpu_s` is the CPU time of all threads together. It hardly depends on other programs that run on the machine.
  double wall_s = 0, cpu_s = 0;
  double median_step_s = 0;  ///< median wall time of a substep [s]
  /// `mean_error` is the mean of FluidReport::mean_excess over the substeps, `largest_error` the largest
  /// FluidReport::compression.
  double mean_error = 0, largest_error = 0;
  FluidReport report;  ///< counts are sums over all substeps, errors are values of the last substep
};
/// Runs until the simulated time `until_s` is reached or `most_steps` substeps have been performed.
[[nodiscard]] Result<DamRun> run_dam(Dam& dam, double until_s, std::int64_t most_steps);

/// Returns the cost of each stage of the solver on the state of `dam` [ns per particle]. Each stage is measured
/// separately, as the shortest of five runs.
[[nodiscard]] Figures dam_stages(const Dam& dam);

/// Returns the cost of a substep of the scalar reference (reference.h) on one thread [ns per particle], and the number
/// of iterations if the solver starts with zero pressures. The substep starts from the state of `dam`. If `dam` has
/// more than 50,000 particles, the substep starts from the state of a smaller dam.
[[nodiscard]] Result<Figures> dam_by_reference(const Dam& dam);

}  // namespace vw::bench
