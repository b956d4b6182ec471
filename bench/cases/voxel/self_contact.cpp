// A soft body that is thrown onto the ground and collapses onto itself, or a soft body that spins. The benchmark
// measures the cost of self-contact and the ratio of the slowest step to other steps.
#include <algorithm>
#include <chrono>
#include <numeric>

#include "bench/cases/voxel/voxel_scene.h"
#include "bench/measure.h"

namespace vw::bench {
namespace {

/// World step [s], about as long as one substep of the soft body. In a longer step, the time to rebuild a candidate
/// list would not be visible.
constexpr double step_s = 2e-4;
/// Simulated time of a run [s]. At the end of this time, the struts of the collapsing body lie on each other.
constexpr double crash_s = 0.06;
/// Minimum number of repetitions of the crash. The results are bitwise identical, so the minimum time of a step over
/// all repetitions is the cost of the step. Any additional time is due to other load on the machine.
constexpr int least_crashes = 3;

struct Crash {
  std::vector<double> step_wall_s;  ///< wall time of each step, minimum over all repetitions [s]
  double first_step_s = 0;          ///< wall time of the first step, minimum over all repetitions [s]
  double substeps = 0;              ///< number of substeps of all steps
  double voxels = 0;
  [[nodiscard]] double wall_s() const { return std::accumulate(step_wall_s.begin(), step_wall_s.end(), 0.0); }
  [[nodiscard]] double rate() const { return voxels * substeps / wall_s(); }
};

double middle(std::vector<double> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

/// Returns the largest ratio between the time of a step and the median over this step and the five steps on either
/// side.
double worst_stall(const std::vector<double>& wall_s) {
  constexpr std::size_t reach = 5;
  double worst = 1;
  for (std::size_t i = 0; i < wall_s.size(); ++i) {
    const std::size_t begin = i < reach ? 0 : i - reach, end = std::min(wall_s.size(), i + reach + 1);
    worst = std::max(worst, wall_s[i] / middle({wall_s.begin() + static_cast<std::ptrdiff_t>(begin),
                                                wall_s.begin() + static_cast<std::ptrdiff_t>(end)}));
  }
  return worst;
}

/// Returns the ratio between the time of the slowest step and the median over all steps. The ratio includes the
/// increase of the cost towards the end, when the body is compressed.
double worst_step(const std::vector<double>& wall_s) {
  return *std::max_element(wall_s.begin(), wall_s.end()) / middle(wall_s);
}

Result<Crash> run_crash(const CubeScene& cube) {
  auto scene = make_scene(cube);
  if (!scene) return Unexpected(scene.error());
  auto world = make_world(std::move(*scene));
  if (!world) return Unexpected(world.error());
  Crash crash;
  crash.voxels = static_cast<double>((*world)->system(0).elements().size());
  const auto begin = std::chrono::steady_clock::now();
  // The first step allocates the data structures and builds the first candidate list.
  if (!(*world)->step()) return fail((*world)->health().sentence());
  crash.first_step_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  while ((*world)->time() < crash_s) {
    const auto start = std::chrono::steady_clock::now();
    if (!(*world)->step()) return fail((*world)->health().sentence());
    crash.step_wall_s.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    crash.substeps += (*world)->timing(0).substeps;
  }
  return crash;
}

Result<Crash> best_of_crashes(const Arguments& arguments, bool self_contact) {
  const std::int64_t milliseconds = arguments.whole("milliseconds");
  CubeScene cube;
  cube.n = static_cast<int>(arguments.whole("n"));
  cube.shape = static_cast<CubeShape>(arguments.whole("shape"));
  cube.spin = arguments.real("spin");
  cube.youngs_pa = 1e4;
  cube.poisson = 0;
  cube.self_contact = self_contact;
  cube.speed_mps = -1;
  cube.dt_s = step_s;
  auto best = run_crash(cube);
  double wall_s = best ? best->wall_s() : 0;
  for (int i = 1; best && (i < least_crashes || wall_s < static_cast<double>(milliseconds) * 1e-3); ++i) {
    const auto again = run_crash(cube);
    if (!again) return again;
    wall_s += again->wall_s();
    best->first_step_s = std::min(best->first_step_s, again->first_step_s);
    for (std::size_t k = 0; k < best->step_wall_s.size(); ++k)
      best->step_wall_s[k] = std::min(best->step_wall_s[k], again->step_wall_s[k]);
  }
  return best;
}

}  // namespace

Result<Outcome> self_contact(const Arguments& arguments) {
  const auto with = best_of_crashes(arguments, true), without = best_of_crashes(arguments, false);
  if (!with) return Unexpected(with.error());
  if (!without) return Unexpected(without.error());
  Outcome outcome;
  outcome.rates = {{"best_voxel_steps_per_s", with->rate()},
                   {"best_voxel_steps_without_contact_per_s", without->rate()}};
  const double steps = static_cast<double>(with->step_wall_s.size());
  outcome.figures = {{"voxels", with->voxels},
                     {"steps", steps},
                     {"substeps_per_step", with->substeps / steps},
                     {"substeps_per_step_without_contact", without->substeps / steps},
                     {"median_step_s", middle(with->step_wall_s)},
                     {"slowest_step_s", *std::max_element(with->step_wall_s.begin(), with->step_wall_s.end())},
                     {"worst_step_over_median", worst_step(with->step_wall_s)},
                     {"worst_step_over_median_without_contact", worst_step(without->step_wall_s)},
                     {"first_step_s", with->first_step_s},
                     {"first_step_without_contact_s", without->first_step_s},
                     {"median_step_without_contact_s", middle(without->step_wall_s)},
                     {"worst_stall", worst_stall(with->step_wall_s)},
                     {"worst_stall_without_contact", worst_stall(without->step_wall_s)}};
  return outcome;
}

}  // namespace vw::bench
