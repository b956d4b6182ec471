// Contact points between solids, pairs of bodies that may collide, and copied bodies.
#include <set>

#include "sim/base/random.h"
#include "sim/system/rigid/contacts/body_pairs.h"
#include "sim/system/rigid/contacts/touch.h"
#include "tests/rigid/scenes.h"

namespace vw {
using test::add_box;
using test::of_body;
using test::scene_over_ground;
using test::set;
using test::world_of;
namespace {

const Vec3 half_extents(0.1, 0.1, 0.1);

std::vector<Touch> boxes(const Pose& a, const Pose& b, double margin = 0.01) {
  std::vector<Touch> out;
  touch_boxes(half_extents, a, half_extents, b, margin, out);
  return out;
}

TEST(BoxTouch, BoxesOnTopOfEachOtherTouchAtFourCorners) {
  const auto touches = boxes({Vec3(0.05, 0.199, 0.02), Quat::Identity()}, {Vec3(0, 0, 0), Quat::Identity()});
  ASSERT_EQ(touches.size(), 4U);
  for (const Touch& t : touches) {
    EXPECT_NEAR(t.gap, -0.001, 1e-12);
    EXPECT_LT((t.normal - Vec3::UnitY()).norm(), 1e-12);
    EXPECT_NEAR(t.point.y(), 0.0995, 1e-12);
    EXPECT_TRUE(std::abs(t.point.x() - 0.1) < 1e-12 || std::abs(t.point.x() + 0.05) < 1e-12) << t.point.x();
  }
}

TEST(BoxTouch, OneTurnedByAnEighthTouchesAtEightCornersOfTheOverlap) {
  EXPECT_EQ(boxes({Vec3(0, 0.2, 0), rotation_of(Vec3(0, pi / 4, 0))}, {Vec3(0, 0, 0), Quat::Identity()}).size(), 8U);
}

TEST(BoxTouch, EdgesThatCrossTouchAtOnePlace) {
  // Both boxes stand on an edge, one box above the other. The upper edge of the lower box and the lower edge of the
  // upper box cross: one lies along x, the other along z.
  const double high = 2 * std::sqrt(2.0) * 0.1;
  const auto touches = boxes({Vec3(0.02, high + 0.003, 0.01), rotation_of(Vec3(pi / 4, 0, 0))},
                             {Vec3(0, 0, 0), rotation_of(Vec3(0, 0, pi / 4))});
  ASSERT_EQ(touches.size(), 1U);
  EXPECT_NEAR(touches[0].gap, 0.003, 1e-9);
  EXPECT_LT((touches[0].normal - Vec3::UnitY()).norm(), 1e-9);
  EXPECT_LT((touches[0].point - Vec3(0, 0.5 * (high + 0.003), 0.01)).norm(), 1e-9);
}

TEST(BoxTouch, BoxesApartDoNotTouch) {
  EXPECT_TRUE(boxes({Vec3(0, 0.22, 0), Quat::Identity()}, {Vec3(0, 0, 0), Quat::Identity()}).empty());
  EXPECT_TRUE(boxes({Vec3(0.3, 0.1, 0), rotation_of(Vec3(1, 2, 3))}, {Vec3(-0.1, 0, 0), Quat::Identity()}).empty());
}

TEST(BoxTouch, BoxesWhosePoseIsNotFiniteDoNotTouch) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(boxes({Vec3(nan, 0, 0), Quat::Identity()}, {Vec3(0, 0, 0), Quat::Identity()}).empty());
  EXPECT_TRUE(boxes({Vec3(0, 0, 0), Quat::Identity()}, {Vec3(0, nan, 0), Quat::Identity()}).empty());
}

TEST(BoxTouch, WhoeverIsFirstTheTouchesAreTheSame) {
  const RandomKey key{7, stream_id("boxes")};
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Pose a{0.19 * random_direction(key, i, 0), rotation_of(2.0 * random_direction(key, i, 2))},
        b{Vec3::Zero(), rotation_of(random_direction(key, i, 4))};
    const auto one = boxes(a, b), two = boxes(b, a);
    ASSERT_EQ(one.empty(), two.empty()) << i;
    if (one.empty()) continue;
    const auto deepest = [](const std::vector<Touch>& all) {
      double least = 0;
      for (const Touch& t : all) least = std::min(least, t.gap);
      return least;
    };
    // A face contact is preferred to an edge contact if their depths differ by less than a hundredth of an edge length.
    // Depending on the order of the boxes, the search may choose either contact, so the largest depths may differ by
    // this amount.
    EXPECT_NEAR(deepest(one), deepest(two), 1.2e-3) << i;
  }
}

/// An inclined plate moves along z past a post. Its side comes closer to the post than its edges do, but the plate
/// passes at a distance of 2.6 mm and must not be stopped.
TEST(RigidTouch, APlateThatPassesAPostIsNotStoppedByIt) {
  for (const double slant : {0.3, 0.57, 0.9, 1.2})
    for (const double speed : {0.5, 1.3, 2.6}) {
      Node scene = test::empty_scene();
      set(scene, "world.gravity", Vec3(0, 0, 0));
      add_child(scene, "collider", "cylinder", "post");
      set(scene, "collider.post.radius", 0.1);
      set(scene, "collider.post.length", 0.9);
      const double reach = 0.065 * std::cos(slant) + 0.005 * std::sin(slant), clear = 0.0026;
      test::add_box(scene, "plate", Vec3(0.13, 0.49, 0.01), Vec3(-0.1 - reach - clear, 0, -0.3));
      set(scene, of_body("plate") + "rotation", Vec3(0, slant, 0));
      set(scene, of_body("plate") + "velocity", Vec3(0, 0, speed));
      const auto world = world_of(std::move(scene));
      test::run(*world, 0.6 / speed);
      EXPECT_NEAR(world->system(0).elements().velocity[0].z(), speed, 1e-9) << "slant " << slant;
      EXPECT_LT(world->system(0).elements().angular_velocity[0].norm(), 1e-9) << "slant " << slant;
    }
}

TEST(RigidTouch, APlateThatDoesNotPassAPostHitsIt) {
  for (const double overlap : {0.002, 0.02}) {
    Node scene = test::empty_scene();
    set(scene, "world.gravity", Vec3(0, 0, 0));
    add_child(scene, "collider", "cylinder", "post");
    set(scene, "collider.post.radius", 0.1);
    set(scene, "collider.post.length", 0.9);
    const double slant = 0.57, reach = 0.065 * std::cos(slant) + 0.005 * std::sin(slant);
    test::add_box(scene, "plate", Vec3(0.13, 0.49, 0.01), Vec3(-0.1 - reach + overlap, 0, -0.3));
    set(scene, of_body("plate") + "rotation", Vec3(0, slant, 0));
    set(scene, of_body("plate") + "velocity", Vec3(0, 0, 2));
    const auto world = world_of(std::move(scene));
    test::run(*world, 0.3);
    EXPECT_GT((world->system(0).elements().velocity[0] - Vec3(0, 0, 2)).norm(), 0.05) << overlap;
  }
}

TEST(RigidTouch, CrossingCapsulesAndCylindersRestOnEachOther) {
  for (const std::string kind : {"capsule", "cylinder"}) {
    Node scene = scene_over_ground();
    test::add_body(scene, kind, "below");
    test::add_body(scene, kind, "above");
    for (const std::string name : {"below", "above"}) {
      set(scene, of_body(name) + "radius", 0.05);
      set(scene, of_body(name) + "length", 0.8);
    }
    set(scene, of_body("below") + "position", Vec3(0, 0.05, 0));
    set(scene, of_body("below") + "rotation", Vec3(pi / 2, 0, 0));
    // The bodies lie across each other, and their contact lies between the sample points of the contact search.
    set(scene, of_body("above") + "position", Vec3(0.0, 0.16, 0.13));
    set(scene, of_body("above") + "rotation", Vec3(0, 0, pi / 2));
    const auto world = world_of(std::move(scene));
    test::run(*world, 0.5);
    EXPECT_NEAR(world->system(0).elements().position[1].y(), 0.15, 2e-3) << kind;
  }
}

TEST(BodyPairs, AreThoseWhoseBoxesMeetAndEachOnce) {
  Node scene = test::empty_scene();
  const auto many = [&](const std::string& kind, const std::string& name, const Vec3& repeat, double step) {
    test::add_body(scene, kind, name);
    set(scene, of_body(name) + "repeat", repeat);
    set(scene, of_body(name) + "repeat_step", Vec3(step, step, step));
    set(scene, of_body(name) + "repeat_jitter", 0.1);
    set(scene, of_body(name) + "repeat_turn", 3.0);
  };
  many("box", "small", Vec3(6, 6, 6), 0.3);
  many("capsule", "rod", Vec3(4, 4, 2), 0.6);
  add_box(scene, "floor", Vec3(4, 0.2, 4), Vec3(1, 0.5, 1));
  const auto world = world_of(std::move(scene));
  auto& rigid = static_cast<RigidSystem&>(world->system(0));
  RigidScene view;
  view.bodies = rigid.bodies(), view.rows = &rigid.elements(), view.dt = 1.0 / 240;
  BodyPairs pairs;
  pairs.prepare(view.bodies);
  pairs.build(view);
  std::set<std::pair<std::size_t, std::size_t>> found, expected;
  std::vector<std::uint32_t> partners;
  for (std::size_t i = 0; i < view.bodies.size(); ++i) {
    pairs.partners(view, i, partners);
    for (const std::uint32_t j : partners)
      EXPECT_TRUE(found.insert(std::minmax<std::size_t>(i, j)).second) << i << " " << j;
    for (std::size_t j = i + 1; j < view.bodies.size(); ++j)
      if (pairs.meet(i, j)) expected.emplace(i, j);
  }
  EXPECT_EQ(found, expected);
  EXPECT_GT(expected.size(), 200U);

  // With sleeping bodies, pairs of two sleeping bodies must be left out.
  std::vector<std::uint32_t> asleep(view.bodies.size(), 0);
  for (std::size_t i = 0; i < asleep.size(); ++i) asleep[i] = i % 3 != 0 ? 1 : 0;
  asleep.back() = 0;  // the floor never sleeps
  view.asleep = asleep;
  pairs.build(view);
  std::erase_if(expected, [&](const auto& pair) { return asleep[pair.first] != 0 && asleep[pair.second] != 0; });
  found.clear();
  for (std::size_t i = 0; i < view.bodies.size(); ++i) {
    pairs.partners(view, i, partners);
    for (const std::uint32_t j : partners)
      EXPECT_TRUE(found.insert(std::minmax<std::size_t>(i, j)).second) << i << " " << j;
  }
  EXPECT_EQ(found, expected);
}

TEST(RigidCopies, AreNamedPlacedAndTurnedByTheSeed) {
  Node scene = test::empty_scene();
  add_box(scene, "brick", Vec3(0.1, 0.1, 0.1), Vec3(1, 2, 3));
  set(scene, of_body("brick") + "repeat", Vec3(2, 3, 4));
  set(scene, of_body("brick") + "repeat_step", Vec3(0.2, 0.3, 0.4));
  const auto plain = world_of(scene);
  const auto bodies = static_cast<const RigidSystem&>(plain->system(0)).bodies();
  ASSERT_EQ(bodies.size(), 24U);
  EXPECT_EQ(bodies.front().name, "brick-1");
  EXPECT_EQ(bodies.back().name, "brick-24");
  EXPECT_LT((bodies.back().start.position - Vec3(1.2, 2.6, 4.2)).norm(), 1e-12);
  EXPECT_LT((bodies[1].start.position - Vec3(1.2, 2, 3)).norm(), 1e-12);
  EXPECT_LT((bodies[2].start.position - Vec3(1, 2, 3.4)).norm(), 1e-12);
  set(scene, of_body("brick") + "repeat_jitter", 0.01);
  set(scene, of_body("brick") + "repeat_turn", 0.5);
  const auto one = world_of(scene), same = world_of(scene);
  set(scene, "world.seed", std::int64_t{2});
  const auto other = world_of(scene);
  EXPECT_EQ(one->hash(), same->hash());
  EXPECT_NE(one->hash(), other->hash());
  for (std::size_t i = 0; i < 24; ++i) {
    const Elements &e = one->system(0).elements(), &p = plain->system(0).elements();
    EXPECT_LE((e.position[i] - p.position[i]).cwiseAbs().maxCoeff(), 0.01);
    EXPECT_LE(rotation_vector_of(e.orientation[i]).norm(), 0.5 + 1e-12);
  }
}

TEST(RigidCopies, ThatCannotBeMadeAreRefusedWithOneSentence) {
  const auto message = [](const Vec3& repeat, const Vec3& step) {
    Node scene = test::empty_scene();
    add_box(scene, "brick", Vec3(0.1, 0.1, 0.1), Vec3(0, 0, 0));
    set(scene, of_body("brick") + "repeat", repeat);
    set(scene, of_body("brick") + "repeat_step", step);
    const auto world = World::create(std::move(scene));
    return world ? std::string("made") : world.error().message();
  };
  EXPECT_NE(message(Vec3(2.5, 1, 1), Vec3(1, 1, 1)).find("system.things.body.brick.repeat = [2.5, 1, 1]"),
            std::string::npos);
  EXPECT_NE(message(Vec3(1e5, 2, 1), Vec3(1, 1, 1)).find("at most 100,000 copies"), std::string::npos);
  EXPECT_NE(message(Vec3(2, 1, 1), Vec3(0, 1, 1)).find("brick.repeat_step"), std::string::npos);
}

TEST(RigidCopies, ThatAreCalledAsAnotherBodyAreRefused) {
  Node scene = test::empty_scene();
  add_box(scene, "a", Vec3(0.1, 0.1, 0.1), Vec3(0, 0, 0));
  set(scene, of_body("a") + "repeat", Vec3(3, 1, 1));
  set(scene, of_body("a") + "repeat_step", Vec3(1, 1, 1));
  add_box(scene, "a-2", Vec3(0.1, 0.1, 0.1), Vec3(0, 1, 0));
  const auto world = World::create(std::move(scene));
  ASSERT_FALSE(world);
  EXPECT_NE(world.error().message().find("system.things.body.a-2 = \"a-2\": must be unique"), std::string::npos)
      << world.error().message();
}

TEST(RigidCopies, ShareOneEntryOfThePaletteAndBodiesBeyondAByteHaveATint) {
  Node scene = test::empty_scene();
  for (int i = 0; i < 300; ++i) add_box(scene, "b" + std::to_string(i), Vec3(0.1, 0.1, 0.1), Vec3(0.2 * i, 0, 0));
  set(scene, of_body("b299") + "color", Vec3(0, 1, 0));
  set(scene, of_body("b7") + "repeat", Vec3(1, 3, 1));
  set(scene, of_body("b7") + "repeat_step", Vec3(1, 1, 1));
  const auto world = world_of(std::move(scene));
  SystemSnapshot shown;
  world->system(0).snapshot(shown);
  EXPECT_EQ(shown.palette.size(), 300U);
  EXPECT_EQ(shown.palette_names[299], "b299");
  ASSERT_EQ(shown.tint.size(), 302U);
  EXPECT_LT((shown.tint[301] - Vec4f(0, 1, 0, 1)).norm(), 1e-6F);
  EXPECT_EQ(shown.material[8], 7);
  EXPECT_EQ(shown.material[10], 8);
}

}  // namespace
}  // namespace vw
