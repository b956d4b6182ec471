// The one table of benchmarks, shared by `voxwake bench` and the Google Benchmark program.
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

/// A size that a benchmark takes.
struct Argument {
  std::string name;
  std::int64_t default_value = 0;
  std::int64_t min = 1, max = 1;
  std::string doc;
};
using Arguments = std::map<std::string, std::int64_t>;

struct Outcome {
  std::vector<std::pair<std::string, double>> rates;    ///< keys end in _per_s
  std::vector<std::pair<std::string, double>> figures;  ///< everything else worth knowing: counts, speed-ups, differences
};

struct Benchmark {
  std::string name;
  std::string doc;
  std::vector<Argument> arguments;  ///< every benchmark also takes "milliseconds", the wall time that a measurement fills
  Result<Outcome> (*run)(const Arguments& complete);
};

/// All benchmarks, ordered by name.
[[nodiscard]] std::span<const Benchmark> benchmarks();
/// The error suggests the nearest name.
[[nodiscard]] Result<const Benchmark*> find_benchmark(std::string_view name);
/// Checks `given`, fills in defaults and runs on as many threads as parallel loops may use (set_thread_count).
[[nodiscard]] Result<Outcome> run_benchmark(const Benchmark& benchmark, const Arguments& given = {});
/// One JSON object: name, build, threads, arguments, then every rate and figure under its own key.
[[nodiscard]] std::string outcome_json(const Benchmark& benchmark, const Arguments& given, const Outcome& outcome);

}  // namespace vw::bench
