// The contact schemes with random particles and moving colliders. No particle may end inside a collider, pass through a
// wall or gain energy.
#include <cmath>

#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "sim/collision/mesh/mesh_builders.h"
#include "tests/collision/scheme_ride.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

double fuzz_uniform(std::uint64_t i, std::uint64_t lane) { return random_uniform({21, 22}, i, lane); }
Vec3 fuzz_in_cube(std::uint64_t i, std::uint64_t lane) {
  return Vec3(fuzz_uniform(i, lane) - 0.5, fuzz_uniform(i, lane + 1) - 0.5, fuzz_uniform(i, lane + 2) - 0.5);
}
SurfaceMaterial some_surface(std::uint64_t i) {
  const auto laws = std::to_array<FrictionLaw>(
      {FrictionLaw::dry, FrictionLaw::wet, FrictionLaw::wet_linear, FrictionLaw::frictionless});
  const double mu = 1.5 * fuzz_uniform(i, 41);
  return exactly(fuzz_uniform(i, 40), mu, 0.7 * mu, laws[static_cast<std::size_t>(4 * fuzz_uniform(i, 42))],
                 3 * fuzz_uniform(i, 43));
}

Collider shaped(Shape shape, const Vec3& at = Vec3::Zero()) {
  Collider c;
  c.shape = std::move(shape);
  c.position = at;
  return c;
}

/// Returns a fixed corner of three planes that contains a box and a ball.
std::vector<Collider> hollow() {
  std::vector<Collider> all{plane(0.6), plane(-0.7), plane(), box(Vec3(0.3, 0, 0.2), Vec3(0.1, 0.2, 0.15)),
                            ball(Vec3(-0.2, 0.1, 0), 0.2)};
  all[2].orientation = Quat(Eigen::AngleAxisd(0.5, Vec3::UnitX()));
  for (std::size_t i = 0; i < 3; ++i) all[i].position = Vec3(0, -0.2, 0);
  all[3].orientation = Quat(Eigen::AngleAxisd(0.8, Vec3(1, 2, 3).normalized()));
  return all;
}

struct Hollow {
  std::uint64_t tried = 0, inside = 0, capped = 0;
};
Hollow fill_hollow(Scheme scheme, const std::vector<Collider>& colliders, std::uint64_t count, double speed) {
  Hollow out;
  ExactStep ride(scheme);
  for (std::uint64_t i = 0; i < count; ++i) {
    Particle p{fuzz_in_cube(i, 0) + Vec3(0, 0.4, 0), speed * fuzz_in_cube(i, 3)};
    bool outside = true;
    for (const Collider& c : colliders) outside = outside && query(c, p.x).distance >= 0;
    if (!outside) continue;
    ++out.tried;
    ride.surface = some_surface(i);
    const StepOutcome end = advance(ride.params, p, make_flight_plan(ride.params, ride.gravity, 0, ride.dt), {},
                                    Barriers(colliders, colliders, ride.surface, Detection::interference));
    out.capped += end.capped ? 1 : 0;
    for (const Collider& c : colliders) out.inside += query(c, end.x).distance < -1e-12 ? 1 : 0;
  }
  return out;
}

void expect_none_inside(Scheme scheme, const std::vector<Collider>& colliders, const std::string& what,
                        std::uint64_t count, bool record) {
  const Hollow out = fill_hollow(scheme, colliders, count, 60);
  EXPECT_GT(out.tried, count / 3);
  EXPECT_EQ(out.inside, 0U) << name_of(scheme) << " " << what;
  EXPECT_LT(out.capped, out.tried / 100) << name_of(scheme) << " " << what;
  if (!record) return;
  const std::string name = name_of(scheme) + ": of " + std::to_string(count) + " random starts about " + what;
  record_case("collision", name + ", those that end inside by 1e-12 m", static_cast<double>(out.inside), 0, 0);
  record_case("collision", name + ", share that reached its cap",
              static_cast<double>(out.capped) / static_cast<double>(out.tried), 0, 0.01);
}

TEST(SchemeFuzz, WhatStartsOutsideAConcaveObstacleEndsOutside) {
  for (const Scheme scheme : {Scheme::loop, Scheme::collision_then_contact, Scheme::exact})
    expect_none_inside(scheme, hollow(), "a hollow", 10000, false);
  const std::vector<Collider> ring{shaped(geometry_of(torus_mesh(0.35, 0.12, 24, 12)), Vec3(0, 0.3, 0)), plane()};
  for (const Scheme scheme : {Scheme::loop, Scheme::collision_then_contact, Scheme::exact})
    expect_none_inside(scheme, ring, "a torus", 3000, false);
}

TEST(SchemeFuzzValidation, AMillionStartsOutsideAConcaveObstacleEndOutside) {
  for (const Scheme scheme : {Scheme::loop, Scheme::collision_then_contact, Scheme::exact})
    expect_none_inside(scheme, hollow(), "a hollow of planes, a box and a ball", 2300000, true);
  const std::vector<Collider> ring{shaped(geometry_of(torus_mesh(0.35, 0.12, 24, 12)), Vec3(0, 0.3, 0)), plane()};
  expect_none_inside(Scheme::loop, ring, "a torus of 576 triangles on the ground", 100000, true);
}

/// Returns walls across x = 0 that extend 4 m in each direction. They are thinner than the displacement of a particle
/// in a step.
std::vector<std::pair<std::string, Collider>> thin_walls() {
  std::vector<std::pair<std::string, Collider>> all;
  all.emplace_back("a box of 1 mm", box(Vec3::Zero(), Vec3(0.0005, 4, 4)));
  Collider sheet = plane();
  sheet.orientation = Quat(Eigen::AngleAxisd(0.5 * pi, Vec3::UnitZ()));
  sheet.two_sided = true;
  all.emplace_back("a two-sided plane", sheet);
  Collider mesh = shaped(geometry_of(sheet_mesh(4, 6)));
  mesh.orientation = sheet.orientation;
  mesh.two_sided = true;
  all.emplace_back("a sheet of triangles", mesh);
  Collider open = mesh;
  open.two_sided = false;
  all.emplace_back("an open mesh", open);
  all.emplace_back("a mesh of a box of 1 mm", shaped(geometry_of(box_mesh(Vec3(0.0005, 4, 4)))));
  Collider moving = box(Vec3(0.05, 0, 0), Vec3(0.0005, 4, 4));
  moving.velocity = Vec3(-6, 0, 0);
  all.emplace_back("a box of 1 mm that comes at 6 m/s", moving);
  Collider swung = box(Vec3::Zero(), Vec3(0.0005, 4, 4));
  swung.angular_velocity = Vec3(0, 1, 0.5);
  all.emplace_back("a box of 1 mm that turns", swung);
  return all;
}

std::uint64_t count_passed(Scheme scheme, const Collider& wall, std::uint64_t count) {
  std::uint64_t passed = 0;
  ExactStep ride(scheme);
  ride.params.detection = Detection::swept;
  const double dt = ride.dt;
  const std::vector<Collider> start{wall}, end{at_time(wall, dt)};
  const FlightPlan plan = make_flight_plan(ride.params, ride.gravity, 0, dt);
  for (std::uint64_t i = 0; i < count; ++i) {
    const double from = fuzz_uniform(i, 0) < 0.5 ? -1 : 1;
    // The speed is at least 60 m/s, which is 1 m per step.
    const Particle p{
        Vec3(from * (0.2 + 0.3 * fuzz_uniform(i, 1)), fuzz_uniform(i, 2) - 0.5, fuzz_uniform(i, 3) - 0.5),
        Vec3(-from * (60 + 500 * fuzz_uniform(i, 4)), 40 * fuzz_uniform(i, 5) - 20, 40 * fuzz_uniform(i, 6) - 20),
        0.01 * fuzz_uniform(i, 7)};
    const StepOutcome out = advance(ride.params, p, plan, {}, Barriers(start, end, some_surface(i), Detection::swept));
    // Height above the wall in the frame of the wall, along the initial normal.
    const Vec3 n = wall.orientation * (std::holds_alternative<PlaneShape>(wall.shape) ||
                                               wall.orientation.coeffs() != Quat::Identity().coeffs()
                                           ? Vec3(Vec3::UnitY())
                                           : Vec3(Vec3::UnitX()));
    const Vec3 n_end = end[0].orientation * (wall.orientation.conjugate() * n);
    const double before = n.dot(p.x - start[0].position), after = n_end.dot(out.x - end[0].position);
    passed += before * after <= 0 ? 1 : 0;
  }
  return passed;
}

TEST(SchemeFuzz, AnOpenMeshIsMetFromBothSidesByInterferenceToo) {
  const std::vector<Collider> ground{shaped(geometry_of(sheet_mesh(1, 4)))};
  for (const Scheme scheme : schemes)
    for (const double side : {-1.0, 1.0}) {
      ExactStep ride(scheme);
      ride.surface = exactly(0.3, 0.4);
      ride.gravity *= side;
      ride.colliders = ground;
      Particle p{Vec3(0.1, side * 0.2, 0.1), Vec3::Zero()};
      ride.steps(p, 300);
      EXPECT_NEAR(p.x.y(), 0, scheme == Scheme::single || scheme == Scheme::loop ? 5e-3 : 1e-6) << name_of(scheme);
    }
}

TEST(SchemeFuzz, NothingFastPassesAThinWallThatIsSwept) {
  for (const auto& [name, wall] : thin_walls())
    for (const Scheme scheme : schemes)
      EXPECT_EQ(count_passed(scheme, wall, 1000), 0U) << name_of(scheme) << " " << name;
}

TEST(SchemeFuzzValidation, NoneOfAMillionFastParticlesPassesAThinWall) {
  for (const auto& [name, wall] : thin_walls()) {
    const bool cheap = !std::holds_alternative<std::shared_ptr<const Geometry>>(wall.shape);
    const std::uint64_t count = cheap ? 1000000 : 100000;
    const std::uint64_t passed = count_passed(Scheme::collision_then_contact, wall, count);
    expect_case("collision",
                "swept: of " + std::to_string(count) + " particles at 60 to 560 m/s, those that pass " + name,
                static_cast<double>(passed), 0, 0);
  }
}

/// Returns the largest relative gain of kinetic energy in one step without forces, in the frame of the collider.
double largest_gain(Scheme scheme, Detection detection, std::uint64_t count, std::uint64_t& touched) {
  const std::shared_ptr<const Geometry> ring = geometry_of(torus_mesh(0.3, 0.1, 16, 8));
  const std::vector<Shape> shapes{PlaneShape{},           SphereShape{0.3},        BoxShape{{0.3, 0.1, 0.2}},
                                  CapsuleShape{0.1, 0.2}, CylinderShape{0.2, 0.1}, ring};
  double worst = 0;
  SchemeParams params;
  params.scheme = scheme;
  params.detection = detection;
  const FlightPlan plan = make_flight_plan(params, Vec3::Zero(), 0, 1.0 / 60);
  for (std::uint64_t i = 0; i < count; ++i) {
    Collider c = shaped(shapes[i % shapes.size()]);
    c.orientation = Quat(Eigen::AngleAxisd(6 * fuzz_uniform(i, 0), random_direction({1, 2}, i)));
    c.velocity = 10 * fuzz_in_cube(i, 1);
    c.two_sided = i % 7 == 0;
    const std::vector<Collider> start{c}, end{at_time(c, plan.dt)};
    // The particle starts near the surface and moves towards it or along it.
    const SurfacePoint on = sample_surface(c.shape, {fuzz_uniform(i, 5), fuzz_uniform(i, 6), fuzz_uniform(i, 7)});
    const double radius = i % 3 == 0 ? 0.02 * fuzz_uniform(i, 8) : 0;
    const Vec3 n = c.orientation * on.normal,
               at = c.orientation * on.position + (radius + 0.02 * fuzz_uniform(i, 9)) * n;
    if (query(c, at).distance < radius) continue;
    const Particle p{at, c.velocity + 4 * fuzz_in_cube(i, 10) - 2 * fuzz_uniform(i, 13) * n, radius};
    const StepOutcome out = advance(params, p, plan, {}, Barriers(start, end, some_surface(i), detection));
    if (!out.touched || out.capped) continue;
    ++touched;
    const double before = (p.v - c.velocity).squaredNorm(), after = (out.v - c.velocity).squaredNorm();
    worst = std::max(worst, after / before - 1);
  }
  return worst;
}

TEST(SchemeFuzz, NoContactGivesEnergy) {
  for (const Scheme scheme : schemes)
    for (const Detection detection : {Detection::interference, Detection::swept}) {
      std::uint64_t touched = 0;
      // The tolerance is the rounding error.
      EXPECT_LE(largest_gain(scheme, detection, 6000, touched), 1e-10)
          << name_of(scheme) << " " << static_cast<int>(detection);
      EXPECT_GT(touched, 1000U);
    }
}

TEST(SchemeFuzzValidation, AMillionRandomContactsGiveNoEnergy) {
  for (const Scheme scheme : schemes) {
    std::uint64_t touched = 0;
    const double gain = std::max(largest_gain(scheme, Detection::interference, 600000, touched),
                                 largest_gain(scheme, Detection::swept, 600000, touched));
    EXPECT_GT(touched, 300000U);
    expect_case("collision",
                name_of(scheme) +
                    ": largest relative gain of kinetic energy in a random contact, seen from the moving collider",
                std::max(gain, 0.0), 0, 1e-10);
  }
}

TEST(SchemeFuzz, WhatHappensDoesNotDependOnTheFrame) {
  // The scene is run at rest and in uniform translation. Contacts depend only on velocities relative to the
  // collider.
  const Vec3 glide(1.5, -0.5, 2);
  for (const Scheme scheme : schemes)
    for (const Detection detection : {Detection::interference, Detection::swept}) {
      double worst = 0;
      for (std::uint64_t i = 0; i < 300; ++i) {
        ExactStep still(scheme);
        still.params.detection = detection;
        still.surface = some_surface(i);
        still.colliders = {plane(0.3), box(Vec3(0.2, 0.2, 0), Vec3(0.3, 0.2, 0.4)), ball(Vec3(-0.4, 0.3, 0), 0.3)};
        ExactStep gliding = still;
        for (Collider& c : gliding.colliders) c.velocity = glide;
        Particle a{fuzz_in_cube(i, 0) + Vec3(0, 1, 0), 4 * fuzz_in_cube(i, 3), 0.02}, b = a;
        if (query(still.colliders[1], a.x).distance < 0.02 || query(still.colliders[2], a.x).distance < 0.02) continue;
        b.v += glide;
        for (int k = 0; k < 20; ++k) {  // a short run, because a bounce off a ball doubles any difference
          still.step(a);
          gliding.step(b);
        }
        worst = std::max(worst, (b.x - a.x - gliding.time * glide).norm());
      }
      EXPECT_LT(worst, 1e-6) << name_of(scheme) << " " << static_cast<int>(detection);
    }
}

TEST(SchemeFuzz, NothingLeavesAThickBoxOrBecomesNaN) {
  // Six thick walls enclose a space that contains moving obstacles and a sheet.
  for (const Scheme scheme : schemes)
    for (const Detection detection : {Detection::interference, Detection::swept})
      for (const FlightIntegrator integrator : integrators) {
        ExactStep ride(scheme);
        ride.params.detection = detection;
        ride.params.integrator = integrator;
        ride.params.subdivisions = 2;
        std::vector<Collider> room;
        for (int axis = 0; axis < 3; ++axis)
          for (const double sign : {-1.0, 1.0})
            room.push_back(box(sign * 2 * Vec3::Unit(axis), Vec3(1, 1, 1) + 2 * (Vec3::Ones() - Vec3::Unit(axis))));
        room.push_back(ball(Vec3(0.3, -0.3, 0), 0.2));
        room.back().velocity = Vec3(-0.3, 0.2, 0.1);
        room.push_back(box(Vec3(-0.5, 0, 0.2), Vec3(0.2, 0.05, 0.2)));
        room.back().angular_velocity = Vec3(1, 2, 3);
        room.push_back(plane(0.2));
        room.back().two_sided = true;
        for (std::uint64_t i = 0; i < 12; ++i) {
          ride.colliders = room;
          ride.surface = some_surface(i);
          ride.drag_time_s = i % 2 == 0 ? 0 : 0.3;
          Particle p{0.5 * fuzz_in_cube(i, 0) + Vec3(0, 0.5, 0), 6 * fuzz_in_cube(i, 3), 0.01};
          for (int k = 0; k < 200; ++k) {
            ride.step(p);
            ASSERT_TRUE(p.x.allFinite() && p.v.allFinite()) << name_of(scheme);
            // With the scheme "single", a particle may end inside a collider by up to its displacement in one step. The
            // moving obstacles may also squeeze a particle into a wall.
            ASSERT_LT(p.x.cwiseAbs().maxCoeff(), scheme == Scheme::single ? 1.5 : 1.01)
                << name_of(scheme) << " " << i << " " << k;
          }
        }
      }
}

TEST(SchemeFuzz, SheetsKeepWhatIsOnEitherSide) {
  for (const Scheme scheme : schemes)
    for (const double side : {-1.0, 1.0})
      for (const double radius : {0.0, 0.01}) {
        ExactStep ride(scheme);
        ride.surface = exactly(0.5, 0.5);
        ride.gravity *= side;
        ride.colliders[0].two_sided = true;
        Particle p{Vec3(0, side * 0.3, 0), Vec3(1, 0, 0), radius};
        for (int i = 0; i < 600; ++i) {
          ride.step(p);
          ASSERT_GT(side * p.x.y(), scheme == Scheme::single ? -1e-3 : 0) << name_of(scheme) << " " << radius;
        }
        EXPECT_LT(side * p.x.y(), radius + 0.01);
        EXPECT_LT(p.v.norm(), 0.3);
      }
}

}  // namespace
}  // namespace vw::test
