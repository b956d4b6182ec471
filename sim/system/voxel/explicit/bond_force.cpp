// Computes loads, strains and deformations of bonds by the formulas of bond_force.h.
#include "sim/system/voxel/explicit/bond_force.h"

#include <algorithm>

#include "sim/system/voxel/explicit/bond_frame.h"

namespace vw {
namespace {

/// Multiplies the component of a local vector along the bond's axis by `along`, the other components by `across`.
template <int Axis>
Vec3 along_across(const Vec3& local, double along, double across) {
  return {(Axis == 0 ? along : across) * local.x(), (Axis == 1 ? along : across) * local.y(),
          (Axis == 2 ? along : across) * local.z()};
}

template <int Axis, bool Damped>
BondLoad bond_load(const VoxelView& voxels, const Bond& bond, const BondConstants& k, double slack) {
  const auto a = static_cast<std::size_t>(bond.a), b = static_cast<std::size_t>(bond.b);
  const MidFrame frame = mid_frame(voxels.orientation[a], voxels.orientation[b]);
  const Vec3 r = voxels.position[b] - voxels.position[a];
  Vec3 stretch = frame.rotation.transpose() * r;  // r~ in the mid frame
  const Vec3 local = stretch;
  stretch[Axis] -= voxels.half_edge[a] + voxels.half_edge[b] + slack;

  Vec3 f = along_across<Axis>(stretch, k.axial, k.lateral);
  if (!voxels.volume_tension.empty()) f[Axis] += voxels.volume_tension[a] + voxels.volume_tension[b];
  const Vec3 g = along_across<Axis>(2 * frame.h * frame.v, k.twist, k.bend);

  // d is D of bond_force.h. Its factor tan(theta/2) a equals frame.f * frame.v, because frame.v = sin(theta) a and
  // frame.f = 1 / (1 + cos(theta)).
  const Vec3 torque = local.cross(f);
  Vec3 d = frame.v.cross(torque) * (0.5 * frame.f) - frame.h * g + frame.k * frame.v.dot(g) * frame.v;

  if constexpr (Damped) {
    // The relative velocity v vanishes in a rigid motion, so damping does not slow a rigid motion.
    const Vec3 &w1 = voxels.angular_velocity[a], &w2 = voxels.angular_velocity[b];
    const Vec3 v = voxels.velocity[b] - voxels.velocity[a] - 0.5 * (w1 + w2).cross(r);
    f += along_across<Axis>(frame.rotation.transpose() * v, k.axial_damping, k.lateral_damping);
    d -= along_across<Axis>(frame.rotation.transpose() * (w2 - w1), k.twist_damping, k.bend_damping);
  }
  BondLoad load;
  load.force = frame.rotation * f;
  const Vec3 couple = 0.5 * r.cross(load.force);  // -1/2 r x F2, which balances the moment of the forces exactly
  const Vec3 turn = frame.rotation * d;
  load.moment_a = couple - turn;
  load.moment_b = couple + turn;
  return load;
}

template <int Axis, bool Damped>
void axis_forces(const BondView& bonds, const VoxelView& voxels, std::span<BondLoad> out, Range range) {
  const std::size_t n = voxels.position.size();
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const Bond& bond = bonds.bonds[i];
    out[i] = bond_load<Axis, Damped>(voxels, bond, bonds.constants_at(i), bonds.slack_of(Axis, n, bond.a));
  }
}

Range overlap(Range a, Range b) {
  const std::size_t begin = std::max(a.begin, b.begin);
  return {begin, std::max(begin, std::min(a.end, b.end))};
}

template <int Axis>
void axis_strains(const BondView& bonds, const VoxelView& voxels, double edge_m, std::span<double> out, Range range) {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const auto a = static_cast<std::size_t>(bonds.bonds[i].a), b = static_cast<std::size_t>(bonds.bonds[i].b);
    const MidFrame frame = mid_frame(voxels.orientation[a], voxels.orientation[b]);
    const double along = frame.rotation.col(Axis).dot(voxels.position[b] - voxels.position[a]);
    const double slack = bonds.slack_of(Axis, voxels.position.size(), bonds.bonds[i].a);
    out[i] = (along - voxels.half_edge[a] - voxels.half_edge[b] - slack) / edge_m;
  }
}

template <bool Damped>
void all_axes_forces(const BondView& bonds, const VoxelView& voxels, std::span<BondLoad> out, Range range) {
  axis_forces<0, Damped>(bonds, voxels, out, overlap(range, bonds.axis_bonds[0]));
  axis_forces<1, Damped>(bonds, voxels, out, overlap(range, bonds.axis_bonds[1]));
  axis_forces<2, Damped>(bonds, voxels, out, overlap(range, bonds.axis_bonds[2]));
}

}  // namespace

void bond_forces(const BondView& bonds, const VoxelView& voxels, bool damped, std::span<BondLoad> out, Range range) {
  if (damped)
    all_axes_forces<true>(bonds, voxels, out, range);
  else
    all_axes_forces<false>(bonds, voxels, out, range);
}

void bond_strains(const BondView& bonds, const VoxelView& voxels, double edge_m, std::span<double> out, Range range) {
  axis_strains<0>(bonds, voxels, edge_m, out, overlap(range, bonds.axis_bonds[0]));
  axis_strains<1>(bonds, voxels, edge_m, out, overlap(range, bonds.axis_bonds[1]));
  axis_strains<2>(bonds, voxels, edge_m, out, overlap(range, bonds.axis_bonds[2]));
}

BondDeformation bond_deformation(const BondView& bonds, const VoxelView& voxels, std::size_t bond) {
  const auto a = static_cast<std::size_t>(bonds.bonds[bond].a), b = static_cast<std::size_t>(bonds.bonds[bond].b);
  const int axis = bond < bonds.axis_bonds[0].end ? 0 : bond < bonds.axis_bonds[1].end ? 1 : 2;
  const MidFrame frame = mid_frame(voxels.orientation[a], voxels.orientation[b]);
  const Vec3 r = voxels.position[b] - voxels.position[a];
  const Vec3 local = frame.rotation.transpose() * r, phi = 2 * frame.h * frame.v;
  BondDeformation out;
  out.stretch = local;
  out.stretch[axis] -= voxels.half_edge[a] + voxels.half_edge[b];
  out.elongation =
      out.stretch[axis] - bonds.slack_of(static_cast<std::size_t>(axis), voxels.position.size(), bonds.bonds[bond].a);
  out.lateral_squared = local.squaredNorm() - local[axis] * local[axis];
  out.twist = phi[axis];
  out.bend_squared = phi.squaredNorm() - phi[axis] * phi[axis];
  out.length = r.norm();
  return out;
}

}  // namespace vw
