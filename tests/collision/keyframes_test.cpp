// Keyframe motion. The path must pass through every key and must be smooth or linear, as set. The velocities must lead
// from pose to pose.
#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "sim/collision/collider_kinds.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using test::expect_case;

Vec3 some(std::uint64_t i, double half) {
  const RandomKey key{31, 7};
  return 2 * half *
         Vec3(random_uniform(key, i, 0) - 0.5, random_uniform(key, i, 1) - 0.5, random_uniform(key, i, 2) - 0.5);
}

/// Returns five poses at irregular times. If `closed` is true, the last pose equals the first.
std::vector<Keyframe> poses(bool closed) {
  std::vector<Keyframe> keys;
  const double times[] = {0.5, 0.9, 1.7, 2.0, 3.1};
  for (std::uint64_t i = 0; i < 5; ++i) keys.push_back({times[i], {some(i, 1), rotation_of(some(10 + i, 1.5))}});
  if (closed) keys.back().pose = keys.front().pose;
  return keys;
}

double apart(const Pose& a, const Pose& b) {
  return (a.position - b.position).norm() + rotation_vector_of(a.orientation * b.orientation.conjugate()).norm();
}

struct Velocity {
  Vec3 linear, angular;
};
Velocity velocity(const KeyTrack& track, double from, double to) {
  const Pose a = track.at(from), b = track.at(to);
  return {(b.position - a.position) / (to - from),
          rotation_vector_of(b.orientation * a.orientation.conjugate()) / (to - from)};
}

TEST(Keyframes, PassThroughEveryKey) {
  for (const KeyPath path : {KeyPath::smooth, KeyPath::linear})
    for (const KeyEnd end : {KeyEnd::loop, KeyEnd::hold}) {
      const auto keys = poses(true);
      const KeyTrack track(keys, path, end);
      for (const Keyframe& key : keys) EXPECT_LT(apart(track.at(key.time_s), key.pose), 1e-14);
      for (const Keyframe& key : keys) EXPECT_LT(apart(track.at(key.time_s - 1e-9), key.pose), 1e-7);
    }
}

TEST(Keyframes, SmoothOnesHaveNoJoltsAndLinearOnesGoEvenly) {
  const auto keys = poses(true);
  const KeyTrack smooth(keys, KeyPath::smooth, KeyEnd::loop), linear(keys, KeyPath::linear, KeyEnd::loop);
  constexpr double h = 1e-5;
  for (const Keyframe& key : keys) {
    const Velocity before = velocity(smooth, key.time_s - h, key.time_s),
                   after = velocity(smooth, key.time_s, key.time_s + h);
    // The accelerations of this motion are about 50 m/s^2 (or 50 rad/s^2). Mean velocities over `h` before and after a
    // key therefore differ by about 50 h.
    EXPECT_LT((after.linear - before.linear).norm(), 100 * h);
    EXPECT_LT((after.angular - before.angular).norm(), 200 * h);
  }
  const Velocity early = velocity(linear, 1.0, 1.1), late = velocity(linear, 1.5, 1.6);
  EXPECT_LT((early.linear - late.linear).norm(), 1e-12);
  EXPECT_LT((early.angular - late.angular).norm(), 1e-12);
  const KeyTrack held(keys, KeyPath::smooth, KeyEnd::hold);
  EXPECT_LT(velocity(held, 0.5, 0.5 + h).linear.norm(), 100 * h);  // at rest at both ends
  EXPECT_LT(velocity(held, 3.1 - h, 3.1).linear.norm(), 100 * h);
}

TEST(Keyframes, LoopOrHold) {
  const auto keys = poses(true);
  const KeyTrack loop(keys, KeyPath::smooth, KeyEnd::loop), hold(keys, KeyPath::smooth, KeyEnd::hold);
  for (const double t : {0.6, 1.9, 3.05}) {
    EXPECT_LT(apart(loop.at(t + 2.6), loop.at(t)), 1e-12);
    EXPECT_LT(apart(loop.at(t - 5.2), loop.at(t)), 1e-12);
  }
  EXPECT_EQ(hold.at(0).position, keys.front().pose.position);
  EXPECT_EQ(hold.at(99).position, keys.back().pose.position);
  EXPECT_TRUE(hold.moves_within(0.4, 0.2));
  EXPECT_TRUE(hold.moves_within(3.0, 0.01));
  EXPECT_FALSE(hold.moves_within(0.3, 0.1));
  EXPECT_FALSE(hold.moves_within(3.1, 9));
  EXPECT_TRUE(loop.moves_within(99, 0.01));
  const KeyTrack one({keys[1]}, KeyPath::smooth, KeyEnd::loop);
  EXPECT_FALSE(one.moves());
  EXPECT_EQ(one.at(7).position, keys[1].pose.position);
}

TEST(Keyframes, SmoothPathsFollowWhatTheySample) {
  // The body moves once around a circle of 1 m radius in one second and rotates with the motion. The path has 16 keys.
  // Cubic interpolation has an error of about (2 pi / 16)^4 / 384. Slopes from parabolas through three points have a
  // relative error of (2 pi / 16)^2 / 6. This slope error moves the middle of a segment by 1/8 of the slope error times
  // 2 pi / 16. The total error is at most 2.5e-3 m.
  std::vector<Keyframe> keys;
  for (int i = 0; i <= 16; ++i) {
    const double angle = 2 * pi * i / 16;
    keys.push_back({i / 16.0, {Vec3(std::cos(angle), 0, -std::sin(angle)), rotation_of(Vec3(0, angle, 0))}});
  }
  const KeyTrack track(keys, KeyPath::smooth, KeyEnd::loop);
  double worst = 0, worst_turn = 0;
  for (int i = 0; i < 1000; ++i) {
    const double t = i / 1000.0, angle = 2 * pi * t;
    const Pose at = track.at(t);
    worst = std::max(worst, (at.position - Vec3(std::cos(angle), 0, -std::sin(angle))).norm());
    worst_turn = std::max(worst_turn, rotation_vector_of(at.orientation * rotation_of(Vec3(0, -angle, 0))).norm());
  }
  expect_case("collision", "a circle by 16 smooth keys: farthest from it, of its radius", worst, 0, 2.5e-3);
  expect_case("collision", "an even turn by 16 smooth keys: largest error", worst_turn, 0, 1e-12, "rad");
}

TEST(Keyframes, MovingOnByTheVelocityEndsWhereTheNextPartBegins) {
  Collider collider;
  collider.position = Vec3(0.3, 1, -2);
  collider.orientation = rotation_of(Vec3(0.4, -0.2, 0.9));
  double worst = 0;
  for (const KeyPath path : {KeyPath::smooth, KeyPath::linear}) {
    const ColliderMotion motion{KeyTrack(poses(true), path, KeyEnd::loop), "", -1, 0};
    constexpr double dt = 1.0 / 240;
    for (int i = 0; i < 2000; ++i) {
      const double t = i * dt;
      const Pose start = pose_at(collider, motion, t), end = pose_reached(collider, motion, t, t + dt);
      Collider moved = collider;
      moved.position = start.position;
      moved.orientation = start.orientation;
      moved.velocity = (end.position - start.position) / dt;
      moved.angular_velocity = rotation_vector_of(end.orientation * start.orientation.conjugate()) / dt;
      moved = at_time(moved, dt);
      worst = std::max(worst, apart({moved.position, moved.orientation}, pose_at(collider, motion, t + dt)));
    }
  }
  expect_case("collision", "keyed collider: pose at a substep's end against the next one's start", worst, 0, 1e-13,
              "m and rad");
}

TEST(Keyframes, AJumpBackThrowsNothing) {
  const KeyTrack track({{0, {Vec3(0, 0, 0), Quat::Identity()}}, {1, {Vec3(1, 0, 0), Quat::Identity()}}},
                       KeyPath::linear, KeyEnd::loop);
  const double dt = 0.0625;
  for (int i = 0; i < 100; ++i) {
    const double t = (i + 0.5) * dt;
    const double speed = (track.reached(t, t + dt).position - track.at(t).position).x() / dt;
    EXPECT_GE(speed, 0);
    EXPECT_LE(speed, 1 + 1e-12);
  }
}

TEST(Keyframes, TurnsTakeTheShorterWay) {
  const KeyTrack track({{0, {Vec3::Zero(), Quat::Identity()}}, {1, {Vec3::Zero(), rotation_of(Vec3(0, 1.5 * pi, 0))}}},
                       KeyPath::linear, KeyEnd::hold);
  EXPECT_LT((track.at(0.5).orientation * Vec3::UnitX() - rotation_of(Vec3(0, -0.25 * pi, 0)) * Vec3::UnitX()).norm(),
            1e-12);
}

TEST(Keyframes, BadKeysAreOneSentence) {
  Node node = make_node(*collider_schemas().front(), "lid");
  add_child(node, "key", "key", "a").set("time", 1.0);
  add_child(node, "key", "key", "b").set("time", 1.0);
  node.children[1].line = 12;
  ShapeStore shapes;
  const auto twice = read_collider(node, shapes);
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().line, 12);
  EXPECT_EQ(twice.error().message(), "collider.lid.key.b.time = 1 s: must differ from the times of the other keys");
  node.children[1].set("time", 2.0);
  node.line = 3;
  node.set("velocity", Vec3(1, 0, 0));
  const auto both = read_collider(node, shapes);
  ASSERT_FALSE(both);
  EXPECT_EQ(both.error().line, 3);
  EXPECT_EQ(both.error().message(), "collider.lid.velocity = [1.0, 0.0, 0.0]: must be zero if the collider has keys");
}

}  // namespace
}  // namespace vw
