// Voxel steps a second of a damped cube, beside plain scalar code for the same bonds, and how far the two end up apart.
#include "bench/measure.h"
#include "bench/reference_cube.h"

namespace vw::bench {
namespace {

/// The reference in the state that the world is in.
ReferenceCube copy_of(const World& world, int n) {
  ReferenceCube cube(n, 0.01, {});
  const Elements& e = world.system(0).elements();
  for (std::size_t i = 0; i < cube.voxels.size(); ++i) {
    cube.voxels[i].position = e.position[i];
    cube.voxels[i].velocity = e.velocity[i];
    cube.voxels[i].orientation = e.orientation[i];
    cube.voxels[i].angular_velocity = e.angular_velocity[i];
  }
  return cube;
}

/// Largest distance [m] between the two after one world step from the same state.
Result<double> difference_after_a_step(World& world, int n) {
  ReferenceCube cube = copy_of(world, n);
  if (!world.step()) return fail(world.health().sentence());
  for (int i = 0; i < world.timing(0).substeps; ++i) cube.substep(world.timing(0).substep_dt);
  double largest = 0;
  for (std::size_t i = 0; i < cube.voxels.size(); ++i)
    largest = std::max(largest, (cube.voxels[i].position - world.system(0).elements().position[i]).norm());
  return largest;
}

}  // namespace

Result<Outcome> voxel_cube(const Arguments& arguments) {
  const auto n = static_cast<int>(arguments.at("n"));
  auto world = make_world(spinning_cube(n));
  if (!world) return Unexpected(world.error());
  if (!(*world)->step()) return fail((*world)->health().sentence());
  const auto difference = difference_after_a_step(**world, n);
  if (!difference) return Unexpected(difference.error());
  const auto run = run_world(**world, arguments.at("milliseconds"));
  if (!run) return Unexpected(run.error());

  ReferenceCube cube = copy_of(**world, n);
  const double dt = (*world)->timing(0).substep_dt;
  const Measured reference = measure(arguments.at("milliseconds"), [&] { cube.substep(dt); });
  const double voxels = static_cast<double>(cube.voxels.size()), size = n;
  const double bonds = 3 * size * size * (size - 1);
  const double ours = run->element_updates / run->wall_s, plain = reference.per_s(voxels);
  Outcome outcome;
  outcome.rates = {{"voxel_steps_per_s", ours},
                   {"bond_steps_per_s", ours * bonds / voxels},
                   {"world_steps_per_s", run->steps / run->wall_s},
                   {"reference_voxel_steps_per_s", plain}};
  outcome.figures = {{"voxels", voxels},
                     {"bonds", bonds},
                     {"substeps", (*world)->timing(0).substeps},
                     {"speedup_over_reference", ours / plain},
                     {"difference_from_reference_m", *difference}};
  return outcome;
}

}  // namespace vw::bench
