// Watches a world for numbers that have gone astray, cheaply, after every step.
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
  std::string place;       ///< where the element was before the step, how fast, and what was next to it
  std::uint64_t step = 0;  ///< the step that failed; the world stands at the state before it
  double time = 0;
  [[nodiscard]] std::string sentence() const;  ///< "step 312 (2.600 s): creature: element 17: position is not finite; ..."
};

/// How one system went through the last step.
struct SystemTiming {
  int substeps = 1;
  double substep_dt = 0;
  double stable_dt = 0;
  double wall_s = 0;  ///< of the last step
  double total_wall_s = 0;
  std::uint64_t total_substeps = 0;
};

/// Translational energy and mass of a system, summed in a fixed order. Rows are kept, so that a step allocates nothing.
class MotionSum {
 public:
  struct Row {
    double kinetic_j = 0;
    double mass = 0;
    double position_sum = 0;  ///< only its finiteness is of interest
  };
  [[nodiscard]] Row operator()(const Elements& elements);

 private:
  std::vector<Row> rows_;
};

/// Whether a step was too long for a stiffness, as far as its system's bound says.
[[nodiscard]] std::string likely_cause(double substep_dt, double stable_dt);

/// Finds what is wrong with a system after a step, if anything. `before` is its motion before the step.
[[nodiscard]] std::optional<HealthIssue> check_motion(const Elements& elements, const MotionSum::Row& before, const MotionSum::Row& after,
                                                      double energy_limit, const SystemTiming& timing);

/// A system asks for more substeps than the world allows, because of `bound`.
[[nodiscard]] HealthIssue too_many_substeps(double dt, double stable_dt, std::int64_t limit, const StepBound& bound);

}  // namespace vw
