// Wall-clock measurement for benchmarks. A shared machine is noisy: a measurement is cut into windows, of which the median tells what to expect and
// the best what the code can do when it is left alone.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "bench/registry.h"
#include "sim/world/world.h"

namespace vw::bench {

/// At least this many windows a measurement.
inline constexpr int least_windows = 5;

/// Amounts done and the wall time of each window.
struct Windows {
  struct Window {
    double amount = 0, wall_s = 0;
    [[nodiscard]] double rate() const { return wall_s > 0 ? amount / wall_s : 0; }
  };
  std::vector<Window> all;
  [[nodiscard]] double median_rate() const;
  [[nodiscard]] double best_rate() const;
};
/// Calls `work`, which returns how much it did, once to warm up and then until `milliseconds` have gone by, in windows of a tenth of that or one
/// call.
[[nodiscard]] Windows measure(std::int64_t milliseconds, const std::function<double()>& work);
/// One window: `work` until `least_s` have gone by, once at least.
[[nodiscard]] Windows::Window fill_window(double least_s, const std::function<double()>& work);

[[nodiscard]] Result<std::unique_ptr<World>> make_world(Node scene);

/// Steps the world as long as asked; elements times substeps of its first system are counted.
struct WorldRun {
  Windows updates;  ///< amounts are element updates
  double steps = 0;
  double substeps_per_step = 0;
  double dt_s = 0;
  double elements = 0;
  [[nodiscard]] double updates_per_s() const { return updates.median_rate(); }
  [[nodiscard]] double steps_per_s() const { return updates_per_s() / (elements * substeps_per_step); }
  [[nodiscard]] double real_time_factor() const { return steps_per_s() * dt_s; }
};
/// `between` runs after each window, outside of what is measured: something to compare with that meets the same noise.
[[nodiscard]] Result<WorldRun> run_world(World& world, std::int64_t milliseconds, const std::function<void()>& between = {});
/// Median over the windows of the rate of `a` over that of `b` in the window beside it.
[[nodiscard]] double median_ratio(const Windows& a, const Windows& b);

// One function a benchmark; rows of the table in registry.cpp.
[[nodiscard]] Result<Outcome> arrows(const Arguments& arguments);
[[nodiscard]] Result<Outcome> body_totals(const Arguments& arguments);
[[nodiscard]] Result<Outcome> dam_break(const Arguments& arguments);
[[nodiscard]] Result<Outcome> dam_break_sizes(const Arguments& arguments);
[[nodiscard]] Result<Outcome> flock(const Arguments& arguments);
[[nodiscard]] Result<Outcome> fluid_walls(const Arguments& arguments);
[[nodiscard]] Result<Outcome> grains(const Arguments& arguments);
[[nodiscard]] Result<Outcome> implicit_cube(const Arguments& arguments);
[[nodiscard]] Result<Outcome> noise(const Arguments& arguments);
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
[[nodiscard]] Result<Outcome> voxel_suite(const Arguments& arguments);
[[nodiscard]] Result<Outcome> voxelise(const Arguments& arguments);
[[nodiscard]] Result<Outcome> wind_grid(const Arguments& arguments);

}  // namespace vw::bench
