#include "app/window/labels/step_cost_text.h"

#include <fmt/format.h>

namespace vw {

std::string duration_text(double seconds) {
  return seconds < 1 ? fmt::format("{:.3g} ms", 1e3 * seconds) : fmt::format("{:.3g} s", seconds);
}

std::string system_cost_text(const Snapshot& snapshot, const SystemSnapshot& system) {
  return fmt::format("{} of {} per step, {} substep{}", duration_text(system.wall_s), duration_text(snapshot.dt_s),
                     system.substeps, system.substeps == 1 ? "" : "s");
}

}  // namespace vw
