// Members without a flock, for tests of obstacles. A member flies straight or wanders within its limits. Only obstacles
// make it turn.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "sim/base/random.h"
#include "sim/collision/pose.h"
#include "sim/system/flock/obstacles/obstacle_guard.h"
#include "sim/system/flock/steering/avoidance.h"
#include "sim/system/flock/steering/motion.h"

namespace vw::test {

struct Crowd {
  FlockPlan plan;
  FlockRows rows;
  std::vector<Collider> colliders;
  Surroundings around;
  FlockObstacles obstacles;
  Avoidance avoidance;
  std::vector<std::uint8_t> touched;
  GuardCounts counts;
  double time = 0, dt = 1.0 / 120;
  /// fastest_mps is relative to the ground, because there is no medium.
  double wander_mps2 = 5, fastest_mps = 3;
  bool steers = true, cruises = false;
  std::uint64_t steps = 0;

  Crowd() : plan{} {
    plan.species.resize(1);
    plan.species[0].min_speed_mps = 0;
    plan.species[0].climb_deg = 90;
  }

  void add(const Vec3& position, const Vec3& velocity, double radius = 0.05) {
    Elements& e = rows.elements;
    e.id.push_back(static_cast<std::uint32_t>(e.size()));
    e.position.push_back(position), e.velocity.push_back(velocity), e.mass.push_back(1), e.radius.push_back(radius);
    rows.heading.push_back(velocity.norm() > 0 ? Vec3(velocity.normalized()) : Vec3(1, 0, 0));
    rows.speed.push_back(velocity.norm());
    rows.species.push_back(0);
  }
  /// Adds `count` members at random positions in a box. Each position is at least one radius from all colliders.
  void fill(const Box3& box, std::size_t count, double speed, double radius = 0.05) {
    const RandomKey key{1, stream_id("crowd")};
    for (std::uint64_t k = 0; rows.size() < count && k < 100 * count; ++k) {
      const Vec3 at = box.min() + box.sizes().cwiseProduct(Vec3(random_uniform(key, k, 0), random_uniform(key, k, 1),
                                                                random_uniform(key, k, 2)));
      if (room_at(at, colliders) > radius) add(at, speed * random_direction(key, k, 3), radius);
    }
  }
  /// Returns the distance [m] to the nearest collider.
  [[nodiscard]] static double room_at(const Vec3& place, const std::vector<Collider>& colliders) {
    double room = 1e9;
    for (const Collider& collider : colliders) room = std::min(room, query(collider, place).distance);
    return room;
  }
  /// Returns the smallest clearance [m] between the bounding ball of any member and the colliders.
  [[nodiscard]] double least_room() const {
    double least = 1e9;
    for (std::size_t i = 0; i < rows.size(); ++i)
      least = std::min(least, room_at(rows.elements.position[i], colliders) - rows.elements.radius[i]);
    return least;
  }

  void look() {
    obstacles.assign(colliders, around, dt);
    avoidance.look(obstacles, around, plan, rows);
  }
  /// Makes one step. Obstacles move with their own velocities.
  void step() {
    look();
    Elements& e = rows.elements;
    const std::vector<Vec3> from = e.position;
    SpeciesParams species = plan.species[0];
    species.max_speed_mps = fastest_mps;
    const MotionLimits limits(species, dt);
    const RandomKey key{2, stream_id("wander")};
    for (std::size_t i = 0; i < rows.size(); ++i) {
      Vec3 push = wander_mps2 * random_direction(key, i, steps / 20);
      if (steers) push += species.avoidance * avoidance.avoid()[i] + species.flight * avoidance.flight()[i];
      if (cruises) push += (species.cruise_speed_mps - rows.speed[i]) / species.carry_s * rows.heading[i];
      if (push.norm() > species.max_acceleration_mps2) push *= species.max_acceleration_mps2 / push.norm();
      const OwnMotion before{rows.heading[i], rows.speed[i]}, after = turned(before, dt * push, limits);
      e.velocity[i] = after.velocity() + std::exp(-dt / species.carry_s) * (e.velocity[i] - before.velocity());
      e.position[i] += dt * e.velocity[i];
      rows.heading[i] = after.heading, rows.speed[i] = after.speed;
    }
    touched.assign(rows.size(), 0);
    const GuardCounts now =
        keep_out(obstacles, fastest_mps, {from, e.position, e.velocity, e.radius, avoidance.free_m(), touched});
    counts += now;
    for (Collider& collider : colliders) collider = at_time(collider, dt);
    for (FlockBalls& balls : around.balls)
      for (std::size_t k = 0; k < balls.position.size(); ++k) balls.position[k] += dt * balls.velocity[k];
    time += dt;
    ++steps;
  }
  /// Runs `count` steps. Returns the smallest clearance [m] of any member at the end of any step.
  double run(int count, const std::function<void()>& before_each = {}) {
    double least = 1e9;
    for (int k = 0; k < count; ++k) {
      if (before_each) before_each();
      step();
      least = std::min(least, least_room());
    }
    return least;
  }
};

[[nodiscard]] inline Collider collider_of(Shape shape, const Vec3& position = Vec3::Zero(),
                                          const Vec3& rotation = Vec3::Zero()) {
  Collider collider;
  collider.shape = std::move(shape);
  collider.position = position;
  collider.orientation = rotation_of(rotation);
  return collider;
}

}  // namespace vw::test
