// Dam break: a cube of water, 1 m wide, collapses in a box of 4 x 3 x 1.5 m. Runs the fluid solver alone, with the
// settings used for the measurements of other programs.
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

  /// The number of particles is rounded such that there is a whole number along an edge.
  Dam(std::int64_t particles, bool weakly);
  [[nodiscard]] bool weakly() const { return params.method == FluidMethod::wcsph; }
  [[nodiscard]] double step_length() const;
  /// Returns false if there are too many particle pairs.
  [[nodiscard]] bool step(double dt, FluidReport& report);
};

/// Results of a run of several substeps.
struct DamRun {
  double simulated_s = 0, steps = 0;
  /// CPU time is that of all threads together; it hardly depends on other programs running on the machine
  double wall_s = 0, cpu_s = 0;
  double median_step_s = 0;  ///< wall time
  double mean_error = 0, largest_error = 0;
  FluidReport report;  ///< summed over the substeps
};
/// Runs until the time is reached or `most_steps` substeps are done.
[[nodiscard]] Result<DamRun> run_dam(Dam& dam, double until_s, std::int64_t most_steps);

/// Cost of the solver's stages, repeated one by one on the final state [ns per particle].
[[nodiscard]] Figures dam_stages(const Dam& dam);

/// Cost of a substep of the scalar reference (reference.h) on one thread [ns per particle], and its number of
/// iterations starting from zero pressures. It starts from the given state or, if that is large, from that of a smaller
/// dam.
[[nodiscard]] Result<Figures> dam_by_reference(const Dam& dam);

}  // namespace vw::bench
