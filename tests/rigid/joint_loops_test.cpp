// Closed loops of joints and contradictory joints: no scene may gain energy or spin without limit.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "tests/rigid/jointed.h"

namespace vw {
using test::Jointed;
using test::set;
namespace {

/// Runs for `seconds` and expects that the energy never exceeds the initial energy plus `given` [J].
void expect_no_gain(Jointed& it, double seconds, double given) {
  it.start();
  const double start = it.energy();
  double most = start;
  for (int i = 0, n = static_cast<int>(std::lround(seconds * 120)); i < n; ++i) {
    ASSERT_TRUE(it.world->step()) << it.world->health().sentence();
    most = std::max(most, it.energy());
  }
  EXPECT_LE(most - start, given);
}

TEST(JointLoops, ABallIntoANetOfRopesGainsNothing) {
  constexpr int n = 4;
  constexpr double wide = 0.1;
  Jointed it;
  const auto name = [](int i, int j) { return "n" + std::to_string(i) + '-' + std::to_string(j); };
  const auto place = [&](int i, int j) { return Vec3((i - 1.5) * wide, 1, (j - 1.5) * wide); };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      it.body("sphere", name(i, j), {{"radius", 0.03}, {"position", place(i, j)}, {"density", 1000.0}});
  const auto rope = [&](int i, int j, int k, int l) {
    it.joint("rope", name(i, j) + name(k, l),
             {{"a", name(i, j)}, {"b", name(k, l)}, {"anchor", place(i, j)}, {"anchor_b", place(k, l)}});
  };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j + 1 < n; ++j) rope(i, j, i, j + 1), rope(j, i, j + 1, i);
  for (const int i : {0, n - 1})
    for (const int j : {0, n - 1}) it.joint("ball", "held" + name(i, j), {{"a", name(i, j)}, {"anchor", place(i, j)}});
  it.body("sphere", "ball", {{"radius", 0.12}, {"position", Vec3(0, 1.3, 0)}, {"mass", 20.0}});
  expect_no_gain(it, 2, 0.5);
  for (const Vec3& velocity : it.rows().velocity)
    EXPECT_LT(velocity.norm(), 2 * 9.81) << "no faster than what falls for 2 s";
}

TEST(JointLoops, AClosedLoopOfRopesHangsOnItsNail) {
  Jointed it;
  constexpr int n = 8;
  const auto place = [](int i) { return Vec3(0.3 * std::sin(2 * pi * i / n), 1 + 0.3 * std::cos(2 * pi * i / n), 0); };
  for (int i = 0; i < n; ++i) it.body("sphere", "b" + std::to_string(i), {{"radius", 0.03}, {"position", place(i)}});
  for (int i = 0; i < n; ++i)
    it.joint("rope", "r" + std::to_string(i),
             {{"a", "b" + std::to_string(i)},
              {"b", "b" + std::to_string((i + 1) % n)},
              {"anchor", place(i)},
              {"anchor_b", place(i + 1)}});
  it.joint("ball", "nail", {{"a", std::string("b0")}, {"anchor", place(0)}});
  expect_no_gain(it, 4, 0.02);
  EXPECT_NEAR(it.mark("nail").force_n, 9.81 * it.now().mass, 9.81 * it.now().mass) << "it swings little";
  const double link = (place(1) - place(0)).norm();
  for (int i = 0; i < n; ++i)
    EXPECT_LT(
        (it.rows().position[static_cast<std::size_t>(i)] - it.rows().position[static_cast<std::size_t>((i + 1) % n)])
            .norm(),
        1.02 * link);
}

TEST(JointLoops, WhatContradictsItselfStandsStill) {
  Jointed it;
  for (const auto& [name, x] : {std::pair("a", 0.0), std::pair("b", 0.3)})
    it.body("box", name, {{"size", Vec3(0.1, 0.1, 0.1)}, {"position", Vec3(x, 1, 0)}});
  const std::string a = "a", b = "b";
  it.joint("fixed", "f1", {{"a", a}, {"anchor", Vec3(0, 1, 0)}});
  it.joint("fixed", "f2", {{"a", a}, {"b", b}, {"anchor", Vec3(0.15, 1, 0)}});
  it.joint("fixed", "f3", {{"a", b}, {"anchor", Vec3(0.3, 1, 0)}});
  it.joint("hinge", "h",
           {{"a", a},
            {"b", b},
            {"anchor", Vec3(0.1, 1, 0)},
            {"motor", std::string("speed")},
            {"motor_speed", 5.0},
            {"motor_most", 1e6}});
  it.joint("distance", "d",
           {{"a", a}, {"b", b}, {"anchor", Vec3(0, 1, 0)}, {"anchor_b", Vec3(0.3, 1, 0)}, {"length", 1.0}});
  it.joint("slider", "s", {{"a", b}, {"anchor", Vec3(0.3, 1, 0)}, {"limits", true}, {"lower", 0.5}, {"upper", 1.0}});
  it.start();
  it.run(2);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_LT(it.rows().velocity[i].norm(), 0.1);
    EXPECT_LT((it.rows().position[i] - Vec3(0, 1, 0)).norm(), 2);
  }
}

TEST(JointLoops, AMotorAgainstADeadPointOfFourBarsGivesNoMoreThanItsWork) {
  Jointed it;
  it.body("box", "crank", {{"size", Vec3(0.2, 0.03, 0.03)}, {"position", Vec3(0.1, 1, 0)}});
  it.body("box", "rod", {{"size", Vec3(0.5, 0.03, 0.03)}, {"position", Vec3(0.45, 1, 0)}});
  it.body("box", "rocker", {{"size", Vec3(0.03, 0.4, 0.03)}, {"position", Vec3(0.7, 0.8, 0)}});
  const auto hinge = [&](const char* name, const char* a, const char* b, const Vec3& at) {
    it.joint("hinge", name, {{"a", std::string(a)}, {"b", std::string(b)}, {"anchor", at}});
  };
  hinge("h1", "crank", "", Vec3(0, 1, 0)), hinge("h2", "crank", "rod", Vec3(0.2, 1, 0));
  hinge("h3", "rod", "rocker", Vec3(0.7, 1, 0)), hinge("h4", "rocker", "", Vec3(0.7, 0.6, 0));
  for (const auto& [key, value] :
       {std::pair<const char*, Value>("motor", std::string("speed")), {"motor_speed", 3.0}, {"motor_most", 100.0}})
    set(it.scene, std::string("system.things.joint.h1.") + key, value);
  expect_no_gain(it, 3, 10);  // lifting the bars and turning the crank at 3 rad/s takes 2 J
  EXPECT_LT(it.widest_gap(), 0.01);
}

/// Adds a few bodies with random joints on lever arms of about 1 m. Returns the energy that motors may add [J].
double make_random(Jointed& it, unsigned seed, double seconds) {
  std::mt19937 bits(seed);
  const auto number = [&](double a, double b) { return a + (b - a) * (static_cast<double>(bits()) / 4294967296.0); };
  const auto vector = [&](double size) {
    const double x = number(-size, size), y = number(-size, size);
    return Vec3(x, y, number(-size, size));
  };
  constexpr auto kinds = std::to_array<const char*>({"ball", "distance", "fixed", "hinge", "rope", "slider"});
  const std::size_t bodies = 2 + bits() % 6, joints = 1 + bits() % 9;
  double given = 0;
  for (std::size_t k = 0; k < bodies; ++k) {
    const std::string name = "b" + std::to_string(k);
    it.body("sphere", name,
            {{"radius", number(0.02, 0.3)},
             {"mass", std::exp(number(-3, 3))},
             {"position", vector(1)},
             {"velocity", vector(2)}});
    set(it.scene, "system.things.body." + name + ".angular_velocity", vector(5));
  }
  for (std::size_t k = 0; k < joints; ++k) {
    const std::string kind = kinds[bits() % 6], name = "j" + std::to_string(k);
    const std::size_t a = bits() % bodies, b = (a + 1 + bits() % (bodies - 1)) % bodies;
    it.joint(kind, name, {{"a", "b" + std::to_string(a)}, {"anchor", vector(1)}});
    const std::string path = "system.things.joint." + name + '.';
    if (bits() % 3 != 0) set(it.scene, path + "b", "b" + std::to_string(b));
    if (kind == "distance" || kind == "rope") set(it.scene, path + "anchor_b", vector(1));
    if (kind != "hinge" && kind != "slider") continue;
    set(it.scene, path + "axis", vector(1));
    if (bits() % 2 == 0)
      set(it.scene, path + "limits", true), set(it.scene, path + "lower", number(-1, 0)),
          set(it.scene, path + "upper", number(0, 1));
    if (bits() % 2 == 0) set(it.scene, path + "friction", number(0, 5));
    if (bits() % 3 != 0) continue;
    const double speed = number(0, 5), most = number(0, 100);
    set(it.scene, path + "motor", std::string("speed")), set(it.scene, path + "motor_speed", speed),
        set(it.scene, path + "motor_most", most);
    given += speed * most * seconds;
  }
  return given;
}

TEST(JointLoopsValidation, FiftyRandomSetsOfJointsGainNothing) {
  constexpr double seconds = 2;
  for (unsigned seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    Jointed it;
    const double motors = make_random(it, seed, seconds);
    it.start();
    // Position corrections by joints may lift bodies by up to 0.1 m. Velocities must not gain energy.
    const double start = it.energy(), lift = 0.1 * 9.81 * it.now().mass;
    double most = start;
    for (int i = 0; i < static_cast<int>(seconds * 120); ++i) {
      ASSERT_TRUE(it.world->step()) << it.world->health().sentence();
      most = std::max(most, it.energy());
    }
    EXPECT_LE(most - start, motors + lift);
  }
}

}  // namespace
}  // namespace vw
