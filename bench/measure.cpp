#include "bench/measure.h"

#include <chrono>

namespace vw::bench {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

Measured measure(std::int64_t milliseconds, const std::function<void()>& work) {
  work();
  Measured measured;
  const auto start = Clock::now();
  const double enough = static_cast<double>(milliseconds) * 1e-3;
  do {
    work();
    measured.calls += 1;
    measured.wall_s = since(start);
  } while (measured.wall_s < enough);
  return measured;
}

Node spinning_cube(std::int64_t n) {
  Node scene = make_node(scene_schema());
  (void)set_parameter(scene, "world.gravity", Vec3(0, 0, 0));
  add_child(scene, "material", "voxel_material", "rubber");
  Node& cube = add_child(scene, "system", "voxel_body", "cube");
  cube.set("size", Vec3::Constant(static_cast<double>(n)));
  cube.set("material", std::string("rubber"));
  cube.set("angular_velocity", Vec3(0.5, 1, 0.25));
  return scene;
}

Result<std::unique_ptr<World>> make_world(Node scene) {
  add_default_interactions(scene);
  return World::create(std::move(scene));
}

Result<WorldRun> run_world(World& world, std::int64_t milliseconds) {
  if (!world.step()) return fail(world.health().sentence());
  WorldRun run;
  const auto start = Clock::now();
  const double enough = static_cast<double>(milliseconds) * 1e-3;
  do {
    if (!world.step()) return fail(world.health().sentence());
    run.steps += 1;
    run.element_updates += static_cast<double>(world.system(0).elements().size()) * world.timing(0).substeps;
    run.wall_s = since(start);
  } while (run.wall_s < enough);
  return run;
}

}  // namespace vw::bench
