// The fastest object in a fluid, which determines the length of substeps, and the expected cost of a step.
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

/// Everything that moves in a fluid.
struct FluidMovers {
  const FluidRows& rows;
  std::span<const Inflow> inflows;
  std::span<const std::string> inflow_names;
  std::span<const Collider> colliders;
  std::span<const Guest> guests;
  double time = 0;  ///< Time [s].
};

/// Number of boundary samples of moving obstacles. These samples are placed and sorted again in each substep.
struct MovingWalls {
  double samples = 0;
  std::string largest;  ///< Name of the collider with the most samples.
};
[[nodiscard]] MovingWalls moving_walls(std::span<const Collider> colliders, double spacing_m, const Box3& domain);

[[nodiscard]] double fastest_of(const std::vector<Vec3>& velocity);
/// Speed of the fastest mover now [m/s]. 0 if a speed is not finite.
[[nodiscard]] double fastest_way(const FluidMovers& movers);

struct FluidMover {
  double speed_mps = 0;
  std::string name;  ///< For example "its inflow tap".
};
[[nodiscard]] FluidMover fastest_mover(const FluidMovers& movers);

/// Estimated cost of a step; see System::step_cost. `way_m`: longest displacement of a particle in one substep [m].
/// `most_parts`: limit for the number of substeps.
[[nodiscard]] double fluid_cost(const FluidMovers& movers, const MovingWalls& walls, double way_m, double dt,
                                std::int64_t substeps, double most_parts);
[[nodiscard]] CostCause fluid_cost_cause(const FluidMovers& movers, const MovingWalls& walls, double cost);

/// The bound that determined `dt`, the fluid's longest substep. See System::step_bound.
[[nodiscard]] StepBound fluid_step_bound(const FluidMovers& movers, const FluidParams& params, double dt);

}  // namespace vw
