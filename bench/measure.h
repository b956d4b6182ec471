// Wall-clock measurement for benchmarks. Timings on a shared machine are noisy, so a measurement is divided into
// windows. The median over the windows is the typical rate. The best window is the rate of an undisturbed machine.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "bench/registry.h"
#include "sim/world/world.h"

namespace vw::bench {

using Clock = std::chrono::steady_clock;
/// Returns the wall time since `start` [s].
[[nodiscard]] inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Minimum number of windows per measurement.
inline constexpr int least_windows = 5;

/// Amount of work and wall time of each window.
struct Windows {
  struct Window {
    double amount = 0, wall_s = 0;
    [[nodiscard]] double rate() const { return wall_s > 0 ? amount / wall_s : 0; }
  };
  std::vector<Window> all;
  [[nodiscard]] double median_rate() const;
  [[nodiscard]] double best_rate() const;
};
/// Measures `work`, which returns the amount of work that a call performs. After one call to warm up, `work` is called
/// until `milliseconds` have passed and at least `least_windows` windows are complete. A window takes a tenth of
/// `milliseconds` or the time of one call, whichever is longer.
[[nodiscard]] Windows measure(std::int64_t milliseconds, const std::function<double()>& work);
/// Measures one window: calls `work` until `least_s` have passed, but at least once.
[[nodiscard]] Windows::Window fill_window(double least_s, const std::function<double()>& work);

[[nodiscard]] Result<std::unique_ptr<World>> make_world(Node scene);

/// Result of stepping a world. The amount of work is the number of elements times the number of substeps of the first
/// system of the world.
struct WorldRun {
  Windows updates;  ///< the amount of a window is the number of element updates
  double steps = 0;
  double substeps_per_step = 0;
  double dt_s = 0;
  double elements = 0;
  [[nodiscard]] double updates_per_s() const { return updates.median_rate(); }
  [[nodiscard]] double steps_per_s() const { return updates_per_s() / (elements * substeps_per_step); }
  [[nodiscard]] double real_time_factor() const { return steps_per_s() * dt_s; }
};
/// Steps the world until `milliseconds` have passed, after one step to warm up. `between` is called after each window
/// and is not included in the measurement. Callers use `between` to measure a reference under the same machine load.
[[nodiscard]] Result<WorldRun> run_world(World& world, std::int64_t milliseconds,
                                         const std::function<void()>& between = {});
/// Returns the median of rate(a[i]) / rate(b[i]) over all windows i. Windows of `a` and `b` with the same index were
/// measured one after the other.
[[nodiscard]] double median_ratio(const Windows& a, const Windows& b);

// Each of the following functions is one benchmark, with a row in the table of registry.cpp.
[[nodiscard]] Result<Outcome> arrows(const Arguments& arguments);
[[nodiscard]] Result<Outcome> body_totals(const Arguments& arguments);
[[nodiscard]] Result<Outcome> dam_break(const Arguments& arguments);
[[nodiscard]] Result<Outcome> dam_break_sizes(const Arguments& arguments);
[[nodiscard]] Result<Outcome> drawing(const Arguments& arguments);
[[nodiscard]] Result<Outcome> elementary_functions(const Arguments& arguments);
[[nodiscard]] Result<Outcome> flock(const Arguments& arguments);
[[nodiscard]] Result<Outcome> fluid_surface(const Arguments& arguments);
[[nodiscard]] Result<Outcome> fluid_walls(const Arguments& arguments);
[[nodiscard]] Result<Outcome> grains(const Arguments& arguments);
[[nodiscard]] Result<Outcome> history_of_run(const Arguments& arguments);
[[nodiscard]] Result<Outcome> implicit_cube(const Arguments& arguments);
[[nodiscard]] Result<Outcome> noise(const Arguments& arguments);
[[nodiscard]] Result<Outcome> packaged_scene_speeds(const Arguments& arguments);
[[nodiscard]] Result<Outcome> particles_lives(const Arguments& arguments);
[[nodiscard]] Result<Outcome> particles_motion(const Arguments& arguments);
[[nodiscard]] Result<Outcome> particles_plane(const Arguments& arguments);
[[nodiscard]] Result<Outcome> peak(const Arguments& arguments);
[[nodiscard]] Result<Outcome> rigid_pile(const Arguments& arguments);
[[nodiscard]] Result<Outcome> self_contact(const Arguments& arguments);
[[nodiscard]] Result<Outcome> shape_queries(const Arguments& arguments);
[[nodiscard]] Result<Outcome> snapshot(const Arguments& arguments);
[[nodiscard]] Result<Outcome> software_splats(const Arguments& arguments);
[[nodiscard]] Result<Outcome> spectral_build(const Arguments& arguments);
[[nodiscard]] Result<Outcome> state(const Arguments& arguments);
[[nodiscard]] Result<Outcome> turbulence(const Arguments& arguments);
[[nodiscard]] Result<Outcome> voxel_cube(const Arguments& arguments);
[[nodiscard]] Result<Outcome> voxel_grid(const Arguments& arguments);
[[nodiscard]] Result<Outcome> voxel_suite(const Arguments& arguments);
[[nodiscard]] Result<Outcome> voxelise(const Arguments& arguments);
[[nodiscard]] Result<Outcome> wind_grid(const Arguments& arguments);

}  // namespace vw::bench
