// The table of benchmarks and its checks.
#include "bench/registry.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/measure.h"
#include "sim/base/parallel.h"

namespace vw::bench {
namespace {

const Argument& milliseconds() {
  static const Argument argument{"milliseconds", 1000, 1, 600000, "Wall time that each measurement fills."};
  return argument;
}

std::vector<Argument> all_arguments(const Benchmark& benchmark) {
  auto all = benchmark.arguments;
  all.push_back(milliseconds());
  return all;
}

Result<Arguments> complete(const Benchmark& benchmark, const Arguments& given) {
  Arguments full;
  std::vector<std::string> names;
  for (const Argument& argument : all_arguments(benchmark)) {
    names.push_back(argument.name);
    const auto found = given.find(argument.name);
    const std::int64_t value = found == given.end() ? argument.default_value : found->second;
    if (value < argument.min || value > argument.max)
      return fail(fmt::format("{}: {} = {} must lie in [{}, {}]", benchmark.name, argument.name, value, argument.min, argument.max));
    full[argument.name] = value;
  }
  for (const auto& [name, value] : given) {
    if (full.contains(name)) continue;
    Error error;
    error.what = fmt::format("{}: takes no \"{}\"", benchmark.name, name);
    error.hint = nearest_word(name, names);
    return fail(std::move(error));
  }
  return full;
}

}  // namespace

std::span<const Benchmark> benchmarks() {
  static const std::array<Benchmark, 5> table{{
      {"particles-plane",
       "Particles that rain on a plane: emission, gravity, collision.",
       {{"particles", 100000, 1, 10000000, "Particles in flight."}},
       particles_plane},
      {"snapshot", "Snapshots of a voxel cube with and without channels.", {{"n", 20, 1, 300, "Voxels along an edge."}}, snapshot},
      {"state", "Saving and hashing the state of a voxel cube.", {{"n", 40, 1, 300, "Voxels along an edge."}}, state},
      {"turbulence",
       "The wind of a Perlin turbulence at scattered points.",
       {{"octaves", 3, 1, 12, "Octaves of noise."}, {"points", 100000, 1, 10000000, "Points a sample."}},
       turbulence},
      {"voxel-cube",
       "A spinning cube of damped voxels, beside plain scalar code for the same bonds.",
       {{"n", 20, 2, 300, "Voxels along an edge."}},
       voxel_cube},
  }};
  return table;
}

Result<const Benchmark*> find_benchmark(std::string_view name) {
  std::vector<std::string> names;
  for (const Benchmark& benchmark : benchmarks()) {
    if (benchmark.name == name) return &benchmark;
    names.push_back(benchmark.name);
  }
  Error error;
  error.what = fmt::format("\"{}\" is no benchmark; there are: {}", name, fmt::join(names, ", "));
  error.hint = nearest_word(name, names);
  return fail(std::move(error));
}

Result<Outcome> run_benchmark(const Benchmark& benchmark, const Arguments& given) {
  const auto full = complete(benchmark, given);
  if (!full) return Unexpected(full.error());
  return benchmark.run(*full);
}

std::string outcome_json(const Benchmark& benchmark, const Arguments& given, const Outcome& outcome) {
  nlohmann::ordered_json json{{"name", benchmark.name}, {"build", build_description()}, {"threads", thread_count()}};
  if (const auto full = complete(benchmark, given))
    for (const auto& [name, value] : *full) json["arguments"][name] = value;
  for (const auto& [key, value] : outcome.rates) json[key] = value;
  for (const auto& [key, value] : outcome.figures) json[key] = value;
  return json.dump(2) + "\n";
}

}  // namespace vw::bench
