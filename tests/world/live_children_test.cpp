// Children that are added to the systems of a running world, or removed from them: fills, inflows, drains, gauges and
// phases of a fluid, joints of a rigid system, species, swarms, goals and exits of a flock. Systems that a change does
// not concern keep their state bit for bit. A body that is added inside a liquid replaces particles and does not push
// others away. Bodies are moved by a command.
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/base/parallel/parallel.h"
#include "sim/world/session.h"
#include "tests/support/checked.h"
#include "tests/support/scratch.h"
#include "tests/support/world_of.h"

namespace vw {
namespace {

using test::set;
using test::take_steps;
using test::with_rules;

/// Returns a tank with water, two boxes above it, a soft block on the ground beside it, and a school of fish without
/// water.
Node lively_scene() {
  Node scene = make_node(scene_schema());
  add_child(scene, "material", "voxel_material", "soft");
  add_child(scene, "collider", "plane", "ground");
  for (const auto& [name, place, turn] : {std::tuple{"left", Vec3(-0.2, 0, 0), Vec3(0, 0, -pi / 2)},
                                          {"right", Vec3(0.2, 0, 0), Vec3(0, 0, pi / 2)},
                                          {"back", Vec3(0, 0, -0.2), Vec3(pi / 2, 0, 0)},
                                          {"front", Vec3(0, 0, 0.2), Vec3(-pi / 2, 0, 0)}}) {
    Node& wall = add_child(scene, "collider", "plane", name);
    wall.set("position", place), wall.set("rotation", turn);
  }
  Node& water = add_child(scene, "system", "fluid", "water");
  water.set("spacing", 0.04);
  Node& pool = add_child(water, "fill", "box", "pool");
  pool.set("position", Vec3(0, 0.12, 0)), pool.set("size", Vec3(0.4, 0.24, 0.4));
  Node& boxes = add_child(scene, "system", "rigid", "boxes");
  for (const auto& [name, x] : {std::pair{"one", -0.1}, {"two", 0.1}}) {
    Node& box = add_child(boxes, "body", "box", name);
    box.set("size", Vec3(0.06, 0.06, 0.06)), box.set("density", 500.0), box.set("position", Vec3(x, 0.5, 0));
  }
  Node& fish = add_child(scene, "system", "flock", "fish");
  add_child(fish, "species", "species", "herring");
  Node& school = add_child(fish, "swarm", "ball", "school");
  school.set("count", std::int64_t{20}), school.set("position", Vec3(0, 2, 0));
  add_default_interactions(scene);
  return scene;
}

NodeChange child(const World& world, const std::string& system, const std::string& slot, const std::string& kind,
                 const std::string& name) {
  Node parent = *world.scene().find("system", system);
  return {.parent = "system." + system, .node = add_child(parent, slot, kind, name)};
}
NodeChange without(const World& world, const std::string& system, const std::string& slot, const std::string& name) {
  return {.kind = NodeChange::Kind::remove,
          .parent = "system." + system,
          .node = *world.scene().find("system", system)->find(slot, name)};
}
void change(World& world, std::vector<NodeChange> changes) {
  const ChangeNodes command = change_command(world.scene(), changes);
  EXPECT_TRUE(restarted_systems(world.scene(), command).empty());
  const auto good = world.apply(command);
  ASSERT_TRUE(good) << good.error().message();
}
Elements& rows(World& world, const std::string& system) { return world.find_system(system)->elements(); }

/// Returns changes that add an inflow, a drain and a gauge that do not affect the water.
std::vector<NodeChange> idle_children(const World& world) {
  NodeChange tap = child(world, "water", "inflow", "disc", "a-tap"),
             hole = child(world, "water", "drain", "box", "a-hole"),
             gauge = child(world, "water", "gauge", "gauge", "a-gauge");
  tap.node.set("enabled", false);
  hole.node.set("position", Vec3(0, 50, 0));
  return {tap, hole, gauge};
}

TEST(LiveChildren, InflowsDrainsAndGaugesComeAndGoWithoutARestart) {
  const auto changed = with_rules(lively_scene()), twin = with_rules(lively_scene());
  take_steps(*changed, 20), take_steps(*twin, 20);
  change(*changed, idle_children(*changed));
  for (int i = 0; i < 10; ++i) {
    take_steps(*changed, 1), take_steps(*twin, 1);
    ASSERT_EQ(rows(*changed, "water").position, rows(*twin, "water").position) << "after " << i << " steps";
  }
  std::vector<Total> totals;
  changed->find_system("water")->totals(totals);
  const auto reading = std::ranges::find(totals, "gauge_a-gauge_mean", &Total::name);
  ASSERT_NE(reading, totals.end());
  EXPECT_GT(reading->value, 500) << "the gauge is at the bottom of 0.24 m of water";
  change(*changed, {without(*changed, "water", "inflow", "a-tap"), without(*changed, "water", "drain", "a-hole"),
                    without(*changed, "water", "gauge", "a-gauge")});
  take_steps(*changed, 5), take_steps(*twin, 5);
  EXPECT_EQ(changed->hash(), twin->hash());
}

TEST(LiveChildren, AnInflowRunsAndItsRemovalLeavesTheWater) {
  const auto world = with_rules(lively_scene());
  take_steps(*world, 10);
  const std::size_t before = rows(*world, "water").size();
  NodeChange tap = child(*world, "water", "inflow", "disc", "tap");
  tap.node.set("position", Vec3(0, 0.6, 0)), tap.node.set("radius", 0.06);
  change(*world, {tap});
  take_steps(*world, 30);
  const std::size_t more = rows(*world, "water").size();
  EXPECT_GT(more, before + 10);
  change(*world, {without(*world, "water", "inflow", "tap")});
  EXPECT_EQ(rows(*world, "water").size(), more);
  take_steps(*world, 10);
  EXPECT_EQ(rows(*world, "water").size(), more);
}

TEST(LiveChildren, AFillIsPouredWhereThereIsRoomAndLeavesWithItsParticles) {
  const auto world = with_rules(lively_scene());
  take_steps(*world, 30);
  const Elements before = rows(*world, "water");
  // The lower half of the new fill lies in the water, and the boxes fall through its upper half.
  NodeChange block = child(*world, "water", "fill", "box", "a-block");
  block.node.set("position", Vec3(0, 0.32, 0)), block.node.set("size", Vec3(0.36, 0.32, 0.36));
  change(*world, {block});
  const Elements& now = rows(*world, "water");
  ASSERT_GT(now.size(), before.size() + 100);
  for (std::size_t i = 0; i < before.size(); ++i) {
    ASSERT_EQ(now.id[i], before.id[i]);
    ASSERT_EQ(now.position[i], before.position[i]);
    ASSERT_EQ(now.velocity[i], before.velocity[i]);
  }
  const Elements& boxes = rows(*world, "boxes");
  for (std::size_t i = before.size(); i < now.size(); ++i) {
    for (std::size_t k = 0; k < before.size(); ++k)
      ASSERT_GT((now.position[i] - before.position[k]).norm(), 0.5 * 0.04) << "particle " << i << " in the water";
    for (std::size_t b = 0; b < boxes.size(); ++b) {
      const Vec3 inside = boxes.orientation[b].conjugate() * (now.position[i] - boxes.position[b]);
      ASSERT_GT(inside.cwiseAbs().maxCoeff(), 0.03) << "particle " << i << " in a box";
    }
  }
  take_steps(*world, 40);
  double fastest = 0;
  for (const Vec3& velocity : now.velocity) fastest = std::max(fastest, velocity.norm());
  EXPECT_LT(fastest, 3.2) << "nothing is faster than a fall of half a metre";
  change(*world, {without(*world, "water", "fill", "a-block")});
  EXPECT_EQ(rows(*world, "water").id, before.id);
  take_steps(*world, 10);
}

TEST(LiveChildren, ThePhaseOfAFluidContinues) {
  const auto changed = with_rules(lively_scene()), twin = with_rules(lively_scene());
  take_steps(*changed, 10), take_steps(*twin, 10);
  change(*changed, {child(*changed, "water", "phase", "phase", "plain")});
  NodeChange oil = child(*changed, "water", "phase", "phase", "oil");
  oil.node.set("density", 800.0);
  change(*changed, {oil});
  for (int i = 0; i < 5; ++i) {
    take_steps(*changed, 1), take_steps(*twin, 1);
    ASSERT_EQ(rows(*changed, "water").position, rows(*twin, "water").position) << "after " << i << " steps";
  }
  NodeChange drop = child(*changed, "water", "fill", "sphere", "drop");
  drop.node.set("phase", std::string("oil")), drop.node.set("position", Vec3(0, 0.5, 0));
  drop.node.set("radius", 0.07);
  change(*changed, {drop});
  const std::size_t with_oil = rows(*changed, "water").size();
  EXPECT_GT(with_oil, rows(*twin, "water").size() + 10);
  EXPECT_NEAR(rows(*changed, "water").mass.back() / rows(*changed, "water").mass.front(), 0.8, 1e-12);
  take_steps(*changed, 10);
}

TEST(LiveChildren, AJointConnectsBodiesWhereTheyAre) {
  Node scene = lively_scene();
  std::erase_if(scene.children, [](const Node& node) { return node.name == "water"; });
  scene = [&] {
    Node plain = scene;
    std::erase_if(plain.children, [](const Node& node) { return node.schema->kind.starts_with("fluid"); });
    return plain;
  }();
  const auto world = with_rules(scene);
  take_steps(*world, 20);
  const Elements before = rows(*world, "boxes");
  NodeChange rod = child(*world, "boxes", "joint", "ball", "rod"), pin = child(*world, "boxes", "joint", "ball", "pin");
  rod.node.set("a", std::string("one")), rod.node.set("b", std::string("two"));
  rod.node.set("anchor", Vec3(0.5 * (before.position[0] + before.position[1])));
  pin.node.set("a", std::string("one")), pin.node.set("anchor", before.position[0]);
  change(*world, {rod, pin});
  EXPECT_EQ(rows(*world, "boxes").position, before.position);
  EXPECT_EQ(rows(*world, "boxes").velocity, before.velocity);
  const test::Scratch scratch;
  take_steps(*world, 60);
  const Elements& now = rows(*world, "boxes");
  EXPECT_LT((now.position[0] - before.position[0]).norm(), 1e-6) << "the pin holds the first box where it was";
  EXPECT_GT((now.position[1] - before.position[1]).norm(), 0.05) << "the second box swings";
  EXPECT_LT((now.position[1] - now.position[0]).norm(), 0.2 + 1e-6);
  change(*world, {without(*world, "boxes", "joint", "pin")});
  take_steps(*world, 10);
  EXPECT_LT(now.position[0].y(), before.position[0].y() - 0.01) << "the box falls again";
}

TEST(LiveChildren, ANewJointLeavesAJointWithASimilarNameWhereItIs) {
  Node scene = make_node(scene_schema());
  Node& boxes = add_child(scene, "system", "rigid", "boxes");
  for (const auto& [name, x] : {std::pair{"one", -0.1}, {"two", 0.1}}) {
    Node& box = add_child(boxes, "body", "box", name);
    box.set("size", Vec3(0.06, 0.06, 0.06)), box.set("position", Vec3(x, 0.5, 0));
  }
  Node& rod = add_child(boxes, "joint", "ball", "rod-1");
  rod.set("a", std::string("one")), rod.set("b", std::string("two")), rod.set("anchor", Vec3(0, 0.5, 0));
  const auto world = with_rules(scene);
  take_steps(*world, 20);
  const auto place_of_rod = [&] {
    SystemSnapshot out;
    world->find_system("boxes")->snapshot(out);
    const auto& marks = joints_of(out);
    const auto found = std::ranges::find(marks, std::string("rod-1"), &JointMark::name);
    EXPECT_NE(found, marks.end());
    return found->a;
  };
  const Vec3f before = place_of_rod();
  ASSERT_LT(before.y(), 0.45) << "the boxes fall";
  NodeChange pin = child(*world, "boxes", "joint", "ball", "rod");
  pin.node.set("a", std::string("one")), pin.node.set("anchor", rows(*world, "boxes").position[0]);
  change(*world, {pin});
  EXPECT_EQ(place_of_rod(), before);
}

TEST(LiveChildren, TheMembersOfAFlockFlyOn) {
  const auto changed = with_rules(lively_scene()), twin = with_rules(lively_scene());
  take_steps(*changed, 20), take_steps(*twin, 20);
  NodeChange pike = child(*changed, "fish", "species", "species", "a-pike"),
             exit = child(*changed, "fish", "exit", "exit", "door"),
             goal = child(*changed, "fish", "goal", "point", "bait");
  exit.node.set("position", Vec3(0, 80, 0));
  goal.node.set("species", std::string("a-pike"));
  change(*changed, {pike, exit, goal});
  for (int i = 0; i < 10; ++i) {
    take_steps(*changed, 1), take_steps(*twin, 1);
    ASSERT_EQ(rows(*changed, "fish").position, rows(*twin, "fish").position) << "after " << i << " steps";
  }
  NodeChange pikes = child(*changed, "fish", "swarm", "ball", "a-pikes");
  pikes.node.set("species", std::string("a-pike")), pikes.node.set("count", std::int64_t{3});
  pikes.node.set("position", Vec3(0, 9, 0));
  change(*changed, {pikes});
  take_steps(*changed, 1);
  EXPECT_EQ(rows(*changed, "fish").size(), 23U);
  change(*changed, {without(*changed, "fish", "swarm", "a-pikes"), without(*changed, "fish", "goal", "bait"),
                    without(*changed, "fish", "species", "a-pike")});
  EXPECT_EQ(rows(*changed, "fish").size(), 20U);
  take_steps(*changed, 10);
}

/// Returns the number of fluid particles inside the boxes.
std::size_t particles_inside_boxes(World& world) {
  const Elements &water = rows(world, "water"), &boxes = rows(world, "boxes");
  std::size_t count = 0;
  for (const Vec3& x : water.position)
    for (std::size_t b = 0; b < boxes.size(); ++b)
      if ((boxes.orientation[b].conjugate() * (x - boxes.position[b])).cwiseAbs().maxCoeff() < 0.03) ++count;
  return count;
}

double total_of(const World& world, const std::string& system, std::string_view name) {
  std::vector<Total> totals;
  for (std::size_t i = 0; i < world.system_count(); ++i)
    if (world.system(i).name() == system) world.system(i).totals(totals);
  const auto found = std::ranges::find(totals, name, &Total::name);
  return found == totals.end() ? -1 : found->value;
}

double fastest(const Elements& elements) {
  double most = 0;
  for (const Vec3& velocity : elements.velocity) most = std::max(most, velocity.norm());
  return most;
}

TEST(LiveChildren, ABodyThatComesIntoWaterTakesThePlaceOfParticles) {
  const auto world = with_rules(lively_scene());
  take_steps(*world, 10);
  const std::size_t before = rows(*world, "water").size();
  NodeChange stone = child(*world, "boxes", "body", "box", "a-stone");
  stone.node.set("position", Vec3(0, 0.12, 0.05)), stone.node.set("size", Vec3(0.12, 0.12, 0.12));
  change(*world, {stone});
  const std::size_t after = rows(*world, "water").size();
  EXPECT_LT(after, before - 10);
  EXPECT_EQ(total_of(*world, "water", "not_placed"), static_cast<double>(before - after));
  EXPECT_EQ(particles_inside_boxes(*world), 0U);
  take_steps(*world, 10);
  EXPECT_LT(fastest(rows(*world, "water")), 1.0) << "no particle is pushed out of the stone";
  // Adds a soft body as a separate system.
  Node copy = world->scene();
  NodeChange block{.node = add_child(copy, "system", "voxel_body", "block")};
  block.node.set("position", Vec3(-0.15, 0.05, -0.15)), block.node.set("size", Vec3(4, 4, 4));
  block.node.set("voxel_size", 0.03), block.node.set("material", std::string("soft"));
  const std::size_t then = rows(*world, "water").size();
  copy = world->scene();
  const NodeChange rule{.node = add_child(copy, "interaction", "fluid_voxel_body", "water-and-block")};
  change(*world, {block, rule});
  EXPECT_LT(rows(*world, "water").size(), then - 5);
  take_steps(*world, 10);
  EXPECT_LT(fastest(rows(*world, "water")), 1.5);
}

TEST(LiveChildren, AnObstacleThatComesIntoWaterPushesItAsideGently) {
  const auto world = with_rules(lively_scene());
  take_steps(*world, 10);
  Node copy = world->scene();
  NodeChange ball{.node = add_child(copy, "collider", "sphere", "ball")};
  ball.node.set("position", Vec3(0, 0.12, 0)), ball.node.set("radius", 0.09);
  change(*world, {ball});
  for (int i = 0; i < 30; ++i) {
    take_steps(*world, 1);
    ASSERT_LT(fastest(rows(*world, "water")), 2.0) << "after " << i << " steps";
  }
  for (const Vec3& x : rows(*world, "water").position) EXPECT_GT((x - Vec3(0, 0.12, 0)).norm(), 0.085);
}

TEST(LiveChildren, ABodyIsMovedByACommand) {
  const auto world = with_rules(lively_scene());
  take_steps(*world, 15);
  const Vec3 start = rows(*world, "boxes").position[0], other = rows(*world, "boxes").position[1];
  const std::size_t before = rows(*world, "water").size();
  ASSERT_TRUE(world->apply(SetPose{"boxes", 0, Vec3(start.x() + 0.1, 0.15, 0.05), Vec3(0, 0.3, 0)}));
  const Elements& boxes = rows(*world, "boxes");
  EXPECT_LT((boxes.position[0] - Vec3(start.x() + 0.1, 0.15, 0.05)).norm(), 1e-12);
  EXPECT_EQ(boxes.velocity[0], Vec3(0, 0, 0));
  EXPECT_EQ(boxes.position[1], other);
  EXPECT_EQ(particles_inside_boxes(*world), 0U);
  EXPECT_LT(rows(*world, "water").size(), before);
  take_steps(*world, 10);
  EXPECT_LT(fastest(rows(*world, "water")), 1.0);
  EXPECT_FALSE(world->apply(SetPose{"water", 0}));
  EXPECT_FALSE(world->apply(SetPose{"boxes", 2}));
  EXPECT_FALSE(world->apply(SetPose{"boxes", 0, Vec3(0, std::nan(""), 0)}));
  EXPECT_FALSE(world->apply(SetPose{"boxes", 0, Vec3(0, 1e200, 0)}));
  EXPECT_FALSE(world->apply(SetPose{"boxes", 0, start, Vec3(0, 1e200, 0)}));
}

TEST(LiveChildren, APushActsOnItsParticleWhenABodyReplacesOthers) {
  const auto world = with_rules(lively_scene());
  take_steps(*world, 15);
  // A particle at the surface, whose row changes when the body removes particles.
  const Elements& water = rows(*world, "water");
  std::size_t top = water.size() / 2;
  for (std::size_t i = top; i < water.size(); ++i)
    if (water.position[i].y() > water.position[top].y()) top = i;
  const std::uint32_t id = water.id.at(top);
  ASSERT_TRUE(world->apply(Push{"water", static_cast<std::int64_t>(top), Vec3(0, 10 * water.mass[top], 0), 0}));
  ASSERT_TRUE(world->apply(SetPose{"boxes", 0, Vec3(-0.1, 0.1, -0.1), Vec3::Zero()}));
  ASSERT_LT(std::ranges::find(water.id, id) - water.id.begin(), static_cast<std::ptrdiff_t>(top));
  take_steps(*world, 1);
  std::size_t fastest = 0;
  for (std::size_t i = 1; i < water.size(); ++i)
    if (water.velocity[i].y() > water.velocity[fastest].y()) fastest = i;
  EXPECT_EQ(water.id.at(fastest), id);
}

TEST(LiveChildren, ASoftBodyIsMovedInItsPresentShape) {
  Node scene = make_node(scene_schema());
  add_child(scene, "collider", "plane", "ground");
  Node& block = add_child(scene, "system", "voxel_body", "block");
  block.set("size", Vec3(4, 3, 2));
  const auto world = with_rules(scene);
  take_steps(*world, 60);
  const Elements before = rows(*world, "block");
  const double elastic = world->diagnostics(0).elastic;
  ASSERT_TRUE(world->apply(SetPose{"block", 3, before.position[3] + Vec3(0.2, 0.5, 0), Vec3(0.4, 0.1, 0.9)}));
  const Elements& now = rows(*world, "block");
  for (std::size_t v = 1; v < now.size(); ++v)
    EXPECT_NEAR((now.position[v] - now.position[0]).norm(), (before.position[v] - before.position[0]).norm(), 1e-12);
  EXPECT_NEAR(world->diagnostics(0).elastic, elastic, 1e-6 * elastic + 1e-15);
  EXPECT_GT(now.position[0].y(), before.position[0].y() + 0.3);
  take_steps(*world, 5);
  EXPECT_LT(now.velocity[0].y(), -0.1) << "the block falls from its new place";
}

/// Returns the position half a metre above a box.
Vec3 raised(World& world, std::size_t box) { return rows(world, "boxes").position[box] + Vec3(0, 0.5, 0); }

TEST(LiveChildren, JointedBodiesMoveTogetherAndNotAwayFromTheWorld) {
  Node scene = lively_scene();
  Node& boxes = *const_cast<Node*>(scene.find("system", "boxes"));  // NOLINT: `scene` is not const
  Node& rod = add_child(boxes, "joint", "ball", "rod");
  rod.set("a", std::string("one")), rod.set("b", std::string("two")), rod.set("anchor", Vec3(0, 0.5, 0));
  const auto world = with_rules(scene);
  take_steps(*world, 5);
  const Elements before = rows(*world, "boxes");
  ASSERT_TRUE(world->apply(SetPose{"boxes", 1, raised(*world, 1)}));
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_LT((rows(*world, "boxes").position[i] - before.position[i] - Vec3(0, 0.5, 0)).norm(), 1e-12);
  take_steps(*world, 5);
  NodeChange pin = child(*world, "boxes", "joint", "ball", "pin");
  pin.node.set("a", std::string("one")), pin.node.set("anchor", rows(*world, "boxes").position[0]);
  change(*world, {pin});
  const auto refused = world->apply(SetPose{"boxes", 1, raised(*world, 1)});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("boxes.one cannot be moved"), std::string::npos)
      << refused.error().message();
}

/// Applies all kinds of changes, with steps between them.
void do_everything(Session& session, const std::function<void()>& after_each) {
  const World& world = session.world();
  const auto go = [&](const Command& command) {
    const auto good = session.apply(command);
    ASSERT_TRUE(good) << good.error().message();
    after_each();
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(session.step()) << world.health().sentence();
    after_each();
  };
  const auto edit = [&](std::vector<NodeChange> changes) { go(change_command(world.scene(), changes)); };
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(session.step());
  edit(idle_children(world));
  NodeChange ball = child(world, "water", "fill", "sphere", "a-ball");
  ball.node.set("position", Vec3(0, 0.4, 0)), ball.node.set("radius", 0.1);
  edit({ball});
  NodeChange pin = child(world, "boxes", "joint", "hinge", "pin");
  pin.node.set("a", std::string("one")), pin.node.set("anchor", Vec3(-0.1, 0.5, 0));
  edit({pin});
  edit({child(world, "water", "phase", "phase", "plain")});
  NodeChange more = child(world, "fish", "swarm", "ball", "a-more");
  more.node.set("count", std::int64_t{5});
  edit({more});
  go(SetPose{"boxes", 1, Vec3(0.1, 0.2, 0), Vec3(0.2, 0, 0)});
  edit({without(world, "water", "fill", "pool")});
  go(SetParameter{"system.water.inflow.a-tap.enabled", Value(true)});
}

TEST(LiveChildren, ReplayResumeAndThreadsGiveTheSameBits) {
  const test::Scratch scratch;
  const std::string journal = scratch.path("run.jsonl"), state = scratch.path("run.state");
  std::vector<std::uint64_t> hashes;
  for (const int threads : {1, 2, 8}) {
    set_thread_count(threads);
    auto session = test::checked(Session::create(lively_scene(), "text", threads == 1 ? journal : std::string()));
    int at = 0;
    do_everything(session, [&] {
      if (threads == 1) {
        hashes.push_back(session.world().hash());
        // A resumed world has the same state and the same future.
        ASSERT_TRUE(session.save_checkpoint(state));
        const auto resumed = test::checked(resume_world(lively_scene(), test::checked(load_checkpoint(state))));
        ASSERT_EQ(resumed->hash(), session.world().hash()) << "at " << at;
        StateBlock kept;
        session.world().save_state(kept);
        take_steps(*resumed, 2), take_steps(session.world(), 2);
        ASSERT_EQ(resumed->hash(), session.world().hash()) << "two steps after " << at;
        ASSERT_TRUE(session.world().load_state(kept));
      } else {
        ASSERT_EQ(session.world().hash(), hashes.at(static_cast<std::size_t>(at))) << threads << " threads, " << at;
      }
      ++at;
    });
    ASSERT_TRUE(session.finish());
  }
  set_thread_count(0);
  const auto again = test::world_of(lively_scene());
  const auto outcome = replay(*again, test::checked(read_journal(journal)));
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(again->hash(), hashes.back());
}

}  // namespace
}  // namespace vw
