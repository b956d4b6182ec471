// Contact among grains: two-body collisions compared with mechanics, conserved and dissipated quantities of many
// grains, and stacks and heaps at rest.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "sim/interaction/particles/grain_contact.h"
#include "sim/world/world.h"
#include "tests/support/checked.h"
#include "tests/support/validation.h"
#include "tests/support/world_of.h"

namespace vw {
using test::expect_case;
using test::set;
namespace {

/// Returns a system of grains of 1 g and 5 mm radius, which has no emitters, and the rule for contact among the grains.
Node grains_scene() {
  Node scene = make_node(scene_schema());
  Node& system = add_child(scene, "system", "particles", "sand");
  system.set("mass", 1e-3);
  system.set("radius", 0.005);
  add_child(scene, "interaction", "grains", "grains");
  return scene;
}

Node& sand(Node& scene) {
  return *std::find_if(scene.children.begin(), scene.children.end(), [](const Node& n) { return n.name == "sand"; });
}

/// Adds one grain at `position` with `velocity`.
void put(Node& system, const Vec3& position, const Vec3& velocity = Vec3::Zero()) {
  Node& source = add_child(system, "emitter", "point", "g" + std::to_string(system.children.size()));
  source.set("position", position);
  source.set("direction", velocity.norm() > 0 ? velocity : Vec3(0, 1, 0));
  source.set("speed", velocity.norm());
  source.set("rate", 0.0);
  source.set("burst", std::int64_t{1});
  source.set("lifetime", 0.0);
}

/// Adds `count` grains in a box. The velocities have magnitude `speed` and random directions.
Node& cloud(Node& system, const Vec3& position, const Vec3& size, std::int64_t count, double speed) {
  Node& source = add_child(system, "emitter", "box", "cloud");
  source.set("position", position);
  source.set("size", size);
  source.set("speed", speed);
  source.set("spread", pi);
  source.set("rate", 0.0);
  source.set("burst", count);
  source.set("lifetime", 0.0);
  return source;
}

std::unique_ptr<World> make(const Node& scene) { return test::checked(World::create(scene)); }

void run(World& world, double seconds) {
  const double end = world.time() + seconds;
  while (world.time() < end - 1e-9) ASSERT_TRUE(world.step()) << world.health().sentence();
}

double fastest(const World& world) {
  double most = 0;
  for (std::size_t s = 0; s < world.system_count(); ++s)
    for (const Vec3& v : world.system(s).elements().velocity) most = std::max(most, v.norm());
  return most;
}

struct Sums {
  Vec3 momentum = Vec3::Zero();
  double size = 0, kinetic = 0;
};

Sums sums(const World& world) {
  Sums sum;
  for (std::size_t s = 0; s < world.system_count(); ++s) {
    const Elements& e = world.system(s).elements();
    for (std::size_t i = 0; i < e.size(); ++i) {
      sum.momentum += e.mass[i] * e.velocity[i];
      sum.size += e.mass[i] * e.velocity[i].norm();
      sum.kinetic += 0.5 * e.mass[i] * e.velocity[i].squaredNorm();
    }
  }
  return sum;
}

// ---- Two grains ----

TEST(Grains, TheDashpotIsTheInverseOfItsRestitution) {
  for (const double e : {1.0, 0.99, 0.9, 0.5, 0.2, 0.135, 0.05})
    EXPECT_NEAR(restitution_of(damping_ratio_of(e)), e, 1e-9) << e;
  EXPECT_NEAR(restitution_of(1), std::exp(-2), 1e-9);
  // The branches of the restitution formula must agree on both sides of zeta = 1 and of zeta = sqrt(1/2).
  EXPECT_NEAR(restitution_of(1 - 1e-6), restitution_of(1 + 1e-6), 1e-5);
  EXPECT_NEAR(restitution_of(std::sqrt(0.5) - 1e-9), restitution_of(std::sqrt(0.5) + 1e-9), 1e-7);
  EXPECT_EQ(damping_ratio_of(0), damping_ratio_of(0.05));
}

/// Returns the relative speed after a head-on collision divided by the relative speed before it. The grains start `gap`
/// apart.
double rebound(double e, double speed, double gap) {
  Node scene = grains_scene();
  set(scene, "world.gravity", Vec3(0, 0, 0));
  set(scene, "interaction.grains.restitution", e);
  put(sand(scene), Vec3(0, 0, 0), Vec3(speed, 0, 0));
  put(sand(scene), Vec3(0.01 + gap, 0, 0));
  const auto world = make(scene);
  run(*world, 0.02 + 4 * gap / speed);
  const Elements& el = world->system(0).elements();
  return (el.velocity[1] - el.velocity[0]).x() / speed;
}

TEST(Grains, TwoThatCollideGiveBackWhatRestitutionSays) {
  for (const double e : {1.0, 0.95, 0.8, 0.5, 0.3, 0.1}) {
    double worst = e;
    // Eleven initial gaps place the first contact at different times within a substep.
    for (int i = 0; i < 11; ++i) {
      const double measured = rebound(e, 1, 0.001 + 1.3e-5 * i);
      if (std::abs(measured - e) > std::abs(worst - e)) worst = measured;
      EXPECT_LE(measured, e == 1 ? 1 + 1e-12 : e * 1.02);
    }
    expect_case("interaction",
                "two grains collide head on, e = " + std::to_string(e).substr(0, 4) + ": worst rebound of 11", worst, e,
                0.02);
  }
}

TEST(Grains, UnequalOnesCollideAsTheirMassesSay) {
  Node scene = grains_scene();
  set(scene, "world.gravity", Vec3(0, 0, 0));
  set(scene, "interaction.grains.restitution", 0.7);
  put(sand(scene), Vec3(0, 0, 0), Vec3(1, 0, 0));
  put(sand(scene), Vec3(0.02, 0, 0));
  sand(scene).children[0].set("particle_mass", 4e-3);
  sand(scene).children[0].set("particle_radius", 0.01);
  const auto world = make(scene);
  run(*world, 0.1);
  const Elements& e = world->system(0).elements();
  // For masses m1 and m2 and restitution e, the final velocities are v1' = (m1 - e m2) / (m1 + m2) v and v2' = (1 + e)
  // m1 / (m1 + m2) v. The damper has an error of 2 % of e, which is 1 % of the speeds.
  EXPECT_NEAR(e.velocity[0].x(), (4 - 0.7) / 5, 0.01);
  EXPECT_NEAR(e.velocity[1].x(), 1.7 * 4 / 5, 0.01);
}

TEST(Grains, AGlancingHitSlidesWithDynamicFriction) {
  Node scene = grains_scene();
  set(scene, "world.gravity", Vec3(0, 0, 0));
  set(scene, "interaction.grains.mu_static", 0.2);
  set(scene, "interaction.grains.mu_dynamic", 0.2);
  // The contact is so short that the line between the centres rotates by only one degree.
  set(scene, "interaction.grains.stiffness", 1e5);
  put(sand(scene), Vec3(0, 0, 0), Vec3(1, 0, 0));
  // Offset 0.008 over distance 0.01: the contact normal is at 53 degrees to the velocity.
  put(sand(scene), Vec3(0.02, 0.008, 0));
  const auto world = make(scene);
  run(*world, 0.03);
  const Elements& e = world->system(0).elements();
  const Vec3 n = Vec3(0.6, 0.8, 0), struck = e.velocity[1], normal = struck.dot(n) * n;
  // The contact slides throughout, so the tangential impulse is mu times the normal impulse.
  expect_case("interaction", "two grains, glancing hit: friction over normal impulse at mu = 0.2",
              (struck - normal).norm() / normal.norm(), 0.2, 0.05);
  // The normal speed is half of (1 + e) 0.6 m/s.
  expect_case("interaction", "two grains, glancing hit: normal speed of the struck one", normal.norm(), 0.45, 0.02,
              "m/s");
}

TEST(Grains, AnInbornOverlapIsLetOutGently) {
  Node scene = grains_scene();
  set(scene, "world.gravity", Vec3(0, 0, 0));
  put(sand(scene), Vec3(0, 0, 0));
  put(sand(scene), Vec3(0.004, 0, 0));
  put(sand(scene), Vec3(0, 0.5, 0));
  put(sand(scene), Vec3(0, 0.5, 0));  // at exactly the position of the third grain
  const auto world = make(scene);
  double most = 0;
  for (int i = 0; i < 240; ++i) {
    run(*world, 1.0 / 120);
    most = std::max(most, fastest(*world));
  }
  // The grains separate to 10 mm in some tenths of a second. The spring alone would give 0.5 d sqrt(2 k / m) = 7 m/s
  // (d: diameter).
  EXPECT_LT(most, 0.2);
  const Elements& e = world->system(0).elements();
  EXPECT_GT((e.position[0] - e.position[1]).norm(), 0.0099);
  EXPECT_GT((e.position[2] - e.position[3]).norm(), 0.0099);
}

// ---- Many grains ----

TEST(Grains, KeepTheirMomentumToRoundingAndNeverGainEnergy) {
  for (const double e : {1.0, 0.6}) {
    Node scene = grains_scene();
    set(scene, "world.gravity", Vec3(0, 0, 0));
    set(scene, "interaction.grains.restitution", e);
    Node& source = cloud(sand(scene), Vec3(0, 0, 0), Vec3(0.1, 0.1, 0.1), 300, 1);
    source.set("particle_radius_jitter", 0.5);
    source.set("particle_density", 2000.0);
    const auto world = make(scene);
    const Sums before = sums(*world);
    double most = 0;
    for (int i = 0; i < 120; ++i) {
      run(*world, 1.0 / 120);
      most = std::max(most, sums(*world).kinetic);
    }
    const Sums after = sums(*world);
    const std::string name = "300 grains, e = " + std::to_string(e).substr(0, 3);
    expect_case("interaction", name + ": momentum after 1 s, of sum m|v|",
                (after.momentum - before.momentum).norm() / before.size, 0, 1e-12);
    EXPECT_LT(after.kinetic, 0.95 * before.kinetic);  // the grains collided, and friction dissipated energy
    // A contact in progress may have returned slightly more energy than it has taken up. At the end of the contact, the
    // energy is balanced.
    expect_case("interaction", name + ": largest gain of kinetic energy", std::max(0.0, most / before.kinetic - 1), 0,
                1e-3);
  }
}

TEST(Grains, TwoSystemsMeetWithTheSameImpulses) {
  Node scene = grains_scene();
  set(scene, "world.gravity", Vec3(0, 0, 0));
  Node& heavy = add_child(scene, "system", "particles", "stones");
  heavy.set("mass", 0.05);  // 50 times the mass of a sand grain, therefore longer substeps
  heavy.set("radius", 0.02);
  cloud(sand(scene), Vec3(-0.1, 0, 0), Vec3(0.1, 0.1, 0.1), 200, 0.2).set("direction", Vec3(1, 0, 0));
  put(*std::find_if(scene.children.begin(), scene.children.end(), [](const Node& n) { return n.name == "stones"; }),
      Vec3(0, 0, 0), Vec3(-1, 0, 0));
  const auto world = make(scene);
  const Sums before = sums(*world);
  const Vec3 stone = world->system(1).elements().velocity[0];
  run(*world, 0.3);
  EXPECT_GT((world->system(1).elements().velocity[0] - stone).norm(), 0.05);
  EXPECT_GT(world->timing(0).substeps, world->timing(1).substeps);
  expect_case("interaction", "grains of two systems: momentum after 0.3 s, of sum m|v|",
              (sums(*world).momentum - before.momentum).norm() / before.size, 0, 1e-12);
}

TEST(Grains, SwitchedOffChangesNothingBitForBit) {
  Node with = grains_scene();
  cloud(sand(with), Vec3(0, 0.3, 0), Vec3(0.05, 0.05, 0.05), 100, 0.5);
  set(with, "interaction.grains.enabled", false);
  Node without = make_node(scene_schema());
  Node& system = add_child(without, "system", "particles", "sand");
  system.set("mass", 1e-3);
  system.set("radius", 0.005);
  cloud(system, Vec3(0, 0.3, 0), Vec3(0.05, 0.05, 0.05), 100, 0.5);
  const auto off = make(with), apart = make(without);
  run(*off, 0.2);
  run(*apart, 0.2);
  EXPECT_EQ(off->system(0).elements().position, apart->system(0).elements().position);
}

TEST(Grains, AreNotAddedUnasked) {
  Node scene = make_node(scene_schema());
  add_child(scene, "system", "particles", "one");
  add_child(scene, "system", "particles", "two");
  add_default_interactions(scene);
  EXPECT_TRUE(scene.all("interaction").empty());
}

// ---- Stacks and heaps at rest ----

void ground(Node& scene, double mu) {
  Node& plane = add_child(scene, "collider", "plane", "ground");
  plane.set("mu_static", mu);
  plane.set("mu_dynamic", mu);
}

void wall(Node& scene, const std::string& name, const Vec3& position, const Vec3& rotation) {
  Node& plane = add_child(scene, "collider", "plane", name);
  plane.set("position", position);
  plane.set("rotation", rotation);
}

/// Expects that a stack of grains rests. The lowest grain stands on the ground under the weight of all grains. The
/// contact schemes must treat the impulses of a rule in a substep as forces, not as impacts.
void expect_stack_rests(const std::string& scheme) {
  Node scene = grains_scene();
  ground(scene, 0.5);
  set(scene, "system.sand.scheme", scheme);
  // The shaft is slightly wider than a grain, so the grains lean on the walls.
  const double r = 0.005, half = 1.15 * r;
  wall(scene, "left", Vec3(-half, 0, 0), Vec3(0, 0, -0.5 * pi));
  wall(scene, "right", Vec3(half, 0, 0), Vec3(0, 0, 0.5 * pi));
  wall(scene, "back", Vec3(0, 0, -half), Vec3(0.5 * pi, 0, 0));
  wall(scene, "front", Vec3(0, 0, half), Vec3(-0.5 * pi, 0, 0));
  for (int i = 0; i < 10; ++i) put(sand(scene), Vec3(1e-4 * (i % 3 - 1), r + 2.2 * r * i, 1e-4 * (i % 2)));
  const auto world = make(scene);
  run(*world, 5);
  const auto before = world->system(0).elements().position;
  run(*world, 5);
  const auto& after = world->system(0).elements().position;
  double crept = 0;
  for (std::size_t i = 0; i < 10; ++i) crept = std::max(crept, (after[i] - before[i]).norm());
  expect_case("interaction", "ten grains in a shaft, " + scheme + ", 5 to 10 s: largest way [m]", crept, 0, 1e-6);
  expect_case("interaction", "ten grains in a shaft, " + scheme + ", after 10 s: largest speed [m/s]", fastest(*world),
              0, 1e-6);
  EXPECT_NEAR(after[0].y(), r, 1e-6);
}

TEST(Grains, AStackOfTenRestsInAShaft) {
  expect_stack_rests("collision_then_contact");
  expect_stack_rests("exact");
}

TEST(Grains, APyramidRestsAsItWasBuilt) {
  Node scene = grains_scene();
  ground(scene, 0.8);
  set(scene, "interaction.grains.mu_static", 0.5);
  const double d = 0.01;
  std::vector<Vec3> built;
  for (int layer = 0; layer < 4; ++layer)
    for (int i = 0; i < 4 - layer; ++i)
      for (int j = 0; j < 4 - layer; ++j)
        built.emplace_back(d * (i + 0.5 * layer), 0.5 * d + layer * d * std::sqrt(0.5), d * (j + 0.5 * layer));
  for (const Vec3& x : built) put(sand(scene), x);
  const auto world = make(scene);
  run(*world, 10);
  double moved = 0;
  for (std::size_t i = 0; i < built.size(); ++i)
    moved = std::max(moved, (world->system(0).elements().position[i] - built[i]).norm());
  // Each contact is compressed by m g / k = 10 micrometres, and by a few times this value below the upper layers.
  EXPECT_LT(moved, 0.05 * d);
  expect_case("interaction", "pyramid of 30 grains after 10 s: largest speed [m/s]", fastest(*world), 0, 1e-6);
}

/// A heap of 500 grains that fell slowly onto a plane. The plane has the friction coefficient of the grains.
struct Heap {
  double slope_rad = 0, fastest = 0;
};

Heap trickle(double mu) {
  Node scene = grains_scene();
  ground(scene, mu);
  set(scene, "interaction.grains.mu_static", mu);
  set(scene, "interaction.grains.mu_dynamic", mu);
  set(scene, "system.sand.mu_static", mu);
  set(scene, "system.sand.mu_dynamic", mu);
  Node& source = add_child(sand(scene), "emitter", "disc", "spout");
  source.set("position", Vec3(0, 0.12, 0));
  source.set("direction", Vec3(0, -1, 0));
  source.set("radius", 0.008);
  source.set("rate", 250.0);
  source.set("duration", 2.0);
  source.set("speed", 0.3);
  source.set("lifetime", 0.0);
  source.set("particle_radius_jitter", 0.1);  // prevents crystalline packing
  const auto world = make(scene);
  run(*world, 5);
  // In a cone of height h and radius R, the centre of mass is at height h / 4, and the mean distance from the axis is R
  // / 2. The centres of the lowest grains are at height r.
  const Elements& e = world->system(0).elements();
  double height = 0, radius = 0;
  for (const Vec3& x : e.position) {
    height += (x.y() - 0.005) / static_cast<double>(e.size());
    radius += std::hypot(x.x(), x.z()) / static_cast<double>(e.size());
  }
  return {std::atan(4 * height / (2 * radius)), fastest(*world)};
}

TEST(GrainsValidation, AHeapIsTheSteeperTheRougherItsGrains) {
  const Heap smooth = trickle(0.05), usual = trickle(0.3), rough = trickle(0.6);
  // Grains that cannot roll form heaps with a slope of about the angle of friction or more, which is atan(0.3) = 0.29
  // rad in the second case. The measured slopes are 0.00, 0.36 and 0.88 rad.
  EXPECT_LT(smooth.slope_rad, 0.8 * usual.slope_rad);
  EXPECT_LT(usual.slope_rad, 0.95 * rough.slope_rad);
  EXPECT_GT(usual.slope_rad, 0.3);
  // Three seconds have passed since the last grain fell. Static contacts must not creep.
  expect_case("interaction", "heap of 500 grains, mu = 0.3, after 5 s: largest speed [m/s]", usual.fastest, 0, 1e-6);
  expect_case("interaction", "heap of 500 grains, mu = 0.6, after 5 s: largest speed [m/s]", rough.fastest, 0, 1e-6);
}

// ---- Reproducibility ----

Node rain_of_grains() {
  Node scene = grains_scene();
  ground(scene, 0.5);
  Node& source = cloud(sand(scene), Vec3(0, 0.1, 0), Vec3(0.06, 0.06, 0.06), 1500, 0.3);
  source.set("rate", 3000.0);
  source.set("lifetime", 0.15);
  source.set("lifetime_jitter", 0.5);
  source.set("particle_radius", 0.003);
  source.set("particle_radius_jitter", 0.3);
  source.set("size_death", 0.3);
  return scene;
}

TEST(Grains, SameBitsAtAnyThreadCount) {
  const auto hash_after = [](int threads) {
    set_thread_count(threads);
    const auto world = make(rain_of_grains());
    run(*world, 0.1);
    return world->hash();
  };
  const auto alone = hash_after(1);
  for (const int threads : {2, 3, 8}) EXPECT_EQ(hash_after(threads), alone) << threads;
  set_thread_count(0);
}

TEST(Grains, GoOnFromACheckpointBitForBit) {
  const auto whole = make(rain_of_grains()), second = make(rain_of_grains());
  run(*whole, 0.1);
  StateBlock block;
  whole->save_state(block);
  run(*whole, 0.05);
  run(*second, 0.03);  // the second world has different contacts and particles before it loads the state
  ASSERT_TRUE(second->load_state(block));
  run(*second, 0.05);
  EXPECT_EQ(second->hash(), whole->hash());
}

TEST(Grains, AStepThatFailsIsTakenBackWithItsContacts) {
  const auto world = make(rain_of_grains()), other = make(rain_of_grains());
  run(*world, 0.08);
  run(*other, 0.08);
  const std::size_t births = world->system(0).elements().id.back();
  ASSERT_TRUE(world->apply(Push{"sand", 5, Vec3(0, 1e9, 0), 0}));
  const auto before = world->hash();
  EXPECT_FALSE(world->step());
  EXPECT_EQ(world->hash(), before);
  EXPECT_EQ(world->system(0).elements().id.back(), births);
  // `other` did not receive the push. After loading the state of `other`, `world` must continue as `other`
  // does.
  StateBlock block;
  other->save_state(block);
  ASSERT_TRUE(world->load_state(block));
  run(*world, 0.04);
  run(*other, 0.04);
  EXPECT_EQ(world->hash(), other->hash());
}

/// Returns the number of bytes in a state for the contacts of the single rule.
std::uint64_t contact_bytes(World& world) {
  StateBlock block;
  world.save_state(block);
  for (const auto& entry : block.entries)
    if (entry.name.ends_with("contacts")) return entry.size;
  ADD_FAILURE() << "no contacts in the state";
  return 0;
}

TEST(Grains, ForgetTheirContactsWhereTheRuleIsSwitchedOff) {
  const auto world = make(rain_of_grains());
  run(*world, 0.05);
  ASSERT_GT(contact_bytes(*world), 0U);
  StateBlock touching, apart;
  world->save_state(touching);
  ASSERT_TRUE(world->apply(SetParameter{"interaction.grains.enabled", false}));
  EXPECT_EQ(contact_bytes(*world), 0U);
  world->save_state(apart);
  ASSERT_TRUE(world->apply(SetParameter{"interaction.grains.enabled", true}));
  run(*world, 1.0 / 120);
  // A new world that loads the state without contacts must reach the same state as `world`, because loading replaces
  // the contacts of its rule.
  const auto fresh = make(rain_of_grains());
  run(*fresh, 0.02);
  ASSERT_TRUE(fresh->load_state(apart));
  run(*fresh, 1.0 / 120);
  EXPECT_EQ(fresh->hash(), world->hash());
  // A rule that loads the saved contacts must give a different result.
  ASSERT_TRUE(fresh->load_state(touching));
  run(*fresh, 1.0 / 120);
  EXPECT_NE(fresh->hash(), world->hash());
  // A rule that is off must ignore the contacts of a loaded state.
  ASSERT_TRUE(fresh->apply(SetParameter{"interaction.grains.enabled", false}));
  ASSERT_TRUE(fresh->load_state(touching));
  EXPECT_EQ(contact_bytes(*fresh), 0U);
}

// ---- Bad input ----

TEST(Grains, WhatNoStepCanFollowStopsWithASentence) {
  Node scene = grains_scene();
  set(scene, "interaction.grains.stiffness", 1e9);
  set(scene, "system.sand.mass", 1e-12);
  put(sand(scene), Vec3(0, 0, 0));
  const auto world = make(scene);
  EXPECT_FALSE(world->step());
  EXPECT_NE(world->health().sentence().find("raise world.max_substeps, or lower the stiffness, or raise the mass"),
            std::string::npos)
      << world->health().sentence();
}

TEST(Grains, ExtremesStayFiniteOrAreStopped) {
  for (const double radius_jitter : {0.0, 0.95})
    for (const double mu : {0.0, 10.0}) {
      Node scene = grains_scene();
      ground(scene, mu);
      set(scene, "interaction.grains.restitution", 0.0);
      set(scene, "interaction.grains.mu_static", mu);
      set(scene, "interaction.grains.mu_dynamic", mu);
      set(scene, "interaction.grains.stiffness", 10.0);  // so soft that the grains immediately penetrate deeply
      Node& source = cloud(sand(scene), Vec3(0, 0.02, 0), Vec3(0.02, 0.02, 0.02), 200, 20);
      source.set("particle_radius_jitter", radius_jitter);
      const auto world = make(scene);
      for (int i = 0; i < 30 && world->step(); ++i) {
      }
      for (const Vec3& x : world->system(0).elements().position) EXPECT_TRUE(x.allFinite());
      EXPECT_LT(fastest(*world), 1e3);
    }
}

TEST(Grains, ContactsOutOfBoundsInAStateAreRefused) {
  const auto world = make(rain_of_grains());
  run(*world, 0.05);
  StateBlock block;
  world->save_state(block);
  // The ids, springs and work of every contact become one large number. No particle has this id, and no spring can be
  // that long.
  for (const StateBlock::Entry& entry : block.entries)
    if (entry.name.find("contacts") != std::string::npos) {
      ASSERT_GT(entry.size, 0U);
      std::fill_n(block.bytes.begin() + static_cast<std::ptrdiff_t>(entry.offset), entry.size, std::byte{0x7b});
    }
  const auto loaded = world->load_state(block);
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().message().find("contacts"), std::string::npos) << loaded.error().message();
}

Node grains_at_one_place(std::int64_t count) {
  Node scene = grains_scene();
  cloud(sand(scene), Vec3(0, 0.1, 0), Vec3::Zero(), count, 0);
  sand(scene).set("capacity", count);
  return scene;
}

TEST(Grains, TooManyAtOnePlaceStopWithASentence) {
  for (const std::int64_t count : {3000, 100000}) {
    const auto world = make(grains_at_one_place(count));
    const auto before = world->hash();
    for (int again = 0; again < 2; ++again) {
      EXPECT_FALSE(world->step());
      EXPECT_EQ(world->hash(), before);
      const std::string pairs = count == 3000 ? "2000000" : "6400000";
      EXPECT_EQ(world->health().sentence(), "step 0 (0 s): grains: grains of system \"sand\" overlap: " +
                                                std::to_string(count) + " grains form more than " + pairs +
                                                " pairs that may touch; the emitters likely place grains inside each "
                                                "other: use a larger spacing, or fewer or "
                                                "smaller grains; the world stopped at the last good state");
      // The step must fail again, because a lower restitution does not reduce the number of pairs.
      ASSERT_TRUE(world->apply(SetParameter{"interaction.grains.restitution", 0.4}));
    }
    ASSERT_TRUE(world->apply(SetParameter{"interaction.grains.enabled", false}));
    EXPECT_TRUE(world->step());
  }
}

TEST(Grains, ManyAtOnePlaceAreLetOut) {
  // The 300 grains form 44,850 pairs, far fewer than the limit of two million.
  const auto world = make(grains_at_one_place(300));
  run(*world, 0.05);
  EXPECT_EQ(world->system(0).elements().size(), 300U);
}

TEST(Grains, AStrayFarAwayChangesNoBitOfTheOthers) {
  Node scene = grains_scene(), with = grains_scene();
  for (Node* one : {&scene, &with}) {
    ground(*one, 0.5);
    sand(*one).set("keep_within", 1e6);
    cloud(sand(*one), Vec3(0, 0.1, 0), Vec3(0.06, 0.06, 0.06), 500, 0.3);
  }
  put(sand(with), Vec3(-8e5, 4e5, 9e4));
  const auto alone = make(scene), beside = make(with);
  run(*alone, 0.1);
  run(*beside, 0.1);
  const auto& a = alone->system(0).elements().position;
  const auto& b = beside->system(0).elements().position;
  ASSERT_EQ(b.size(), a.size() + 1);
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin()));
}

}  // namespace
}  // namespace vw
