#include "bench/measure.h"

#include <algorithm>
#include <chrono>

namespace vw::bench {
namespace {

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Measures windows of a tenth of the requested time each. The minimum number of windows is `least_windows`.
Windows fill_windows(std::int64_t milliseconds, const std::function<double()>& work,
                     const std::function<void()>& between) {
  const double enough = static_cast<double>(milliseconds) * 1e-3;
  Windows out;
  double wall_s = 0;
  while (static_cast<int>(out.all.size()) < least_windows || wall_s < enough) {
    out.all.push_back(fill_window(0.1 * enough, work));
    wall_s += out.all.back().wall_s;
    if (between) between();
  }
  return out;
}

}  // namespace

double Windows::median_rate() const {
  std::vector<double> rates;
  for (const Window& window : all) rates.push_back(window.rate());
  return median(std::move(rates));
}

double Windows::best_rate() const {
  double best = 0;
  for (const Window& window : all) best = std::max(best, window.rate());
  return best;
}

double median_ratio(const Windows& a, const Windows& b) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(a.all.size(), b.all.size()); ++i)
    ratios.push_back(a.all[i].rate() / b.all[i].rate());
  return median(std::move(ratios));
}

Windows::Window fill_window(double least_s, const std::function<double()>& work) {
  Windows::Window window;
  const auto start = Clock::now();
  do {
    window.amount += work();
    window.wall_s = seconds_since(start);
  } while (window.wall_s < least_s);
  return window;
}

Windows measure(std::int64_t milliseconds, const std::function<double()>& work) {
  (void)work();
  return fill_windows(milliseconds, work, {});
}

Result<std::unique_ptr<World>> make_world(Node scene) {
  add_default_interactions(scene);
  return World::create(std::move(scene));
}

Result<WorldRun> run_world(World& world, std::int64_t milliseconds, const std::function<void()>& between) {
  if (!world.step()) return fail(world.health().sentence());
  WorldRun run;
  run.dt_s = world.dt();
  run.elements = static_cast<double>(world.system(0).elements().size());
  bool well = true;
  double substeps = 0;
  const auto step = [&] {
    well = well && world.step();
    run.steps += 1;
    substeps += world.timing(0).substeps;
    return run.elements * world.timing(0).substeps;
  };
  run.updates = fill_windows(milliseconds, step, between);
  if (!well) return fail(world.health().sentence());
  run.substeps_per_step = substeps / run.steps;
  return run;
}

}  // namespace vw::bench
