// The contact schemes compared with ballistics and Coulomb friction: bounces, rest, inclines, stopping distances and
// spheres.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/collision/scheme_ride.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

/// Returns the height [m] after each bounce from 1 m, computed as y + v^2 / 2g. Bounces with a speed below g dt are
/// left out.
std::vector<double> bounce_heights(ExactStep ride, double* over_at = nullptr) {
  Particle p{Vec3(0, 1, 0), Vec3::Zero()};
  std::vector<double> heights;
  double height = 1, last_moving = 0;
  for (int i = 0; i < 60 * 20; ++i) {
    const double before = p.v.y();
    const StepOutcome out = ride.step(p);
    const double now = p.x.y() + p.v.y() * p.v.y() / (2 * g);
    if (out.touched && before < 0 && std::sqrt(2 * g * now) > g * ride.dt) heights.push_back(now);
    height = now;
    if (std::abs(p.v.y()) > 1e-9) last_moving = ride.time + ride.dt;  // the particle comes to rest within the next step
  }
  if (over_at != nullptr) *over_at = last_moving;
  EXPECT_LT(height, 0.02);
  return heights;
}

/// Returns the height [m] of the highest point after the first bounce.
double first_apex(Scheme scheme) {
  ExactStep ride(scheme);
  ride.surface = exactly(0.8, 0);
  Particle p{Vec3(0, 1, 0), Vec3::Zero()};
  while (!ride.step(p).touched) {
  }
  double apex = p.x.y();
  while (p.v.y() > 0) {
    ride.step(p);
    apex = std::max(apex, p.x.y());
  }
  return apex;
}

TEST(Schemes, BounceHeightsAreThoseThatSpecRecords) {
  // The exact scheme gives the height 0.64 m. All other schemes are of first order. For these, the expected heights are
  // about 0.61 m ("collision then contact") and 0.71 m ("single").
  const double one = first_apex(Scheme::single), two = first_apex(Scheme::loop),
               three = first_apex(Scheme::collision_then_contact);
  expect_case("collision", "first bounce from 1 m, e = 0.8, dt = 1/60, collision then contact [m] (SPEC: about 0.61)",
              three, 0.61, 0.033);
  expect_case("collision", "first bounce from 1 m, e = 0.8, dt = 1/60, single [m] (SPEC: about 0.71)", one, 0.71,
              0.029);
  expect_case("collision", "first bounce from 1 m, e = 0.8, dt = 1/60, loop [m] (as single)", two, 0.71, 0.029);
}

TEST(Schemes, ExactBouncesReachHTimesESquaredEachTime) {
  for (const double e : {0.3, 0.5, 0.8, 0.95}) {
    ExactStep ride(Scheme::exact);
    ride.surface = exactly(e, 0);
    double worst = 0;
    int n = 0;
    for (const double height : bounce_heights(ride)) {
      ++n;
      // A step may contain two bounces. Heights are read once per step, so bounces that were not seen are skipped.
      while (n < 200 && height < 0.5 * (1 + e * e) * std::pow(e, 2 * n)) ++n;
      worst = std::max(worst, std::abs(height / std::pow(e, 2 * n) - 1));
    }
    EXPECT_GE(n, e == 0.3 ? 2 : 4);
    // The exact scheme computes each impact as the intersection of a parabola with the ground, so only rounding should
    // remain.
    expect_case("collision",
                "exact: bounce heights h e^(2n), e = " + std::to_string(e).substr(0, 4) + ", worst relative error",
                worst, 0, 1e-3);
  }
}

TEST(Schemes, AllBouncesAreOverInTimeAndNeverRise) {
  for (const Scheme scheme : {Scheme::collision_then_contact, Scheme::exact})
    for (const double e : {0.5, 0.8}) {
      ExactStep ride(scheme);
      ride.surface = exactly(e, 0);
      double over = 0;
      (void)bounce_heights(ride, &over);
      const double end = std::sqrt(2 / g) * (1 + e) / (1 - e), early = 2 * e * ride.dt / (1 - e);
      EXPECT_LE(over, end);
      const std::string name = name_of(scheme) + ": bounces over at, e = " + std::to_string(e).substr(0, 3) + " [s]";
      if (scheme == Scheme::exact)
        expect_case("collision", name + " (+ 0, - 2 e dt / (1 - e))", over, end, early / end);
      else  // bounces are too low and end early, with an error of first order in dt
        record_case("collision", name + " (+ 0)", over, end, 1);
    }
}

TEST(Schemes, ABodyAtRestStaysForAnyRestitutionAndDoesNotHover) {
  for (const Scheme scheme : {Scheme::collision_then_contact, Scheme::exact}) {
    double fastest = 0, gap = 0;
    for (const double e : {0.0, 0.3, 0.5, 0.8, 1.0})
      for (const double start : {0.0, 1e-4}) {
        ExactStep ride(scheme);
        ride.surface = exactly(e, 0.5);
        Particle p{Vec3(0, start, 0), Vec3::Zero()};
        ride.steps(p, 10000);
        // Even if the particle is dropped from 1e-4 m with e = 1, the impact speed in the exact scheme is below |g_n|
        // dt (g_n: normal component of gravity), so the particle does not bounce.
        fastest = std::max(fastest, std::abs(p.v.y()));
        gap = std::max(gap, std::abs(p.x.y()));
      }
    expect_case("collision", name_of(scheme) + ": at rest after 1e4 steps, e from 0 to 1: largest |v_n| [m/s]", fastest,
                0, 1e-9);
    expect_case("collision", name_of(scheme) + ": at rest after 1e4 steps: largest gap [m]", gap, 0, 1e-6);
  }
}

TEST(Schemes, NothingCreepsOnAnInclineBelowTheFrictionAngleButTheMicroCollisions) {
  for (const Scheme scheme : schemes) {
    ExactStep ride(scheme);
    ride.colliders = {plane(pi / 6)};
    ride.surface = exactly(0.5, 0.8);
    Particle p{Vec3::Zero(), Vec3::Zero()};
    ride.steps(p, 120);
    const std::string name = name_of(scheme) + ": creep on 30 degrees, mu = 0.8, e = 0.5, 2 s [m]";
    if (scheme == Scheme::collision_then_contact || scheme == Scheme::exact)
      expect_case("collision", name, p.x.norm(), 0, 1e-6);
    else if (scheme == Scheme::single)
      expect_case("collision", name + " (SPEC: 0.16)", p.x.norm(), 0.16, 0.05);
    else
      record_case("collision", name + " (no bound asked)", p.x.norm(), p.x.norm(), 0);
  }
}

TEST(Schemes, SlidingDownAnInclineIsCoulombsWithEveryIntegrator) {
  const double expected = 4.71257;  // g (sin a - mu cos a) t^2 / 2
  for (const Scheme scheme : schemes)
    for (const FlightIntegrator integrator : integrators) {
      ExactStep ride(scheme);
      ride.params.integrator = integrator;
      ride.params.subdivisions = integrator == FlightIntegrator::symplectic_euler ? 1 : 3;
      ride.colliders = {plane(pi / 6)};
      ride.surface = exactly(0, 0.3);
      Particle p{Vec3::Zero(), Vec3::Zero()};
      ride.steps(p, 120);
      if (integrator == FlightIntegrator::symplectic_euler)
        expect_case("collision", name_of(scheme) + ": slide 2 s on 30 degrees, mu = 0.3, dt = 1/60 [m]", p.x.norm(),
                    expected, scheme == Scheme::exact ? 0.001 : 0.01);
      else  // during contact, the path is that of symplectic Euler, with an error of 0.8 %
        EXPECT_NEAR(p.x.norm(), expected, 0.01 * expected) << name_of(scheme) << " " << static_cast<int>(integrator);
    }
}

TEST(Schemes, StopsAfterTheStoppingDistance) {
  const double v0 = 2, mu = 0.4, expected = v0 * v0 / (2 * mu * g);
  for (const Scheme scheme : schemes) {
    ExactStep ride(scheme);
    ride.surface = exactly(0, mu);
    // Symplectic Euler stops early by a relative amount of dt mu g / v, which is 0.5 %.
    ride.dt = 0.005 * v0 / (mu * g);
    Particle p{Vec3::Zero(), Vec3(v0, 0, 0)};
    ride.steps(p, 400);
    expect_case("collision", name_of(scheme) + ": stopping distance, v = 2 m/s, mu = 0.4 [m]", p.x.x(), expected, 0.01);
    EXPECT_EQ(p.v.x(), 0);
  }
}

TEST(Schemes, WetGroundSlowsByAnExponentialAndNeverHolds) {
  // The equation of motion is m dv/dt = -D m g v (D: wetness). The product of the velocity factors of all steps equals
  // the exponential solution.
  const double wetness = 0.4, time = 0.5;
  for (const Scheme scheme : schemes) {
    ExactStep ride(scheme);
    ride.surface = exactly(0, 0, 0, FrictionLaw::wet, wetness);
    Particle p{Vec3::Zero(), Vec3(2, 0, 0)};
    ride.steps(p, 30);
    expect_case("collision", name_of(scheme) + ": speed after 0.5 s on wet ground, D = 0.4 s/m [m/s]", p.v.x(),
                2 * std::exp(-wetness * g * time), 1e-9);
  }
  // On a slope of angle a, the particle slides forever with the final speed g sin a / (D g cos a).
  for (const Scheme scheme : {Scheme::collision_then_contact, Scheme::exact}) {
    ExactStep ride(scheme);
    ride.colliders = {plane(0.1)};
    ride.surface = exactly(0, 0, 0, FrictionLaw::wet, 2);
    Particle p{Vec3::Zero(), Vec3::Zero()};
    ride.steps(p, 300);
    // The scheme is of first order, with a relative error of D g dt / 2 = 16 %.
    EXPECT_NEAR(p.v.norm(), std::tan(0.1) / 2, 0.2 * std::tan(0.1) / 2) << name_of(scheme);
  }
}

TEST(Schemes, ABlockThatSticksIsHeldByStaticFrictionAndSlidesByDynamic) {
  // tan 30 = 0.577. Static friction with mu_s = 0.7 holds the block at rest. Once the block slides, dynamic friction
  // with mu_d = 0.4 cannot stop it.
  for (const Scheme scheme : {Scheme::collision_then_contact, Scheme::exact}) {
    ExactStep ride(scheme);
    ride.colliders = {plane(pi / 6)};
    ride.surface = exactly(0, 0.7, 0.4);
    Particle still{Vec3::Zero(), Vec3::Zero()}, pushed{Vec3::Zero(), 3 * Vec3(-std::cos(pi / 6), -std::sin(pi / 6), 0)};
    ride.steps(still, 120);
    EXPECT_LT(still.x.norm(), 1e-6) << name_of(scheme);
    ride.steps(pushed, 120);
    const double a = g * (std::sin(pi / 6) - 0.4 * std::cos(pi / 6)), expected = 3 * 2 + 0.5 * a * 4;
    EXPECT_NEAR(pushed.x.norm(), expected, 0.01 * expected) << name_of(scheme);
  }
}

TEST(Schemes, LeavesAFrictionlessSphereAtTwoThirds) {
  for (const Scheme scheme : {Scheme::loop, Scheme::collision_then_contact, Scheme::exact}) {
    ExactStep ride(scheme);
    ride.dt = 1e-4;
    ride.colliders = {ball(Vec3::Zero(), 1)};
    Particle p{Vec3(std::sin(0.01), std::cos(0.01), 0), Vec3::Zero()};
    double left_at = 1;
    for (int i = 0; i < 30000 && p.x.y() > 0; ++i)
      if (ride.step(p).touched) left_at = p.x.y() / p.x.norm();
    // A particle that is released at rest at the polar angle a0 (from the top) leaves the sphere at the angle a with
    // cos a = 2/3 cos a0.
    expect_case("collision", name_of(scheme) + ": leaves a frictionless sphere at cos", left_at,
                2.0 / 3 * std::cos(0.01), 0.0075);
  }
}

TEST(Schemes, DragLeadsToTheWindByEveryIntegrator) {
  const Vec3 wind(3, 0, -1), v0(-2, 5, 1);
  const double tau = 0.4, t = 1;
  for (const FlightIntegrator integrator : integrators) {
    ExactStep ride;
    ride.params.integrator = integrator;
    ride.colliders.clear();
    ride.gravity.setZero();
    ride.drag_time_s = tau;
    ride.load.wind = wind;
    Particle p{Vec3::Zero(), v0};
    ride.steps(p, 60);
    const Vec3 expected = wind + (v0 - wind) * std::exp(-t / tau);
    // The exponential integrator is exact. Runge-Kutta has an error of (dt / tau)^4 / 120 per decay time tau.
    const double tolerance = integrator == FlightIntegrator::rk4 ? 1e-6 : 1e-12;
    expect_case("collision",
                "drag to a wind after 2.5 tau, integrator " + std::to_string(static_cast<int>(integrator) + 1) +
                    ", |velocity error| [m/s]",
                (p.v - expected).norm(), 0, tolerance);
  }
  ExactStep ride(Scheme::exact);
  ride.colliders.clear();
  ride.drag_time_s = tau;
  ride.load.wind = wind;
  Particle p{Vec3::Zero(), v0};
  ride.steps(p, 60);
  const Vec3 limit = wind + tau * ride.gravity;
  EXPECT_LT((p.x - (limit * t + (v0 - limit) * tau * (1 - std::exp(-t / tau)))).norm(), 1e-12);
}

TEST(Schemes, FreeFlightHasTheOrderOfItsIntegrator) {
  // On a parabola, Euler has an error of g t dt / 2. The other integrators are exact.
  for (const FlightIntegrator integrator : integrators)
    for (const std::int64_t pieces : {1, 4}) {
      ExactStep ride;
      ride.params.integrator = integrator;
      ride.params.subdivisions = pieces;
      ride.colliders.clear();
      Particle p{Vec3::Zero(), Vec3(1, 2, 3)};
      ride.steps(p, 60);
      const double error = (p.x - Vec3(1, 2 - 0.5 * g, 3)).norm();
      EXPECT_NEAR(
          error, integrator == FlightIntegrator::symplectic_euler ? 0.5 * g * ride.dt / static_cast<double>(pieces) : 0,
          1e-12);
    }
}

TEST(Schemes, AKickActsAsAForceOverTheStep) {
  for (const Scheme scheme : schemes)
    for (const FlightIntegrator integrator : integrators) {
      ExactStep ride(scheme);
      ride.params.integrator = integrator;
      ride.params.subdivisions = 3;
      ride.gravity.setZero();
      ride.load.kick = Vec3(1, 2, 3);
      Particle p{Vec3(0, 1, 0), Vec3::Zero()};
      ride.step(p);
      EXPECT_LT((p.v - Vec3(1, 2, 3)).norm(), 1e-14);
      // A force on a body at rest must not make the body hop.
      ride.load.kick = Vec3(0, -5, 0);
      ride.surface = exactly(0.7, 0.5);
      Particle q{Vec3::Zero(), Vec3::Zero()};
      if (scheme == Scheme::collision_then_contact) {
        ride.steps(q, 5);
        EXPECT_EQ(q.v.norm(), 0);
      }
    }
}

TEST(Schemes, WithoutRestitutionCollisionThenContactIsTheLoopExactly) {
  for (const Detection detection : {Detection::interference, Detection::swept}) {
    ExactStep loop(Scheme::loop), three(Scheme::collision_then_contact);
    Collider wall = plane(-pi / 3);
    wall.position = Vec3(-0.5, 0, 0);
    loop.colliders = three.colliders = {plane(0.2), wall, ball(Vec3(0.1, 0.05, 0), 0.2)};
    loop.surface = three.surface = exactly(0, 0.3);
    loop.params.detection = three.params.detection = detection;
    Particle a{Vec3(0.3, 0.8, 0), Vec3(-2, -1, 0.5)}, b = a;
    for (int i = 0; i < 600; ++i) {
      loop.step(a);
      three.step(b);
      ASSERT_EQ(a.x, b.x);
      ASSERT_EQ(a.v, b.v);
    }
  }
}

TEST(Schemes, AMovingFloorCarriesWhatRestsOnIt) {
  for (const Scheme scheme : {Scheme::collision_then_contact, Scheme::exact})
    for (const double e : {0.0, 0.5}) {
      ExactStep ride(scheme);
      ride.dt = 1.0 / 120;
      ride.surface = exactly(e, 0.9);
      ride.colliders[0].velocity = Vec3(0.5, 0.3, 0);
      Particle p{Vec3::Zero(), ride.colliders[0].velocity};
      ride.steps(p, 240);
      EXPECT_NEAR(p.x.y(), 0.3 * 2, 1e-6) << name_of(scheme);
      EXPECT_NEAR(p.x.x(), 0.5 * 2, 1e-6) << name_of(scheme);
      EXPECT_LT((p.v - Vec3(0.5, 0.3, 0)).norm(), 1e-6) << name_of(scheme);
    }
}

TEST(Schemes, SchemeOnePushesOutInProportionToTheDepth) {
  ExactStep ride(Scheme::single);
  ride.gravity.setZero();
  ride.surface = exactly(0.5, 0.2);
  double first = 0;
  for (const double depth : {0.01, 0.02, 0.04}) {
    Particle p{Vec3(0, -depth, 0), Vec3(1, 0, 0)};
    ride.step(p);
    if (first == 0) first = p.v.y() / depth;
    EXPECT_GT(p.v.y(), 0);
    EXPECT_NEAR(p.v.y() / depth, first, 1e-9);
    // The change of the tangential velocity is still the friction coefficient 0.2 times the change of the normal
    // velocity.
    EXPECT_NEAR(1 - p.v.x(), 0.2 * p.v.y(), 1e-12);
  }
}

TEST(Schemes, AShiftAfterABounceIsTheIntegrationWhereNothingDependsOnVelocity) {
  ExactStep whole, shifted;
  shifted.params.replay = Replay::shift;
  whole.surface = shifted.surface = exactly(0.7, 0.3);
  Particle a{Vec3(0, 0.3, 0), Vec3(1, 0, 0)}, b = a;
  for (int i = 0; i < 200; ++i) {
    whole.step(a);
    shifted.step(b);
    ASSERT_LT((a.x - b.x).norm(), 1e-11);
  }
}

TEST(Schemes, ErrorsOfABounceAreOfFirstOrderButForTheExactScheme) {
  // The height of a bouncing ball after 0.8 s. The steps do not coincide with the impact.
  const double e = 0.8, fall = std::sqrt(2 / g), u = e * g * fall, t = 0.8 - fall, height = u * t - 0.5 * g * t * t;
  for (const Scheme scheme : schemes) {
    std::array<double, 2> error{};
    for (int fine = 0; fine < 2; ++fine) {
      double sum = 0;
      for (int k = 0; k < 20; ++k) {  // several positions of the impact within a step
        ExactStep ride(scheme);
        ride.surface = exactly(e, 0);
        const int count = (fine == 0 ? 90 : 900) + k;
        ride.dt = 0.8 / count;
        Particle p{Vec3(0, 1, 0), Vec3::Zero()};
        ride.steps(p, count);
        sum += std::abs(p.x.y() - height) / 20;
      }
      error[static_cast<std::size_t>(fine)] = sum;
    }
    if (scheme == Scheme::exact)
      EXPECT_LT(error[0], 1e-12);
    else
      EXPECT_NEAR(std::log10(error[0] / error[1]), 1, 0.25) << name_of(scheme);
  }
}

}  // namespace
}  // namespace vw::test
