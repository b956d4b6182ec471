// Speed of the packaged scenes relative to real time.
#include <algorithm>

#include "bench/measure.h"
#include "sim/api/run.h"
#include "sim/scene/scene.h"

namespace vw::bench {
namespace {

/// Wall time of the first step and of the slowest later step [s], and the windows that cover all later steps.
struct SceneRun {
  double first_step_s = 0, slowest_step_s = 0;
  Windows steps;  ///< the amount of a window is the simulated time [s]
};

Result<SceneRun> run_scene(const PackagedScene& scene, std::int64_t steps) {
  auto opened = api::open_scene(scene.path);
  if (!opened) return Unexpected(opened.error());
  auto run = api::Run::create(std::move(*opened));
  if (!run) return Unexpected(run.error());
  SceneRun out;
  const auto timed_step = [&](double& wall_s) -> Result<void> {
    const auto start = Clock::now();
    auto good = run->step();
    wall_s = seconds_since(start);
    return good;
  };
  if (auto good = timed_step(out.first_step_s); !good) return Unexpected(good.error());
  const std::int64_t windows = std::min<std::int64_t>(least_windows, steps);
  for (std::int64_t w = 0; w < windows; ++w) {
    Windows::Window window;
    for (std::int64_t i = w * steps / windows; i < (w + 1) * steps / windows; ++i) {
      double wall_s = 0;
      if (auto good = timed_step(wall_s); !good) return Unexpected(good.error());
      window.amount += run->dt_s();
      window.wall_s += wall_s;
      out.slowest_step_s = std::max(out.slowest_step_s, wall_s);
    }
    out.steps.all.push_back(window);
  }
  return out;
}

}  // namespace

Result<Outcome> packaged_scene_speeds(const Arguments& arguments) {
  Outcome outcome;
  double simulated_s = 0, wall_s = 0, slow = 0;
  for (const PackagedScene& scene : packaged_scenes()) {
    const auto run = run_scene(scene, arguments.whole("steps"));
    if (!run) return Unexpected(run.error());
    double own_simulated_s = 0, own_wall_s = 0;
    for (const Windows::Window& window : run->steps.all) own_simulated_s += window.amount, own_wall_s += window.wall_s;
    const double factor = own_simulated_s / own_wall_s;
    outcome.rows.push_back({{{"scene", scene.name}},
                            {{"real_time_factor", factor},
                             {"best_window", run->steps.best_rate()},
                             {"slowest_step_ms", 1e3 * run->slowest_step_s},
                             {"first_step_ms", 1e3 * run->first_step_s}}});
    simulated_s += own_simulated_s, wall_s += own_wall_s;
    if (factor < 1) ++slow;
  }
  if (outcome.rows.empty()) return fail("scenes: no packaged scenes were found in " + assets_folder());
  std::stable_sort(outcome.rows.begin(), outcome.rows.end(), [](const Row& a, const Row& b) {
    return a.value("real_time_factor") < b.value("real_time_factor");
  });
  outcome.columns = {"real_time_factor", "best_window", "slowest_step_ms", "first_step_ms"};
  outcome.rates = {{"simulated_s_per_s", simulated_s / wall_s}};
  outcome.figures = {{"scenes", static_cast<double>(outcome.rows.size())}, {"slower_than_real_time", slow}};
  return outcome;
}

}  // namespace vw::bench
