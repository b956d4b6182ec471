// Speed of the fastest object in a fluid, which limits the length of substeps, and the expected cost of a world step.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/system/fluid/bodies/guest.h"
#include "sim/system/fluid/flows/flow.h"
#include "sim/system/fluid/fluid_params.h"
#include "sim/system/fluid/rows/fluid_rows.h"
#include "sim/system/system.h"

namespace vw {

/// Objects whose speed limits the length of a fluid's substeps.
struct FluidMovers {
  const FluidRows& rows;
  std::span<const Inflow> inflows;
  std::span<const std::string> inflow_names;
  std::span<const Collider> colliders;
  std::span<const Guest> guests;
  double time = 0;  ///< Time for which open inflows are determined [s].
};

/// Boundary samples of moving obstacles. These samples are placed and sorted again in each substep.
struct MovingWalls {
  double samples = 0;
  std::string largest;  ///< Name of the collider with the most samples.
};
[[nodiscard]] MovingWalls moving_walls(std::span<const Collider> colliders, double spacing_m, const Box3& domain);

[[nodiscard]] double fastest_of(const std::vector<Vec3>& velocity);
/// Returns the speed of the fastest object in the fluid [m/s], or 0 if this speed is not finite.
[[nodiscard]] double fastest_way(const FluidMovers& movers);

struct FluidMover {
  double speed_mps = 0;
  std::string name;  ///< For example "inflow tap".
};
[[nodiscard]] FluidMover fastest_mover(const FluidMovers& movers);

/// Returns the estimated cost of a step of `substeps` substeps (see System::step_cost). Substeps that are too long are
/// split into parts, in which no particle moves by more than `way_m` [m]. The estimate assumes at most `most_parts`
/// parts in a step, or `substeps` parts if `substeps` is larger.
[[nodiscard]] double fluid_cost(const FluidMovers& movers, const MovingWalls& walls, double way_m, double dt,
                                std::int64_t substeps, double most_parts);
[[nodiscard]] CostCause fluid_cost_cause(const FluidMovers& movers, const MovingWalls& walls, double cost);

/// Returns the quantity that limits the fluid's longest stable substep, and a remedy (see System::step_bound). `dt` is
/// the length of that substep [s].
[[nodiscard]] StepBound fluid_step_bound(const FluidMovers& movers, const FluidParams& params, double dt);

}  // namespace vw
