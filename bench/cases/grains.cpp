// Updates per second of grains that settle in a shaft, and of particles that are emitted at the rate at which they
// expire.
#include "bench/measure.h"

namespace vw::bench {
namespace {

Result<void> assign(Node& scene, const std::vector<SetParameter>& settings) {
  for (const auto& setting : settings)
    if (auto good = set_parameter(scene, setting.path, setting.value); !good) return good;
  return {};
}

void add_wall(Node& scene, const char* name, const Vec3& position, const Vec3& rotation) {
  Node& plane = add_child(scene, "collider", "plane", name);
  plane.set("position", position);
  plane.set("rotation", rotation);
}

/// Returns grains with a radius of 5 mm (the default), loosely distributed in a shaft whose cross-section holds 20 x 20
/// grains.
Result<Node> shaft(double grains) {
  Node scene = make_node(scene_schema());
  constexpr double half = 0.1;
  add_wall(scene, "ground", Vec3(0, 0, 0), Vec3(0, 0, 0));
  add_wall(scene, "left", Vec3(-half, 0, 0), Vec3(0, 0, -0.5 * pi));
  add_wall(scene, "right", Vec3(half, 0, 0), Vec3(0, 0, 0.5 * pi));
  add_wall(scene, "back", Vec3(0, 0, -half), Vec3(0.5 * pi, 0, 0));
  add_wall(scene, "front", Vec3(0, 0, half), Vec3(-0.5 * pi, 0, 0));
  add_child(scene, "interaction", "grains", "grains");
  add_child(add_child(scene, "system", "particles", "sand"), "emitter", "box", "fill");
  // The bounding cubes of the grains (1e-6 m^3 each) fill 15 % of the shaft below `height`, so that few grains overlap
  // initially.
  const double height = grains * 1e-6 / (0.15 * 4 * half * half);
  const std::vector<SetParameter> settings{{"system.sand.capacity", static_cast<std::int64_t>(grains)},
                                           {"system.sand.emitter.fill.burst", static_cast<std::int64_t>(grains)},
                                           {"system.sand.emitter.fill.rate", 0.0},
                                           {"system.sand.emitter.fill.speed", 0.0},
                                           {"system.sand.emitter.fill.lifetime", 0.0},
                                           {"system.sand.emitter.fill.position", Vec3(0, 0.5 * height + 0.01, 0)},
                                           {"system.sand.emitter.fill.size", Vec3(0.18, height, 0.18)}};
  if (auto good = assign(scene, settings); !good) return Unexpected(good.error());
  return scene;
}

/// Returns particles with a mean lifetime of one second. The emitter replaces expired particles, so their number stays
/// at the capacity.
Result<Node> fountain(double particles) {
  Node scene = make_node(scene_schema());
  add_child(scene, "collider", "plane", "ground");
  add_child(scene, "field", "turbulence", "wind");
  add_child(add_child(scene, "system", "particles", "spray"), "emitter", "sphere", "source");
  const std::vector<SetParameter> settings{{"system.spray.capacity", static_cast<std::int64_t>(particles)},
                                           {"system.spray.drag_time", 0.5},
                                           {"system.spray.emitter.source.burst", static_cast<std::int64_t>(particles)},
                                           // The rate is higher than needed, so that the system stays full.
                                           {"system.spray.emitter.source.rate", 4 * particles},
                                           {"system.spray.emitter.source.lifetime", 1.0},
                                           {"system.spray.emitter.source.lifetime_jitter", 1.0},
                                           {"system.spray.emitter.source.spread", 1.0},
                                           {"system.spray.emitter.source.position", Vec3(0, 1, 0)}};
  if (auto good = assign(scene, settings); !good) return Unexpected(good.error());
  return scene;
}

}  // namespace

Result<Outcome> grains(const Arguments& arguments) {
  auto scene = shaft(arguments.real("grains"));
  if (!scene) return Unexpected(scene.error());
  auto world = make_world(std::move(*scene));
  if (!world) return Unexpected(world.error());
  while ((*world)->time() < arguments.real("settle"))
    if (!(*world)->step()) return fail("grains: " + (*world)->health().sentence());
  const auto run = run_world(**world, arguments.whole("milliseconds"));
  if (!run) return Unexpected(run.error());
  Outcome outcome;
  outcome.rates = {{"grain_steps_per_s", run->updates_per_s()}, {"world_steps_per_s", run->steps_per_s()}};
  outcome.figures = {
      {"grains", run->elements}, {"substeps", run->substeps_per_step}, {"real_time_factor", run->real_time_factor()}};
  return outcome;
}

Result<Outcome> particles_lives(const Arguments& arguments) {
  auto scene = fountain(arguments.real("particles"));
  if (!scene) return Unexpected(scene.error());
  auto world = make_world(std::move(*scene));
  if (!world) return Unexpected(world.error());
  const auto before = (*world)->system(0).elements().id.back();
  const auto run = run_world(**world, arguments.whole("milliseconds"));
  if (!run) return Unexpected(run.error());
  const double births = static_cast<double>((*world)->system(0).elements().id.back() - before);
  Outcome outcome;
  outcome.rates = {{"particle_steps_per_s", run->updates_per_s()},
                   {"births_per_s", births / run->steps * run->steps_per_s()}};
  outcome.figures = {{"particles", run->elements},
                     {"births_per_step", births / run->steps},
                     {"milliseconds_per_step", 1e3 / run->steps_per_s()}};
  return outcome;
}

}  // namespace vw::bench
