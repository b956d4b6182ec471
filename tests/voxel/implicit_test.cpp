// Compares the tangent stiffness with difference quotients of the forces, and motion by backward Euler with theory.
#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "sim/base/random.h"
#include "sim/system/voxel/analysis/statics.h"
#include "sim/system/voxel/implicit/implicit.h"
#include "sim/system/voxel/implicit/tangent.h"
#include "sim/system/voxel/lattice/lattice_load.h"
#include "tests/support/validation.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

/// A lattice and its state, advanced only by the implicit integrator.
struct ImplicitLab {
  VoxelLattice lattice;
  LatticeTopology topology = make_topology(lattice);
  LatticeConstants constants = make_constants(lattice, topology);
  ResolvedRegions regions;
  std::vector<Collider> colliders;
  std::vector<std::uint32_t> near;
  std::vector<ContactState> contacts;
  std::vector<Vec3> rest_position;
  std::vector<Quat> rest_orientation;
  Elements elements = elements_at_rest(lattice, constants);
  ImplicitStepper stepper;
  ImplicitBody body;
  double time = 0;

  explicit ImplicitLab(VoxelLattice shape, const std::vector<VoxelRegion>& boxes = {},
                       std::vector<Collider> obstacles = {})
      : lattice(std::move(shape)), regions(resolve_regions(lattice, boxes)), colliders(std::move(obstacles)) {
    rest_position = elements.position;
    rest_orientation = elements.orientation;
    contacts.resize(elements.size());
    for (std::uint32_t i = 0; i < colliders.size(); ++i) near.push_back(i);
    body.gravity = Vec3::Zero();
  }
  ImplicitStepper::Report step(double dt) {
    body.topology = &topology, body.constants = &constants, body.regions = &regions;
    body.rest_position = rest_position, body.rest_orientation = rest_orientation;
    body.colliders = colliders, body.near = near, body.contacts = contacts;
    const auto report = stepper.step(body, elements, time, dt);
    time += dt;
    return report;
  }
  [[nodiscard]] VoxelView view() const {
    return {elements.position, elements.orientation, elements.velocity, elements.angular_velocity, elements.radius, {}};
  }
  /// Displaces every voxel by up to `shift` edges along each axis, and rotates it by up to `turn` [rad] about each
  /// axis. Also rotates the whole body.
  void shake(double shift, double turn) {
    const RandomKey key{7, 7};
    const Quat whole(Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()));
    for (std::size_t v = 0; v < elements.size(); ++v) {
      Vec3 a, b;
      for (int i = 0; i < 3; ++i) {
        a[i] = 2 * random_uniform(key, v, static_cast<std::uint64_t>(i)) - 1;
        b[i] = 2 * random_uniform(key, v, static_cast<std::uint64_t>(i + 3)) - 1;
      }
      elements.position[v] = whole * (elements.position[v] + shift * lattice.edge_m * a);
      const Vec3 w = turn * b;
      elements.orientation[v] = Quat(Eigen::AngleAxisd(w.norm(), w.normalized())) * whole;
    }
  }
};

Quat exp_of(const Vec3& w) {
  return w.norm() > 0 ? Quat(Eigen::AngleAxisd(w.norm(), w.normalized())) : Quat::Identity();
}

BoxSpec stiff_cube(int n, double youngs, double nu) {
  BoxSpec spec{n, n, n, 0.005};
  spec.material.youngs_modulus = youngs;
  spec.material.poissons_ratio = nu;
  spec.material.bond_damping = 0.1;
  return spec;
}

/// Returns the largest difference between K x and the difference quotient of the loads along x, divided by the largest
/// entry of K x (K: tangent stiffness). Moments are first divided by the edge.
double tangent_error(ImplicitLab& lab) {
  LatticeLoads loads;
  loads.evaluate(lab.topology, lab.constants, lab.view(), false);
  VoxelView view = lab.view();
  view.volume_tension = loads.volume_tension();
  TangentStiffness k;
  k.assemble(lab.topology, lab.constants, view);
  const std::size_t n = lab.elements.size();
  const double s = lab.lattice.edge_m;
  std::vector<double> x(6 * n), y(6 * n), quotient(6 * n);
  for (std::size_t i = 0; i < 6 * n; ++i) x[i] = (random_uniform({3, 3}, i, 0) - 0.5) * (i % 6 < 3 ? s : 1);
  k.multiply(x, y);
  const Elements start = lab.elements;
  const double h = 1e-6;
  for (const double sign : {1.0, -1.0}) {
    for (std::size_t v = 0; v < n; ++v) {
      lab.elements.position[v] = start.position[v] + sign * h * Vec3(x[6 * v], x[6 * v + 1], x[6 * v + 2]);
      lab.elements.orientation[v] =
          exp_of(sign * h * Vec3(x[6 * v + 3], x[6 * v + 4], x[6 * v + 5])) * start.orientation[v];
    }
    loads.evaluate(lab.topology, lab.constants, lab.view(), false);
    for (std::size_t v = 0; v < n; ++v)
      for (Eigen::Index i = 0; i < 3; ++i) {
        quotient[6 * v + static_cast<std::size_t>(i)] -= sign * loads.force()[v][i] / (2 * h);
        quotient[6 * v + 3 + static_cast<std::size_t>(i)] -= sign * loads.moment()[v][i] / (2 * h);
      }
  }
  lab.elements = start;
  double error = 0, largest = 0;
  for (std::size_t i = 0; i < 6 * n; ++i) {
    const double scale = i % 6 < 3 ? 1 : 1 / s;
    error = std::max(error, scale * std::abs(y[i] - quotient[i]));
    largest = std::max(largest, scale * std::abs(y[i]));
  }
  return error / largest;
}

TEST(VoxelTangent, IsTheDerivativeOfTheForces) {
  for (const double nu : {0.0, 0.35}) {
    // At rest, the only error is the error of the difference quotient.
    ImplicitLab rest(box_lattice(stiff_cube(3, 1e6, nu)));
    EXPECT_LT(tangent_error(rest), 1e-8);
    // The strains are 2 %, and the bending angle between neighbours is 0.04 rad. The tangent omits products of these
    // deformations.
    ImplicitLab bent(box_lattice(stiff_cube(3, 1e6, nu)));
    bent.shake(0.01, 0.02);
    EXPECT_LT(tangent_error(bent), 5e-3);
  }
}

TEST(VoxelImplicit, DampsAModeAsBackwardEulerDoes) {
  // A clamped row starts approximately in the first mode. All other modes have at least 6 times the frequency of the
  // first mode and decay within a period.
  const int voxels = 20;
  ImplicitLab lab(box_lattice({voxels, 1, 1, 0.005}), {slab_x(0, 0.5 / voxels, true)});
  const double length = (voxels - 0.5) * 0.005,
               omega = 1.8751041 * 1.8751041 * std::sqrt(1e6 * std::pow(0.005, 2) / 12 / (1000 * std::pow(length, 4)));
  for (std::size_t v = 0; v < lab.elements.size(); ++v) {
    const double x = static_cast<double>(v) / (voxels - 1);
    lab.elements.velocity[v].y() = 0.002 * x * x * (6 - 4 * x + x * x) / 3;
  }
  const double h = 1.0 / 240, rest = lab.elements.position[voxels - 1].y();
  std::vector<double> peaks, times;
  double before = 0, last = 0;
  for (int i = 0; i < 1200; ++i) {
    lab.step(h);
    const double now = lab.elements.position[voxels - 1].y() - rest;
    if (last > before && last > now) {  // peak of a parabola through three steps
      const double curve = before - 2 * last + now, shift = 0.5 * (before - now) / curve;
      peaks.push_back(last - 0.25 * (before - now) * shift);
      times.push_back((i - 1 + shift) * h);
    }
    before = last, last = now;
  }
  ASSERT_GE(peaks.size(), 8U);
  const double periods = 6, decay = std::log(peaks[1] / peaks[7]) / (2 * pi * periods);
  const double measured = decay / std::sqrt(1 + decay * decay);
  expect_case("voxel", "Implicit: damping of a cantilever's first mode, h = 1/240 s", measured,
              numerical_damping_ratio(omega, h), 0.01);
  // Backward Euler also lowers the frequency. The phase advances by atan(omega h) per step of length h.
  expect_case("voxel", "Implicit: frequency of that mode", 6 * 2 * pi / (times[7] - times[1]), std::atan(omega * h) / h,
              0.005, "rad/s");
}

TEST(VoxelImplicit, FreeBodyKeepsMomentumAndSpin) {
  // The body has unequal masses, vibrates, and rotates at 10 rad/s for one second. Without correction, backward Euler
  // would remove 34 % of the angular momentum.
  VoxelLattice lattice = box_lattice(stiff_cube(4, 1e6, 0.3));
  lattice.material_name.push_back("heavy");
  lattice.materials.push_back(lattice.materials[0]);
  lattice.materials[1].density = 4000;
  for (std::size_t v = 0; v < 20; ++v) lattice.material[v] = 1;
  ImplicitLab lab(lattice);
  Vec3 center = Vec3::Zero();
  double mass = 0;
  for (std::size_t v = 0; v < lab.elements.size(); ++v) {
    center += lab.elements.mass[v] * lab.elements.position[v];
    mass += lab.elements.mass[v];
  }
  center /= mass;
  const Vec3 spin(3, 9, -4);
  for (std::size_t v = 0; v < lab.elements.size(); ++v) {
    const Vec3 shake(std::sin(3.0 * static_cast<double>(v)), std::cos(5.0 * static_cast<double>(v)),
                     std::sin(7.0 * static_cast<double>(v)));
    lab.elements.velocity[v] = Vec3(1, 0.5, -2) + spin.cross(lab.elements.position[v] - center) + 0.02 * shake;
    lab.elements.angular_velocity[v] = spin;
  }
  const auto momenta = [&] {
    std::array<Vec3, 2> out{Vec3::Zero(), Vec3::Zero()};
    Vec3 middle = Vec3::Zero();
    for (std::size_t v = 0; v < lab.elements.size(); ++v)
      middle += lab.elements.mass[v] * lab.elements.position[v] / mass;
    for (std::size_t v = 0; v < lab.elements.size(); ++v) {
      const Vec3 p = lab.elements.mass[v] * lab.elements.velocity[v];
      out[0] += p;
      out[1] +=
          (lab.elements.position[v] - middle).cross(p) + lab.constants.of(v).inertia * lab.elements.angular_velocity[v];
    }
    return out;
  };
  const auto start = momenta();
  for (int i = 0; i < 240; ++i) EXPECT_TRUE(lab.step(1.0 / 240).converged) << i;
  const auto end = momenta();
  expect_case("voxel", "Implicit: momentum lost by a free body in 1 s", (end[0] - start[0]).norm() / start[0].norm(), 0,
              1e-9);
  expect_case("voxel", "Implicit: angular momentum lost by a free body in 1 s",
              (end[1] - start[1]).norm() / start[1].norm(), 0, 1e-5);
}

TEST(VoxelImplicit, SettlesWhereTheStaticSolutionIs) {
  for (const double nu : {0.0, 0.3}) {
    BoxSpec spec{12, 2, 2, 0.005};
    spec.material.poissons_ratio = nu;
    spec.material.bond_damping = 0.1;
    const std::vector<VoxelRegion> regions{slab_x(0, 0.01, true), slab_x(0.99, 1, false, Vec3(0, -0.002, 0))};
    ImplicitLab lab(box_lattice(spec), regions);
    const Elements start = lab.elements;
    for (int i = 0; i < 960; ++i) lab.step(1.0 / 240);
    Elements still = start;
    StaticBody body;
    body.topology = &lab.topology, body.constants = &lab.constants, body.regions = &lab.regions;
    body.gravity = Vec3::Zero();
    ASSERT_TRUE(solve_static(body, {}, still));
    const std::size_t tip = 11;
    const double found = start.position[tip].y() - lab.elements.position[tip].y(),
                 expected = start.position[tip].y() - still.position[tip].y();
    expect_case("voxel", "Implicit against static: tip deflection, nu = " + std::to_string(nu).substr(0, 3), found,
                expected, 1e-3, "m");
  }
}

TEST(VoxelImplicit, BlockHoldsOnASlopeBelowItsStaticFrictionAndSlidesAboveIt) {
  const double angle = 0.4;
  const auto distance_after = [&](double mu_static, double mu_dynamic, double seconds) {
    BoxSpec spec = stiff_cube(3, 1e7, 0.3);
    spec.material.mu_static = mu_static, spec.material.mu_dynamic = mu_dynamic;
    ImplicitLab lab(box_lattice(spec), {}, {ground(mu_static, mu_dynamic)});
    lab.body.gravity = 9.81 * Vec3(std::sin(angle), -std::cos(angle), 0);
    for (int i = 0; i < 24; ++i) lab.step(1.0 / 240);
    const double x = lab.elements.position[13].x(), v = lab.elements.velocity[13].x();
    const int steps = static_cast<int>(seconds * 240);
    for (int i = 0; i < steps; ++i) lab.step(1.0 / 240);
    return lab.elements.position[13].x() - x - v * seconds;
  };
  EXPECT_LT(std::abs(distance_after(0.6, 0.6, 2)), 1e-6);  // static friction holds the cube: mu = 0.6 exceeds the slope
                                                           // tan 0.4 = 0.42
  const double slide = 0.5 * 9.81 * (std::sin(angle) - 0.2 * std::cos(angle)) * 0.25;
  expect_case("voxel", "Implicit: slide down a slope of 0.4 rad, mu = 0.2, 0.5 s", distance_after(0.2, 0.2, 0.5), slide,
              0.01, "m");
}

TEST(VoxelImplicit, LandsOnACornerAtEveryStiffness) {
  // The body hits the ground at 14 m/s, the speed of a fall from 10 m. At every stiffness, the body must come to rest
  // on the ground in one piece and must not gain energy.
  for (const double youngs : {1e4, 1e6, 1e9}) {
    ImplicitLab lab(box_lattice(stiff_cube(4, youngs, 0.3)), {}, {ground()});
    lab.body.gravity = Vec3(0, -9.81, 0);
    lab.shake(0, 0);
    double lowest = 1;
    for (const Vec3& x : lab.elements.position) lowest = std::min(lowest, x.y());
    for (std::size_t v = 0; v < lab.elements.size(); ++v) {
      lab.elements.position[v].y() += 0.02 - lowest;
      lab.elements.velocity[v].y() = -14;
    }
    double fastest = 0, deepest = 0;
    for (int i = 0; i < 480; ++i) {
      lab.step(1.0 / 240);
      for (const Vec3& v : lab.elements.velocity) fastest = std::max(fastest, v.norm());
      for (const Vec3& x : lab.elements.position) deepest = std::max(deepest, -x.y());
    }
    EXPECT_LT(fastest, 20) << youngs;
    // With critically damped contact, the four layers of the cube stop within a distance of 4 m v / c = 4 v sqrt(m / (4
    // k)), with the voxel mass m, the speed v, and the contact damping c and stiffness k.
    const VoxelClass& c = lab.constants.of(0);
    EXPECT_LT(deepest, 4 * 14 * std::sqrt(c.mass / (4 * c.contact_stiffness)) + 0.005) << youngs;
    Eigen::AlignedBox3d box;
    for (const Vec3& x : lab.elements.position) box.extend(x);
    EXPECT_LT(box.diagonal().norm(), 0.06) << youngs;
    EXPECT_GT(box.min().y(), 0) << youngs;
  }
}

TEST(VoxelImplicit, WhatIsThrownAtAThinWallDoesNotComeOutBehindIt) {
  // At 14 m/s, the body travels 58 mm in a step of 1/240 s. The walls are two voxels thick: a level box, a rotated box,
  // and a box that moves towards the body.
  Collider level, turned, lifted;
  level.name = turned.name = lifted.name = "wall";
  level.shape = lifted.shape = BoxShape{Vec3(0.5, 0.005, 0.5)};
  turned.shape = BoxShape{Vec3(0.5, 0.5, 0.005)};
  turned.orientation = Quat(Eigen::AngleAxisd(1.5, Vec3(1, 0, 0)));
  lifted.velocity.y() = 5;
  for (const Collider& wall : {level, turned, lifted})
    for (const double youngs : {1e6, 1e8}) {
      VoxelBodyParams params;
      params.integrator = Integrator::implicit_euler;
      params.position = Vec3(0, 0.1, 0);
      params.velocity = Vec3(0, -14, 0);
      Lab lab(box_lattice(stiff_cube(4, youngs, 0.3)), {}, params, {wall});
      lab.run(0.05);
      for (std::size_t v = 0; v < lab.body().elements().size(); ++v)
        ASSERT_GT(lab.position(v).y(), 0) << v << " at " << youngs << " Pa";
    }
}

TEST(VoxelImplicit, PiecesSingleVoxelsAndMixedStiffness) {
  // The body has three pieces without contact: a single voxel, a very soft pair, and a row that is a million times
  // stiffer than the pair. Each piece falls freely.
  VoxelLattice lattice = box_lattice({9, 1, 1, 0.005});
  const auto drop = [&](std::size_t cell) {
    lattice.cell.erase(lattice.cell.begin() + static_cast<std::ptrdiff_t>(cell));
    lattice.material.pop_back(), lattice.phase.pop_back(), lattice.amplitude_scale.pop_back(),
        lattice.youngs_override.pop_back();
  };
  drop(4), drop(1);
  for (std::size_t v = 0; v < lattice.cell.size(); ++v) lattice.youngs_override[v] = v < 3 ? 1e3 : 1e9;
  ImplicitLab lab(lattice);
  lab.body.gravity = Vec3(0, -9.81, 0);
  const std::vector<Vec3> before = lab.elements.position;
  for (int i = 0; i < 24; ++i) EXPECT_TRUE(lab.step(1.0 / 240).converged);
  const double fall = 9.81 / 240 / 240 * 24 * 25 / 2;  // sum of the displacements in the steps of symplectic Euler
  for (std::size_t v = 0; v < lab.elements.size(); ++v)
    EXPECT_NEAR((before[v] - lab.elements.position[v]).y(), fall, 1e-12) << v;
  // A rod of two materials hangs from a clamp. The upper ten voxels are soft, and the lower ten voxels are stiff.
  VoxelLattice rod = box_lattice({1, 20, 1, 0.005});
  for (std::size_t v = 0; v < 20; ++v) rod.youngs_override[v] = v < 10 ? 1e10 : 1e4;
  rod.materials[0].bond_damping = 0.5;
  VoxelRegion ceiling;
  ceiling.min.y() = 0.96;
  ImplicitLab hung(rod, {ceiling});
  hung.body.gravity = Vec3(0, -0.1, 0);
  for (int i = 0; i < 960; ++i) hung.step(1.0 / 240);
  // The expected stretch is a sum over the bonds. Each term is the weight below the bond divided by the stiffness of
  // the bond. The modulus of the bond between the materials is twice the soft modulus.
  double stretch = 0;
  const double weight = 0.1 * 1000 * std::pow(0.005, 3), soft = 1e4 * 0.005;
  for (int joint = 10; joint < 19; ++joint) stretch += (joint + 1) * weight / soft;
  stretch += 10 * weight / (2 * soft);
  EXPECT_NEAR(hung.rest_position[0].y() - hung.elements.position[0].y(), stretch, 2e-3 * stretch);
}

TEST(VoxelImplicit, HeldVoxelsFollowTheirPathAndImpulsesActOnce) {
  VoxelRegion end = slab_x(0.9, 1, true);
  end.freedoms = {"x", "rx"};
  end.displacement = Vec3(0.002, 0, 0);
  end.rotation = Vec3(0.3, 0, 0);
  end.ramp_s = 0.1;
  ImplicitLab lab(box_lattice({5, 1, 1, 0.005}), {slab_x(0, 0.1, true), end});
  for (int i = 1; i <= 12; ++i) {
    lab.step(1.0 / 240);
    const double share = ramp_at(i / 240.0, 0.1).share;
    EXPECT_NEAR(lab.elements.position[4].x(), lab.rest_position[4].x() + 0.002 * share, 1e-15);
    EXPECT_NEAR(turn_of(lab.elements.orientation[4]).x(), 0.3 * share, 1e-12);
  }
  ImplicitLab free(box_lattice({1, 1, 1, 0.005}));
  free.elements.impulse[0] = Vec3(0, 1e-4, 0);
  free.elements.angular_impulse[0] = Vec3(1e-9, 0, 0);
  free.step(1.0 / 240);
  free.step(1.0 / 240);
  EXPECT_NEAR(free.elements.velocity[0].y(), 1e-4 / free.elements.mass[0], 1e-12);
  EXPECT_NEAR(free.elements.angular_velocity[0].x(), 1e-9 / free.constants.of(0).inertia, 1e-9);
  EXPECT_TRUE(free.elements.impulse[0].isZero(0) && free.elements.angular_impulse[0].isZero(0));
}

TEST(VoxelImplicit, KicksOfSingleVoxelsMoveAStiffBodyAsAWhole) {
  // Some voxels of a cube receive impulses that together accelerate the whole cube to 1 m/s. Without bonds, each of
  // these voxels would move by several edges in the step.
  for (const int kicks : {1, 4, 16}) {
    ImplicitLab lab(box_lattice(stiff_cube(6, 1e7, 0)));
    double mass = 0;
    for (const double m : lab.elements.mass) mass += m;
    Vec3 kicked = Vec3::Zero();
    const RandomKey key{3, 3};
    double longest = 0;
    for (int step = 0; step < 20; ++step) {
      for (int kick = 0; kick < kicks; ++kick) {
        const auto draw = static_cast<std::uint64_t>(step * kicks + kick);
        const auto v = static_cast<std::size_t>(random_uniform(key, draw, 1) * 216);
        const Vec3 impulse = mass / kicks * random_direction(key, draw);
        lab.elements.impulse[v] += impulse;
        lab.elements.angular_impulse[v] += 0.5 * lab.lattice.edge_m * random_direction(key, draw, 2).cross(impulse);
        kicked += impulse;
      }
      EXPECT_TRUE(lab.step(1.2e-3).converged) << kicks << " " << step;
      for (const Bond& bond : lab.topology.bonds) {
        const Vec3 along = lab.elements.position[static_cast<std::size_t>(bond.b)] -
                           lab.elements.position[static_cast<std::size_t>(bond.a)];
        longest = std::max(longest, along.norm() / lab.lattice.edge_m);
      }
    }
    Vec3 momentum = Vec3::Zero();
    for (std::size_t v = 0; v < lab.elements.size(); ++v) momentum += lab.elements.mass[v] * lab.elements.velocity[v];
    EXPECT_LT((momentum - kicked).norm(), 1e-9 * mass);
    // A force of 22 N acts on a voxel with E a = 50 N / mm (a: edge). About four bonds resist this force. If the
    // initial guess of the solver contained the impulses, sixteen impulses would tear the cube apart.
    EXPECT_LT(longest, 1.1);
  }
}

TEST(VoxelImplicit, TheSameBitsOnAnyNumberOfThreads) {
  const auto run = [](int threads) {
    set_thread_count(threads);
    ImplicitLab lab(box_lattice(stiff_cube(10, 1e7, 0.35)), {}, {ground()});
    lab.body.gravity = Vec3(0, -9.81, 0);
    lab.shake(0.001, 0.001);
    for (Vec3& v : lab.elements.velocity) v = Vec3(0.1, -1, 0);
    for (int i = 0; i < 12; ++i) lab.step(1.0 / 240);
    set_thread_count(0);
    return lab.elements.position;
  };
  const auto one = run(1), two = run(2);
  for (std::size_t v = 0; v < one.size(); ++v) ASSERT_EQ(one[v], two[v]) << v;
}

/// A body whose deformation is computed with three methods. The watched voxel is the tip of a beam or the lowest corner
/// of a block.
struct Agreement {
  VoxelLattice lattice;
  std::vector<VoxelRegion> regions;
  Vec3 gravity;
  std::size_t watched;
  double settling;  ///< global damping with which the explicit integrator comes to rest

  [[nodiscard]] Vec3 moved(Integrator integrator, double seconds) const {
    VoxelLattice shape = lattice;
    shape.materials[0].global_damping = settling;
    VoxelBodyParams params;
    params.voxel_size_m = lattice.edge_m;
    params.integrator = integrator;
    Lab lab(shape, regions, params);
    lab.context().gravity = gravity;
    const Vec3 before = lab.position(watched);
    lab.run(seconds);
    return lab.position(watched) - before;
  }
  [[nodiscard]] Vec3 rested() const {
    ImplicitLab lab(lattice, regions);
    StaticBody body;
    body.topology = &lab.topology, body.constants = &lab.constants, body.regions = &lab.regions;
    body.gravity = gravity;
    const Vec3 before = lab.elements.position[watched];
    EXPECT_TRUE(solve_static(body, {}, lab.elements));
    return lab.elements.position[watched] - before;
  }
};

TEST(VoxelImplicit, ExplicitImplicitAndStaticAgree) {
  BoxSpec row{12, 1, 1, 0.005}, block{4, 6, 4, 0.005};
  row.material.bond_damping = block.material.bond_damping = 0.1;
  block.material.youngs_modulus = 2e4;
  block.material.poissons_ratio = 0.35;
  VoxelRegion ceiling;
  ceiling.min.y() = 0.9;
  // The cases are a row that is bent by 7 % of its length, and a soft block that hangs from its upper layer.
  const std::vector<Agreement> cases{
      {box_lattice(row), {slab_x(0, 0.01, true), slab_x(0.99, 1, false, Vec3(0, -6e-3, 0))}, Vec3::Zero(), 11, 0.008},
      {box_lattice(block), {ceiling}, Vec3(0, -9.81, 0), 0, 0.05}};
  for (const Agreement& one : cases) {
    const Vec3 still = one.rested(), fast = one.moved(Integrator::explicit_symplectic, 1.5),
               slow = one.moved(Integrator::implicit_euler, 4);
    expect_case("voxel", "Explicit against static, voxel " + std::to_string(one.watched),
                (fast - still).norm() / still.norm(), 0, 1e-3);
    expect_case("voxel", "Implicit against static, voxel " + std::to_string(one.watched),
                (slow - still).norm() / still.norm(), 0, 1e-3);
  }
}

TEST(VoxelImplicit, BondsYieldAndBreakAsInTheExplicitIntegrator) {
  // Ten bonds are stretched by 4 %. The yield strain is 1 %. Beyond the yield strain, the stiffness is a tenth of the
  // elastic stiffness. The stored energy shows how far the bonds yielded.
  const auto pulled = [](Integrator integrator, double failure_strain) {
    BoxSpec spec{11, 1, 1, 0.005};
    spec.material.model = StressModel::bilinear;
    spec.material.yield_stress = 1e4, spec.material.plastic_modulus = 1e5;
    spec.material.failure_strain = failure_strain;
    spec.material.global_damping = 0.02;
    VoxelRegion end = slab_x(0.95, 1, true);
    end.displacement = Vec3(0.002, 0, 0);
    end.ramp_s = 0.5;
    VoxelBodyParams params;
    params.integrator = integrator;
    Lab lab(box_lattice(spec), {slab_x(0, 0.05, true), end}, params);
    lab.run(0.7);
    return lab.diagnostics().elastic;
  };
  const double slow = pulled(Integrator::implicit_euler, 0), fast = pulled(Integrator::explicit_symplectic, 0);
  EXPECT_GT(fast, 0);
  EXPECT_NEAR(slow, fast, 0.01 * fast);
  EXPECT_LT(pulled(Integrator::implicit_euler, 0.02), 0.01 * fast);
}

TEST(VoxelImplicit, StiffCubeLandsAndRestsWithinItsIterations) {
  // This cube must run in real time: 1,000 voxels of 10 MPa fall 1 cm. Every step must converge in a few iterations. At
  // rest, no iteration is needed.
  for (const double nu : {0.0, 0.35}) {
    ImplicitLab lab(box_lattice(stiff_cube(10, 1e7, nu)), {}, {ground()});
    lab.body.gravity = Vec3(0, -9.81, 0);
    for (Vec3& x : lab.elements.position) x.y() += 0.01;
    int most = 0, sum = 0, last = 0;
    for (int i = 0; i < 60; ++i) {
      const ImplicitStepper::Report report = lab.step(1.0 / 240);
      EXPECT_TRUE(report.converged) << "step " << i << " at nu = " << nu << ": residual " << report.residual;
      most = std::max(most, report.cg), sum += report.cg;
      if (i >= 50) last += report.cg;
    }
    EXPECT_LE(most, 120) << nu;
    EXPECT_LE(sum, 1000) << nu;
    EXPECT_LE(last, 100) << nu;
    EXPECT_NEAR(lab.elements.position[0].y(), 0.0025, 1e-6) << nu;
    EXPECT_LT(lab.elements.velocity[999].norm(), 1e-6) << nu;
  }
}

}  // namespace
}  // namespace vw::test
