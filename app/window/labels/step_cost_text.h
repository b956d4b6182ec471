// Texts on the computing time of a step and of its systems.
#pragma once

#include <string>

#include "sim/snapshot/snapshot.h"

namespace vw {

/// Text for a wall time: "3.2 ms" or "1.5 s".
[[nodiscard]] std::string duration_text(double seconds);
/// Cost of a system in the last step: "3.2 ms of 8.3 ms per step, 12 substeps". The second time is the simulated time
/// of a step. If the cost of all systems together is below this time, the simulation can run in real time.
[[nodiscard]] std::string system_cost_text(const Snapshot& snapshot, const SystemSnapshot& system);

}  // namespace vw
