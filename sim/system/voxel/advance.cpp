// Symplectic Euler: kick with the forces at the old positions, then drift with the new velocities.
#include "sim/system/voxel/advance.h"

#include <cmath>

namespace vw {
namespace {

/// exp(w dt) as a quaternion. The series is exact to 1e-17 below 0.2 rad a substep; beyond, the functions themselves.
Quat turn_of(const Vec3& w, double dt) {
  const double x = 0.25 * dt * dt * w.squaredNorm();  // square of half the angle
  double cosine, sinc;
  if (x < 0.01) {
    cosine = 1 - x * (1.0 / 2 - x * (1.0 / 24 - x * (1.0 / 720 - x * (1.0 / 40320))));
    sinc = 1 - x * (1.0 / 6 - x * (1.0 / 120 - x * (1.0 / 5040 - x * (1.0 / 362880))));
  } else {
    const double half = std::sqrt(x);
    cosine = std::cos(half);
    sinc = std::sin(half) / half;
  }
  const Vec3 v = (0.5 * dt * sinc) * w;
  return {cosine, v.x(), v.y(), v.z()};
}

}  // namespace

void gather_bond_loads(const LatticeTopology& topology, std::span<const BondLoad> bonds, const VoxelLoads& out, Range range) {
  for (std::size_t v = range.begin; v < range.end; ++v) {
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    for (std::size_t face = 0; face < face_count; face += 2) {
      const std::int32_t below = topology.bond_at[v][face], above = topology.bond_at[v][face + 1];
      if (below >= 0) {  // this voxel is that bond's b
        force -= bonds[static_cast<std::size_t>(below)].force;
        moment += bonds[static_cast<std::size_t>(below)].moment_b;
      }
      if (above >= 0) {
        force += bonds[static_cast<std::size_t>(above)].force;
        moment += bonds[static_cast<std::size_t>(above)].moment_a;
      }
    }
    out.force[v] = force;
    out.moment[v] = moment;
  }
}

void sum_volume_tension(const LatticeTopology& topology, std::span<const double> strain, std::span<const double> volume_stiffness,
                        std::span<double> out, Range range) {
  for (std::size_t v = range.begin; v < range.end; ++v) {
    double sum = 0;
    for (const std::int32_t bond : topology.bond_at[v])
      if (bond >= 0) sum += strain[static_cast<std::size_t>(bond)];
    out[v] = volume_stiffness[v] * sum;
  }
}

void add_body_forces(const LatticeConstants& constants, const Elements& elements, const Vec3& gravity, std::span<const Vec3> region_force,
                     const VoxelLoads& loads, Range range) {
  for (std::size_t v = range.begin; v < range.end; ++v) loads.force[v] += elements.mass[v] * gravity;
  if (!region_force.empty())
    for (std::size_t v = range.begin; v < range.end; ++v) loads.force[v] += region_force[v];
  if (!constants.dragged) return;
  for (std::size_t v = range.begin; v < range.end; ++v) {
    const VoxelClass& c = constants.of(v);
    loads.force[v] -= c.drag * elements.velocity[v];
    loads.moment[v] -= c.spin_drag * elements.angular_velocity[v];
  }
}

void kick(const LatticeConstants& constants, const VoxelLoads& loads, std::span<const std::uint8_t> fixed, double dt, Elements& elements,
          Range range) {
  for (std::size_t v = range.begin; v < range.end; ++v) {
    if (fixed[v] != 0) {
      elements.velocity[v].setZero();
      elements.angular_velocity[v].setZero();
    } else {
      elements.velocity[v] += (loads.force[v] * dt + elements.impulse[v]) / elements.mass[v];
      elements.angular_velocity[v] += (loads.moment[v] * dt + elements.angular_impulse[v]) / constants.of(v).inertia;
    }
    elements.impulse[v].setZero();
    elements.angular_impulse[v].setZero();
  }
}

void drift(double dt, Elements& elements, Range range) {
  for (std::size_t v = range.begin; v < range.end; ++v) {
    elements.position[v] += elements.velocity[v] * dt;
    Quat& q = elements.orientation[v];
    q = turn_of(elements.angular_velocity[v], dt) * q;
    q.coeffs() *= 1 / q.norm();
  }
}

}  // namespace vw
