// Particles that fall on a plane and bounce. The rate is the number of particle updates per second in complete world
// steps with collisions.
#include "bench/measure.h"

namespace vw::bench {
namespace {

Result<Node> rain(std::int64_t particles) {
  Node scene = make_node(scene_schema());
  add_child(scene, "collider", "plane", "ground");
  Node& system = add_child(scene, "system", "particles", "rain");
  add_child(system, "emitter", "box", "cloud");
  const std::vector<SetParameter> settings{{"system.rain.capacity", particles},
                                           {"system.rain.emitter.cloud.burst", particles},
                                           {"system.rain.emitter.cloud.rate", 0.0},
                                           {"system.rain.emitter.cloud.lifetime", 0.0},
                                           {"system.rain.emitter.cloud.position", Vec3(0, 1, 0)},
                                           {"system.rain.emitter.cloud.size", Vec3(2, 1.8, 2)}};
  for (const auto& setting : settings)
    if (auto good = set_parameter(scene, setting.path, setting.value); !good) return Unexpected(good.error());
  return scene;
}

}  // namespace

Result<Outcome> particles_plane(const Arguments& arguments) {
  auto scene = rain(arguments.whole("particles"));
  if (!scene) return Unexpected(scene.error());
  auto world = make_world(std::move(*scene));
  if (!world) return Unexpected(world.error());
  const auto run = run_world(**world, arguments.whole("milliseconds"));
  if (!run) return Unexpected(run.error());
  const double count = static_cast<double>((*world)->system(0).elements().size());
  if (count < arguments.real("particles")) return fail("particles-plane: not all particles are in flight");
  Outcome outcome;
  outcome.rates = {{"particle_steps_per_s", run->updates_per_s()}, {"world_steps_per_s", run->steps_per_s()}};
  outcome.figures = {{"particles", count}, {"substeps", run->substeps_per_step}};
  return outcome;
}

}  // namespace vw::bench
