// Report of a run as JSON text. Programs that read the output of `voxwake run --report` depend on its format.
#pragma once

#include <string>

#include "sim/world/world.h"

namespace vw {

/// Data of a run that are not part of the world.
struct RunFacts {
  std::string scene;  ///< scene as named by the user
  int threads = 0;
  std::uint64_t steps = 0;  ///< steps taken in this run
  double simulated_s = 0;   ///< simulated time of this run [s]
  double wall_s = 0;
};

/// Composes the report. Its keys are build, scene, threads, steps, simulated_s, wall_s, realtime_factor,
/// final_state_hash (16 hexadecimal digits), health {ok, sentence}, systems [{name, kind, count, substeps,
/// substep_dt_s, wall_s, updates_per_s, kinetic_energy, potential_energy, elastic_energy, mass, momentum,
/// angular_momentum, centre_of_mass, totals {name: number}}]. updates_per_s is the number of element updates (elements
/// times substeps) per wall second of that system. Numbers that are not finite are written as null.
[[nodiscard]] std::string report_json(World& world, const RunFacts& facts);

}  // namespace vw
