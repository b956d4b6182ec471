// Rigid bodies in water: momentum, floating, sinking and added mass.
#include <gtest/gtest.h>

#include "sim/system/rigid/rigid.h"
#include "tests/interaction/water_scene.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

TEST(FluidRigid, KeepsTheMomentumOfThePair) {
  for (const double ratio : {1e-4, 0.05, 1.0, 10.0}) {
    const auto world = with_rules(thrown_water(ratio));
    const double error = momentum_error_of(*world);
    EXPECT_GT(rows_of(*world, "bodies").velocity[0].norm(), std::min(0.5, 0.005 / ratio));  // the water hit the body
    record_case("interaction",
                "water and a rigid box of density ratio " + std::to_string(ratio).substr(0, 6) +
                    ": momentum after 1,000 steps, of sum m|v|",
                error, 0, 1e-6);
    EXPECT_LT(error, 1e-6) << ratio;
  }
}

TEST(FluidRigid, NeverGivesTheTwoMoreEnergyThanTheyHad) {
  for (const double ratio : {1e-4, 0.05, 1.0, 10.0}) {
    const auto world = with_rules(thrown_water(ratio));
    EXPECT_LT(most_kinetic_of_start(*world), 1.01) << ratio;
  }
}

TEST(FluidRigid, SwitchedOffChangesNothingBitForBit) {
  Node off = thrown_water(1);
  add_default_interactions(off);
  set(off, "interaction.fluid_rigid.enabled", false);
  const auto with = world_of(off), alone = world_of(without(thrown_water(1), "bodies"));
  run(*with, 0.3);
  run(*alone, 0.3);
  EXPECT_EQ(rows_of(*with, "water").position, rows_of(*alone, "water").position);
  EXPECT_EQ(rows_of(*with, "bodies").velocity[0], Vec3(0, 0, 0));
}

TEST(FluidRigid, GivesTheSameBitsAtAnyNumberOfThreadsAndFromASavedState) {
  EXPECT_EQ(ends_of(thrown_water(0.5), 0.2, 0.1, {1, 2, 3}).size(), 1U);
}

TEST(FluidRigid, SwitchedOnAtTheStartGivesTheSameAfterAReturnToTheStart) {
  Node scene = tank(0.02, Vec3(0.2, 0.1, 0.2));
  add_rigid(scene, "box");
  set(scene, thing + "size", Vec3(0.08, 0.06, 0.08));
  set(scene, thing + "position", Vec3(0, 0.05, 0));
  add_default_interactions(scene);
  set(scene, "interaction.fluid_rigid.enabled", false);
  const auto world = world_of(std::move(scene));
  StateBlock start;
  world->save_state(start);
  std::set<std::uint64_t> ends;
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(world->apply(SetParameter{"interaction.fluid_rigid.enabled", Value(true)}));
    take_steps(*world, 2);
    ends.insert(world->hash());
    ASSERT_TRUE(world->apply(SetParameter{"interaction.fluid_rigid.enabled", Value(false)}));
    ASSERT_TRUE(world->load_state(start));
  }
  EXPECT_EQ(ends.size(), 1U);
}

TEST(FluidRigid, ABodyThatItsParticlesCannotCoverIsRefusedInASentence) {
  // A box with faces of one square kilometre needs about 10^10 samples for particles of 2 cm. These samples would not
  // fit into memory.
  Node scene = tank(0.02, Vec3(0.2, 0.1, 0.2));
  add_rigid(scene, "box");
  set(scene, thing + "size", Vec3(1000, 0.1, 1000));
  const auto world = with_rules(std::move(scene));
  EXPECT_FALSE(world->step());
  EXPECT_NE(
      world->health().sentence().find(
          "body thing is too large for the spacing of the fluid; its surface of 2e+06 m^2 needs more than 8000000 "
          "sample points at a spacing of 0.02 m: raise the fluid's spacing or make the body smaller"),
      std::string::npos)
      << world->health().sentence();
}

TEST(FluidRigid, AFastBodyThatItsParticlesCannotCoverIsRefusedWithoutACollision) {
  // The body falls on the water so fast that the particles collide with it although it has no samples.
  Node scene = water_scene(0.02);
  add_fill(scene, "pool", Vec3(0, 0.05, 0), Vec3(0.2, 0.1, 0.2));
  add_rigid(scene, "box");
  set(scene, thing + "size", Vec3(1000, 0.1, 1000));
  set(scene, thing + "position", Vec3(0, 0.3, 0));
  set(scene, thing + "velocity", Vec3(0, -30, 0));
  const auto world = with_rules(std::move(scene));
  EXPECT_FALSE(world->step());
  EXPECT_NE(world->health().sentence().find("body thing is too large for the spacing of the fluid"), std::string::npos)
      << world->health().sentence();
}

struct Floating {
  double ratio = 0.5;
  double spacing = 0.02;
  Vec3 size{0.24, 0.12, 0.24};
  Vec3 pool{0.48, 0.24, 0.48};
  double seconds = 4;
};
struct Settled {
  double draft = 0, tilt = 0, speed = 0, spacing = 0;
};

Settled float_box(const Floating& f) {
  Node scene = tank(f.spacing, f.pool);
  add_rigid(scene, "box");
  set(scene, thing + "size", f.size);
  set(scene, thing + "density", 1000 * f.ratio);
  // The box starts slightly above its floating position.
  set(scene, thing + "position", Vec3(0, f.pool.y() + f.size.y() * (0.6 - f.ratio), 0));
  const auto world = with_rules(std::move(scene));
  run(*world, f.seconds);
  // The results are means over the last half second, because the body still oscillates about the rest position.
  Settled out;
  constexpr int last = 60;
  double bottom = 0, level = 0;
  for (int i = 0; i < last; ++i) {
    EXPECT_TRUE(world->step());
    const Elements& e = rows_of(*world, "bodies");
    bottom += (e.position[0].y() - f.size.y() / 2) / last;
    out.tilt = std::max(out.tilt, std::acos(std::min(1.0, (e.orientation[0] * Vec3::UnitY()).y())));
    out.speed = std::max(out.speed, e.velocity[0].norm());
    // The water also oscillates. The level is therefore measured at successive positions around the box.
    const double angle = 2 * pi * 7 * i / last, r = 0.25 * (f.size.x() * 0.7 + f.pool.x());
    level += water_of(*world).surface_height(r * std::cos(angle), r * std::sin(angle)) / last;
  }
  out.draft = level - bottom;
  out.spacing = f.spacing;
  return out;
}

TEST(FluidRigid, ABoxOfHalfTheDensityFloatsHalfImmersedAndLevel) {
  const Settled box = float_box({0.5, 0.04, Vec3(0.24, 0.16, 0.24), Vec3(0.48, 0.32, 0.48), 3});
  EXPECT_NEAR(box.draft, 0.08, 0.5 * box.spacing);
  EXPECT_LT(box.tilt, 0.1);
}

TEST(FluidRigidValidation, BoxesFloatAsDeepAsTheirDensitySaysAndLevel) {
  for (const double ratio : {0.2, 0.5, 0.8}) {
    const Floating f{ratio};
    const Settled box = float_box(f);
    const std::string name = "floating box of ratio " + std::to_string(ratio).substr(0, 3) + ": ";
    // The tolerance is half the diameter of a particle.
    record_case("water", name + "draft", box.draft, ratio * f.size.y(), 0.5 * f.spacing / (ratio * f.size.y()), "m");
    EXPECT_NEAR(box.draft, ratio * f.size.y(), 0.5 * f.spacing) << ratio;
    record_case("water", name + "tilt", box.tilt, 0, 0.05, "rad");
    EXPECT_LT(box.tilt, 0.05) << ratio;
    EXPECT_LT(box.speed, 0.1) << ratio;
  }
}

TEST(FluidRigidValidation, AHeavyBoxSinksSlowerThanItFallsAndLiesOnTheFloor) {
  const double spacing = 0.025, way = 0.6;
  Node scene = tank(spacing, Vec3(0.4, 0.8, 0.4));
  // The test measures the drag of water, so smoothing is off. Without smoothing, the box sinks at about 1 m/s. With the
  // default smoothing of 0.05, it sinks at 0.8 m/s.
  set(scene, "system.water.smoothing", 0.0);
  add_rigid(scene, "box");
  set(scene, thing + "size", Vec3(0.12, 0.08, 0.12));
  set(scene, thing + "density", 3000.0);
  set(scene, thing + "position", Vec3(0, 0.7, 0));
  const auto world = with_rules(std::move(scene));
  double fastest = 0;
  for (int i = 0; i < 240; ++i) {
    ASSERT_TRUE(world->step()) << world->health().sentence();
    fastest = std::max(fastest, -rows_of(*world, "bodies").velocity[0].y());
  }
  // A body that starts at rest reaches v^2 = v_t^2 (1 - exp(-2 a s / v_t^2)) after the distance s, with the terminal
  // speed v_t and the initial acceleration a. The added mass is half the displaced mass, and the drag coefficient is
  // that of a blunt body, C = 1. At a resolution of five spacings, the wake is that of a more viscous fluid, with C up
  // to 4. Tumbling lowers C to 1/2. The tolerance is therefore wide.
  const double terminal = 2 * 2 * 9.81 * 0.08, start = 2 * 9.81 / 3.5;
  const double expected = std::sqrt(terminal * (1 - std::exp(-2 * start * way / terminal)));
  record_case("water", "box of density 3000 in water: fastest sinking", fastest, expected, 0.5, "m/s");
  EXPECT_NEAR(fastest, expected, 0.5 * expected);
  EXPECT_LT(rows_of(*world, "bodies").position[0].y(), 0.04 + 1.5 * spacing);
  EXPECT_LT(rows_of(*world, "bodies").velocity[0].norm(), 0.05);
}

TEST(FluidRigidValidation, ALightBallInDeepWaterStartsUpAsItsAddedMassSays) {
  // The initial acceleration is (1 - r) g / (r + m) with the density ratio r (Lamb 1932, art. 92). The added mass m of
  // a ball of radius a in a larger ball of radius b is (b^3 + 2 a^3) / (b^3 - a^3) / 2 (art. 93). In this test, b = 4
  // a. The ball keeps particles half a spacing away from its surface, so it acts like a ball with a radius that is
  // larger by half a spacing.
  const double ratio = 0.05, radius = 0.1;
  Node scene = tank(0.0125, Vec3(0.8, 0.7, 0.8));
  add_rigid(scene, "sphere");
  set(scene, thing + "radius", radius);
  set(scene, thing + "density", 1000 * ratio);
  set(scene, thing + "position", Vec3(0, 0.3, 0));
  const auto world = with_rules(std::move(scene));
  run(*world, 0.05);
  const double pushed = std::pow(1 + 0.5 * 0.0125 / radius, 3), added = 0.5 * (64 + 2) / (64 - 1) * pushed;
  const double expected = (1 - ratio) * 9.81 / (ratio + added),
               measured = rows_of(*world, "bodies").velocity[0].y() / 0.05;
  record_case("water", "light ball released in water: mean acceleration of the first 0.05 s", measured, expected, 0.1,
              "m/s^2");
  EXPECT_NEAR(measured, expected, 0.1 * expected);
}

TEST(FluidRigid, PressureDoesNotSpinALightBall) {
  // The samples of the ball are uneven, and the pressure in deep water is high. If a hundredth of this pressure acted
  // as a moment, it would spin the ball to 800 rad/s within a tenth of a second. In addition, each impulse must act at
  // the position of the sample at the time of the solve. An impulse at the position after the move would amplify an
  // existing rotation.
  Node scene = tank(0.04, Vec3(0.4, 0.5, 0.4));
  add_rigid(scene, "sphere");
  set(scene, thing + "density", 50.0);
  set(scene, thing + "position", Vec3(0.013, 0.2, 0.007));
  set(scene, thing + "angular_velocity", Vec3(1, 5, 2));
  const auto world = with_rules(std::move(scene));
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(world->step()) << world->health().sentence();
    EXPECT_LT(rows_of(*world, "bodies").angular_velocity[0].norm(), 1.05 * Vec3(1, 5, 2).norm()) << i;
    EXPECT_LT(rows_of(*world, "bodies").velocity[0].norm(), 3) << i;
  }
}

double iterations_of(World& world) {
  std::vector<Total> totals;
  world.find_system("water")->totals(totals);
  return std::find_if(totals.begin(), totals.end(),
                      [](const Total& total) { return total.name == "divergence_iterations"; })
      ->value;
}

/// Expects that a submerged box as light as air accelerates upward correctly even if the pressure solve has few
/// iterations. A light body reacts strongly to small pressure errors.
void expect_rise(const std::string& method, std::int64_t most_iterations, double fastest_mps) {
  Node scene = tank(0.04, Vec3(0.4, 0.24, 0.4));
  set(scene, "system.water.method", method);
  set(scene, "system.water.max_iterations", most_iterations);
  add_rigid(scene, "box");
  set(scene, thing + "size", Vec3(0.12, 0.08, 0.12));
  set(scene, thing + "density", 0.15);
  set(scene, thing + "position", Vec3(-0.1, 0.1, -0.1));
  const auto world = with_rules(std::move(scene));
  double iterations = 0;
  for (int i = 0; i < 24; ++i) {
    ASSERT_TRUE(world->step()) << world->health().sentence();
    EXPECT_LT(rows_of(*world, "bodies").velocity[0].norm(), fastest_mps) << "step " << i;
    EXPECT_LT(world->diagnostics(0).kinetic + world->diagnostics(1).kinetic, 1.0) << "step " << i;
    iterations += iterations_of(*world);
  }
  EXPECT_GT(rows_of(*world, "bodies").position[0].y(), 0.11);
  EXPECT_LT(iterations / 24, 12);
}

TEST(FluidRigid, ABoxAsLightAsAirRisesHoweverShortTheSolve) {
  for (const std::int64_t most : {2, 5, 100}) {
    SCOPED_TRACE(most);
    expect_rise("dfsph", most, 2);
  }
  expect_rise("wcsph", 100, 40);  // in WCSPH, the box vibrates with the sound waves in the water
  EXPECT_FALSE(HasNonfatalFailure());
}

TEST(FluidRigid, ABodyTooFastForAnyPatienceIsRefusedInASentence) {
  Node scene = tank(0.002, Vec3(0.02, 0.012, 0.02));
  add_rigid(scene, "sphere");
  set(scene, thing + "position", Vec3(0, 5, 0));
  set(scene, thing + "radius", 0.01);
  set(scene, thing + "velocity", Vec3(1000, 0, 0));
  const auto world = with_rules(std::move(scene));
  EXPECT_FALSE(world->step());
  EXPECT_NE(world->health().sentence().find("moves at 1e+03 m/s; the step would take more than 1000 substeps"),
            std::string::npos)
      << world->health().sentence();
}

TEST(FluidRigid, AThinLightPlateOnWaterStaysWhereItIs) {
  Node scene = tank(0.03, Vec3(0.36, 0.18, 0.36));
  add_rigid(scene, "box");
  set(scene, thing + "size", Vec3(0.18, 0.015, 0.18));
  set(scene, thing + "density", 50.0);
  set(scene, thing + "position", Vec3(0, 0.2, 0));
  const auto world = with_rules(std::move(scene));
  for (int i = 0; i < 240; ++i) {
    ASSERT_TRUE(world->step()) << world->health().sentence();
    EXPECT_LT(rows_of(*world, "bodies").velocity[0].norm(), 1.0) << i;
  }
  EXPECT_NEAR(rows_of(*world, "bodies").position[0].y(), 0.19, 0.03);
}

}  // namespace
}  // namespace vw::test
