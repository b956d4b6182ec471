// Bricks that fall into a pit. Body updates per second are measured while the bricks pile up, while they lie awake, and
// while they sleep. The search for possible contacts by grids is also compared with a loop over all pairs.
#include <cmath>

#include "bench/measure.h"
#include "sim/system/rigid/contacts/body_pairs.h"
#include "sim/system/rigid/rigid.h"

namespace vw::bench {
namespace {

/// Returns a scene with at least the given number of bricks in random orientations above a pit. The bricks form square
/// layers. The number of bricks along a side of a layer is the cube root of `bodies`, rounded up, so the block of
/// bricks is about as high as it is wide.
Result<Node> pit(double bodies) {
  Node scene = make_node(scene_schema());
  const double side = std::ceil(std::cbrt(bodies)), step = 0.115, half = 0.5 * side * step + 0.03;
  const auto wall = [&](const char* name, const Vec3& position, const Vec3& rotation) {
    Node& plane = add_child(scene, "collider", "plane", name);
    plane.set("position", position);
    plane.set("rotation", rotation);
  };
  wall("ground", Vec3(0, 0, 0), Vec3(0, 0, 0));
  wall("left", Vec3(-half, 0, 0), Vec3(0, 0, -0.5 * pi));
  wall("right", Vec3(half, 0, 0), Vec3(0, 0, 0.5 * pi));
  wall("back", Vec3(0, 0, -half), Vec3(0.5 * pi, 0, 0));
  wall("front", Vec3(0, 0, half), Vec3(-0.5 * pi, 0, 0));
  Node& brick = add_child(add_child(scene, "system", "rigid", "pile"), "body", "box", "brick");
  brick.set("size", Vec3(0.08, 0.06, 0.1));
  brick.set("position", Vec3(-0.5 * step * (side - 1), 0.2, -0.5 * step * (side - 1)));
  brick.set("repeat", Vec3(side, std::ceil(bodies / (side * side)), side));
  brick.set("repeat_step", Vec3(step, 0.14, step));
  brick.set("repeat_jitter", 0.003);
  brick.set("repeat_turn", 1.0);
  return scene;
}

Result<void> run_until(World& world, double time) {
  while (world.time() < time)
    if (!world.step()) return fail("rigid-pile: " + world.health().sentence());
  return {};
}

/// Returns a scene for the contact search alone, with the bodies at their current poses.
RigidScene as_they_stand(RigidSystem& rigid) {
  RigidScene scene;
  scene.bodies = rigid.bodies(), scene.rows = &rigid.elements(), scene.dt = 1.0 / 240;
  return scene;
}

/// Search for pairs of overlapping bounding boxes, by grids or by a loop over all pairs. Each of the two functions
/// returns the number of bodies and stores the number of pairs in `found`.
struct OverlapSearch {
  const RigidScene& scene;
  BodyPairs pairs;
  std::vector<std::uint32_t> partners;
  double found = 0;

  double by_grids() {
    pairs.build(scene);
    found = 0;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      pairs.partners(scene, i, partners);
      found += static_cast<double>(partners.size());
    }
    return static_cast<double>(scene.bodies.size());
  }
  double by_all_pairs() {
    pairs.build_boxes(scene);
    found = 0;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i)
      for (std::size_t j = i + 1; j < scene.bodies.size(); ++j) found += pairs.meet(i, j) ? 1 : 0;
    return static_cast<double>(scene.bodies.size());
  }
};

}  // namespace

Result<Outcome> rigid_pile(const Arguments& arguments) {
  auto scene = pit(arguments.real("bodies"));
  if (!scene) return Unexpected(scene.error());
  auto world = make_world(std::move(*scene));
  if (!world) return Unexpected(world.error());
  if (auto good = run_until(**world, arguments.real("settle")); !good) return Unexpected(good.error());
  auto& rigid = static_cast<RigidSystem&>((*world)->system(0));
  const RigidScene standing = as_they_stand(rigid);
  OverlapSearch grids{standing, {}, {}}, loop{standing, {}, {}};
  grids.pairs.prepare(standing.bodies), loop.pairs.prepare(standing.bodies);
  Windows by_grids, by_loop;
  const std::int64_t milliseconds = arguments.whole("milliseconds");
  const auto run = run_world(**world, milliseconds, [&] {
    by_grids.all.push_back(fill_window(1e-3, [&] { return grids.by_grids(); }));
    by_loop.all.push_back(fill_window(1e-3, [&] { return loop.by_all_pairs(); }));
  });
  if (!run) return Unexpected(run.error());
  std::vector<Total> totals;
  rigid.totals(totals);
  Outcome outcome;
  outcome.rates = {{"body_steps_per_s", run->updates_per_s()},
                   {"world_steps_per_s", run->steps_per_s()},
                   {"pairs_by_grids_bodies_per_s", by_grids.median_rate()},
                   {"pairs_by_loop_bodies_per_s", by_loop.median_rate()}};
  outcome.figures = {{"bodies", run->elements},
                     {"substeps", run->substeps_per_step},
                     {"real_time_factor", run->real_time_factor()},
                     {"near_pairs", grids.found},
                     {"near_pairs_of_loop", loop.found},
                     {"grids_over_loop", median_ratio(by_grids, by_loop)}};
  for (const Total& total : totals) outcome.figures.emplace_back(total.name, total.value);
  return outcome;
}

}  // namespace vw::bench
