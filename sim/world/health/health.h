// Inexpensive checks after every step for non-finite values and for explosive growth of energy.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/system/system.h"

namespace vw {

struct Health {
  bool failed = false;
  std::string system;
  HealthIssue issue;
  std::string place;       ///< position, speed and surroundings of the element before the step
  std::uint64_t step = 0;  ///< number of the step that failed (the world is in the state before this step)
  double time = 0;
  /// Returns a message such as "step 312 (2.600 s): creature: element 17: position is not finite; ...". The result is
  /// empty if the world has not failed.
  [[nodiscard]] std::string sentence() const;
};

/// Substeps and timing of one system in the last step.
struct SystemTiming {
  int substeps = 1;
  double substep_dt = 0;
  double stable_dt = 0;
  double wall_s = 0;  ///< wall time of the last step [s]
  double total_wall_s = 0;
  std::uint64_t total_substeps = 0;
};

/// Sums the translational kinetic energy and the mass of a system in a fixed order. Memory is reused, so that steps do
/// not allocate.
class MotionSum {
 public:
  struct Row {
    double kinetic_j = 0;
    double mass = 0;
    double position_sum = 0;  ///< sum of all coordinates; not finite if a position is not finite
  };
  [[nodiscard]] Row operator()(const Elements& elements);

 private:
  std::vector<Row> rows_;
};

/// Returns the likely cause of a failure: a substep that exceeds the stable substep, or else an extreme force, speed or
/// parameter.
[[nodiscard]] std::string likely_cause(double substep_dt, double stable_dt);

/// Checks a system's positions, velocities and kinetic energy after a step. `before` is its motion before the step.
[[nodiscard]] std::optional<HealthIssue> check_motion(const Elements& elements, const MotionSum::Row& before,
                                                      const MotionSum::Row& after, double energy_limit,
                                                      const SystemTiming& timing);

/// Returns the issue of a system that requires more substeps than the world allows. `bound` is the cause of the short
/// substep.
[[nodiscard]] HealthIssue too_many_substeps(double dt, double stable_dt, std::int64_t limit, const StepBound& bound);

}  // namespace vw
