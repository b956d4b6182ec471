// Impacts through several bodies: Newton's cradle with different suspensions, gaps and masses.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "tests/rigid/jointed.h"
#include "tests/support/packaged.h"
#include "tests/support/scratch.h"
#include "tests/support/validation.h"

namespace vw {
using test::expect_case;
using test::Jointed;
using test::set;
namespace {

constexpr double ball_radius = 0.05;

/// Balls of restitution 1 that hang side by side on arms of 1 m. The first `lifted` balls are released at 30 degrees.
struct Cradle {
  std::string suspension = "ball";
  int balls = 5, lifted = 1;
  double gap = 0;
};

Jointed cradle(const Cradle& it) {
  Jointed made;
  const double tilt = pi / 6;
  for (int k = 0; k < it.balls; ++k) {
    const std::string name = "ball-" + std::to_string(k + 1);
    const Vec3 pivot(k * (2 * ball_radius + it.gap), 1, 0);
    const Vec3 at = k < it.lifted ? Vec3(pivot - Vec3(std::sin(tilt), std::cos(tilt), 0)) : Vec3(pivot - Vec3(0, 1, 0));
    made.body("sphere", name,
              {{"radius", ball_radius},
               {"position", at},
               {"mass", 1.0},
               {"restitution", 1.0},
               {"mu_static", 0.0},
               {"mu_dynamic", 0.0}});
    const bool is_line = it.suspension == "distance" || it.suspension == "rope";
    made.joint(it.suspension, "arm-" + std::to_string(k + 1), {{"a", name}, {"anchor", is_line ? at : pivot}});
    if (is_line) set(made.scene, "system.things.joint.arm-" + std::to_string(k + 1) + ".anchor_b", pivot);
  }
  set(made.scene, "system.things.sleep", false);
  made.start();
  return made;
}

double angle(const Jointed& it, int ball, double gap) {
  const Vec3 at = it.rows().position[static_cast<std::size_t>(ball)] - Vec3(ball * (2 * ball_radius + gap), 1, 0);
  return std::atan2(at.x(), -at.y()) * 180 / pi;
}

TEST(Impacts, TheLastBallOfACradleRisesAsHighAsTheFirstFell) {
  for (const std::string suspension : {"ball", "hinge", "distance", "rope"}) {
    Jointed it = cradle({suspension});
    double last = 0, middle = 0;
    for (int i = 0; i < 130; ++i) {
      ASSERT_TRUE(it.world->step());
      last = std::max(last, angle(it, 4, 0));
      middle = std::max(middle, std::abs(angle(it, 2, 0)));
    }
    expect_case("rigid", "Newton's cradle on " + suspension + "s, touching: first swing of the last ball", last, 30,
                0.5 / 30, "degrees");
    EXPECT_LT(middle, 1) << suspension;
  }
}

TEST(Impacts, TwoSolidsOfAnyShapeThatHitEachOtherKeepTheirEnergy) {
  // If a second contact point is reached after the first has bounced, the second must bounce too. If the second only
  // stopped, cylinders would lose up to 46 % and tetrahedra up to 45 % of their energy. If the sweeps of the solver did
  // not converge, the four points of a contact patch would gain 1 % of energy.
  const test::Scratch scratch;
  const std::string tetrahedron =
      scratch.write("tetrahedron.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  for (const std::string kind : {"box", "capsule", "cylinder", "mesh"})
    for (unsigned seed = 0; seed < 40; ++seed) {
      std::mt19937 bits(seed);
      const auto vector = [&](double size) {
        const auto number = [&] { return size * (static_cast<double>(bits()) / 2147483648.0 - 1); };
        const double x = number(), y = number();
        return Vec3(x, y, number());
      };
      Jointed it;
      for (const double side : {-1.0, 1.0}) {
        const std::string name = side < 0 ? "left" : "right";
        it.body(kind, name,
                {{"position", Vec3(0.2 * side, 0, 0)},
                 {"velocity", Vec3(-side, 0, 0)},
                 {"restitution", 1.0},
                 {"mu_static", 0.0},
                 {"mu_dynamic", 0.0}});
        const std::string path = "system.things.body." + name + '.';
        set(it.scene, path + "rotation", vector(3)), set(it.scene, path + "angular_velocity", vector(5));
        if (kind == "box") set(it.scene, path + "size", Vec3(0.15, 0.1, 0.12));
        if (kind == "capsule" || kind == "cylinder")
          set(it.scene, path + "radius", 0.05), set(it.scene, path + "length", 0.15);
        if (kind == "mesh") set(it.scene, path + "source", tetrahedron), set(it.scene, path + "scale", 0.2);
      }
      it.weightless();
      set(it.scene, "system.things.sleep", false);
      it.start();
      const double start = it.energy();
      it.run(0.4);
      EXPECT_NEAR(it.energy(), start, 1e-3 * start) << kind << ' ' << seed;
    }
}

TEST(Impacts, APendulumThatBouncesOffTheGroundKeepsItsEnergy) {
  // Velocities and positions are half a substep apart. A bounce that ignored this would add energy: the pendulum would
  // gain a third of its largest kinetic energy in 20 s.
  for (const std::string suspension : {"ball", "hinge", "distance", "rope"})
    for (const double friction : {0.0, 0.5}) {
      Jointed it;
      const Vec3 at(1, 0, 0);
      it.body(
          "sphere", "bob",
          {{"radius", 0.1}, {"position", at}, {"restitution", 1.0}, {"mu_static", friction}, {"mu_dynamic", friction}});
      const bool is_line = suspension == "distance" || suspension == "rope";
      it.joint(suspension, "arm", {{"a", std::string("bob")}, {"anchor", is_line ? at : Vec3(0, 0, 0)}});
      if (is_line) set(it.scene, "system.things.joint.arm.anchor_b", Vec3(0, 0, 0));
      Node& ground = add_child(it.scene, "collider", "plane", "ground");
      ground.set("position", Vec3(0, -0.5, 0));
      ground.set("restitution", 1.0);
      ground.set("mu_static", friction), ground.set("mu_dynamic", friction);
      set(it.scene, "system.things.sleep", false);
      it.start();
      const double start = it.energy();
      double most = start, kinetic = 0;
      for (int i = 0; i < 2400; ++i) {
        ASSERT_TRUE(it.world->step());
        most = std::max(most, it.energy()), kinetic = std::max(kinetic, it.now().kinetic);
      }
      EXPECT_LT(most - start, 1e-3 * kinetic) << suspension << ", friction " << friction;
      if (friction == 0 && suspension != "rope") {  // a rope that becomes taut dissipates energy
        EXPECT_GT(it.energy() - start, -5e-3 * kinetic) << suspension;
      }
    }
}

TEST(Impacts, ACradleKeepsItsEnergy) {
  for (const double gap : {0.0, 0.001}) {
    Jointed it = cradle({"ball", 5, 1, gap});
    const double start = it.energy(), scale = 9.81 * (1 - std::cos(pi / 6));
    double most = start, least = start;
    for (int i = 0; i < 1200; ++i) {
      ASSERT_TRUE(it.world->step());
      most = std::max(most, it.energy()), least = std::min(least, it.energy());
    }
    const std::string name =
        "Newton's cradle, gaps of " + std::to_string(static_cast<int>(1000 * gap)) + " mm, 10 s: energy ";
    expect_case("rigid", name + "lost", (start - least) / scale, 0, 0.02);
    expect_case("rigid", name + "gained", (most - start) / scale, 0, 0.02);
  }
}

TEST(Impacts, TwoBallsLiftTwo) {
  Jointed it = cradle({"distance", 5, 2, 0});
  double fourth = 0, third = 0;
  for (int i = 0; i < 130; ++i) {
    ASSERT_TRUE(it.world->step());
    fourth = std::max(fourth, angle(it, 3, 0)), third = std::max(third, angle(it, 2, 0));
  }
  EXPECT_NEAR(fourth, 30, 0.5);
  EXPECT_LT(third, 1);
}

/// Six balls of different mass lie in a line, and the first one hits the others. The sequence of impacts must conserve
/// momentum and energy.
TEST(Impacts, UnequalMassesInALineKeepMomentumAndEnergy) {
  Jointed it;
  it.weightless();
  const auto mass = std::to_array<double>({2, 0.3, 1, 0.5, 3, 0.2});
  for (std::size_t k = 0; k < mass.size(); ++k)
    it.body("sphere", "ball-" + std::to_string(k + 1),
            {{"radius", ball_radius},
             {"mass", mass[k]},
             {"position", Vec3(2 * ball_radius * static_cast<double>(k) - (k == 0 ? 0.3 : 0), 0, 0)},
             {"velocity", Vec3(k == 0 ? 1 : 0, 0, 0)},
             {"restitution", 1.0},
             {"mu_static", 0.0},
             {"mu_dynamic", 0.0}});
  it.start();
  const Diagnostics before = it.now();
  it.run(1);
  const Diagnostics after = it.now();
  EXPECT_NEAR(after.momentum.x(), before.momentum.x(), 1e-12);
  EXPECT_NEAR(after.kinetic, before.kinetic, 1e-6 * before.kinetic);
  for (std::size_t k = 1; k < mass.size(); ++k)
    EXPECT_GE(it.rows().velocity[k].x(), it.rows().velocity[k - 1].x() - 1e-9) << "none goes through another";
}

/// A chain of lossless rods starts deep inside the material around a hollow that is thinner than its rods. Each stage
/// of impacts causes the next one, and none converges. Without a bound on the work of a substep, these steps would take
/// several minutes.
TEST(Impacts, ALosslessChainInANarrowHollowTakesABoundedNumberOfUpdates) {
  Node scene = test::packaged_scene("lab-chain");
  set(scene, "collider.floor.solid", std::string("around"));
  const auto world = test::world_of(scene);
  const double before = world->diagnostics(0).kinetic;
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(world->step()) << world->health().sentence();
  const Diagnostics after = world->diagnostics(0);
  EXPECT_TRUE(std::isfinite(after.kinetic));
  EXPECT_LT(after.kinetic, 1.01 * before) << "impacts add no energy";
}

}  // namespace
}  // namespace vw
