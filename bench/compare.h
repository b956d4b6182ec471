// Comparison with recorded results: `voxwake bench compare BASE` repeats the benchmarks of a file and shows the ratios.
#pragma once

#include <string>
#include <vector>

#include "bench/registry.h"

namespace vw::bench {

/// Result of one benchmark that outcome_json() wrote to a file.
struct RecordedOutcome {
  std::string benchmark;
  std::string processor, date;  ///< empty in files of older versions
  std::int64_t threads = 1;
  Arguments arguments;
  Outcome outcome;  ///< only the values that compared() uses: the rates, and the rates of each row
};

/// Parses results in JSON: one object of outcome_json(), several objects one after the other, or an array of objects.
/// `name` is the name of the file in error messages. Unknown benchmarks and arguments are errors.
[[nodiscard]] Result<std::vector<RecordedOutcome>> parse_recorded(const std::string& text, const std::string& name);

/// A value in the recorded outcome and in the new outcome.
struct ComparedValue {
  std::string benchmark, value;  ///< for example "voxel-cube, 2 threads" and "voxel_steps_per_s"
  double base = 0, now = 0;
  [[nodiscard]] double ratio() const { return now / base; }
};
/// Pairs the rates of two outcomes of the same benchmark: keys that end in _per_s, and real_time_factor. Rows are
/// matched by their labels. Values that only one of the outcomes has are left out.
[[nodiscard]] std::vector<ComparedValue> compared(const RecordedOutcome& base, const Outcome& now);
/// Returns a Markdown table: benchmark, value, base, now and ratio.
[[nodiscard]] std::string comparison_table(const std::vector<ComparedValue>& values);

}  // namespace vw::bench
