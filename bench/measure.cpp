#include "bench/measure.h"

#include <algorithm>
#include <chrono>

namespace vw::bench {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// Windows of a tenth of the time asked for, each at least one call long, and at least `least_windows` of them however long a call takes.
template <class Work>
Windows fill_windows(std::int64_t milliseconds, const Work& work) {
  const double enough = static_cast<double>(milliseconds) * 1e-3;
  Windows out;
  const auto start = Clock::now();
  while (static_cast<int>(out.all.size()) < least_windows || since(start) < enough) {
    Windows::Window window;
    const auto begin = Clock::now();
    do {
      window.amount += work();
      window.wall_s = since(begin);
    } while (window.wall_s < 0.1 * enough);
    out.all.push_back(window);
  }
  return out;
}

}  // namespace

double Windows::median_rate() const {
  std::vector<double> rates;
  for (const Window& window : all) rates.push_back(window.rate());
  if (rates.empty()) return 0;
  const auto middle = rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2);
  std::nth_element(rates.begin(), middle, rates.end());
  return *middle;
}

double Windows::best_rate() const {
  double best = 0;
  for (const Window& window : all) best = std::max(best, window.rate());
  return best;
}

Windows measure(std::int64_t milliseconds, const std::function<double()>& work) {
  (void)work();
  return fill_windows(milliseconds, work);
}

Result<std::unique_ptr<World>> make_world(Node scene) {
  add_default_interactions(scene);
  return World::create(std::move(scene));
}

Result<WorldRun> run_world(World& world, std::int64_t milliseconds) {
  if (!world.step()) return fail(world.health().sentence());
  WorldRun run;
  run.dt_s = world.dt();
  run.elements = static_cast<double>(world.system(0).elements().size());
  bool well = true;
  double substeps = 0;
  run.updates = fill_windows(milliseconds, [&] {
    well = well && world.step();
    run.steps += 1;
    substeps += world.timing(0).substeps;
    return run.elements * world.timing(0).substeps;
  });
  if (!well) return fail(world.health().sentence());
  run.substeps_per_step = substeps / run.steps;
  return run;
}

}  // namespace vw::bench
