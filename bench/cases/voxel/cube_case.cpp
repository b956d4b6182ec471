#include "bench/cases/voxel/cube_case.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bench/cases/voxel/reference_cube.h"
#include "bench/cases/voxel/voxel_work.h"
#include "bench/memory.h"
#include "sim/collision/collider.h"
#include "sim/system/voxel/lattice/lattice.h"

namespace vw::bench {
namespace {

constexpr double gravity_mps2 = 9.81;

ReferenceCube make_reference(const CubeScene& cube) {
  const VoxelMaterial rubber;
  const SurfaceMaterial pair = combine({rubber.restitution, rubber.mu_static, rubber.mu_dynamic}, SurfaceMaterial{});
  return ReferenceCube(cells_of(cube.shape, cube.n), cube_edge_m,
                       {.youngs = cube.youngs_pa,
                        .density = 1000,
                        .poisson = cube.poisson,
                        .bond_damping = 0.1,
                        .contact_damping = rubber.contact_damping,
                        .mu_static = pair.mu_static,
                        .mu_dynamic = pair.mu_dynamic},
                       gravity_mps2);
}

/// Returns a reference cube whose voxels have the present poses and velocities of the world's voxels.
ReferenceCube copy_of(const CubeScene& scene, const World& world) {
  ReferenceCube cube = make_reference(scene);
  const Elements& e = world.system(0).elements();
  for (std::size_t i = 0; i < cube.voxels.size(); ++i) {
    cube.voxels[i].position = e.position[i];
    cube.voxels[i].velocity = e.velocity[i];
    cube.voxels[i].orientation = e.orientation[i];
    cube.voxels[i].angular_velocity = e.angular_velocity[i];
  }
  return cube;
}

}  // namespace

Result<CubeWorld> make_cube_world(const CubeScene& cube) {
  const auto heap = heap_bytes(), resident = resident_bytes();
  auto scene = make_scene(cube);
  if (!scene) return Unexpected(scene.error());
  CubeWorld made;
  auto start = Clock::now();
  auto world = make_world(std::move(*scene));
  if (!world) return Unexpected(world.error());
  made.create_s = seconds_since(start);
  start = Clock::now();
  if (!(*world)->step()) return fail((*world)->health().sentence());
  made.first_step_s = seconds_since(start);
  made.world = std::move(*world);
  const double voxels = static_cast<double>(made.world->system(0).elements().size());
  if (const auto now = heap_bytes(); now && heap) made.memory.emplace_back("bytes_per_voxel", (*now - *heap) / voxels);
  if (const auto now = resident_bytes(); now && resident)
    made.memory.emplace_back("resident_bytes_per_voxel", (*now - *resident) / voxels);
  return made;
}

Result<CubeRun> run_beside_reference(const CubeScene& cube, World& world, std::int64_t milliseconds) {
  ReferenceCube reference = make_reference(cube);
  CubeRun out;
  const auto substep = [&] {
    reference.substep(world.timing(0).substep_dt);
    return static_cast<double>(reference.voxels.size());
  };
  const double window_s = 0.05 * static_cast<double>(milliseconds) * 1e-3;
  auto run = run_world(world, milliseconds, [&] { out.reference.all.push_back(fill_window(window_s, substep)); });
  if (!run) return Unexpected(run.error());
  out.world = std::move(*run);
  return out;
}

Result<double> difference_from_reference(const CubeScene& cube) {
  auto scene = make_scene(cube);
  if (!scene) return Unexpected(scene.error());
  auto world = make_world(std::move(*scene));
  if (!world) return Unexpected(world.error());
  ReferenceCube reference = copy_of(cube, **world);
  if (!(*world)->step()) return fail((*world)->health().sentence());
  const SystemTiming& timing = (*world)->timing(0);
  for (int i = 0; i < timing.substeps; ++i) reference.substep(timing.substep_dt);
  double largest = 0;
  const auto& position = (*world)->system(0).elements().position;
  for (std::size_t i = 0; i < position.size(); ++i)
    largest = std::max(largest, (reference.voxels[i].position - position[i]).norm());
  return largest;
}

Outcome tell(const CubeScene& cube, const CubeWorld& made, const CubeRun& run, const Peak& peak) {
  const double voxels = run.world.elements, bonds = bond_count(cube.shape, cube.n), rate = run.world.updates_per_s();
  const double best = run.world.updates.best_rate();
  const double flop = flop_per_voxel_step(bonds / voxels, cube.poisson > 0),
               bytes = byte_per_voxel_step(cube.poisson > 0);
  Outcome out;
  out.rates = {{"voxel_steps_per_s", rate},
               {"best_voxel_steps_per_s", best},
               {"bond_steps_per_s", rate * bonds / voxels},
               {"substeps_per_s", rate / voxels},
               {"world_steps_per_s", run.world.steps_per_s()},
               {"reference_voxel_steps_per_s", run.reference.median_rate()},
               {"best_reference_voxel_steps_per_s", run.reference.best_rate()}};
  if (peak.known()) {
    for (auto& each : peak_rates("peak_", peak)) out.rates.push_back(std::move(each));
    // The peak is the rate of the best window. It is therefore compared with the best window of the benchmark.
    out.figures = {{"share_of_peak_flops", best * flop / peak.flop_per_s},
                   {"share_of_peak_memory_bandwidth", best * bytes / peak.memory_byte_per_s},
                   {"share_of_peak_l2_bandwidth", best * bytes / peak.l2_byte_per_s}};
  }
  const Figures known = {{"real_time_factor", run.world.real_time_factor()},
                         {"substeps_per_simulated_s", run.world.substeps_per_step / run.world.dt_s},
                         {"speedup_over_reference", median_ratio(run.world.updates, run.reference)},
                         {"flop_per_voxel_step", flop},
                         {"byte_per_voxel_step", bytes},
                         {"voxels", voxels},
                         {"bonds", bonds},
                         {"windows", static_cast<double>(run.world.updates.all.size())},
                         {"create_s", made.create_s},
                         {"first_step_s", made.first_step_s}};
  out.figures.insert(out.figures.end(), known.begin(), known.end());
  out.figures.insert(out.figures.end(), made.memory.begin(), made.memory.end());
  return out;
}

}  // namespace vw::bench
