// Joints in a world: the degrees of freedom that they constrain, and errors of energy and momentum.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/rigid/jointed.h"
#include "tests/support/validation.h"

namespace vw {
using test::expect_case;
using test::Jointed;
using test::record_case;
using test::set;
using test::world_of;
namespace {

/// Measures the mean time between successive zero crossings of a quantity from positive to negative values.
struct Periods {
  double last_x = 0, first = -1, last = -1;
  int count = 0;
  void take(double t, double dt, double x) {
    if (last_x > 0 && x <= 0) {
      const double at = t - dt * x / (x - last_x);
      if (first < 0)
        first = at;
      else
        last = at, ++count;
    }
    last_x = x;
  }
  [[nodiscard]] double mean() const { return (last - first) / count; }
};

double period(Jointed& it, double seconds, const std::function<double()>& x) {
  Periods periods;
  for (int i = 0; i < static_cast<int>(seconds * 120); ++i) {
    EXPECT_TRUE(it.world->step());
    periods.take(it.world->time(), 1.0 / 120, x());
  }
  EXPECT_GT(periods.count, 2);
  return periods.mean();
}

/// Returns the period of a pendulum with amplitude a [rad], divided by the period of a small oscillation: 1 + a^2/16 +
/// 11 a^4/3072.
double widening(double amplitude) { return 1 + amplitude * amplitude / 16 + 11 * std::pow(amplitude, 4) / 3072; }

TEST(Joints, PendulumsSwingInTheirTime) {
  // Substeps dt = 1/240 s shorten a period of 2 s by a relative amount of (w dt)^2 / 24 = 7e-6 (w: angular frequency).
  // The zero crossing is found by linear interpolation between two snapshots.
  constexpr double a = 0.1, radius = 0.05;
  const Vec3 start(std::sin(a), -std::cos(a), 0);
  for (const std::string kind : {"ball", "hinge", "distance", "rope"}) {
    Jointed it;
    it.body("sphere", "bob", {{"radius", radius}, {"position", start}});
    const bool is_line = kind == "distance" || kind == "rope";
    it.joint(kind, "pivot", {{"a", std::string("bob")}, {"anchor", is_line ? start : Vec3(0, 0, 0)}});
    it.start();
    // On a distance joint or a rope, the ball does not rotate with the line, so it acts as a point mass.
    const double expected =
        2 * pi * std::sqrt((1 + (is_line ? 0 : 0.4 * radius * radius)) / earth_gravity) * widening(a);
    expect_case("rigid", "period of a pendulum on a " + kind, period(it, 20, [&] { return it.rows().position[0].x(); }),
                expected, 5e-5, "s");
  }
}

TEST(Joints, ARodOnAHingeSwingsAsAPhysicalPendulum) {
  Jointed it;
  constexpr double a = 0.05, length = 0.8, thick = 0.04;
  it.body("box", "rod",
          {{"size", Vec3(thick, length, thick)},
           {"position", 0.5 * length * Vec3(std::sin(a), -std::cos(a), 0)},
           {"rotation", Vec3(0, 0, a)}});
  it.joint("hinge", "pivot", {{"a", std::string("rod")}});
  it.start();
  const double inertia = (length * length + thick * thick) / 12 + 0.25 * length * length;
  const double expected = 2 * pi * std::sqrt(inertia / (earth_gravity * 0.5 * length)) * widening(a);
  expect_case("rigid", "period of a rod on a hinge", period(it, 20, [&] { return it.rows().position[0].x(); }),
              expected, 5e-5, "s");
}

Jointed double_pendulum() {
  Jointed it;
  for (int k = 0; k < 2; ++k)
    it.body("box", k == 0 ? "upper" : "lower",
            {{"size", Vec3(0.5, 0.05, 0.05)}, {"position", Vec3(0.25 + 0.5 * k, 0, 0)}});
  it.joint("hinge", "top", {{"a", std::string("upper")}});
  it.joint("hinge", "elbow", {{"a", std::string("lower")}, {"b", std::string("upper")}, {"anchor", Vec3(0.5, 0, 0)}});
  return it;
}

TEST(Joints, ADoublePendulumKeepsItsEnergy) {
  Jointed it = double_pendulum();
  set(it.scene, "system.things.longest_dt", 1.0 / 960);
  it.start();
  const double scale = it.now().mass * earth_gravity * 0.5, start = it.energy();
  double most = 0, late = 0;
  for (int i = 1; i <= 1200; ++i) {
    ASSERT_TRUE(it.world->step());
    const double off = (it.energy() - start) / scale;
    most = std::max(most, std::abs(off));
    if (i > 960) late += off / 240;
  }
  // Reported velocities are half a substep older than positions. The reported energy per mass therefore oscillates by
  // half of g v dt (v: vertical velocity), and 1 % of the scale is allowed. The energy loss is the mean over the last
  // two seconds.
  EXPECT_LT(most, 0.01);
  expect_case("rigid", "double pendulum, 10 s: energy lost, of what swings", late, 0, 2e-3);
  EXPECT_LT(it.widest_gap(), 1e-6);
}

TEST(Joints, AFreePairKeepsMomentumAndAngularMomentum) {
  for (const std::string kind : {"ball", "hinge", "fixed", "slider", "distance"}) {
    Jointed it;
    it.weightless();
    it.body("box", "one",
            {{"size", Vec3(0.5, 0.1, 0.2)}, {"velocity", Vec3(0.2, -1, 0)}, {"angular_velocity", Vec3(0, 2, 5)}});
    it.body("box", "two",
            {{"size", Vec3(0.5, 0.1, 0.2)},
             {"position", Vec3(0.5, 0, 0)},
             {"velocity", Vec3(0, 1, 0.5)},
             {"angular_velocity", Vec3(3, 1, 0)}});
    it.joint(kind, "joint", {{"a", std::string("one")}, {"b", std::string("two")}, {"anchor", Vec3(0.25, 0.02, 0)}});
    if (kind == "distance") set(it.scene, "system.things.joint.joint.anchor_b", Vec3(0.4, 0.1, 0));
    it.start();
    const Diagnostics before = it.now();
    it.run(1000.0 / 120);
    const Diagnostics after = it.now();
    // The tolerances are relative to sum m |v| (5 kg at about 1 m/s) and to the corresponding sum of angular momentum.
    EXPECT_LT((after.momentum - before.momentum).norm(), 1e-12 * before.mass) << kind;
    EXPECT_LT((after.angular_momentum - before.angular_momentum).norm(), 1e-9 * before.mass) << kind;
  }
}

TEST(Joints, AHeldArmNeedsTheTorqueOfItsWeight) {
  Jointed it;
  it.body("box", "arm", {{"size", Vec3(1, 0.05, 0.05)}, {"mass", 2.0}, {"position", Vec3(0.5, 0, 0)}});
  it.joint("hinge", "axle", {{"a", std::string("arm")}, {"motor", std::string("target")}, {"motor_most", 100.0}});
  it.start();
  it.run(1);
  expect_case("rigid", "torque that holds an arm of 2 kg, 0.5 m out", it.mark("axle").torque_nm,
              2 * earth_gravity * 0.5, 1e-9, "N m");
  expect_case("rigid", "force of its hinge", it.mark("axle").force_n, 2 * earth_gravity, 1e-9, "N");
  EXPECT_NEAR(it.mark("axle").reading, 0, 1e-8);
  EXPECT_LT(it.widest_gap(), 1e-7);
}

TEST(Joints, AMotorReachesItsSpeedAsItsTorqueAllowsAndThenHasNothingToDo) {
  Jointed it;
  it.weightless();
  it.body("box", "arm", {{"size", Vec3(1, 0.05, 0.05)}, {"mass", 2.0}, {"position", Vec3(0.5, 0, 0)}});
  it.joint("hinge", "axle",
           {{"a", std::string("arm")}, {"motor", std::string("speed")}, {"motor_speed", 5.0}, {"motor_most", 1.0}});
  it.start();
  const double inertia = 2 * ((1 + 0.05 * 0.05) / 12 + 0.25), torque = 1, speed = 5;
  const double needed = speed * inertia / torque;
  it.run(1);
  EXPECT_NEAR(it.mark("axle").speed, torque / inertia, 1e-5)
      << "a second of its torque; the chord of a substep's arc is (w dt)^2 / 8 short";
  EXPECT_NEAR(it.mark("axle").torque_nm, torque, 1e-9);
  it.run(5);
  // The angle grows to about 30 rad, beyond one turn. The motor starts with an additional half substep of acceleration.
  expect_case("rigid", "angle of a motor after 6 s", it.mark("axle").reading, speed * 6 - 0.5 * speed * needed, 1e-3,
              "rad");
  expect_case("rigid", "speed of a motor", it.mark("axle").speed, speed, 1e-9, "rad/s");
  EXPECT_NEAR(it.mark("axle").torque_nm, 0, 1e-6);
  set(it.scene, "system.things.joint.axle.motor_speed", -2.0);
  ASSERT_TRUE(it.world->apply(SetParameter{"system.things.joint.axle.motor_speed", -2.0}));
  it.run(6);
  EXPECT_NEAR(it.mark("axle").speed, -2, 1e-8) << "another speed while it runs";
}

TEST(Joints, AMotorGoesToItsTargetAndStopsThere) {
  Jointed it;
  it.body("box", "arm", {{"size", Vec3(1, 0.05, 0.05)}, {"mass", 2.0}, {"position", Vec3(0.5, 0, 0)}});
  it.joint("hinge", "axle",
           {{"a", std::string("arm")},
            {"motor", std::string("target")},
            {"motor_target", 7.0},
            {"motor_speed", 4.0},
            {"motor_most", 200.0}});
  it.start();
  double farthest = 0;
  for (int i = 0; i < 480; ++i) {
    ASSERT_TRUE(it.world->step());
    farthest = std::max(farthest, it.mark("axle").reading);
  }
  EXPECT_NEAR(it.mark("axle").reading, 7, 1e-6) << "more than a turn";
  EXPECT_LT(farthest, 7 + 1e-6);
  EXPECT_NEAR(it.mark("axle").torque_nm, 2 * earth_gravity * 0.5 * std::cos(7.0), 1e-4);
}

TEST(Joints, AHingeStopsAtItsLimitAndRestsThere) {
  Jointed it;
  it.body("box", "arm", {{"size", Vec3(1, 0.05, 0.05)}, {"mass", 2.0}, {"position", Vec3(0.5, 0, 0)}});
  it.joint("hinge", "axle", {{"a", std::string("arm")}, {"limits", true}, {"lower", -1.0}, {"upper", 1.0}});
  it.start();
  double lowest = 0;
  for (int i = 0; i < 360; ++i) {
    ASSERT_TRUE(it.world->step());
    lowest = std::min(lowest, it.mark("axle").reading);
  }
  EXPECT_NEAR(lowest, -1, 1e-6);
  EXPECT_NEAR(it.mark("axle").reading, -1, 1e-6);
  EXPECT_NEAR(it.mark("axle").torque_nm, 2 * earth_gravity * 0.5 * std::cos(1.0), 1e-6);
  EXPECT_EQ(it.rows().velocity[0].norm() < 1e-6, true);
}

TEST(Joints, ABearingsFrictionSlowsAtItsTorqueAndHolds) {
  Jointed it;
  it.weightless();
  it.body("cylinder", "wheel", {{"radius", 0.5}, {"length", 0.1}, {"mass", 4.0}, {"angular_velocity", Vec3(0, 10, 0)}});
  it.joint("hinge", "axle", {{"a", std::string("wheel")}, {"axis", Vec3(0, 1, 0)}, {"friction", 1.0}});
  it.start();
  it.run(2);
  const double inertia = 0.5 * 4 * 0.25;
  expect_case("rigid", "wheel slowed by its bearing for 2 s", it.mark("axle").speed, 10 - 2 / inertia, 1e-9, "rad/s");
  it.run(4);
  EXPECT_NEAR(it.mark("axle").speed, 0, 1e-12);
}

TEST(Joints, ASliderOnASlopeSlidesAsTheorySays) {
  for (const double friction : {0.0, 3.0, 20.0}) {
    Jointed it;
    constexpr double slope = 0.5;
    it.body("box", "car", {{"mass", 1.0}});
    it.joint("slider", "rail",
             {{"a", std::string("car")}, {"axis", Vec3(std::cos(slope), std::sin(slope), 0)}, {"friction", friction}});
    it.start();
    it.run(1);
    const double a = std::max(0.0, earth_gravity * std::sin(slope) - friction);
    // Without friction, velocities are at the time of the positions. With friction, the velocity has an additional half
    // substep of acceleration. With dt = 1/240 s, this increases the distance in 1 s by the factor 1 + 1/240.
    expect_case("rigid",
                "slider on a slope with " + std::to_string(static_cast<int>(friction)) + " N of friction: way in 1 s",
                -it.mark("rail").reading, 0.5 * a * (friction > 0 ? 1 + 1.0 / 240 : 1), 1e-8, "m");
    EXPECT_NEAR(it.rows().angular_velocity[0].norm(), 0, 1e-9);
  }
}

TEST(Joints, ASliderLiftsByItsMotorAndStopsAtItsLimit) {
  Jointed it;
  it.body("box", "lift", {{"mass", 3.0}});
  it.joint("slider", "rail",
           {{"a", std::string("lift")},
            {"axis", Vec3(0, 1, 0)},
            {"motor", std::string("speed")},
            {"motor_speed", 0.5},
            {"motor_most", 50.0},
            {"limits", true},
            {"upper", 0.75}});
  it.start();
  it.run(1);
  EXPECT_NEAR(it.mark("rail").force_n, 3 * earth_gravity, 1e-6) << "it climbs evenly";
  EXPECT_NEAR(it.mark("rail").speed, 0.5, 1e-9);
  it.run(2);
  EXPECT_NEAR(it.rows().position[0].y(), 0.75, 1e-7);
}

TEST(Joints, ARopeIsTautOrSlack) {
  Jointed it;
  it.body("sphere", "bob", {{"radius", 0.05}, {"mass", 1.0}, {"position", Vec3(0, 0.5, 0)}});
  it.joint("rope", "rope", {{"a", std::string("bob")}, {"anchor", Vec3(0, 0.5, 0)}, {"length", 1.0}});
  it.start();
  it.run(0.25);
  EXPECT_EQ(it.mark("rope").force_n, 0) << "it falls freely";
  EXPECT_NEAR(it.rows().position[0].y(), 0.5 - 0.5 * earth_gravity * 0.0625, 0.02);
  it.run(3);
  EXPECT_NEAR(it.rows().position[0].y(), -1, 1e-7);
  expect_case("rigid", "pull of a rope with 1 kg", it.mark("rope").force_n, earth_gravity, 1e-9, "N");
  ASSERT_TRUE(it.world->apply(SetParameter{"system.things.joint.rope.length", 0.6}));
  it.run(0.2);
  EXPECT_NEAR(it.mark("rope").reading, 0.8, 1e-6) << "reeled in at 1 m/s";
  it.run(2);
  EXPECT_NEAR((it.rows().position[0]).norm(), 0.6, 1e-6);
}

TEST(Joints, ARodHoldsAnOrbit) {
  Jointed it;
  it.weightless();
  it.body("sphere", "moon",
          {{"radius", 0.05}, {"mass", 2.0}, {"position", Vec3(1, 0, 0)}, {"velocity", Vec3(0, 3, 0)}});
  it.joint("distance", "rod", {{"a", std::string("moon")}, {"anchor", Vec3(1, 0, 0)}});
  it.start();
  it.run(5);
  EXPECT_NEAR(it.rows().position[0].norm(), 1, 1e-7);
  expect_case("rigid", "pull of a rod that holds an orbit", it.mark("rod").force_n, 2 * 9.0, 1e-3, "N");
  EXPECT_NEAR(it.rows().velocity[0].norm(), 3, 1e-3);
}

TEST(Joints, ASpringSwingsInItsTimeWhateverItsStiffness) {
  for (const double stiffness : {100.0, 2000.0}) {
    Jointed it;
    it.weightless();
    it.body("sphere", "bob", {{"mass", 1.0}, {"position", Vec3(1.01, 0, 0)}});
    it.joint("distance", "spring",
             {{"a", std::string("bob")},
              {"anchor", Vec3(1.01, 0, 0)},
              {"length", 1.0},
              {"reel_speed", 0.0},
              {"stiffness", stiffness}});
    set(it.scene, "world.dt", 1.0 / 480);
    it.start();
    const double start = it.energy();
    Periods periods;
    for (int i = 0; i < 480 * 6; ++i) {
      ASSERT_TRUE(it.world->step());
      periods.take(it.world->time(), 1.0 / 480, it.rows().position[0].x() - 1);
    }
    expect_case("rigid", "period of 1 kg on a spring of " + std::to_string(static_cast<int>(stiffness)) + " N/m",
                periods.mean(), 2 * pi / std::sqrt(stiffness), 1e-5, "s");
    EXPECT_NEAR(it.energy(), start, 0.1 * start) << "it is not damped";
  }
}

TEST(Joints, ThatCameApartAreCounted) {
  Jointed it;
  it.body("box", "arm", {{"size", Vec3(0.2, 0.02, 0.02)}, {"position", Vec3(0.1, 1, 0)}});
  it.joint("ball", "pivot", {{"a", std::string("arm")}, {"anchor", Vec3(0, 1, 0)}});
  it.start();
  const auto separated = [&] {
    std::vector<Total> totals;
    it.world->system(0).totals(totals);
    for (const Total& total : totals)
      if (total.name == "separated_joints") return total.value;
    return -1.0;
  };
  it.run(0.5);
  EXPECT_EQ(separated(), 0);
  it.world->system(0).elements().position[0] += Vec3(0.004, 0, 0);  // a displacement of 4 % of the arm of 0.1 m
  EXPECT_EQ(separated(), 0);
  it.world->system(0).elements().position[0] += Vec3(0.004, 0, 0);
  EXPECT_EQ(separated(), 1);
}

/// A bob starts 1 m below the anchor of an elastic rope of 3 m. It falls freely by 2 m and then stretches the rope by
/// x, where m g (2 m + x) = k x^2 / 2 (k: stiffness of the rope).
TEST(Joints, ASlackElasticRopePullsNothing) {
  for (const double stiffness : {50.0, 1000.0}) {
    Jointed it;
    it.body("sphere", "bob", {{"mass", 1.0}, {"position", Vec3(0, -1, 0)}});
    it.joint("rope", "rope",
             {{"a", std::string("bob")},
              {"anchor", Vec3(0, -1, 0)},
              {"anchor_b", Vec3(0, 0, 0)},
              {"length", 3.0},
              {"stiffness", stiffness}});
    it.start();
    const double begun = it.energy();
    it.run(0.5);
    // Velocities of bodies on springs lag half a substep behind the positions, so one substep is added to the time of
    // the fall.
    EXPECT_NEAR(it.rows().position[0].y(), -1 - 0.5 * earth_gravity * 0.5 * (0.5 + 1.0 / 240), 1e-9) << stiffness;
    double lowest = 0;
    for (int i = 0; i < 480; ++i) {
      ASSERT_TRUE(it.world->step());
      lowest = std::min(lowest, it.rows().position[0].y());
    }
    const double stretch =
        (earth_gravity + std::sqrt(earth_gravity * earth_gravity + 4 * earth_gravity * stiffness)) / stiffness;
    EXPECT_NEAR(lowest, -3 - stretch, 0.005) << stiffness;
    EXPECT_NEAR(it.energy(), begun, 0.02 * earth_gravity) << stiffness;
  }
}

TEST(Joints, ADampedSpringComesToRestWhereItsLoadSays) {
  for (const double stiffness : {200.0, 1e9}) {
    Jointed it;
    it.body("sphere", "bob", {{"mass", 1.0}, {"position", Vec3(0, -1, 0)}});
    it.joint("rope", "rope",
             {{"a", std::string("bob")}, {"anchor", Vec3(0, -1, 0)}, {"stiffness", stiffness}, {"damping", 20.0}});
    // If bodies could sleep, the body would fall asleep before it has moved the last micrometre.
    set(it.scene, "system.things.sleep", false);
    it.start();
    it.run(5);
    EXPECT_NEAR(it.rows().position[0].y(), -1 - earth_gravity / stiffness, 1e-8) << stiffness;
    EXPECT_NEAR(it.mark("rope").force_n, earth_gravity, 1e-6) << stiffness;
    EXPECT_NEAR(it.now().elastic, 0.5 * earth_gravity * earth_gravity / stiffness, 1e-6) << stiffness;
  }
}

/// Returns a chain of links of 0.1 m that hangs from the world or lies horizontally. The last link has the mass
/// `last_kg`.
Jointed chain_of_balls(int links, double last_kg, const Vec3& along) {
  Jointed it;
  const Vec3 size = Vec3::Constant(0.02) + 0.08 * along.cwiseAbs();
  for (int k = 0; k < links; ++k)
    it.body("box", "link-" + std::to_string(k + 1),
            {{"size", size}, {"position", (0.05 + 0.1 * k) * along}, {"mass", k + 1 == links ? last_kg : 0.1}});
  it.joint("ball", "top", {{"a", std::string("link-1")}});
  it.joint("ball", "joint",
           {{"a", std::string("link-2")},
            {"b", std::string("link-1")},
            {"anchor", Vec3(0.1 * along)},
            {"repeat", std::int64_t{links - 1}},
            {"repeat_step", Vec3(0.1 * along)}});
  return it;
}

TEST(Joints, AChainOfFiftyLinksHangsWithoutStretchUnderAHundredTimesTheirMass) {
  Jointed it = chain_of_balls(50, 10, Vec3(0, -1, 0));
  it.start();
  it.run(3);
  expect_case("rigid", "chain of 50 links, the last 100 times as heavy: force at its top", it.mark("top").force_n,
              (49 * 0.1 + 10) * earth_gravity, 1e-6, "N");
  EXPECT_NEAR(it.rows().position[49].y(), -4.95, 1e-6);
  EXPECT_LT(it.widest_gap(), 1e-6);
}

TEST(JointsValidation, AChainOfFiftyLinksSwingsWithoutStretchUnderAHundredTimesTheirMass) {
  Jointed it = chain_of_balls(50, 10, Vec3(1, 0, 0));
  it.start();
  const double start = it.energy(), scale = 10 * earth_gravity * 5;
  double widest = 0;
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(it.world->step());
    widest = std::max(widest, it.widest_gap());
    ASSERT_LT(it.energy(), start + 0.01 * scale) << i;
  }
  record_case("rigid", "chain of 50 links with a hundredfold end let go level: widest gap in 2.5 s", widest, 0, 1e-4,
              "m");
  EXPECT_LT(widest, 1e-6);
  EXPECT_LT((start - it.energy()) / scale, 0.05);
}

TEST(JointsValidation, AHingeDoesNotDriftInAMinute) {
  Jointed it = double_pendulum();
  it.start();
  double widest = 0;
  for (int i = 0; i < 60 * 120; ++i) {
    ASSERT_TRUE(it.world->step());
    if (i % 12 == 0) widest = std::max(widest, it.widest_gap());
  }
  // The requirement is 1 mm. Snapshots store positions in float, so the tolerance is 1e-6 m.
  expect_case("rigid", "hinges of a double pendulum, 60 s: drift", widest, 0, 1e-6, "m");
}

TEST(Joints, ALoopOfFourHingesShutsAndSharesItsLoad) {
  Jointed it;
  const auto bar = [&](const char* name, const Vec3& at, const Vec3& size) {
    it.body("box", name, {{"size", size}, {"position", at}, {"mass", 1.0}});
  };
  const auto hinge = [&](const char* name, const char* a, const char* b, const Vec3& at) {
    it.joint("hinge", name, {{"a", std::string(a)}, {"b", std::string(b)}, {"anchor", at}});
  };
  bar("left", Vec3(0, -0.5, 0), Vec3(0.05, 1, 0.05)), bar("right", Vec3(1, -0.5, 0), Vec3(0.05, 1, 0.05)),
      bar("deck", Vec3(0.5, -1, 0), Vec3(1, 0.05, 0.05));
  set(it.scene, "system.things.body.deck.velocity", Vec3(0.7, 0, 0));
  hinge("h1", "left", "", Vec3(0, 0, 0)), hinge("h2", "right", "", Vec3(1, 0, 0));
  hinge("h3", "deck", "left", Vec3(0, -1, 0)), hinge("h4", "deck", "right", Vec3(1, -1, 0));
  it.start();
  ASSERT_TRUE(it.world->step());
  const double start = it.energy();
  for (int i = 0; i < 600; ++i) {
    ASSERT_TRUE(it.world->step());
    // The reported energy oscillates slightly, because reported velocities are half a substep older than positions.
    ASSERT_NEAR(it.energy(), start, 0.02) << i;
    ASSERT_NEAR(it.mark("h1").force_n, it.mark("h2").force_n, 1) << "near alike";
  }
  EXPECT_LT(it.widest_gap(), 1e-6);
}

TEST(Joints, WhatIsHeldTwiceSharesItsLoadAndWhatCannotBeHeldDoesNotBlowUp) {
  Jointed twice;
  twice.body("box", "shelf", {{"size", Vec3(1, 0.05, 0.05)}, {"position", Vec3(0.5, 0, 0)}, {"mass", 1.0}});
  for (const char* name : {"one", "two"}) twice.joint("fixed", name, {{"a", std::string("shelf")}});
  twice.start();
  twice.run(2);
  EXPECT_NEAR(twice.mark("one").force_n, 0.5 * earth_gravity, 1e-6);
  EXPECT_NEAR(twice.mark("two").torque_nm, 0.25 * earth_gravity, 1e-6);

  Jointed torn;  // two rods of different lengths join the same two points
  torn.body("box", "bar", {{"position", Vec3(0.5, 0, 0)}, {"mass", 1.0}});
  torn.joint("distance", "short", {{"a", std::string("bar")}, {"anchor", Vec3(0.5, 0, 0)}});
  torn.joint("distance", "long", {{"a", std::string("bar")}, {"anchor", Vec3(0.5, 0, 0)}, {"length", 0.7}});
  torn.start();
  torn.run(5);
  EXPECT_LT(torn.rows().velocity[0].norm(), 20);
  EXPECT_LT(torn.rows().position[0].norm(), 1);
}

TEST(Joints, AJointBreaksUnderMoreThanItBears) {
  for (const double bears : {15.0, 25.0}) {
    Jointed it;
    it.body("box", "load", {{"mass", 2.0}, {"position", Vec3(0, -0.1, 0)}});
    it.joint("ball", "hook", {{"a", std::string("load")}, {"break_force", bears}});
    it.start();
    it.run(1);
    EXPECT_EQ(it.mark("hook").broken, bears < 2 * earth_gravity);
    EXPECT_EQ(it.rows().position[0].y() < -1, bears < 2 * earth_gravity);
    if (it.mark("hook").broken) {
      EXPECT_NEAR(it.rows().position[0].y(), -0.1 - 0.5 * earth_gravity, 0.15) << "it falls freely";
    }
  }
}

TEST(Joints, TheSubstepFollowsAnEditOfAMassAndASavedStateKeepsIt) {
  const auto hanging = [](double link_kg) {
    Jointed it;
    it.body("box", "link", {{"size", Vec3(0.1, 0.1, 0.1)}, {"position", Vec3(0, -0.05, 0)}, {"mass", link_kg}});
    it.body("box", "load", {{"size", Vec3(0.1, 0.1, 0.1)}, {"position", Vec3(0, -0.15, 0)}, {"mass", 10.0}});
    it.joint("ball", "top", {{"a", std::string("link")}});
    it.joint("ball", "low", {{"a", std::string("load")}, {"b", std::string("link")}, {"anchor", Vec3(0, -0.1, 0)}});
    it.start();
    return it;
  };
  Jointed edited = hanging(1), lighter = hanging(0.1);
  edited.run(0.1);
  const double before = edited.world->system(0).stable_dt(0);
  ASSERT_TRUE(edited.world->apply(SetParameter{"system.things.body.link.mass", 0.1}));
  const double after = edited.world->system(0).stable_dt(0);
  EXPECT_LT(after, 0.9 * before) << "a lighter link under the same tension swings faster";
  StateBlock block;
  StateWriter writer(block);
  edited.world->system(0).visit_state(writer);
  for (Jointed* it : {&edited, &lighter}) {
    StateReader reader(block);
    it->world->system(0).visit_state(reader);
    ASSERT_TRUE(reader.error().empty()) << reader.error();
    it->world->system(0).state_restored();
    EXPECT_EQ(it->world->system(0).stable_dt(0), after);
  }
}

TEST(Joints, JoinedBodiesMeetOnlyWhereTheyShould) {
  for (const bool meet : {false, true}) {
    Jointed it;
    it.weightless();
    // Two boxes overlap by a quarter of their length along their common axis.
    it.body("box", "one", {{"size", Vec3(0.4, 0.1, 0.1)}, {"angular_velocity", Vec3(0, 0, 1)}});
    it.body("box", "two", {{"size", Vec3(0.4, 0.1, 0.1)}, {"position", Vec3(0.3, 0, 0)}});
    it.joint("hinge", "axle",
             {{"a", std::string("one")}, {"b", std::string("two")}, {"anchor", Vec3(0.15, 0, 0)}, {"collide", meet}});
    it.start();
    it.run(1);
    EXPECT_EQ(std::abs(it.mark("axle").reading) > 0.3, !meet) << it.mark("axle").reading;
  }
}

TEST(Joints, AChainComesToRestOnTheGroundAndSleeps) {
  Jointed it = chain_of_balls(10, 0.1, Vec3(1, 0, 0));
  for (Node& child : it.scene.children)
    if (child.name == "things")
      child.children.erase(
          std::remove_if(child.children.begin(), child.children.end(), [](const Node& n) { return n.name == "top"; }),
          child.children.end());
  add_child(it.scene, "collider", "plane", "ground");
  set(it.scene, "collider.ground.position", Vec3(0, -0.5, 0));
  set(it.scene, "system.things.body.link-3.velocity", Vec3(0, 1, 1));
  it.start();
  it.run(6);
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_GT(it.rows().position[i].y(), -0.491) << i;
    EXPECT_LT(it.rows().position[i].y(), -0.44) << i << ": links that lie on links";
  }
  EXPECT_LT(it.now().kinetic, 1e-9);
  EXPECT_LT(it.widest_gap(), 1e-5);
  SystemSnapshot out;
  it.world->system(0).snapshot(out);
  EXPECT_EQ(out.asleep.size(), 10U);
}

TEST(Joints, ACheckpointAndAReplayGiveTheSameBits) {
  const auto make = [] {
    Jointed it = double_pendulum();
    set(it.scene, "system.things.joint.elbow.motor", std::string("speed"));
    set(it.scene, "system.things.joint.elbow.motor_most", 0.5);
    set(it.scene, "system.things.joint.top.break_force", 14.0);
    it.start();
    return it;
  };
  Jointed one = make(), two = make();
  one.run(1);
  StateBlock block;
  StateWriter writer(block);
  one.world->system(0).visit_state(writer);
  StateReader reader(block);
  two.world->system(0).visit_state(reader);
  ASSERT_TRUE(reader.error().empty()) << reader.error();
  ASSERT_EQ(two.world->system(0).state_problem(), "");
  two.world->system(0).state_restored();
  one.run(2), two.run(2);
  EXPECT_TRUE(one.mark("top").broken) << "it breaks as it swings down";
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(one.rows().position[i], two.rows().position[i]);
    EXPECT_EQ(one.rows().angular_velocity[i], two.rows().angular_velocity[i]);
  }
}

TEST(Joints, AStateInWhichOneOfTwoJointedBodiesSleepsDoesNoHarm) {
  Jointed it;
  add_child(it.scene, "collider", "plane", "ground");
  it.body("box", "first", {{"size", Vec3(0.2, 0.2, 0.2)}, {"position", Vec3(0, 0.1, 0)}});
  it.body("box", "second", {{"size", Vec3(0.2, 0.2, 0.2)}, {"position", Vec3(0.3, 0.1, 0)}});
  it.joint("ball", "rod", {{"a", std::string("second")}, {"b", std::string("first")}, {"anchor", Vec3(0.15, 0.1, 0)}});
  it.start();
  it.run(0.1);
  StateBlock block;
  it.world->save_state(block);
  for (const StateBlock::Entry& entry : block.entries)
    if (entry.name == "system.things.asleep") block.bytes[entry.offset] = std::byte{1};
  ASSERT_TRUE(it.world->load_state(block));
  it.run(0.1);
  EXPECT_TRUE(it.rows().position[1].allFinite());
}

TEST(Joints, ExchangedLimitsAndNoLengthStayUsableInACheckpointAndAfterAReset) {
  Jointed it = double_pendulum();
  const std::string joint = "system.things.joint.";
  set(it.scene, joint + "elbow.limits", true), set(it.scene, joint + "elbow.lower", -1.0);
  set(it.scene, joint + "elbow.upper", 2.0);
  it.joint("rope", "rope", {{"a", std::string("upper")}, {"length", 0.5}});
  it.start();
  it.run(0.1);
  EXPECT_TRUE(it.world->notes().empty());
  ASSERT_TRUE(it.world->apply(SetParameter{joint + "elbow.lower", 1.0}));
  ASSERT_TRUE(it.world->apply(SetParameter{joint + "elbow.upper", -1.0}));
  ASSERT_TRUE(it.world->apply(SetParameter{joint + "rope.length", 0.0}));
  it.run(0.1);
  const auto kept = checkpoint_from_bytes(checkpoint_bytes(*it.world, ""), "kept");
  ASSERT_TRUE(kept) << kept.error().message();
  const auto resumed = resume_world(it.scene, *kept);
  ASSERT_TRUE(resumed) << resumed.error().message();
  EXPECT_EQ((*resumed)->hash(), it.world->hash());
  for (int i = 0; i < 12; ++i) ASSERT_TRUE((*resumed)->step());
  it.run(0.1);
  EXPECT_EQ((*resumed)->hash(), it.world->hash());
  ASSERT_TRUE(it.world->apply(Reset{}));
  it.run(0.1);
  ASSERT_EQ(it.world->notes().size(), 1U);
  EXPECT_EQ(it.world->notes()[0],
            "things.joint.rope: the joint starts with the length 0, because length is 0, and anchor and anchor_b are "
            "the same point. Set length or move an anchor");
}

std::string refused(const std::function<void(Jointed&)>& change) {
  Jointed it = double_pendulum();
  change(it);
  const auto world = World::create(it.scene);
  return world ? "" : world.error().message();
}

TEST(Joints, MistakesAreToldInASentence) {
  const std::string elbow = "system.things.joint.elbow.";
  const auto with = [&](const std::string& key, const Value& value) {
    return refused([&](Jointed& it) { set(it.scene, elbow + key, value); });
  };
  EXPECT_EQ(with("b", std::string("uper")),
            "system.things.joint.elbow.b = \"uper\": must name a body of things (did you mean \"upper\"?)");
  EXPECT_EQ(with("a", std::string()), "system.things.joint.elbow.a = \"\": must name a body of things");
  EXPECT_EQ(with("b", std::string("lower")),
            "system.things.joint.elbow.b = \"lower\": must name a body other than that of `a`");
  EXPECT_EQ(with("axis", Vec3(0, 0, 0)), "system.things.joint.elbow.axis = [0.0, 0.0, 0.0]: must not be zero");
  EXPECT_EQ(with("repeat", std::int64_t{3}),
            "system.things.joint.elbow.repeat = 3: must be 1 if neither a nor b ends in a number");
  Jointed it = double_pendulum();
  it.joint("rope", "rope", {{"a", std::string("upper")}});
  EXPECT_FALSE(set_parameter(it.scene, "system.things.joint.rope.length", Value(-1.0)));
}

}  // namespace
}  // namespace vw
