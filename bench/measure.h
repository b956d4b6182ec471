// Wall-clock measurement and small worlds for benchmarks.
#pragma once

#include <functional>
#include <memory>

#include "bench/registry.h"
#include "sim/world/world.h"

namespace vw::bench {

struct Measured {
  double calls = 0;
  double wall_s = 0;
  [[nodiscard]] double per_s(double amount_per_call) const { return wall_s > 0 ? calls * amount_per_call / wall_s : 0; }
};
/// Calls `work` once to warm up, then again and again until `milliseconds` have gone by.
[[nodiscard]] Measured measure(std::int64_t milliseconds, const std::function<void()>& work);

/// A free cube of n^3 voxels that spins, so that every bond works: no ground, no gravity, damped bonds.
[[nodiscard]] Node spinning_cube(std::int64_t n);
[[nodiscard]] Result<std::unique_ptr<World>> make_world(Node scene);
/// Steps the world as long as asked; elements times substeps of its first system are counted.
struct WorldRun {
  double wall_s = 0;
  double steps = 0;
  double element_updates = 0;
};
[[nodiscard]] Result<WorldRun> run_world(World& world, std::int64_t milliseconds);

// One function a file; rows of the table in registry.cpp.
[[nodiscard]] Result<Outcome> voxel_cube(const Arguments& arguments);
[[nodiscard]] Result<Outcome> particles_plane(const Arguments& arguments);
[[nodiscard]] Result<Outcome> turbulence(const Arguments& arguments);
[[nodiscard]] Result<Outcome> snapshot(const Arguments& arguments);
[[nodiscard]] Result<Outcome> state(const Arguments& arguments);

}  // namespace vw::bench
