// Repulsion forces: the force laws, the stable steps, and the accuracy of the integrators.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/collision/scheme_ride.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

ExactStep repelled(Repulsion law, double gain, double damping, double range) {
  ExactStep ride(Scheme::none);
  ride.params.repulsion = law;
  ride.params.repulsion_gain = gain;
  ride.params.repulsion_damping = damping;
  ride.params.repulsion_range_m = range;
  return ride;
}

TEST(Repulsion, LawsAreThoseOfTheNotes) {
  EXPECT_EQ(repulsion_force({Repulsion::spring, 10, 3, 0.1}, -0.2, -1), 2);
  EXPECT_EQ(repulsion_force({Repulsion::spring, 10, 3, 0.1}, 0.05, -1), 0);
  EXPECT_DOUBLE_EQ(repulsion_force({Repulsion::spring_offset, 10, 3, 0.1}, 0.05, -1), 0.5 + 3);
  EXPECT_DOUBLE_EQ(repulsion_force({Repulsion::inverse, 10, 3, 0.1}, 0.05, -1), 10 * (20 - 10) + 3);
  EXPECT_TRUE(std::isfinite(repulsion_force({Repulsion::inverse, 10, 3, 0.1}, 0, 0)));
  EXPECT_EQ(repulsion_force({Repulsion::none, 10, 3, 0.1}, -1, 0), 0);
}

TEST(Repulsion, StiffnessIsTheSlopeOfTheForce) {
  for (const Repulsion law : {Repulsion::spring_offset, Repulsion::inverse})
    for (const double y : {0.02, 0.05, 0.08}) {
      const RepulsionForce force{law, 7, 0, 0.1};
      const double h = 1e-7, slope = (repulsion_force(force, y - h, 0) - repulsion_force(force, y + h, 0)) / (2 * h);
      EXPECT_NEAR(repulsion_stiffness(force, y), slope, 1e-5 * slope);
    }
}

TEST(Repulsion, AtRestItBearsTheWeight) {
  for (const Repulsion law : {Repulsion::spring, Repulsion::spring_offset, Repulsion::inverse}) {
    const RepulsionForce force{law, 50, 0, 0.1};
    const double gap = repulsion_rest_gap(force, 2);
    EXPECT_NEAR(repulsion_force(force, gap, 0), 2, 1e-12);
  }
}

/// Returns whether a small oscillation about the rest gap stays bounded. The step is the fraction `share` of the stable
/// step.
bool stays(Repulsion law, double damping, double share, Scheme scheme = Scheme::none, std::int64_t subdivisions = 1) {
  ExactStep ride = repelled(law, 200, damping, 0.1);
  ride.params.scheme = scheme;
  ride.params.subdivisions = subdivisions;
  const double gap = repulsion_rest_gap(ride.params.repulsion_force(), g);
  ride.dt = static_cast<double>(subdivisions) * share * repulsion_stable_dt(ride.params.repulsion_force(), 1, gap);
  Particle p{Vec3(0, gap + 1e-9, 0), Vec3::Zero()};
  for (int i = 0; i < 4000; ++i) {
    ride.step(p);
    if (std::abs(p.x.y() - gap) > 1e-5) return false;
  }
  return true;
}

TEST(Repulsion, TheBoundOnTheStepIsWhereItTurnsUnstable) {
  for (const Repulsion law : {Repulsion::spring, Repulsion::spring_offset, Repulsion::inverse})
    for (const double damping : {0.0, 5.0, 60.0}) {
      EXPECT_TRUE(stays(law, damping, 0.98)) << static_cast<int>(law) << " " << damping;
      EXPECT_FALSE(stays(law, damping, 1.02)) << static_cast<int>(law) << " " << damping;
    }
  record_case("collision",
              "repulsion: swings about rest are stable at 0.98 of the bound on the step and not at 1.02 (1 = so for 3 "
              "laws, 3 dampings)",
              1, 1, 0);
}

TEST(Repulsion, TheExactSchemeIsStableWithinTheSameBoundOfASubdivision) {
  for (const Repulsion law : {Repulsion::spring_offset, Repulsion::inverse})
    for (const double damping : {0.0, 5.0, 60.0})
      for (const std::int64_t subdivisions : {1, 4}) {
        EXPECT_TRUE(stays(law, damping, 0.98, Scheme::exact, subdivisions))
            << static_cast<int>(law) << " " << damping << " " << subdivisions;
        if (damping > 0) continue;  // with damping, leapfrog is stable for longer steps
        EXPECT_FALSE(stays(law, damping, 1.02, Scheme::exact, subdivisions))
            << static_cast<int>(law) << " " << damping << " " << subdivisions;
      }
}

TEST(Repulsion, TheExactSchemeSwingsAboutRestForAMinute) {
  // The particle starts half a millimetre above its rest height. A faulty force law would throw the particle up by 0.38
  // m.
  ExactStep ride = repelled(Repulsion::spring_offset, 2000, 0, 0.02);
  ride.params.scheme = Scheme::exact;
  ride.dt = 1.0 / 120;
  const double rest = repulsion_rest_gap(ride.params.repulsion_force(), g);
  Particle p{Vec3(0, rest + 5e-4, 0), Vec3::Zero()};
  double farthest = 0;
  for (int i = 0; i < 60 * 120; ++i) {
    EXPECT_FALSE(ride.step(p).stiff);
    farthest = std::max(farthest, std::abs(p.x.y() - rest));
  }
  EXPECT_LT(farthest, 5.5e-4);
}

TEST(Repulsion, MoreSubdivisionsBringTheExactSchemeToTheExactPeriod) {
  const auto after_a_swing = [](std::int64_t subdivisions) {
    ExactStep ride = repelled(Repulsion::spring_offset, 2000, 0, 0.02);
    ride.params.scheme = Scheme::exact;
    ride.params.subdivisions = subdivisions;
    ride.dt = 2 * pi / std::sqrt(2000.0) / 16;
    const double rest = repulsion_rest_gap(ride.params.repulsion_force(), g);
    Particle p{Vec3(0, rest + 1e-3, 0), Vec3::Zero()};
    for (int i = 0; i < 64; ++i) ride.step(p);
    return std::abs(p.x.y() - rest - 1e-3);
  };
  const double coarse = after_a_swing(4), fine = after_a_swing(8);
  EXPECT_LT(fine, coarse / 10) << "the error of a cosine at its crest is that of the phase, squared";
}

TEST(Repulsion, AStepBeyondTheBoundIsReported) {
  EXPECT_NEAR(repulsion_bound({Repulsion::spring_offset, 1e4, 0, 0.1}, 1, g), 0.02, 1e-12);
  ExactStep ride = repelled(Repulsion::spring_offset, 1e4, 0, 0.1);
  ride.dt = 0.03;
  Particle p{Vec3(0, 0.05, 0), Vec3::Zero()};
  EXPECT_TRUE(ride.step(p).stiff);
  ride.params.subdivisions = 4;
  Particle q{Vec3(0, 0.05, 0), Vec3::Zero()};
  EXPECT_FALSE(ride.step(q).stiff);
}

TEST(Repulsion, IntegratorsHaveTheirOrder) {
  // The oscillation of a spring about its rest gap has an exact solution. The errors at the steps h and h / 2 are
  // compared.
  for (const FlightIntegrator integrator : integrators) {
    std::array<double, 2> error{};
    for (std::size_t fine = 0; fine < 2; ++fine) {
      ExactStep ride = repelled(Repulsion::spring_offset, 100, 0, 1);
      ride.params.integrator = integrator;
      ride.params.subdivisions = fine == 0 ? 1 : 2;
      ride.dt = 0.01;
      const double gap = repulsion_rest_gap(ride.params.repulsion_force(), g);
      Particle p{Vec3(0, gap + 0.05, 0), Vec3::Zero()};
      ride.steps(p, 100);
      error[fine] = std::hypot(p.x.y() - gap - 0.05 * std::cos(10 * 1.0), (p.v.y() + 0.5 * std::sin(10 * 1.0)) / 10);
    }
    const double order = std::log2(error[0] / error[1]), expected = integrator == FlightIntegrator::symplectic_euler ? 1
                                                                    : integrator == FlightIntegrator::rk4            ? 4
                                                                                                          : 2;
    expect_case("collision",
                "order of integrator " + std::to_string(static_cast<int>(integrator) + 1) + " on a repelled particle",
                order, expected, 0.1);
  }
}

TEST(Repulsion, TooWeakLetsThroughAndStrongEnoughHolds) {
  for (const double gain : {20.0, 20000.0}) {
    ExactStep ride = repelled(Repulsion::spring_offset, gain, 2, 0.05);
    ride.dt = 1.0 / 2000;  // at 1/60 s, the displacement in a step would exceed the range of the force
    Particle p{Vec3(0, 1, 0), Vec3::Zero()};
    double lowest = 1;
    for (int i = 0; i < 1200; ++i) {
      ride.step(p);
      lowest = std::min(lowest, p.x.y());
    }
    // A mass of 1 kg that falls from h = 1 m has the energy m g h = 9.8 J. To reach the surface, the mass needs the
    // energy K y0^2 / 2 (K: gain, y0: range of the force). The energy is sufficient only for the weak spring.
    EXPECT_EQ(lowest < 0, gain < 100) << lowest;
  }
}

TEST(Repulsion, WithDampingEveryIntegratorRestsWhereTheWeightIsBorne) {
  for (const FlightIntegrator integrator : integrators) {
    ExactStep ride = repelled(Repulsion::spring_offset, 1500, 75, 0.05);
    ride.params.integrator = integrator;
    ride.params.subdivisions = 16;
    ride.gravity = Vec3(0, -7, 0);
    ride.dt = 1.0 / 120;
    const double rest = repulsion_rest_gap(ride.params.repulsion_force(), 7);
    Particle p{Vec3(0, 0.05, 0), Vec3::Zero()};
    ride.steps(p, 240);
    EXPECT_NEAR(p.x.y(), rest, 1e-9) << static_cast<int>(integrator);
    EXPECT_NEAR(p.v.norm(), 0, 1e-9) << static_cast<int>(integrator);
  }
}

}  // namespace
}  // namespace vw::test
