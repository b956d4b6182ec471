// A stiff cube that is thrown onto the ground with a spin and vibrates. Long implicit substeps are compared with short
// explicit substeps. Each window covers the first tenth of a simulated second, because the iterative solver would
// converge too easily for a body at rest.
#include <algorithm>
#include <chrono>

#include "bench/cases/voxel/voxel_scene.h"
#include "bench/measure.h"

namespace vw::bench {
namespace {

constexpr double landing_s = 0.1;

CubeScene implicit_cube_of(const Arguments& arguments, bool implicit) {
  CubeScene cube;
  cube.n = static_cast<int>(arguments.whole("n"));
  cube.youngs_pa = arguments.real("youngs");
  cube.poisson = arguments.real("nu");
  cube.implicit = implicit;
  cube.spin = 5;
  cube.speed_mps = -1;
  return cube;
}

struct Landings {
  Windows simulated;  ///< the amount of a window is the simulated time [s], so each rate is a real-time factor
  double slowest_step_factor = 0;
  double substeps_per_s = 0;  ///< number of substeps per simulated second
  double voxels = 0;
};

/// Simulates one impact on the ground. The first step, which allocates the data structures, is not measured.
Result<Windows::Window> land(const CubeScene& cube, Landings& all) {
  auto scene = make_scene(cube);
  if (!scene) return Unexpected(scene.error());
  auto made = make_world(std::move(*scene));
  if (!made) return Unexpected(made.error());
  World& world = **made;
  if (!world.step()) return fail(world.health().sentence());
  Windows::Window window;
  while (world.time() < landing_s) {
    const auto start = std::chrono::steady_clock::now();
    if (!world.step()) return fail(world.health().sentence());
    const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double factor = world.dt() / wall_s;
    all.slowest_step_factor = all.slowest_step_factor > 0 ? std::min(all.slowest_step_factor, factor) : factor;
    window.amount += world.dt();
    window.wall_s += wall_s;
  }
  all.voxels = static_cast<double>(world.system(0).elements().size());
  all.substeps_per_s = world.timing(0).substeps / world.dt();
  return window;
}

Result<Landings> land_often(const CubeScene& cube, std::int64_t milliseconds) {
  Landings all;
  double wall_s = 0;
  while (static_cast<int>(all.simulated.all.size()) < least_windows ||
         wall_s < static_cast<double>(milliseconds) * 1e-3) {
    const auto window = land(cube, all);
    if (!window) return Unexpected(window.error());
    all.simulated.all.push_back(*window);
    wall_s += window->wall_s;
  }
  return all;
}

}  // namespace

Result<Outcome> implicit_cube(const Arguments& arguments) {
  const auto run = land_often(implicit_cube_of(arguments, true), arguments.whole("milliseconds"));
  if (!run) return Unexpected(run.error());
  const auto plain = land_often(implicit_cube_of(arguments, false), arguments.whole("milliseconds"));
  if (!plain) return Unexpected(plain.error());
  const double factor = run->simulated.median_rate();
  Outcome outcome;
  outcome.rates = {{"voxel_steps_per_s", factor * run->substeps_per_s * run->voxels}};
  outcome.figures = {{"real_time_factor", factor},
                     {"best_real_time_factor", run->simulated.best_rate()},
                     {"slowest_step_real_time_factor", run->slowest_step_factor},
                     {"substeps_per_simulated_s", run->substeps_per_s},
                     {"explicit_real_time_factor", plain->simulated.median_rate()},
                     {"explicit_substeps_per_simulated_s", plain->substeps_per_s},
                     {"voxels", run->voxels}};
  return outcome;
}

}  // namespace vw::bench
