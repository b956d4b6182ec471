// Computes numbers (LabValue), such as the mean or the period, from the curves of a scene's plots during a run. The lab
// and the tasks of robots check these numbers. This file is not part of the library's stable interface.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/api/run.h"
#include "sim/plot/plot_set.h"
#include "sim/scene/lab/lab_course.h"

namespace vw::api {

/// Values of one column of the plots over time.
class CheckedCurve {
 public:
  explicit CheckedCurve(std::size_t column) : column_(column) {}
  [[nodiscard]] std::size_t column() const { return column_; }
  /// Stores the values and their times, which the numbers `period`, `zero_period` and `rate` require.
  void keep_values() { keeps_ = true; }
  /// Adds a value. Values that are not finite are ignored.
  void add(double time_s, double value);
  /// Returns the number `value` of the curve, or NaN if there are too few values.
  [[nodiscard]] double number(LabValue value) const;

 private:
  struct Kept {
    double time_s = 0, value = 0;
  };
  [[nodiscard]] static double period_of(const std::vector<double>& times);
  [[nodiscard]] std::vector<double> crossings(double level) const;
  [[nodiscard]] double period(double level) const;
  [[nodiscard]] double rate(double mean) const;

  std::size_t column_ = 0, count_ = 0;
  double first_ = 0, last_ = 0, max_ = 0, min_ = 0, sum_ = 0, squares_ = 0;
  bool keeps_ = false;
  std::vector<Kept> kept_;
};

/// A check with the columns of the plots that its curves refer to.
struct CompiledCheck {
  const LabCheck* check = nullptr;
  std::string unit;
  CheckedCurve measured{0};
  std::optional<CheckedCurve> theory;

  /// Adds the values of the check's curves from a row that PlotSet::measure() returned.
  void measure(const std::vector<double>& row, double time_s, double dt_s);
};

/// Finds the curves of a check, which must not refer to a spectrum. `check` must outlive the result.
[[nodiscard]] Result<CompiledCheck> compile_check(const PlotSet& plots, const LabCheck& check);

/// Steps the run to `until_s` [s]. Measures the checks before the first step and after every step. `go_on` is called
/// with the time [s] and may be empty. If it returns false, the function returns an error.
[[nodiscard]] Result<void> measure_checks(Run& run, PlotSet& plots, std::vector<CompiledCheck>& checks, double until_s,
                                          const std::function<bool(double time_s)>& go_on);

}  // namespace vw::api
