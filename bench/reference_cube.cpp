#include "bench/reference_cube.h"

#include <cmath>

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

ReferenceCube::ReferenceCube(int n, double edge_m, const Material& material) : edge_(edge_m), damping_(material.bond_damping) {
  mass_ = material.density * edge_m * edge_m * edge_m;
  inertia_ = mass_ * edge_m * edge_m / 6;
  const double shear = material.youngs / 2, second_moment = std::pow(edge_m, 4) / 12;  // nu = 0
  axial_ = material.youngs * edge_m;
  lateral_ = 12 * material.youngs * second_moment / std::pow(edge_m, 3);
  twist_ = shear * 0.1406 * std::pow(edge_m, 3);
  bend_ = material.youngs * second_moment / edge_m;  // b3 / 2
  const auto index = [n](int x, int y, int z) { return static_cast<std::size_t>((y * n + z) * n + x); };
  for (int y = 0; y < n; ++y)
    for (int z = 0; z < n; ++z)
      for (int x = 0; x < n; ++x) {
        voxels.push_back({Vec3(x + 0.5, y + 0.5, z + 0.5) * edge_m, Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Quat::Identity()});
        if (x + 1 < n) bonds_.push_back({index(x, y, z), index(x + 1, y, z), 0});
        if (y + 1 < n) bonds_.push_back({index(x, y, z), index(x, y + 1, z), 1});
        if (z + 1 < n) bonds_.push_back({index(x, y, z), index(x, y, z + 1), 2});
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
  f[bond.axis] = axial_ * (local[bond.axis] - edge_);
  g[bond.axis] = twist_ * phi[bond.axis];
  // SPEC 1, "The form to implement".
  const double theta = 0.5 * phi.norm();
  Vec3 d = -g;
  if (theta > 1e-9) {
    const Vec3 axis = phi.normalized();
    const double c = std::sin(theta) / theta;
    d = 0.5 * std::tan(0.5 * theta) * axis.cross(local.cross(f)) - (g / c + (1 - 1 / c) * axis * axis.dot(g));
  }
  // Local damping about the rigid motion of the pair.
  const double half_mass = 0.5 * mass_, half_inertia = 0.5 * inertia_;
  const Vec3 v = mid.conjugate() * (b.velocity - a.velocity - 0.5 * (a.angular_velocity + b.angular_velocity).cross(r));
  const Vec3 w = mid.conjugate() * (b.angular_velocity - a.angular_velocity);
  for (int k = 0; k < 3; ++k) {
    f[k] += 2 * damping_ * std::sqrt(half_mass * (k == bond.axis ? axial_ : lateral_)) * v[k];
    d[k] -= 2 * damping_ * std::sqrt(half_inertia * (k == bond.axis ? twist_ : bend_)) * w[k];
  }
  const Vec3 force = mid * f, couple = 0.5 * r.cross(force), moment = mid * d;
  a.force += force;
  b.force -= force;
  a.moment += couple - moment;
  b.moment += couple + moment;
}

void ReferenceCube::substep(double dt) {
  for (Voxel& voxel : voxels) voxel.force = voxel.moment = Vec3::Zero();
  for (const Bond& bond : bonds_) add_bond_loads(bond);
  for (Voxel& voxel : voxels) {
    voxel.velocity += voxel.force * (dt / mass_);
    voxel.angular_velocity += voxel.moment * (dt / inertia_);
    voxel.position += voxel.velocity * dt;
    voxel.orientation = (rotation_by(voxel.angular_velocity * dt) * voxel.orientation).normalized();
  }
}

}  // namespace vw::bench
