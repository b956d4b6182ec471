// A soft lattice of struts that is thrown on the ground and collapses onto itself: what contact within the body costs, and whether any step stalls.
#include <algorithm>
#include <chrono>

#include "bench/measure.h"
#include "bench/voxel_scene.h"

namespace vw::bench {
namespace {

/// About one substep of so soft a body, so that a rebuild of a watch list cannot hide in a long step.
constexpr double step_s = 2e-4;
/// From the first touch until the struts lie on each other.
constexpr double crash_s = 0.06;

struct Crash {
  std::vector<double> step_wall_s;  ///< ascending
  double substeps = 0, wall_s = 0, voxels = 0;
  [[nodiscard]] double quantile(double q) const { return step_wall_s[static_cast<std::size_t>(q * static_cast<double>(step_wall_s.size() - 1))]; }
};

Result<void> add_crash(const CubeScene& cube, Crash& crash) {
  auto scene = make_scene(cube);
  if (!scene) return Unexpected(scene.error());
  auto world = make_world(std::move(*scene));
  if (!world) return Unexpected(world.error());
  crash.voxels = static_cast<double>((*world)->system(0).elements().size());
  if (!(*world)->step()) return fail((*world)->health().sentence());
  while ((*world)->time() < crash_s) {
    const auto start = std::chrono::steady_clock::now();
    if (!(*world)->step()) return fail((*world)->health().sentence());
    crash.step_wall_s.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    crash.substeps += (*world)->timing(0).substeps;
    crash.wall_s += crash.step_wall_s.back();
  }
  return {};
}

Result<Crash> run_crashes(int n, bool self_contact, std::int64_t milliseconds) {
  CubeScene cube;
  cube.n = n;
  cube.shape = CubeShape::sparse;
  cube.youngs_pa = 1e4;
  cube.poisson = 0;
  cube.self_contact = self_contact;
  cube.speed_mps = -3;
  cube.dt_s = step_s;
  Crash crash;
  do {
    if (auto done = add_crash(cube, crash); !done) return Unexpected(done.error());
  } while (crash.wall_s < static_cast<double>(milliseconds) * 1e-3);
  std::sort(crash.step_wall_s.begin(), crash.step_wall_s.end());
  return crash;
}

}  // namespace

Result<Outcome> self_contact(const Arguments& arguments) {
  const int n = static_cast<int>(arguments.whole("n"));
  const auto with = run_crashes(n, true, arguments.whole("milliseconds")), without = run_crashes(n, false, arguments.whole("milliseconds"));
  if (!with) return Unexpected(with.error());
  if (!without) return Unexpected(without.error());
  Outcome outcome;
  outcome.rates = {{"voxel_steps_per_s", with->voxels * with->substeps / with->wall_s},
                   {"voxel_steps_without_contact_per_s", without->voxels * without->substeps / without->wall_s}};
  outcome.figures = {{"voxels", with->voxels},
                     {"steps", static_cast<double>(with->step_wall_s.size())},
                     {"median_step_s", with->quantile(0.5)},
                     {"slow_step_s", with->quantile(0.99)},
                     {"slowest_step_s", with->quantile(1)},
                     {"median_step_without_contact_s", without->quantile(0.5)},
                     {"slow_step_without_contact_s", without->quantile(0.99)},
                     {"slow_over_median_step", with->quantile(0.99) / with->quantile(0.5)}};
  return outcome;
}

}  // namespace vw::bench
