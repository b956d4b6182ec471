// What asks for short parts of a step: the fastest thing in a fluid, by its speed and by its name, and the expected cost that follows from it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/system/fluid/flow.h"
#include "sim/system/fluid/fluid_params.h"
#include "sim/system/fluid/fluid_rows.h"
#include "sim/system/fluid/guest.h"
#include "sim/system/system.h"

namespace vw {

/// All that moves in a fluid.
struct FluidMovers {
  const FluidRows& rows;
  std::span<const Inflow> inflows;
  std::span<const std::string> inflow_names;
  std::span<const Collider> colliders;
  std::span<const Guest> guests;
  double time = 0;  ///< [s]
};

/// Samples of moving obstacles. Each substep places and sorts them again.
struct MovingWalls {
  double samples = 0;
  std::string largest;  ///< name of the collider that has most of them
};
[[nodiscard]] MovingWalls moving_walls(std::span<const Collider> colliders, double spacing_m, const Box3& domain);

[[nodiscard]] double fastest_of(const std::vector<Vec3>& velocity);
/// Speed of the fastest now, 0 where one is not finite [m/s].
[[nodiscard]] double fastest_way(const FluidMovers& movers);

struct FluidMover {
  double speed_mps = 0;
  std::string name;  ///< "its inflow tap"
};
[[nodiscard]] FluidMover fastest_mover(const FluidMovers& movers);

/// See System::step_cost. `way_m` is what the fastest may go in a part of a step.
[[nodiscard]] double fluid_cost(const FluidMovers& movers, const MovingWalls& walls, double way_m, double dt, std::int64_t substeps,
                                double most_parts);
[[nodiscard]] CostCause fluid_cost_cause(const FluidMovers& movers, const MovingWalls& walls, double cost);

/// Which of its bounds made a fluid's longest substep `dt`. See System::step_bound.
[[nodiscard]] StepBound fluid_step_bound(const FluidMovers& movers, const FluidParams& params, double dt);

}  // namespace vw
