// A stiff cube that lands on the ground, with long implicit substeps and with short explicit ones.
#include "bench/measure.h"
#include "bench/voxel_scene.h"

namespace vw::bench {
namespace {

Result<WorldRun> run_case(const Arguments& arguments, bool implicit) {
  CubeScene cube;
  cube.n = static_cast<int>(arguments.whole("n"));
  cube.youngs_pa = arguments.real("youngs");
  cube.poisson = arguments.real("nu");
  cube.implicit = implicit;
  auto scene = make_scene(cube);
  if (!scene) return Unexpected(scene.error());
  auto world = make_world(std::move(*scene));
  if (!world) return Unexpected(world.error());
  return run_world(**world, arguments.whole("milliseconds"));
}

}  // namespace

Result<Outcome> implicit_cube(const Arguments& arguments) {
  const auto run = run_case(arguments, true), plain = run_case(arguments, false);
  if (!run) return Unexpected(run.error());
  if (!plain) return Unexpected(plain.error());
  Outcome outcome;
  outcome.rates = {{"voxel_steps_per_s", run->updates_per_s()}, {"world_steps_per_s", run->steps_per_s()}};
  outcome.figures = {{"real_time_factor", run->real_time_factor()},
                     {"explicit_real_time_factor", plain->real_time_factor()},
                     {"substeps_per_simulated_s", run->substeps_per_step / run->dt_s},
                     {"explicit_substeps_per_simulated_s", plain->substeps_per_step / plain->dt_s},
                     {"voxels", run->elements}};
  return outcome;
}

}  // namespace vw::bench
