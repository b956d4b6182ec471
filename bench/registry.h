// Table of all benchmarks, which `voxwake bench` and the Google Benchmark program share.
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
  /// Words of a choice. The value of the argument is the index of a word. The command line accepts the word or its
  /// index.
  std::vector<std::string> words = {};
};
[[nodiscard]] Argument whole(std::string name, std::int64_t default_value, std::int64_t min, std::int64_t max,
                             std::string doc);
[[nodiscard]] Argument real(std::string name, double default_value, double min, double max, std::string doc);
/// Declares a choice. The first word is the default.
[[nodiscard]] Argument choice(std::string name, std::vector<std::string> words, std::string doc);

/// Argument values by name. A double represents whole numbers and choices exactly.
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
/// Returns the value of the figure named `key`, or NaN if there is no such figure.
[[nodiscard]] double figure(const Figures& figures, std::string_view key);

/// Result of one case of a benchmark that runs several cases.
struct Row {
  std::vector<std::pair<std::string, std::string>> labels;
  Figures values;
  [[nodiscard]] double value(std::string_view key) const { return figure(values, key); }
};

struct Outcome {
  Figures rates;    ///< rates, whose keys end in _per_s
  Figures figures;  ///< all other results: counts, speed-ups, differences
  std::vector<Row> rows = {};
  std::vector<std::string> columns = {};  ///< keys of the values that the table of rows shows
  /// Returns the value of the rate or figure named `key`, or NaN if there is none.
  [[nodiscard]] double value(std::string_view key) const;
};

struct Benchmark {
  std::string name;
  std::string doc;
  /// Arguments of this benchmark. In addition, every benchmark takes "milliseconds", the wall time of a measurement,
  /// and "beside", the number of threads that keep a core busy during the measurement.
  std::vector<Argument> arguments;
  Result<Outcome> (*run)(const Arguments& complete);
};

/// Returns all benchmarks, ordered by name.
[[nodiscard]] std::span<const Benchmark> benchmarks();
/// Returns the benchmark of the given name. If no benchmark has this name, the error suggests the most similar name.
[[nodiscard]] Result<const Benchmark*> find_benchmark(std::string_view name);
/// Parses arguments from the command line: whole numbers, real numbers, or words of a choice.
[[nodiscard]] Result<Arguments> parse_arguments(const Benchmark& benchmark,
                                                const std::map<std::string, std::string>& typed);
/// Checks `given`, adds the default values and runs the benchmark with the number of threads set by set_thread_count().
[[nodiscard]] Result<Outcome> run_benchmark(const Benchmark& benchmark, const Arguments& given = {});
/// Returns one JSON object with name, build, processor, date, threads and arguments, followed by one key for each rate
/// and figure. If the outcome has rows, the object also contains the array `rows`.
[[nodiscard]] std::string outcome_json(const Benchmark& benchmark, const Arguments& given, const Outcome& outcome);
/// Returns the rows as a Markdown table, or an empty string if there are no rows. The first columns are the labels.
[[nodiscard]] std::string rows_table(const Outcome& outcome);

}  // namespace vw::bench
