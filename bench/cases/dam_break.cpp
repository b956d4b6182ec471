// Dam break with the parameters of published measurements of other programs (docs/benchmarks.md, Water). A second
// benchmark measures the cost as a function of the number of particles.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "bench/cases/dam.h"
#include "bench/measure.h"
#include "bench/memory.h"
#include "sim/api/run.h"

namespace vw::bench {
namespace {

constexpr double no_end = std::numeric_limits<double>::infinity();
constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

/// Returns the simulated time of the measurements of other programs [s]. The time is shorter for large numbers of
/// particles to limit the duration of the benchmark.
double usual_time(bool weakly, std::int64_t particles) {
  if (weakly) return particles < 20000 ? 0.3 : (particles < 100000 ? 0.1 : 0.03);
  return particles < 100000 ? 1.0 : (particles < 500000 ? 0.2 : 0.05);
}

/// A new dam, with a measurement of its memory: state, neighbour lists, wall samples and scratch arrays.
struct Begun {
  double heap_before = heap_bytes().value_or(0);  ///< size of the heap before the dam is created [bytes]
  Dam dam;
  Begun(std::int64_t particles, bool weakly) : dam(particles, weakly) {}
  [[nodiscard]] double particles() const { return static_cast<double>(dam.rows.size()); }
  /// Returns the memory per particle [bytes]. If the size of the heap is known, the value is the increase of the heap.
  /// Otherwise, the value is the memory that the solver reports.
  [[nodiscard]] double bytes_per_particle() const {
    const auto heap = heap_bytes();
    return (heap ? *heap - heap_before : static_cast<double>(dam.solver.bytes())) / particles();
  }
};

/// Returns the table row for one number of particles. Every solve performs exactly four iterations, so the rows differ
/// only in the number of particles.
Result<Row> row_of_size(std::int64_t particles, bool weakly, std::int64_t steps) {
  Begun begun(particles, weakly);
  begun.dam.params.max_iterations = 4;
  begun.dam.params.density_error = begun.dam.params.divergence_error = 1e-12;
  const auto first = run_dam(begun.dam, no_end, 2);
  if (!first) return Unexpected(first.error());
  const auto run = run_dam(begun.dam, no_end, steps);
  if (!run) return Unexpected(run.error());
  const double per = 1e9 / begun.particles();
  Row row{{{"particles", std::to_string(begun.dam.rows.size())}},
          {{"substep_ns", per * run->median_step_s},
           {"cpu_ns", per * run->cpu_s / run->steps},
           {"bytes_per_particle", begun.bytes_per_particle()}}};
  for (const auto& stage : dam_stages(begun.dam)) row.values.push_back(stage);
  return row;
}

/// Returns a scene with the same dam in the same tank. Except for the spacing and the solver, all parameters have
/// default values.
std::string dam_scene(const Dam& dam) {
  const auto plane = [](const char* name, const std::string& position, const std::string& rotation) {
    return fmt::format("[[collider]]\nkind = \"plane\"\nname = \"{}\"\nposition = [{}]\nrotation = [{}]\n", name,
                       position, rotation);
  };
  const double turn = 0.5 * pi;
  return "format = 1\n" + plane("floor", "0, 0, 0", "0, 0, 0") +
         plane("left", "0, 0, 0", fmt::format("0, 0, {}", -turn)) +
         plane("back", "0, 0, 0", fmt::format("{}, 0, 0", turn)) +
         plane("right", "4, 0, 0", fmt::format("0, 0, {}", turn)) +
         plane("front", "0, 0, 1.5", fmt::format("{}, 0, 0", -turn)) +
         fmt::format("[[system]]\nkind = \"fluid\"\nname = \"water\"\nspacing = {}\nmethod = \"{}\"\n",
                     dam.params.spacing_m, dam.weakly() ? "wcsph" : "dfsph") +
         "[[system.fill]]\nkind = \"box\"\nname = \"dam\"\nposition = [0.5, 0.5, 0.5]\nsize = [1, 1, 1]\n";
}

/// Returns the wall time per simulated time of dam_scene(), simulated in the same way as by the command `voxwake run`.
Result<double> scene_cost(const Dam& dam, double until_s) {
  auto scene = api::open_scene_text(dam_scene(dam), "dam");
  if (!scene) return Unexpected(scene.error());
  auto run = api::Run::create(std::move(*scene));
  if (!run) return Unexpected(run.error());
  if (auto good = run->step(); !good) return Unexpected(good.error());
  const auto start = Clock::now();
  const double from_s = run->time_s();
  if (auto end = run->run_until(std::max(until_s, 2 * run->dt_s())); !end) return Unexpected(end.error());
  return seconds_since(start) / (run->time_s() - from_s);
}

/// Returns the relative difference between the most expensive and the cheapest row.
double spread(const std::vector<Row>& rows, std::string_view key) {
  double least = 1e30, most = 0;
  for (const Row& row : rows) least = std::min(least, row.value(key)), most = std::max(most, row.value(key));
  return most / least - 1;
}

}  // namespace

Result<Outcome> dam_break(const Arguments& arguments) {
  const bool weakly = arguments.whole("method") == 1;
  Begun begun(arguments.whole("particles"), weakly);
  const double n = begun.particles();
  const double until =
      arguments.real("simulate") > 0 ? arguments.real("simulate") : usual_time(weakly, arguments.whole("particles"));
  const auto first = run_dam(begun.dam, no_end, 1);
  if (!first) return Unexpected(first.error());
  const auto run = run_dam(begun.dam, until, no_limit);
  if (!run) return Unexpected(run.error());
  const double bytes = begun.bytes_per_particle();
  const auto scene = scene_cost(begun.dam, until);
  if (!scene) return Unexpected(scene.error());
  const auto reference = dam_by_reference(begun.dam);
  if (!reference) return Unexpected(reference.error());
  const double step_ns = 1e9 * run->wall_s / (n * run->steps);
  Outcome outcome;
  outcome.rates = {{"particle_steps_per_s", n * run->steps / run->wall_s}, {"steps_per_s", run->steps / run->wall_s}};
  outcome.figures = {{"particles", n},
                     {"simulated_s", run->simulated_s},
                     {"ms_per_step", 1e3 * run->wall_s / run->steps},
                     {"median_ms_per_step", 1e3 * run->median_step_s},
                     {"cpu_ns_per_particle_step", 1e9 * run->cpu_s / (n * run->steps)},
                     {"wall_s_per_simulated_s", run->wall_s / run->simulated_s},
                     {"scene_wall_s_per_simulated_s", *scene},
                     {"steps_per_simulated_s", run->steps / run->simulated_s},
                     {"density_iterations", run->report.iterations / run->steps},
                     {"divergence_iterations", run->report.rate_iterations / run->steps},
                     {"mean_density_error", run->mean_error},
                     {"largest_predicted_error", run->largest_error},
                     {"bytes_per_particle", bytes},
                     {"first_step_s", first->wall_s}};
  for (const auto& figure : dam_stages(begun.dam)) outcome.figures.push_back(figure);
  outcome.figures.emplace_back("neighbour_share", (outcome.value("sort_ns") + outcome.value("lists_ns")) / step_ns);
  for (const auto& figure : *reference) outcome.figures.push_back(figure);
  outcome.figures.emplace_back("times_reference", outcome.value("reference_ns") / step_ns);
  return outcome;
}

Result<Outcome> dam_break_sizes(const Arguments& arguments) {
  const bool weakly = arguments.whole("method") == 1;
  const std::int64_t most = arguments.whole("max-particles");
  Outcome outcome;
  for (const std::int64_t particles : std::array<std::int64_t, 4>{10648, 46656, 185193, 1000000}) {
    if (particles > most && !outcome.rows.empty()) break;
    auto row = row_of_size(std::min(particles, most), weakly, arguments.whole("steps"));
    if (!row) return Unexpected(row.error());
    outcome.rows.push_back(std::move(*row));
  }
  outcome.columns = {"substep_ns", "cpu_ns",  "sort_ns", "lists_ns",
                     "density_ns", "push_ns", "rate_ns", "bytes_per_particle"};
  outcome.rates = {{"particle_steps_per_s", 1e9 / outcome.rows.back().value("substep_ns")}};
  outcome.figures = {{"spread", spread(outcome.rows, "substep_ns")}, {"cpu_spread", spread(outcome.rows, "cpu_ns")}};
  return outcome;
}

}  // namespace vw::bench
