// Runs an experiment of the lab (sim/scene/lab/lab_course.h) and compares its measured numbers with theory. This file
// is part of the library's stable interface.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/scene/lab/lab_course.h"

namespace vw::api {

/// Outcome of one check.
struct LabOutcome {
  std::string title;
  std::string unit;     ///< unit of the plot, may be empty
  double measured = 0;  ///< NaN if the curve has no value during the run
  double expected = 0;
  double allowed = 0;  ///< allowed absolute deviation
  bool agrees = false;
};

/// Runs the scene of the experiment to its end, measures its plots after every step, and evaluates the checks in their
/// order. Returns an error if the scene cannot be opened, a health check fails, or a check names an unknown curve or
/// field. `go_on` is called after every step with the time [s] and may be empty. If it returns false, the function
/// returns an error.
[[nodiscard]] Result<std::vector<LabOutcome>> run_lab_experiment(const LabExperiment& experiment,
                                                                 const std::function<bool(double time_s)>& go_on = {});

}  // namespace vw::api
