// Wind on rigid bodies: forces and moments compared with formulas, rotating and drifting bodies, and sleep.
#include <unistd.h>

#include <fstream>

#include "sim/base/parallel/parallel.h"
#include "sim/collision/mesh/mesh_builders.h"
#include "sim/collision/mesh/triangle_mesh.h"
#include "sim/system/rigid/wind/wind_surface.h"
#include "tests/rigid/jointed.h"
#include "tests/rigid/scenes.h"
#include "tests/support/checked.h"
#include "tests/support/scratch.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

constexpr double rho = 1.2, gravity = 9.81;

/// Returns an assembly without bodies in a uniform wind.
Jointed in_wind(const Vec3& wind) {
  Jointed it;
  add_child(it.scene, "field", "uniform", "wind");
  set(it.scene, "field.wind.velocity", wind);
  return it;
}
void without_friction(Jointed& it) { set(it.scene, "system.things.wind_friction", 0.0); }

Vec3 wind_force(const World& world) { return {total(world, "wind_x"), total(world, "wind_y"), total(world, "wind_z")}; }

/// Returns the force [N] on a body in the first step. The body is so heavy that its velocity changes the force by less
/// than 1e-6.
Vec3 force_on(const std::string& kind, std::vector<std::pair<std::string, Value>> values, const Vec3& wind,
              bool rubbed = false) {
  Jointed it = in_wind(wind);
  it.weightless();
  if (!rubbed) without_friction(it);
  values.emplace_back("mass", 1e5);
  it.body(kind, "one", values);
  it.start();
  it.run(1.0 / 120);
  return wind_force(*it.world);
}

std::shared_ptr<const Geometry> mesh_of(TriangleList list) {
  return test::checked(TriangleMesh::make(std::move(list)));
}

/// Sums over all parts of a surface. `across` is the sum of the area vectors, and `turn` is the sum of position cross
/// area vector. Both are zero for a closed surface.
struct Sums {
  double area = 0, volume = 0;
  Vec3 across = Vec3::Zero(), turn = Vec3::Zero();
};
Sums sums_of(const Shape& shape) {
  Sums sums;
  for (const WindPart& part : wind_surface(shape).parts) {
    sums.area += part.area;
    sums.across += part.area * part.normal;
    sums.turn += part.area * part.place.cross(part.normal);
    sums.volume += part.area * part.place.dot(part.normal) / 3;
  }
  return sums;
}

TEST(WindSurface, IsClosedAndHasTheShapesAreaAndVolume) {
  // The volume follows from Gauss' theorem. The volumes and areas of exact shapes are exact. Merged parts of round
  // meshes are flat, which causes an error.
  struct Case {
    Shape shape;
    double area, volume, share;
  };
  const double r = 0.3, h = 0.5;
  const std::vector<Case> cases{
      {SphereShape{r}, 4 * pi * r * r, 4.0 / 3 * pi * r * r * r, 1e-12},
      {BoxShape{{0.1, 0.2, 0.7}}, 8 * (0.1 * 0.2 + 0.2 * 0.7 + 0.1 * 0.7), 8 * 0.1 * 0.2 * 0.7, 1e-12},
      {CylinderShape{r, h}, 2 * pi * r * (r + 2 * h), 2 * pi * r * r * h, 1e-12},
      {CapsuleShape{r, h}, 4 * pi * r * (r + h), pi * r * r * (4.0 / 3 * r + 2 * h), 1e-12},
      {mesh_of(box_mesh({0.1, 0.2, 0.7})), 8 * (0.1 * 0.2 + 0.2 * 0.7 + 0.1 * 0.7), 8 * 0.1 * 0.2 * 0.7, 1e-12},
      {mesh_of(sphere_mesh(r, 4)), 4 * pi * r * r, 4.0 / 3 * pi * r * r * r, 0.01}};
  for (const Case& one : cases) {
    const Sums sums = sums_of(one.shape);
    EXPECT_NEAR(sums.area, one.area, one.share * one.area);
    EXPECT_NEAR(sums.volume, one.volume, std::max(one.share, 0.006) * one.volume);
    EXPECT_LT(sums.across.norm(), 1e-12 * one.area);
    EXPECT_LT(sums.turn.norm(), 1e-12 * one.area) << "an even pressure turns nothing";
  }
}

TEST(WindSurface, OfAFineMeshIsAFewHundredParts) {
  const std::size_t parts = wind_surface(mesh_of(sphere_mesh(1, 6))).parts.size();  // 81,920 triangles
  EXPECT_GT(parts, 200U);
  EXPECT_LT(parts, 2000U);
  EXPECT_TRUE(wind_surface(PlaneShape{}).parts.empty());
}

TEST(RigidWind, PressesAsTheFormulasSay) {
  const Vec3 wind(6, -2, 3);
  const double q = 0.5 * rho * wind.squaredNorm(), r = 0.25;
  // The local pressure is 1/2 rho u_n^2 (u_n: normal velocity). With this pressure, the drag of a ball is half the drag
  // of a disc of the same radius. wind_surface.h describes the integration rule.
  const Vec3 ball = force_on("sphere", {{"radius", r}}, wind);
  expect_case("rigid", "drag of a ball over its theory", ball.dot(wind.normalized()) / (0.5 * q * pi * r * r), 1, 1e-3);
  EXPECT_LT(ball.cross(wind.normalized()).norm(), 3e-3 * ball.norm());
  const Vec3 plate = force_on("box", {{"size", Vec3(0.004, 0.8, 0.5)}}, Vec3(7, 0, 0));
  expect_case("rigid", "drag of a plate across the wind", plate.x(), 0.5 * rho * 49 * 0.4, 1e-5, "N");
  const double a = 0.5;
  const Vec3 slanted = force_on("box", {{"size", Vec3(0.004, 0.8, 0.5)}, {"rotation", Vec3(0, a, 0)}}, Vec3(7, 0, 0));
  // The force is the sum of the forces on the face and on the windward edge of 4 mm.
  const double face = 0.5 * rho * std::pow(7 * std::cos(a), 2) * 0.4,
               edge = 0.5 * rho * std::pow(7 * std::sin(a), 2) * 0.004 * 0.8;
  expect_case("rigid", "drag of a plate turned by 0.5 rad", slanted.x(), face * std::cos(a) + edge * std::sin(a), 1e-5,
              "N");
  expect_case("rigid", "its lift", std::abs(slanted.z()), face * std::sin(a) - edge * std::cos(a), 1e-5, "N");
  const Vec3 rod = force_on("cylinder", {{"radius", 0.1}, {"length", 2.0}}, Vec3(10, 0, 0));
  expect_case("rigid", "drag of a rod across the wind, two thirds of a plate's", rod.x(),
              2.0 / 3 * 0.5 * rho * 100 * 0.2 * 2, 1e-3, "N");
}

TEST(RigidWind, LiftsAPlateThatIsAskedTo) {
  // The expected force is that of Rayleigh's law for an inclined plate, relative to the force at a right angle. The
  // plate is so thin that its edges have no effect.
  const auto force = [](double angle, double lift) {
    Jointed it = in_wind(Vec3(7, 0, 0));
    it.weightless();
    without_friction(it);
    set(it.scene, "system.things.wind_lift", lift);
    it.body("box", "one", {{"size", Vec3(1e-5, 0.8, 0.5)}, {"rotation", Vec3(0, 0, 0.5 * pi - angle)}, {"mass", 1e5}});
    it.start();
    it.run(1.0 / 120);
    return wind_force(*it.world);
  };
  const double all = 0.5 * rho * 49 * 0.4;
  for (const double degrees : {3.0, 10.0, 20.0, 45.0, 90.0}) {
    const double angle = degrees * pi / 180, s = std::sin(angle);
    EXPECT_NEAR(force(angle, 1).norm() / all, (4 + pi) * s / (4 + pi * s), 1e-4) << degrees;
    EXPECT_NEAR(force(angle, 1).x() / force(angle, 1).norm(), s, 1e-3) << "along the plate's normal, " << degrees;
    EXPECT_NEAR(force(angle, 0).norm() / all, s * s, 1e-4) << degrees;
  }
}

TEST(RigidWind, RubsWhatItBlowsAlong) {
  const double cf = 0.01, u = 9;
  const Vec3 plate = force_on("box", {{"size", Vec3(0.6, 0.6, 1e-6)}}, Vec3(u, 0, 0), true);
  expect_case("rigid", "friction on both sides of a plate along the wind", plate.x(), 2 * 0.5 * rho * cf * u * u * 0.36,
              1e-4, "N");
}

TEST(RigidWind, ABodysFactorScalesItsDrag) {
  const Vec3 once = force_on("sphere", {}, Vec3(5, 0, 0)),
             twice = force_on("sphere", {{"wind_drag", 2.0}}, Vec3(5, 0, 0));
  EXPECT_NEAR(twice.x(), 2 * once.x(), 1e-9);
}

TEST(RigidWind, SlowsASpinningPlate) {
  // The pressure 1/2 rho (w x)^2 acts on the advancing half of each side. The sum of the moments is rho w^2 b a^4 / 64
  // (a: length along x, b: width, w: angular velocity). Integration with three Gauss points has an error of 3 %.
  const double a = 0.6, b = 0.4, w = 10, m = 1e3;
  Jointed it = in_wind(Vec3(0, 0, 0));
  it.weightless();
  without_friction(it);
  it.body("box", "plate", {{"size", Vec3(a, b, 1e-4)}, {"mass", m}, {"angular_velocity", Vec3(0, w, 0)}});
  it.start();
  it.run(1.0 / 120);
  const double torque = (w - it.rows().angular_velocity[0].y()) * 120 * m * a * a / 12;
  expect_case("rigid", "torque of still air on a plate that spins", torque, rho * w * w * b * std::pow(a, 4) / 64, 0.04,
              "N m");
}

TEST(RigidWind, WhatFallsComesToItsTerminalVelocity) {
  Jointed it = in_wind(Vec3(0, 0, 0));
  without_friction(it);
  set(it.scene, "field.wind.velocity", Vec3(2, 0, 0));
  const double r = 0.1, m = 0.02;
  it.body("sphere", "balloon", {{"radius", r}, {"mass", m}});
  it.start();
  it.run(8);
  const Vec3 v = it.rows().velocity[0];
  expect_case("rigid", "terminal velocity of a ball", -v.y(), std::sqrt(m * gravity / (0.25 * rho * pi * r * r)), 2e-3,
              "m/s");
  EXPECT_NEAR(v.x(), 2, 0.02) << "and it goes with the wind";
}

TEST(RigidWind, GivesTheMomentumThatItTells) {
  Jointed it = in_wind(Vec3(8, 1, -3));
  it.weightless();
  it.body("box", "a", {{"size", Vec3(0.5, 0.1, 0.3)}, {"rotation", Vec3(0.3, 0.2, 0.9)}, {"density", 30.0}});
  it.body("capsule", "b", {{"position", Vec3(3, 0, 0)}, {"density", 50.0}});
  it.start();
  Vec3 given = Vec3::Zero();
  for (int i = 0; i < 240; ++i) {
    ASSERT_TRUE(it.world->step());
    given += it.world->dt() * wind_force(*it.world);
  }
  const Vec3 momentum = it.now().momentum;
  EXPECT_GT(momentum.norm(), 0.1);
  EXPECT_LT((momentum - given).norm(), 1e-12 * momentum.norm());
}

TEST(RigidWind, NeverTurnsAMotionRound) {
  // The plates of 1 m^2 have masses from 0.1 g to 1 kg and are in a strong wind. Explicit steps would oscillate. The
  // velocity of each plate must approach that of the wind in every step.
  for (const auto& of_plate :
       std::vector<std::pair<double, double>>{{1e-4, 0}, {1e-2, 0}, {1.0, 0}, {1e-4, 1}, {1e-2, 1}, {1.0, 1}}) {
    const double mass = of_plate.first, lift = of_plate.second;
    Jointed it = in_wind(Vec3(30, 0, 0));
    it.weightless();
    set(it.scene, "system.things.longest_dt", 0.1);
    set(it.scene, "system.things.wind_lift", lift);
    it.body("box", "sheet",
            {{"size", Vec3(0.01, 1, 1)},
             {"mass", mass},
             {"rotation", Vec3(0, 0.7, 0.2)},
             {"angular_velocity", Vec3(1, 20, 3)}});
    it.start();
    // In a uniform wind, the kinetic energy of the motion relative to the air must never increase.
    const auto against = [&] {
      const Diagnostics d = it.now();
      return d.kinetic - Vec3(30, 0, 0).dot(d.momentum) + 0.5 * mass * 900;
    };
    double last = against();
    for (int i = 0; i < 600; ++i) {
      ASSERT_TRUE(it.world->step()) << it.world->health().sentence();
      const double now = against();
      // During free rotation, the energy oscillates by a relative amount below 1e-4.
      EXPECT_LE(now, last * (1 + 1e-4) + 1e-12) << mass << " " << lift << " " << i;
      last = now;
    }
    if (mass < 0.1) {
      EXPECT_LT((it.rows().velocity[0] - Vec3(30, 0, 0)).norm(), 1.0) << "it goes with the wind";
    }
  }
}

TEST(RigidWind, AWeathervaneTurnsIntoTheWind) {
  Jointed it = in_wind(Vec3(0, 0, -6));
  it.body("box", "vane", {{"size", Vec3(0.6, 0.3, 0.01)}, {"position", Vec3(0.4, 0, 0)}, {"density", 200.0}});
  it.joint("hinge", "pole", {{"a", std::string("vane")}, {"anchor", Vec3(0, 0, 0)}, {"axis", Vec3(0, 1, 0)}});
  it.start();
  it.run(60);
  // The pressure is quadratic in the velocity, so oscillations decay as 1 / t and not exponentially.
  const Vec3 points = it.rows().orientation[0] * Vec3(1, 0, 0);
  EXPECT_LT(points.z(), -0.98) << "it points downwind";
  ASSERT_TRUE(it.world->apply(SetParameter{"field.wind.velocity", Vec3(-6, 0, 0)}));
  it.run(60);
  EXPECT_LT((it.rows().orientation[0] * Vec3(1, 0, 0)).x(), -0.98);
}

/// Returns the angular velocity w at which inclined blades have no torque, by blade elements. At the radius r, the air
/// velocity across a blade is u_n = u cos - w r sin, and the velocity against the leading edge is u_e = u sin + w r cos
/// (angle: `slant`). The torque of a blade element is r (chord u_n |u_n| sin - thickness u_e^2 cos).
double free_rate(double u, double slant, double inner, double outer, double chord, double thickness) {
  const double c = std::cos(slant), s = std::sin(slant);
  const auto torque = [&](double w) {
    double sum = 0;
    for (int k = 0; k < 2000; ++k) {
      const double r = inner + (outer - inner) * (k + 0.5) / 2000, across = u * c - w * r * s, edge = u * s + w * r * c;
      sum += r * (chord * across * std::abs(across) * s - thickness * edge * edge * c);
    }
    return sum;
  };
  double low = 0, high = u / (inner * std::tan(slant));
  for (int k = 0; k < 60; ++k) (torque(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
  return low;
}

TEST(RigidWind, AWindmillTurnsAsBladeElementsSay) {
  Jointed it = in_wind(Vec3(5, 0, 0));
  without_friction(it);
  const double slant = 1.0, inner = 0.1, outer = 0.6;
  it.body("sphere", "hub", {{"radius", 0.04}});
  it.joint("hinge", "axle", {{"a", std::string("hub")}, {"anchor", Vec3(0, 0, 0)}, {"axis", Vec3(1, 0, 0)}});
  for (int k = 0; k < 4; ++k) {
    const std::string name = "blade" + std::to_string(k);
    const Quat turn(Eigen::AngleAxisd(0.5 * pi * k, Vec3::UnitX()));
    // Each blade is inclined about its own long axis.
    const Eigen::AngleAxisd whole(turn * Quat(Eigen::AngleAxisd(slant, Vec3::UnitZ())));
    it.body("box", name,
            {{"size", Vec3(0.002, 0.15, outer - inner)},
             {"position", Vec3(turn * Vec3(0, 0, 0.5 * (inner + outer)))},
             {"rotation", Vec3(whole.angle() * whole.axis())},
             {"density", 300.0}});
    it.joint("fixed", "bolt" + std::to_string(k), {{"a", name}, {"b", std::string("hub")}, {"anchor", Vec3(0, 0, 0)}});
  }
  it.start();
  it.run(30);
  expect_case("rigid", "free rate of a windmill of slanted blades", std::abs(it.rows().angular_velocity[0].x()),
              free_rate(5, slant, inner, outer, 0.15, 0.002), 0.03, "rad/s");
}

/// Writes an OBJ file of one body that consists of two copies of a box mesh, 0.6 m apart along x. Returns its path.
std::string two_plates() {
  const std::string path = scratch_file("two-plates.obj");
  std::ofstream file(path);
  const TriangleList plate = box_mesh(Vec3(0.01, 0.3, 0.3));
  for (const double x : {-0.3, 0.3})
    for (const Vec3& p : plate.position) file << "v " << p.x() + x << " " << p.y() << " " << p.z() << "\n";
  for (std::size_t k = 0; k < 2; ++k)
    for (const auto& t : plate.triangle)
      file << "f " << t[0] + k * plate.position.size() + 1 << " " << t[1] + k * plate.position.size() + 1 << " "
           << t[2] + k * plate.position.size() + 1 << "\n";
  return path;
}

TEST(RigidWind, APlateInTheLeeOfAnotherFeelsNone) {
  const double one = 0.5 * rho * 64 * 0.36;
  const std::vector<std::pair<std::string, Value>> plates{{"source", two_plates()}};
  const double shaded = force_on("mesh", plates, Vec3(8, 0, 0)).x();
  EXPECT_NEAR(shaded, one, 0.03 * one);
  const Vec3 across = force_on("mesh", plates, Vec3(0, 0, 8));
  EXPECT_NEAR(across.z(), 2 * 0.5 * rho * 64 * 0.6 * 0.02, 0.05) << "side by side they shade nothing";
  Jointed it = in_wind(Vec3(8, 0, 0));
  it.weightless();
  without_friction(it);
  set(it.scene, "system.things.wind_shielding", 0.0);
  it.body("mesh", "one", {{"source", two_plates()}, {"mass", 1e5}});
  it.start();
  it.run(1.0 / 120);
  EXPECT_NEAR(wind_force(*it.world).x(), 2 * one, 1e-3 * one) << "without shielding each feels it all";
}

/// Returns a heavy block, a light block and a ball on the ground. All bodies are asleep in still air.
Jointed asleep_in_a_lull() {
  Jointed it = in_wind(Vec3(0, 0, 0));
  add_child(it.scene, "collider", "plane", "ground");
  it.body("box", "heavy", {{"size", Vec3(0.3, 0.3, 0.3)}, {"position", Vec3(0, 0.15, 0)}, {"density", 800.0}});
  it.body("box", "light", {{"size", Vec3(0.3, 0.3, 0.3)}, {"position", Vec3(0, 0.15, 2)}, {"density", 8.0}});
  it.body("sphere", "ball", {{"radius", 0.15}, {"position", Vec3(0, 0.15, 4)}, {"density", 30.0}});
  it.start();
  it.run(2);
  EXPECT_EQ(sleepers(*it.world), 3);
  return it;
}

TEST(RigidWind, WakesWhomItMovesAndLetsOthersSleep) {
  Jointed it = asleep_in_a_lull();
  ASSERT_TRUE(it.world->apply(SetParameter{"field.wind.velocity", Vec3(9, 0, 0)}));
  const Elements then = it.rows();
  it.run(2);
  EXPECT_GT(it.rows().position[1].x(), 0.1) << "4.4 N on 0.2 kg that friction holds with 1.3 N";
  EXPECT_GT(it.rows().position[2].x(), 0.1) << "a ball rolls in any wind";
  EXPECT_LT((it.rows().position[0] - then.position[0]).norm(), 1e-6) << "4.4 N on 21.6 kg";
  EXPECT_EQ(sleepers(*it.world), 1);
}

TEST(RigidWind, WhatGustsCannotMoveSleepsThroughThem) {
  Jointed it;
  add_child(it.scene, "field", "turbulence", "wind");
  set(it.scene, "field.wind.mean", Vec3(8, 0, 0));
  set(it.scene, "field.wind.strength", 3.0);
  add_child(it.scene, "collider", "plane", "ground");
  it.body("box", "heavy", {{"size", Vec3(0.3, 0.3, 0.3)}, {"position", Vec3(0, 0.15, 0)}, {"density", 800.0}});
  it.start();
  it.run(10);
  double awake = 0;
  const Elements then = it.rows();
  for (int i = 0; i < 1200; ++i) {
    ASSERT_TRUE(it.world->step());
    awake += 1 - sleepers(*it.world);
  }
  EXPECT_LT(awake / 1200, 0.5) << "gusts like those that it bore do not wake it";
  EXPECT_LT((it.rows().position[0] - then.position[0]).norm(), 1e-5);
}

TEST(RigidWind, ALullWakesWhomTheWindHeld) {
  // The wind pushes a ball up a slope against a stop. Only the wind and the stop hold the ball.
  Jointed it = in_wind(Vec3(-12, 0, 0));
  add_child(it.scene, "collider", "plane", "ground");
  set(it.scene, "collider.ground.rotation", Vec3(0, 0, -0.02));
  add_child(it.scene, "collider", "box", "stop");
  set(it.scene, "collider.stop.size", Vec3(0.2, 2, 2));
  set(it.scene, "collider.stop.position", Vec3(-0.25, 0, 0));
  it.body("sphere", "ball", {{"radius", 0.15}, {"position", Vec3(0, 0.15, 0)}, {"density", 30.0}});
  it.start();
  it.run(6);
  ASSERT_EQ(sleepers(*it.world), 1);
  ASSERT_TRUE(it.world->apply(SetParameter{"field.wind.velocity", Vec3(0, 0, 0)}));
  it.run(2);
  EXPECT_GT(it.rows().position[0].x(), 0.05) << "it rolls down";
}

/// Returns the state hash of boxes, balls, cylinders and a mesh after three seconds in turbulence. If `resumed` is set,
/// the state after two seconds is saved and loaded into a new world.
std::uint64_t hash_in_turbulence(int threads, bool resumed) {
  set_thread_count(threads);
  Jointed it;
  add_child(it.scene, "field", "turbulence", "wind");
  set(it.scene, "field.wind.mean", Vec3(6, 0, 0));
  set(it.scene, "field.wind.strength", 4.0);
  add_child(it.scene, "collider", "plane", "ground");
  for (int i = 0; i < 40; ++i)
    it.body(i % 3 == 0   ? "box"
            : i % 3 == 1 ? "sphere"
                         : "cylinder",
            "b" + std::to_string(i),
            {{"position", Vec3(0.5 * (i % 7), 0.2 + 0.3 * i, 0.4 * (i % 5))}, {"density", 20.0}});
  it.body("mesh", "plates", {{"source", two_plates()}, {"position", Vec3(5, 1, 0)}, {"density", 20.0}});
  it.start();
  it.run(2);
  if (resumed) {
    StateBlock kept;
    it.world->save_state(kept);
    it.start();
    EXPECT_TRUE(it.world->load_state(kept));
  }
  it.run(1);
  set_thread_count(0);
  return it.world->hash();
}

TEST(RigidWind, HasTheSameBitsOnAnyThreads) {
  const std::uint64_t one = hash_in_turbulence(1, false);
  for (const int threads : {2, 3, 8}) EXPECT_EQ(hash_in_turbulence(threads, false), one) << threads;
}

TEST(RigidWind, GoesOnFromASavedState) { EXPECT_EQ(hash_in_turbulence(2, true), hash_in_turbulence(2, false)); }

TEST(RigidWind, SwitchedOffChangesNothing) {
  const auto fall = [](bool windy) {
    Jointed it = in_wind(Vec3(5, 0, 0));
    if (!windy) set(it.scene, "field.wind.enabled", false);
    set(it.scene, "system.things.wind", !windy);
    it.body("box", "one", {{"angular_velocity", Vec3(1, 2, 3)}});
    it.start();
    it.run(1);
    return it.rows().position[0];
  };
  EXPECT_EQ(fall(true), fall(false));
}

TEST(RigidWind, OfAbsurdSpeedStopsWithASentenceOrIsBorne) {
  Jointed it = in_wind(Vec3(200, 0, 0));
  it.weightless();
  set(it.scene, "system.things.wind_drag", 10.0);
  set(it.scene, "system.things.air_density", 100.0);
  it.body("sphere", "feather", {{"radius", 1e-3}, {"mass", 1e-9}});
  it.start();
  it.run(1);
  EXPECT_NEAR(it.rows().velocity[0].x(), 200, 1);
}

}  // namespace
}  // namespace vw::test
