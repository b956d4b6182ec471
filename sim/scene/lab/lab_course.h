// The course of the lab. Each experiment has a scene, the law that it shows, the source of the law, suggestions for
// experiments, a question, and checks that compare curves of the scene's plots with theory. The course is the file
// `lab/course.toml` of the assets. sim/api/analysis/lab.h runs an experiment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/data/parameter.h"
#include "sim/base/error.h"

namespace vw {

/// Number that a check computes from the values of a curve. NaN values are ignored.
enum class LabValue {
  last,
  first,
  max,
  min,
  mean,
  rms,
  /// Period [s]: twice the mean time between crossings of the curve's mean, which is computed over complete periods.
  period,
  /// Period [s]: twice the mean time between crossings of zero.
  zero_period,
  /// Rate of change: slope of the least-squares line through the values over time, in the unit of the plot per second.
  rate,
  /// Largest absolute difference from the curve `theory`. The expected value is then 0.
  difference,
  /// Measured slope of a field's spectrum. The expected value is the slope of the target spectrum.
  slope,
  /// Ratio of the integrals of a field's measured spectrum and target spectrum. The expected value is 1.
  power
};
/// Returns whether the number belongs to the spectrum of a field, not to a curve.
[[nodiscard]] constexpr bool is_of_spectrum(LabValue value) {
  return value == LabValue::slope || value == LabValue::power;
}
/// Returns the unit of the number if the curve has the unit `unit`.
[[nodiscard]] std::string unit_of(LabValue value, const std::string& unit);

/// A comparison of a measured number with theory.
struct LabCheck {
  std::string title;        ///< name of the measured quantity
  std::string plot, curve;  ///< measured curve of the scene
  std::string system;       ///< plots over a parameter: system whose point is measured
  std::string field;        ///< for numbers of a spectrum: field of the scene
  LabValue value = LabValue::last;
  double from_s = 0;       ///< values before this time are ignored [s]
  double to_s = 1e9;       ///< values after this time are ignored [s]
  std::string theory;      ///< curve of the same plot that provides the expected number; if empty, `expected` is used
  double expected = 0;     ///< expected number if `theory` is empty
  double relative = 0.01;  ///< allowed deviation as a fraction of the expected number
  double absolute = 0;     ///< allowed deviation in the unit of the plot; the larger of the two deviations applies
  std::string reason;      ///< reason for the tolerance, in one sentence
};

struct LabExperiment {
  std::string name;      ///< name of the experiment, which is the name of its scene
  std::string chapter;   ///< heading of the experiment
  std::string law;       ///< the law in one sentence
  std::string source;    ///< publication of the law
  std::string question;  ///< question to the reader
  TextList tries;        ///< three suggestions for experiments
  double until_s = 1;    ///< end of the run [s]
  std::vector<LabCheck> checks = {};
};

struct LabCourse {
  std::vector<LabExperiment> experiments;  ///< in the order of the file
  [[nodiscard]] const LabExperiment* find(std::string_view name) const;
};

/// Returns the parameters of a check. The score of a robot's task has the same parameters
/// (sim/scene/tasks/robot_task.h).
[[nodiscard]] const ParamTable<LabCheck>& lab_check_params();
/// Parses a course. `file` is the name of the text in messages. An error names the line and the key.
[[nodiscard]] Result<LabCourse> read_lab_course(std::string_view text, const std::string& file);
/// Reads `lab/course.toml` of assets_folder().
[[nodiscard]] Result<LabCourse> packaged_lab_course();

}  // namespace vw
