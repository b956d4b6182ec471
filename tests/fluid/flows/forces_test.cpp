// Properties of every force of a fluid: the force conserves momentum, and it changes the energy with the right sign.
#include <gtest/gtest.h>

#include <random>

#include "sim/base/parallel/parallel.h"
#include "tests/fluid/force_patch.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

/// Returns a blob of two liquids that translates and rotates, with random deviations of the velocities.
ForcePatch blob() {
  ForcePatch patch;
  patch.spacing = 0.02;
  patch.domain = {Box3(Vec3::Constant(-10), Vec3::Constant(10)), {}};
  patch.phases = {PhaseForces{}, PhaseForces{}};
  patch.densities = {1000, 300};
  patch.fill(
      Box3(Vec3::Constant(-0.1), Vec3::Constant(0.1)), [](const Vec3& x) { return x.y() < 0; }, 0);
  patch.fill(
      Box3(Vec3::Constant(-0.1), Vec3::Constant(0.1)), [](const Vec3& x) { return x.y() > 0; }, 1);
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (std::size_t i = 0; i < patch.x.size(); ++i)
    patch.v[i] =
        Vec3(0.3, -0.2, 0.1) + Vec3(0, 1, 2).cross(patch.x[i]) + 0.05 * Vec3(unit(random), unit(random), unit(random));
  return patch;
}

struct NamedForce {
  const char* name;
  void (*set)(ForcePatch&);
};
const std::vector<NamedForce>& forces() {
  static const std::vector<NamedForce> all{
      {"none", [](ForcePatch&) {}},
      {"implicit viscosity", [](ForcePatch& p) { p.phases[0].viscosity_pas = p.phases[1].viscosity_pas = 50; }},
      {"thick and thin", [](ForcePatch& p) { p.phases[0].viscosity_pas = 1e4, p.phases[1].viscosity_pas = 1e-3; }},
      {"Morris viscosity",
       [](ForcePatch& p) {
         p.phases[0].viscosity_pas = p.phases[1].viscosity_pas = 50;
         p.settings.viscosity_method = ViscosityMethod::morris;
       }},
      {"smoothing", [](ForcePatch& p) { p.settings.smoothing = 0.3; }},
      {"tension", [](ForcePatch& p) { p.phases[0].tension_npm = 2, p.phases[1].tension_npm = 1; }},
      {"micropolar", [](ForcePatch& p) { p.settings.spin_viscosity = 0.01; }},
  };
  return all;
}

double worst_drift(const NamedForce& force, int steps) {
  ForcePatch patch = blob();
  force.set(patch);
  const Vec3 before = patch.momentum();
  const double whole = patch.sum_of_speeds();
  double worst = 0;
  for (int step = 0; step < steps; ++step) {
    patch.step(0.001);
    worst = std::max(worst, (patch.momentum() - before).norm() / whole);
  }
  return worst;
}

TEST(FluidForces, EachKeepsMomentum) {
  for (const NamedForce& force : forces()) EXPECT_LT(worst_drift(force, 60), 1e-6) << force.name;
}

TEST(FluidForcesValidation, EachKeepsMomentumForAThousandSubsteps) {
  for (const NamedForce& force : forces())
    expect_case("fluid", std::string("momentum over sum m |v| after 1,000 substeps, ") + force.name,
                worst_drift(force, 1000), 0, 1e-6);
}

TEST(FluidForces, ViscosityAndSmoothingOnlyTakeEnergy) {
  for (const NamedForce& force : forces()) {
    ForcePatch patch = blob();
    force.set(patch);
    if (patch.phases[0].tension_npm > 0 || patch.settings.spin_viscosity > 0) continue;
    for (int step = 0; step < 20; ++step) {
      patch.prepare();
      const double before = patch.energy();
      patch.add_forces(0.001);
      patch.take_velocities();
      EXPECT_LE(patch.energy(), before * (1 + 1e-6)) << force.name;
    }
  }
}

TEST(FluidForces, SpinOfParticlesTakesUpHalfTheCurl) {
  // In a fluid in rigid rotation with angular velocity w, the curl of the velocity is 2 w. The spin of the particles
  // must converge to w.
  ForcePatch patch = blob();
  for (std::size_t i = 0; i < patch.x.size(); ++i) patch.v[i] = Vec3(0, 3, 0).cross(patch.x[i]);
  patch.settings.spin_viscosity = 0.01;
  for (int step = 0; step < 50; ++step) {
    patch.prepare();
    patch.add_forces(0.001);
  }
  double error = 0;
  std::size_t inside = 0;
  for (std::size_t i = 0; i < patch.x.size(); ++i) {
    if (patch.x[i].cwiseAbs().maxCoeff() > 0.06) continue;
    error = std::max(error, std::abs(static_cast<double>(patch.rows.spin[i].y) - 3));
    ++inside;
  }
  ASSERT_GT(inside, 100U);
  EXPECT_LT(error, 0.03);
}

TEST(FluidForces, SpinsAccelerateTheFluidAlongTheirCurl) {
  // The curl of the spins (0, a z, 0) is (-a, 0, 0), so a fluid at rest gains the velocity -spin_viscosity a dt along
  // x.
  ForcePatch patch = blob();
  for (Vec3& v : patch.v) v.setZero();
  patch.settings.spin_viscosity = 0.01;
  const double dt = 1e-4, a = 1000;
  patch.prepare();
  patch.rows.spin.assign(patch.x.size(), Float4{});
  for (std::size_t i = 0; i < patch.x.size(); ++i) patch.rows.spin[i].y = static_cast<float>(a * patch.x[i].z());
  patch.add_forces(dt);
  patch.take_velocities();
  std::size_t inside = 0;
  for (std::size_t i = 0; i < patch.x.size(); ++i) {
    // These particles have all their neighbours, and only neighbours of their own density.
    const Vec3 x = patch.x[i].cwiseAbs();
    if (x.x() > 0.04 || x.z() > 0.04 || x.y() < 0.04 || x.y() > 0.06) continue;
    EXPECT_NEAR(patch.v[i].x(), -0.01 * a * dt, 0.1 * 0.01 * a * dt);
    ++inside;
  }
  EXPECT_GT(inside, 30U);
}

TEST(FluidForces, SpinsAndVelocitiesTogetherOnlyLoseEnergy) {
  ForcePatch patch = blob();
  patch.settings.spin_viscosity = 0.01;
  const double inertia = patch.settings.spin_inertia * patch.spacing * patch.spacing;
  const auto energy = [&] {
    double sum = patch.energy();
    for (std::size_t i = 0; i < patch.rows.spin.size(); ++i) {
      const Float4& w = patch.rows.spin[i];
      sum += 0.5 * patch.mass_of(i) * inertia * static_cast<double>(w.x * w.x + w.y * w.y + w.z * w.z);
    }
    return sum;
  };
  for (int step = 0; step < 100; ++step) {
    patch.prepare();
    const double before = energy();
    patch.add_forces(0.001);
    patch.take_velocities();
    ASSERT_LE(energy(), before * (1 + 1e-6)) << step;
  }
}

TEST(FluidForces, TheCurlOfVelocitiesThatAreLinearInPlaceIsExactToTheVerySurface) {
  ForcePatch patch = blob();
  const Vec3 turn(1, -2, 3);
  Mat3 strain;
  strain << 0.5, 0.2, -0.4, 0.2, -1, 0.3, -0.4, 0.3, 0.5;
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> unit(-0.2, 0.2);
  for (Vec3& x : patch.x) x += patch.spacing * Vec3(unit(random), unit(random), unit(random));
  for (std::size_t i = 0; i < patch.x.size(); ++i)
    patch.v[i] = Vec3(4, 5, 6) + turn.cross(patch.x[i]) + strain * patch.x[i];
  patch.prepare();
  std::vector<Float4> curl(patch.x.size());
  vorticity(patch.space, curl);
  double error = 0;
  for (const Float4& c : curl)
    error = std::max(
        error, (Vec3(static_cast<double>(c.x), static_cast<double>(c.y), static_cast<double>(c.z)) - 2 * turn).norm() /
                   (2 * turn).norm());
  EXPECT_LT(error, 2e-4) << "single precision of places and velocities";
}

TEST(FluidForces, ARowAloneHasNoCurl) {
  ForcePatch patch;
  patch.x = {Vec3(0.1, 0.2, 0.3)};
  patch.v = {Vec3(1, 2, 3)};
  patch.phase = {0};
  patch.prepare();
  std::vector<Float4> curl(1, Float4{9, 9, 9, 9});
  vorticity(patch.space, curl);
  EXPECT_EQ(curl[0].x, 0);
  EXPECT_EQ(curl[0].y, 0);
  EXPECT_EQ(curl[0].z, 0);
}

TEST(FluidForces, TheSameBitsWithAnyNumberOfThreads) {
  const auto run = [](int threads) {
    const int before = thread_count();
    set_thread_count(threads);
    ForcePatch patch = blob();
    patch.phases = {{20, 1}, {5, 0.5}};
    patch.settings.spin_viscosity = 0.01;
    patch.settings.smoothing = 0.05;
    for (int step = 0; step < 10; ++step) patch.step(0.001);
    set_thread_count(before);
    return patch.v;
  };
  const std::vector<Vec3> one = run(1);
  for (const int threads : {2, 3, 8}) EXPECT_TRUE(run(threads) == one) << threads;
}

/// Returns a plate below the blob. Its samples lie half a spacing below the lower side of the blob, as those of a wall
/// do.
Guest plate(double mass_kg) {
  Guest guest;
  for (int i = -4; i < 4; ++i)
    for (int k = -4; k < 4; ++k) guest.place.push_back({(i + 0.5) * 0.02, -0.11, (k + 0.5) * 0.02});
  guest.velocity.assign(guest.place.size(), Vec3::Zero());
  guest.impulse.assign(guest.place.size(), Vec3::Zero());
  guest.mass_kg = mass_kg;
  guest.center = Vec3(0, -0.11, 0);
  guest.inverse_inertia = 600 / mass_kg * Mat3::Identity();
  guest.friction = 1;
  return guest;
}

Vec3 total_impulse(const Guest& guest) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& impulse : guest.impulse) sum += impulse;
  return sum;
}

/// Applies the forces of one substep to the blob and to the guest (the coupled body). Neither of them moves.
void push_with(ForcePatch& patch, Guest& guest, double dt) {
  patch.wall_place = guest.place;
  patch.wall_velocity = guest.velocity;
  patch.prepare();
  KeySort sort;
  for (const Vec3& at : guest.place) sort.keys.push_back(place_key(patch.space.frame, at));
  sort.sort();
  for (std::size_t w = 0; w < sort.order.size(); ++w) patch.owners[w] = {0, sort.order[w]};
  patch.add_forces(dt, std::span(&guest, 1));
  patch.take_velocities();
}

TEST(FluidForces, WhatGuestsFeelIsWhatTheFluidLoses) {
  // The viscous liquid flows past a light plate and drags it along by friction and adhesion. The total momentum of both
  // must be conserved.
  ForcePatch patch = blob();
  patch.phases[0] = patch.phases[1] = {.viscosity_pas = 100, .tension_npm = 1};
  for (Vec3& v : patch.v) v = Vec3(1, 0, 0);
  Guest guest = plate(0.02);
  guest.adhesion = 0.5;
  const Vec3 before = patch.momentum();
  push_with(patch, guest, 0.002);
  const Vec3 given = total_impulse(guest);
  EXPECT_LT((patch.momentum() + given - before).norm(), 1e-6 * patch.sum_of_speeds());
  EXPECT_LT(given.x() / guest.mass_kg, 1.05);
  EXPECT_GT(given.x() / guest.mass_kg, 0.5);
}

TEST(FluidForces, ALightPlateIsDraggedAlongByThickLiquidWithoutOvershoot) {
  // The mass of the plate is a ten-thousandth of the mass of the blob, and the viscosity of the liquid is a million
  // times that of water. Explicit drag would overshoot and oscillate.
  ForcePatch patch = blob();
  patch.phases[0] = patch.phases[1] = {.viscosity_pas = 1000};
  for (Vec3& v : patch.v) v = Vec3(1, 0, 0);
  Guest guest = plate(5e-4);
  Vec3 velocity = Vec3::Zero();
  for (int step = 0; step < 40; ++step) {
    guest.velocity.assign(guest.place.size(), velocity);
    guest.impulse.assign(guest.place.size(), Vec3::Zero());
    push_with(patch, guest, 0.002);
    velocity += total_impulse(guest) / guest.mass_kg;
    ASSERT_LT(velocity.norm(), 1.02) << step;
  }
  EXPECT_NEAR(velocity.x(), 1, 0.02);
}

}  // namespace
}  // namespace vw::test
