// Undamped joints conserve energy at the default step for different loads, and oscillate with the exact period.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <utility>

#include "tests/rigid/jointed.h"
#include "tests/support/validation.h"

namespace vw {
using test::expect_case;
using test::Jointed;
using test::set;
namespace {

/// Largest loss and largest gain of energy since the start, as fractions of the largest kinetic energy.
struct EnergyRange {
  double lost = 0, gained = 0;
};

EnergyRange energy_range(Jointed& it, double seconds) {
  set(it.scene, "system.things.sleep", false);
  it.start();
  const double start = it.energy();
  double least = start, most = start, kinetic = 0;
  for (int i = 0; i < static_cast<int>(std::lround(seconds * 120)); ++i) {
    EXPECT_TRUE(it.world->step()) << it.world->health().sentence();
    const double now = it.energy();
    least = std::min(least, now), most = std::max(most, now), kinetic = std::max(kinetic, it.now().kinetic);
  }
  return {(start - least) / kinetic, (most - start) / kinetic};
}

void expect_kept(const std::string& what, Jointed& it, double seconds, double tolerance) {
  const EnergyRange range = energy_range(it, seconds);
  const std::string name = what + ", " + std::to_string(static_cast<int>(seconds)) + " s at the default step: energy ";
  expect_case("rigid", name + "lost", range.lost, 0, tolerance);
  expect_case("rigid", name + "gained", range.gained, 0, 2e-3);
}

/// Returns a ball on an arm that is released in a horizontal position.
Jointed pendulum(const std::string& kind, double arm, double radius) {
  Jointed it;
  it.body("sphere", "bob", {{"radius", radius}, {"position", Vec3(arm, 0, 0)}});
  const bool is_line = kind == "distance" || kind == "rope";
  it.joint(kind, "pivot", {{"a", std::string("bob")}, {"anchor", Vec3(is_line ? arm : 0, 0, 0)}});
  return it;
}

/// Returns a chain of links of 0.1 m and 0.1 kg that is released in a horizontal position. The last link has the mass
/// `last_kg`. The links move in different parallel planes, so they can pass each other.
Jointed chain_of_hinges(int links, double thick, double last_kg) {
  Jointed it;
  const Vec3 step(0.1, 0, 0.03);
  for (int k = 0; k < links; ++k)
    it.body("box", "link-" + std::to_string(k + 1),
            {{"size", Vec3(0.08, thick, thick)},
             {"position", Vec3(0.05, 0, 0) + k * step},
             {"mass", k + 1 == links ? last_kg : 0.1}});
  it.joint("hinge", "top", {{"a", std::string("link-1")}});
  it.joint("hinge", "joint",
           {{"a", std::string("link-2")},
            {"b", std::string("link-1")},
            {"anchor", step},
            {"repeat", std::int64_t{links - 1}},
            {"repeat_step", step}});
  return it;
}

/// Returns a ball that hangs by a hinge from a carriage on a rail.
Jointed car_with_a_ball() {
  Jointed it;
  it.body("box", "car", {{"size", Vec3(1, 0.05, 0.05)}});
  it.body("sphere", "bob", {{"radius", 0.1}, {"position", Vec3(0.6, -0.5, 0)}});
  it.joint("slider", "rail", {{"a", std::string("car")}, {"axis", Vec3(1, 0, 0)}});
  it.joint("hinge", "hook", {{"a", std::string("bob")}, {"b", std::string("car")}});
  return it;
}

/// Returns a ball that is fixed to a swinging arm.
Jointed hammer() {
  Jointed it;
  it.body("box", "handle", {{"size", Vec3(0.5, 0.05, 0.05)}, {"position", Vec3(0.25, 0, 0)}});
  it.body("sphere", "head", {{"radius", 0.1}, {"position", Vec3(0.6, 0, 0)}});
  it.joint("hinge", "pivot", {{"a", std::string("handle")}});
  it.joint("fixed", "weld", {{"a", std::string("head")}, {"b", std::string("handle")}, {"anchor", Vec3(0.5, 0, 0)}});
  return it;
}

TEST(JointEnergy, PendulumsKeepItAtTheDefaultStep) {
  for (const std::string kind : {"hinge", "ball", "distance", "rope"}) {
    Jointed it = pendulum(kind, 1, 0.05);
    expect_kept("pendulum on a " + kind, it, 10, 5e-4);
  }
}

TEST(JointEnergy, SlidersAndFixedJointsKeepItAtTheDefaultStep) {
  Jointed car = car_with_a_ball();
  expect_kept("ball under a car on a slider", car, 10, 1e-3);
  Jointed both = hammer();
  expect_kept("ball fixed to an arm on a hinge", both, 10, 1e-3);
}

TEST(JointEnergy, AChainOfTwoKeepsItAtTheDefaultStep) {
  Jointed it = chain_of_hinges(2, 0.02, 0.1);
  expect_kept("chain of 2 links", it, 10, 5e-3);
}

TEST(JointEnergy, ItIsKeptWhateverSizeAndMass) {
  for (const double size : {0.02, 20.0}) {
    Jointed it = pendulum("hinge", size, 0.1 * size);
    const EnergyRange range = energy_range(it, 10);
    EXPECT_LT(range.lost, 2e-3) << size;
    EXPECT_LT(range.gained, 2e-3) << size;
  }
}

TEST(JointEnergyValidation, JointsKeepItForAMinute) {
  for (const std::string kind : {"hinge", "ball"}) {
    Jointed it = pendulum(kind, 1, 0.05);
    expect_kept("pendulum on a " + kind, it, 60, 5e-3);
  }
  Jointed car = car_with_a_ball();
  expect_kept("ball under a car on a slider", car, 60, 5e-3);
  Jointed both = hammer();
  expect_kept("ball fixed to an arm on a hinge", both, 60, 5e-3);
  Jointed two = chain_of_hinges(2, 0.02, 0.1);
  expect_kept("chain of 2 links", two, 60, 5e-3);
}

TEST(JointEnergyValidation, AChainOfTenKeepsIt) {
  Jointed it = chain_of_hinges(10, 0.02, 0.1);
  expect_kept("chain of 10 links", it, 10, 0.02);
  Jointed heavy = chain_of_hinges(10, 0.02, 2);
  expect_kept("chain of 10 links, the last 20 times as heavy", heavy, 10, 0.02);
}

/// Returns the complete elliptic integral of the first kind by the arithmetic-geometric mean.
double elliptic_k(double k) {
  double a = 1, b = std::sqrt(1 - k * k);
  for (int i = 0; i < 8; ++i) std::tie(a, b) = std::pair(0.5 * (a + b), std::sqrt(a * b));
  return pi / (2 * a);
}

TEST(JointEnergy, LargeSwingsTakeTheTimeOfTheEllipticIntegral) {
  // Substeps dt = 1/240 s shorten the period by a relative amount of up to (w dt)^2 / 8 = 4e-5 with the energy
  // correction, and of (w dt)^2 / 24 without it (w: angular frequency).
  constexpr double radius = 0.05;
  for (const double degrees : {30.0, 90.0, 150.0}) {
    const double amplitude = degrees * pi / 180;
    Jointed it;
    it.body("sphere", "bob", {{"radius", radius}, {"position", Vec3(std::sin(amplitude), -std::cos(amplitude), 0)}});
    it.joint("hinge", "pivot", {{"a", std::string("bob")}});
    it.start();
    double last_x = 1, first = -1, last = -1;
    int count = 0;
    for (int i = 0; i < 20 * 120; ++i) {
      ASSERT_TRUE(it.world->step());
      const double x = it.rows().position[0].x();
      if (last_x > 0 && x <= 0) {
        const double at = it.world->time() - x / (x - last_x) / 120;
        if (first < 0)
          first = at;
        else
          last = at, ++count;
      }
      last_x = x;
    }
    const double expected =
        4 * std::sqrt((1 + 0.4 * radius * radius) / earth_gravity) * elliptic_k(std::sin(amplitude / 2));
    expect_case("rigid", "period of a swing of " + std::to_string(static_cast<int>(degrees)) + " degrees",
                (last - first) / count, expected, 1e-4, "s");
  }
}

}  // namespace
}  // namespace vw
