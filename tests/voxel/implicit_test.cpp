// The tangent stiffness against difference quotients of the forces, and backward Euler against what is known of it.
#include <gtest/gtest.h>

#include <chrono>

#include "sim/base/random.h"
#include "sim/system/voxel/implicit.h"
#include "sim/system/voxel/lattice_load.h"
#include "sim/system/voxel/tangent.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

/// A lattice with its state, stepped by the implicit method alone.
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
  Elements elements;
  ImplicitStepper stepper;
  ImplicitBody body;
  double time = 0;

  explicit ImplicitLab(VoxelLattice shape, const std::vector<VoxelRegion>& boxes = {}, std::vector<Collider> obstacles = {})
      : lattice(std::move(shape)), regions(resolve_regions(lattice, boxes)), colliders(std::move(obstacles)) {
    const std::size_t n = topology.voxel_count();
    for (std::size_t v = 0; v < n; ++v) {
      const auto& cell = lattice.cell[v];
      elements.position.push_back(lattice.edge_m * (Vec3(cell[0], cell[1], cell[2]) + Vec3::Constant(0.5)));
      elements.mass.push_back(constants.of(v).mass);
    }
    elements.velocity.assign(n, Vec3::Zero());
    elements.angular_velocity.assign(n, Vec3::Zero());
    elements.impulse.assign(n, Vec3::Zero());
    elements.angular_impulse.assign(n, Vec3::Zero());
    elements.orientation.assign(n, Quat::Identity());
    elements.radius.assign(n, 0.5 * lattice.edge_m);
    rest_position = elements.position;
    rest_orientation = elements.orientation;
    contacts.resize(n);
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
  /// Every voxel out of place by up to `shift` edges and turned by up to `turn`, about one common rotation.
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

Quat exp_of(const Vec3& w) { return w.norm() > 0 ? Quat(Eigen::AngleAxisd(w.norm(), w.normalized())) : Quat::Identity(); }

BoxSpec stiff_cube(int n, double youngs, double nu) {
  BoxSpec spec{n, n, n, 0.005};
  spec.material.youngs_modulus = youngs;
  spec.material.poissons_ratio = nu;
  spec.material.bond_damping = 0.1;
  return spec;
}

/// Largest difference between K x and the difference quotient of the loads along x, over the largest entry of K x, moments over the edge.
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
      lab.elements.orientation[v] = exp_of(sign * h * Vec3(x[6 * v + 3], x[6 * v + 4], x[6 * v + 5])) * start.orientation[v];
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
    // At rest the error is that of the difference quotient.
    ImplicitLab rest(box_lattice(stiff_cube(3, 1e6, nu)));
    EXPECT_LT(tangent_error(rest), 1e-8);
    // Strains of 2 % and bends of 0.04 rad between neighbours: what is left out is of their product and of second order.
    ImplicitLab bent(box_lattice(stiff_cube(3, 1e6, nu)));
    bent.shake(0.01, 0.02);
    EXPECT_LT(tangent_error(bent), 5e-3);
  }
}

TEST(ImplicitStudyValidation, Drop) {
  for (const double nu : {0.0, 0.35}) {
    ImplicitLab lab(box_lattice(stiff_cube(10, 1e7, nu)), {}, {ground()});
    lab.body.gravity = Vec3(0, -9.81, 0);
    for (Vec3& x : lab.elements.position) x.y() += 0.01;
    double worst = 0, total = 0;
    for (int i = 0; i < 48; ++i) {
      const auto begin = std::clock();
      const auto r = lab.step(1.0 / 240);
      const double ms = 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
      worst = std::max(worst, ms), total += ms;
      if (r.newton > 0 || i % 8 == 0)
        std::cout << i << ": newton " << r.newton << " cg " << r.cg << " res " << r.residual << (r.converged ? "" : " NOT") << "  " << ms << " ms y "
                  << lab.elements.position[0].y() << " vy " << lab.elements.velocity[0].y() << "\n";
    }
    std::cout << "nu " << nu << " mean " << total / 48 << " worst " << worst << " ms\n";
  }
}

}  // namespace
}  // namespace vw::test
