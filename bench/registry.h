// Table of all benchmarks, shared by `voxwake bench` and the Google Benchmark program.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/error.h"

namespace vw::bench {

/// Argument of a benchmark: a size, a physical constant or a choice.
struct Argument {
  enum class Kind { whole, real, choice };
  std::string name;
  double default_value = 0;
  double min = 0, max = 0;
  std::string doc;
  Kind kind = Kind::whole;
  /// Words of a choice: the value is the index of a word; the word itself may be typed instead
  std::vector<std::string> words = {};
};
[[nodiscard]] Argument whole(std::string name, std::int64_t default_value, std::int64_t min, std::int64_t max,
                             std::string doc);
[[nodiscard]] Argument real(std::string name, double default_value, double min, double max, std::string doc);
/// The first word is the default.
[[nodiscard]] Argument choice(std::string name, std::vector<std::string> words, std::string doc);

/// Values by name. Whole numbers and choices are exactly representable in a double.
class Arguments {
 public:
  Arguments() = default;
  Arguments(std::initializer_list<std::pair<const std::string, double>> values) : values_(values) {}
  [[nodiscard]] double real(std::string_view name) const { return values_.at(std::string(name)); }
  [[nodiscard]] std::int64_t whole(std::string_view name) const { return static_cast<std::int64_t>(real(name)); }
  double& operator[](const std::string& name) { return values_[name]; }
  [[nodiscard]] bool contains(const std::string& name) const { return values_.contains(name); }
  [[nodiscard]] auto begin() const { return values_.begin(); }
  [[nodiscard]] auto end() const { return values_.end(); }

 private:
  std::map<std::string, double> values_;
};

using Figures = std::vector<std::pair<std::string, double>>;
/// Value of the figure with that name; NaN if there is none.
[[nodiscard]] double figure(const Figures& figures, std::string_view key);

/// One case of a benchmark that runs several cases.
struct Row {
  std::vector<std::pair<std::string, std::string>> labels;
  Figures values;
  [[nodiscard]] double value(std::string_view key) const { return figure(values, key); }
};

struct Outcome {
  Figures rates;    ///< rates; keys end in _per_s
  Figures figures;  ///< all other results: counts, speed-ups, differences
  std::vector<Row> rows = {};
  std::vector<std::string> columns = {};  ///< keys of the values shown in the table of the rows
  /// The rate or figure with that name; NaN if there is none.
  [[nodiscard]] double value(std::string_view key) const;
};

struct Benchmark {
  std::string name;
  std::string doc;
  /// In addition, every benchmark takes "milliseconds", the wall time of a measurement
  std::vector<Argument> arguments;
  Result<Outcome> (*run)(const Arguments& complete);
};

/// All benchmarks, ordered by name.
[[nodiscard]] std::span<const Benchmark> benchmarks();
/// Benchmark of that name. The error suggests the nearest name.
[[nodiscard]] Result<const Benchmark*> find_benchmark(std::string_view name);
/// Parses arguments as typed: whole numbers, real numbers, or words of a choice.
[[nodiscard]] Result<Arguments> parse_arguments(const Benchmark& benchmark,
                                                const std::map<std::string, std::string>& typed);
/// Checks `given`, fills in the defaults and runs the benchmark with the number of threads set by set_thread_count().
[[nodiscard]] Result<Outcome> run_benchmark(const Benchmark& benchmark, const Arguments& given = {});
/// One JSON object: name, build, threads and arguments, then every rate and figure under its own key, and `rows` if
/// there are any.
[[nodiscard]] std::string outcome_json(const Benchmark& benchmark, const Arguments& given, const Outcome& outcome);
/// The rows as a Markdown table, labels first.
[[nodiscard]] std::string rows_table(const Outcome& outcome);

}  // namespace vw::bench
