#include "bench/cases/voxel/reference_cube.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace vw::bench {
namespace {

Quat rotation_by(const Vec3& vector) {
  const double angle = vector.norm();
  return angle > 0 ? Quat(Eigen::AngleAxisd(angle, vector / angle)) : Quat::Identity();
}

Vec3 rotation_vector(Quat q) {
  if (q.w() < 0) q.coeffs() *= -1;
  const double s = q.vec().norm();
  return s > 1e-12 ? Vec3(q.vec() * (2 * std::atan2(s, q.w()) / s)) : Vec3(2 * q.vec());
}

}  // namespace

ReferenceCube::ReferenceCube(const std::vector<std::array<int, 3>>& cells, double edge_m, const Material& material,
                             double gravity_mps2)
    : material_(material), edge_(edge_m), gravity_(gravity_mps2) {
  const double nu = material.poisson, shear = material.youngs / (2 * (1 + nu)),
               second_moment = std::pow(edge_m, 4) / 12;
  mass_ = material.density * edge_m * edge_m * edge_m;
  inertia_ = mass_ * edge_m * edge_m / 6;
  axial_ = nu > 0 ? 2 * shear * edge_m : material.youngs * edge_m;
  lateral_ = nu > 0 ? 2 * shear * edge_m : 12 * material.youngs * second_moment / std::pow(edge_m, 3);
  twist_ = shear * 0.1406 * std::pow(edge_m, 3);
  bend_ = material.youngs * second_moment / edge_m;  // half of the coefficient b3 = 2 E I / L of Hiller & Lipson
  for (const auto& [x, y, z] : cells) {
    Voxel voxel{};
    voxel.position = Vec3(x + 0.5, y + 0.5, z + 0.5) * edge_m;
    voxel.velocity = voxel.angular_velocity = voxel.force = voxel.moment = Vec3::Zero();
    voxel.orientation = Quat::Identity();
    voxels.push_back(voxel);
  }
  join(cells);
  if (nu <= 0) return;
  // The Poisson effect of a voxel v has the stiffness s^2 beta_v with beta_v = 1 / (4 / lambda + m_v / G). Here, s is
  // the edge length, lambda and G are the Lame parameters, and m_v is the number of faces of the voxel without a bond.
  const double lame = material.youngs * nu / ((1 + nu) * (1 - 2 * nu));
  std::vector<int> bonds_of(voxels.size(), 0);
  for (const Bond& bond : bonds_) bonds_of[bond.a] += 1, bonds_of[bond.b] += 1;
  for (std::size_t v = 0; v < voxels.size(); ++v)
    voxels[v].volume_stiffness = edge_m * edge_m / (4 / lame + (6 - bonds_of[v]) / shear);
}

/// Creates a bond between any two cells that share a face. The bonds are ordered by the first cell of each bond.
void ReferenceCube::join(const std::vector<std::array<int, 3>>& cells) {
  const auto before = [](const std::array<int, 3>& a, const std::array<int, 3>& b) {
    return std::tie(a[1], a[2], a[0]) < std::tie(b[1], b[2], b[0]);
  };
  for (std::size_t a = 0; a < cells.size(); ++a)
    for (int axis = 0; axis < 3; ++axis) {
      auto neighbour = cells[a];
      neighbour[static_cast<std::size_t>(axis)] += 1;
      const auto found = std::lower_bound(cells.begin(), cells.end(), neighbour, before);
      if (found != cells.end() && *found == neighbour)
        bonds_.push_back({a, static_cast<std::size_t>(found - cells.begin()), axis});
    }
}

/// Adds the axial strain of each bond to the strain sums of its two voxels.
void ReferenceCube::add_strains() {
  for (const Bond& bond : bonds_) {
    Voxel& a = voxels[bond.a];
    Voxel& b = voxels[bond.b];
    const Quat mid = a.orientation * rotation_by(0.5 * rotation_vector(a.orientation.conjugate() * b.orientation));
    const double strain = ((mid.conjugate() * Vec3(b.position - a.position))[bond.axis] - edge_) / edge_;
    a.strain_sum += strain;
    b.strain_sum += strain;
  }
}

void ReferenceCube::add_bond_loads(const Bond& bond) {
  Voxel& a = voxels[bond.a];
  Voxel& b = voxels[bond.b];
  const Vec3 r = b.position - a.position;
  const Quat turn = a.orientation.conjugate() * b.orientation;
  const Vec3 phi = rotation_vector(turn);
  const Quat mid = a.orientation * rotation_by(0.5 * phi);
  const Vec3 local = mid.conjugate() * r;
  Vec3 f = lateral_ * local, g = bend_ * phi;
  f[bond.axis] =
      axial_ * (local[bond.axis] - edge_) + a.volume_stiffness * a.strain_sum + b.volume_stiffness * b.strain_sum;
  g[bond.axis] = twist_ * phi[bond.axis];
  // The moments are the gradient of the bond energy with respect to the rotation. Momentum and angular momentum are
  // conserved exactly.
  const double theta = 0.5 * phi.norm();
  Vec3 d = -g;
  if (theta > 1e-9) {
    const Vec3 axis = phi.normalized();
    const double c = std::sin(theta) / theta;
    d = 0.5 * std::tan(0.5 * theta) * axis.cross(local.cross(f)) - (g / c + (1 - 1 / c) * axis * axis.dot(g));
  }
  // Local damping acts on motion relative to the rigid motion of the pair.
  const double zeta = material_.bond_damping;
  const double half_mass = 0.5 * mass_, half_inertia = 0.5 * inertia_;
  const Vec3 v = mid.conjugate() * (b.velocity - a.velocity - 0.5 * (a.angular_velocity + b.angular_velocity).cross(r));
  const Vec3 w = mid.conjugate() * (b.angular_velocity - a.angular_velocity);
  for (int k = 0; k < 3; ++k) {
    f[k] += 2 * zeta * std::sqrt(half_mass * (k == bond.axis ? axial_ : lateral_)) * v[k];
    d[k] -= 2 * zeta * std::sqrt(half_inertia * (k == bond.axis ? twist_ : bend_)) * w[k];
  }
  const Vec3 force = mid * f, couple = 0.5 * r.cross(force), moment = mid * d;
  a.force += force;
  b.force -= force;
  a.moment += couple - moment;
  b.moment += couple + moment;
}

/// Adds the force of the ground. A spring and a damper exert the normal force, which never pulls. Friction follows
/// Coulomb's law with a sticking state.
void ReferenceCube::add_ground(Voxel& voxel, double dt) const {
  const double depth = std::min(0.5 * edge_ - voxel.position.y(), 0.5 * edge_), stiffness = material_.youngs * edge_;
  const double damping = 2 * material_.contact_damping * std::sqrt(mass_ * stiffness);
  const double normal_force = depth > 0 ? stiffness * depth - damping * voxel.velocity.y() : 0;
  if (normal_force <= 0) {
    voxel.held = false;
    return;
  }
  voxel.force.y() += normal_force;
  const auto lateral = [](const Vec3& v) { return Vec3(v.x(), 0, v.z()); };
  const Vec3 before = lateral(voxel.velocity), after = lateral(voxel.velocity + voxel.force * (dt / mass_));
  const double hold = std::max(material_.mu_static, material_.mu_dynamic) * normal_force,
               brake = material_.mu_dynamic * normal_force;
  const double motion = after.norm() * mass_ / dt;
  // A sliding voxel starts to stick in two cases. In the first case, dynamic friction can stop it within the substep.
  // In the second case, static friction can balance the lateral load, and the voxel either reverses its direction or
  // was already slow enough for dynamic friction to stop it within a substep.
  const bool slow = before.norm() * mass_ / dt <= brake || before.dot(after) <= 0;
  voxel.held = voxel.held ? motion <= hold : motion <= brake || (slow && (after - before).norm() * mass_ / dt <= hold);
  voxel.force -= (voxel.held ? 1.0 : brake / motion) * (mass_ / dt) * after;
}

void ReferenceCube::substep(double dt) {
  for (Voxel& voxel : voxels) {
    voxel.force = Vec3(0, -mass_ * gravity_, 0);
    voxel.moment = Vec3::Zero();
    voxel.strain_sum = 0;
  }
  if (material_.poisson > 0) add_strains();
  for (const Bond& bond : bonds_) add_bond_loads(bond);
  for (Voxel& voxel : voxels) {
    add_ground(voxel, dt);
    voxel.velocity += voxel.force * (dt / mass_);
    voxel.angular_velocity += voxel.moment * (dt / inertia_);
    voxel.position += voxel.velocity * dt;
    voxel.orientation = (rotation_by(voxel.angular_velocity * dt) * voxel.orientation).normalized();
  }
}

}  // namespace vw::bench
