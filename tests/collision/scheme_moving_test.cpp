// The contact schemes on tilting, moving and curved ground, for every kind of collider. Particles must not hover, fall
// through, creep or stick.
#include <cmath>

#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "sim/collision/mesh/mesh_builders.h"
#include "sim/collision/pose.h"
#include "sim/collision/shape/distance_grid.h"
#include "sim/collision/shape/heightfield.h"
#include "tests/collision/scheme_ride.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

double moving_uniform(std::uint64_t i, std::uint64_t lane) { return random_uniform({31, 77}, i, lane); }
Vec3 moving_in_cube(std::uint64_t i, std::uint64_t lane) {
  return Vec3(moving_uniform(i, lane) - 0.5, moving_uniform(i, lane + 1) - 0.5, moving_uniform(i, lane + 2) - 0.5);
}

/// Flat ground of one kind. The surface passes through the origin.
struct Floor {
  std::string name;
  Shape shape;
  double top = 0;
  bool sheet = false;  ///< whether the floor is a sheet; a particle of zero radius stays one nanometre above a sheet
};
std::vector<Floor> floors() {
  HeightGrid flat;
  flat.columns = flat.rows = 17;
  flat.size_x_m = flat.size_z_m = 24;
  flat.height_m.assign(17 * 17, 0.0);
  std::vector<Floor> all{
      {"a plane", PlaneShape{}}, {"a two-sided plane", PlaneShape{}, 0, true}, {"a box", BoxShape{{12, 0.5, 12}}, 0.5}};
  all.push_back(
      {"a box of triangles", std::shared_ptr<const Geometry>(*TriangleMesh::make(box_mesh(Vec3(12, 0.5, 12)))), 0.5});
  all.push_back(
      {"a sheet of triangles", std::shared_ptr<const Geometry>(*TriangleMesh::make(sheet_mesh(12, 24))), 0, true});
  all.push_back({"a heightfield", *make_heightfield(flat)});
  all.push_back({"a distance grid", *make_distance_grid(BoxShape{{6, 0.5, 6}}, 0.2), 0.5});
  return all;
}
Collider set_up(const Floor& floor, double tilt, const Vec3& at = Vec3::Zero()) {
  Collider c;
  c.shape = floor.shape;
  c.two_sided = floor.sheet;
  c.orientation = Quat(Eigen::AngleAxisd(tilt, Vec3::UnitZ()));
  c.position = at - c.orientation * Vec3(0, floor.top, 0);
  return c;
}
double gap_of(const Floor& floor, const Collider& c, const Particle& p) {
  return query(c, p.x).distance - (floor.sheet ? std::max(p.radius, 1e-9) : p.radius);
}

/// Largest deviations in runs of 1 s on a slope: relative error of the sliding distance, creep [m] with static
/// friction, and gap [m].
struct Slope {
  double slid = 0, crept = 0, gap = 0;
};
void try_slope(const Floor& floor, Scheme scheme, double angle, double inverse_dt, double radius, Slope& worst) {
  for (const bool holds : {false, true}) {
    ExactStep ride(scheme);
    ride.dt = 1 / inverse_dt;
    const double mu = (holds ? 1.05 : 0.5) * std::tan(angle);
    ride.surface = exactly(scheme == Scheme::loop ? 0 : 0.6, mu);
    ride.colliders = {set_up(floor, angle)};
    const Vec3 n = ride.colliders[0].orientation * Vec3::UnitY(),
               start = ride.colliders[0].orientation * Vec3(0.37, 0, 0.211) +
                       (floor.sheet ? std::max(radius, 1e-9) : radius) * n;
    Particle p{start, Vec3::Zero(), radius};
    ride.steps(p, static_cast<int>(std::lround(inverse_dt)));
    const double way = (p.x - start).norm(), law = 0.5 * g * (std::sin(angle) - mu * std::cos(angle));
    // Symplectic Euler uses the velocity at the end of a step, so the distance after the time t is larger by the factor
    // 1 + dt / t.
    const double expected = scheme == Scheme::exact ? law : law * (1 + ride.dt);
    if (holds)
      worst.crept = std::max(worst.crept, way);
    else
      worst.slid = std::max(worst.slid, std::abs(way / expected - 1));
    worst.gap = std::max(worst.gap, std::abs(gap_of(floor, ride.colliders[0], p)));
  }
}

TEST(SchemesOnTheMove, SlopesOfEveryKindAndAngleHoldAndSlideByCoulomb) {
  for (const Floor& floor : floors())
    for (const Scheme scheme : {Scheme::loop, Scheme::collision_then_contact, Scheme::exact}) {
      Slope worst;
      for (const double degrees : {10.0, 30.0, 60.0})
        for (const double inverse_dt : {240.0, 60.0, 30.0})
          for (const double radius : {0.0, 0.02})
            try_slope(floor, scheme, degrees * pi / 180, inverse_dt, radius, worst);
      // A grid stores distances in single precision, so a flat surface has waves of 1e-8 m.
      EXPECT_LT(worst.slid, 1e-6) << floor.name << ", " << name_of(scheme);
      EXPECT_LT(worst.crept, 1e-8) << floor.name << ", " << name_of(scheme);
      EXPECT_LT(worst.gap, 1e-9) << floor.name << ", " << name_of(scheme);
    }
}

/// Returns a platform that tilts back and forth about z and moves up and down, as a collider with keyframes does. Its
/// velocities are the mean velocities over each step.
Collider swing(const Floor& floor, double t) {
  return set_up(floor, 0.4 * std::sin(2 * t), Vec3(0, 0.1 * std::sin(3 * t), 0));
}

double largest_gap_on_a_swing(const Floor& floor, Scheme scheme, double inverse_dt, double radius) {
  ExactStep ride(scheme);
  ride.dt = 1 / inverse_dt;
  ride.surface = exactly(scheme == Scheme::loop ? 0 : 0.5, 1.5);
  Particle p{Vec3(0.3, radius + 0.001, 0.1), Vec3::Zero(), radius};
  double worst = 0;
  for (int i = 0; i < static_cast<int>(3 * inverse_dt); ++i) {
    std::vector<Collider> start{swing(floor, i * ride.dt)}, end{swing(floor, (i + 1) * ride.dt)};
    end[0].velocity = start[0].velocity = (end[0].position - start[0].position) / ride.dt;
    end[0].angular_velocity = start[0].angular_velocity =
        rotation_vector_of(end[0].orientation * start[0].orientation.conjugate()) / ride.dt;
    const StepOutcome out = advance(ride.params, p, make_flight_plan(ride.params, ride.gravity, 0, ride.dt), {},
                                    Barriers(start, end, ride.surface, Detection::interference));
    EXPECT_FALSE(out.capped) << floor.name << ", " << name_of(scheme);
    p.x = out.x;
    p.v = out.v;
    if (i > inverse_dt) worst = std::max(worst, std::abs(gap_of(floor, end[0], p)));
  }
  return worst;
}

TEST(SchemesOnTheMove, WhatIsCarriedOnASwingNeitherHoversNorFallsThrough) {
  double worst = 0;
  for (const Floor& floor : floors())
    for (const Scheme scheme : {Scheme::loop, Scheme::collision_then_contact, Scheme::exact})
      for (const double inverse_dt : {240.0, 60.0, 30.0})
        for (const double radius : {0.0, 0.02}) {
          const double gap = largest_gap_on_a_swing(floor, scheme, inverse_dt, radius);
          EXPECT_LT(gap, 1e-6) << floor.name << ", " << name_of(scheme) << ", 1/" << inverse_dt << " s, radius "
                               << radius;
          worst = std::max(worst, gap);
        }
  record_case("collision", "largest gap under what rides on a swing, of every kind of collider [m]", worst, 0, 1e-6);
}

/// Results of particles that fall from random positions onto a body whose distances are approximate and whose shape may
/// be concave.
struct Fall {
  std::uint64_t steps = 0, capped = 0;
  double deepest = 0, gained = 0;  ///< largest depth [m]; gain of energy since the start in units of g dt v
};
Fall fall_on(const Shape& shape, Scheme scheme, Detection detection, std::uint64_t rides) {
  Fall out;
  for (std::uint64_t i = 0; i < rides; ++i) {
    ExactStep ride(scheme);
    ride.params.detection = detection;
    ride.dt = std::array{1.0 / 240, 1.0 / 120, 1.0 / 60, 1.0 / 30}[i % 4];
    const double mu = 1.5 * moving_uniform(i, 41);
    ride.surface = exactly(i % 3 == 0 ? 0 : 0.9 * moving_uniform(i, 40), mu, 0.7 * mu,
                           i % 2 == 0 ? FrictionLaw::dry : FrictionLaw::frictionless);
    Collider body;
    body.shape = shape;
    body.orientation = Quat(Eigen::AngleAxisd(6 * moving_uniform(i, 0), random_direction({1, 2}, i)));
    Particle p{Vec3(0.6 * moving_uniform(i, 3) - 0.3, 0.6, 0.6 * moving_uniform(i, 4) - 0.3), moving_in_cube(i, 6),
               i % 2 == 0 ? 0 : 0.01};
    ride.colliders = {body, plane(0.2)};
    ride.colliders[1].position = Vec3(0, -0.4, 0);
    const double energy = 0.5 * p.v.squaredNorm() + g * p.x.y();
    for (int k = 0; k < 300 && p.x.norm() < 3; ++k) {
      ++out.steps;
      out.capped += ride.step(p).capped ? 1 : 0;
      for (const Collider& c : ride.colliders) out.deepest = std::max(out.deepest, p.radius - query(c, p.x).distance);
      out.gained = std::max(out.gained, (0.5 * p.v.squaredNorm() + g * p.x.y() - energy) /
                                            (g * ride.dt * std::sqrt(2 * (energy + 3 * g))));
    }
  }
  return out;
}

TEST(SchemesOnTheMove, GridsOfSharpAndHollowBodiesHoldWhatFallsOnThem) {
  const Shape ring = std::shared_ptr<const Geometry>(*TriangleMesh::make(torus_mesh(0.3, 0.1, 16, 8)));
  for (const Shape& shape :
       {Shape(*make_distance_grid(ring, 0.02)), Shape(*make_distance_grid(BoxShape{{0.3, 0.1, 0.2}}, 0.02))})
    for (const Scheme scheme : schemes)
      for (const Detection detection : {Detection::interference, Detection::swept}) {
        const Fall out = fall_on(shape, scheme, detection, 40);
        // The energy may exceed the initial energy by half the work of gravity in a step. The excess depends on the
        // time within the step to which a velocity belongs.
        EXPECT_LT(out.gained, 0.6) << name_of(scheme);
        if (scheme == Scheme::single) continue;  // with this scheme, a particle may end inside a collider
        EXPECT_LT(out.deepest, 1e-12) << name_of(scheme);
        // Steps that reach the iteration limit must be rare. If a particle did so in every step, the count would be
        // several hundred.
        EXPECT_LT(out.capped, out.steps / 1000) << name_of(scheme) << " " << static_cast<int>(detection);
      }
}

TEST(SchemesOnTheMove, ABallThatSlidesDownBetweenBallsIsNotStopped) {
  // The ball slides down between two fixed balls with opposing normals, along a curved path. Passes that treat each
  // fixed ball alone would reach the iteration limit.
  std::uint64_t capped = 0;
  for (const double inverse_dt : {240.0, 60.0, 30.0})
    for (const double mu : {0.0, 0.3, 1.0}) {
      ExactStep ride(Scheme::collision_then_contact);
      ride.dt = 1 / inverse_dt;
      ride.surface = exactly(0, mu);
      ride.colliders = {ball(Vec3(-0.3, 0, 0), 0.3), ball(Vec3(0.3, 0, 0), 0.3), ball(Vec3(0, 0, 0.5), 0.3),
                        ball(Vec3(0, 0, -0.5), 0.3)};
      Particle p{Vec3(0.02, 0.75, 0.01), Vec3(0.1, 0, 0.05), 0.02};
      for (int i = 0; i < static_cast<int>(4 * inverse_dt); ++i) capped += ride.step(p).capped ? 1 : 0;
    }
  EXPECT_EQ(capped, 0U);
}

TEST(SchemesOnTheMove, WhoIsInsideASweptSolidIsPushedOutWithoutAShot) {
  // With the scheme "single", a particle may end inside a collider. If the sweep considered only the path of the
  // current step, such a particle would move deeper along a wall.
  HeightGrid hills;
  hills.columns = hills.rows = 17;
  hills.size_x_m = hills.size_z_m = 0.8;
  hills.depth_m = 0.3;
  for (int j = 0; j < 17; ++j)
    for (int i = 0; i < 17; ++i) hills.height_m.push_back(0.08 * std::sin(0.9 * i) * std::cos(0.7 * j));
  EXPECT_LT(fall_on(*make_heightfield(hills), Scheme::single, Detection::swept, 100).gained, 0.6);
}

/// Shoots a particle at a frictionless surface of any tilt that may move. Returns the deviation from sliding along the
/// surface, or 1 if the iteration limit was reached.
double shoot(const Floor& floor, double tilt, bool moving, double gravity, std::uint64_t i) {
  constexpr double radius = 0.03;
  ExactStep ride(Scheme::exact);
  ride.params.detection = Detection::swept;
  ride.gravity = Vec3(0, -gravity, 0);
  Collider c = set_up(floor, tilt);
  if (moving) c.velocity = 6 * moving_in_cube(i, 0);
  ride.colliders = {c};
  const Vec3 n = c.orientation * Vec3::UnitY(), t = c.orientation * Vec3::UnitX();
  const double fast = 1 + 8 * moving_uniform(i, 3), gap = fast * ride.dt * (0.1 + 0.8 * moving_uniform(i, 4));
  Particle p{0.4 * t + (gap + radius) * n + Vec3(0, 0, 0.15),
             c.velocity - fast * n + 12 * (moving_uniform(i, 5) - 0.5) * t, radius};
  p.v.z() += 12 * (moving_uniform(i, 6) - 0.5);
  const Vec3 before = p.v - p.v.dot(n) * n;
  for (int step = 1; step <= 3; ++step)
    if (ride.step(p).capped) return 1;
  const Vec3 now = p.v - p.v.dot(n) * n, pull = ride.gravity - ride.gravity.dot(n) * n;
  return (now - before - 3 * ride.dt * pull).norm() + std::max(0.0, -(p.v - c.velocity).dot(n));
}

TEST(SchemesOnMovingGround, WithoutABounceItSlidesOnAlongWallsAndCeilings) {
  constexpr std::uint64_t shots = 40;
  for (const Floor& floor : floors())
    for (const double tilt : {0.3, pi / 2, -pi / 2, 2.0, pi})
      for (const bool moving : {false, true})
        for (const double gravity : {0.0, g}) {
          double worst = 0;
          for (std::uint64_t i = 0; i < shots; ++i) worst = std::max(worst, shoot(floor, tilt, moving, gravity, i));
          EXPECT_LT(worst, 1e-9) << floor.name << " tilted by " << tilt << (moving ? ", moving" : "") << ", gravity "
                                 << gravity;
        }
}

}  // namespace
}  // namespace vw::test
