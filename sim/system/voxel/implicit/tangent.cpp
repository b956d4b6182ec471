// Second derivative of the bond's energy (bond_force.h) with respect to displacements u and rotations w. A rotation w
// changes the orientation q to exp(w) q. Material and geometric parts are exact to first order in the relative rotation
// phi of the bonded voxels. For a relative rotation of 0.1 rad, the relative error of a bond's blocks is about 1e-3, so
// that Newton's method gains three digits per iteration.
#include "sim/system/voxel/implicit/tangent.h"

#include "sim/base/parallel/parallel.h"
#include "sim/system/voxel/explicit/bond_frame.h"

namespace vw {
namespace {

constexpr std::size_t tangent_bond_grain = 512;  // bonds per parallel task, about 50 us of work
constexpr std::size_t tangent_voxel_grain = 512;

Vec3 with_axis(int axis, double along, double across) {
  Vec3 k = Vec3::Constant(across);
  k[axis] = along;
  return k;
}

double slack_of(std::span<const double> slack, int axis, std::size_t voxels, std::int32_t a) {
  return slack.empty() ? 0 : slack[static_cast<std::size_t>(axis) * voxels + static_cast<std::size_t>(a)];
}

struct BondInput {
  const BondConstants& constants;
  const VoxelView& voxels;
  std::size_t a, b;
  int axis;
  double slack;
};

/// Adds the geometric stiffness of a bond, which depends on the bond's force and moment in the world frame.
void add_geometric(const BondInput& in, const MidFrame& frame, const Vec3& r, BondTangent& out) {
  Vec3 stretch = frame.rotation.transpose() * r;
  stretch[in.axis] -= in.voxels.half_edge[in.a] + in.voxels.half_edge[in.b] + in.slack;
  Vec3 f = with_axis(in.axis, in.constants.axial, in.constants.lateral).cwiseProduct(stretch);
  if (!in.voxels.volume_tension.empty()) f[in.axis] += in.voxels.volume_tension[in.a] + in.voxels.volume_tension[in.b];
  const Vec3 g = with_axis(in.axis, in.constants.twist, in.constants.bend).cwiseProduct(2 * frame.h * frame.v);
  const Vec3 force = frame.rotation * f;
  // Second derivatives of the deformations d and phi along the motion: d'' = wm x (wm x r) - 2 wm x (u2 - u1) and phi''
  // = -w1 x w2, with wm = (w1 + w2) / 2.
  out.couple -= 0.5 * cross_matrix(force);
  out.turn += 0.125 * (force * r.transpose() + r * force.transpose());
  out.turn.diagonal().array() -= 0.25 * force.dot(r);
  out.half_moment = 0.5 * (frame.rotation * g);
}

BondTangent bond_tangent(const BondInput& in, const TangentOptions& options, StrainGradient* gradient, double edge_m) {
  const MidFrame frame = mid_frame(in.voxels.orientation[in.a], in.voxels.orientation[in.b]);
  const Vec3 r = in.voxels.position[in.b] - in.voxels.position[in.a];
  const BondConstants& k = in.constants;
  const double elastic = options.stiffness ? 1 : 0, viscous = options.damping_factor;
  const Vec3 along_across = with_axis(in.axis, elastic * k.axial + viscous * k.axial_damping,
                                      elastic * k.lateral + viscous * k.lateral_damping);
  const Vec3 twist_bend =
      with_axis(in.axis, elastic * k.twist + viscous * k.twist_damping, elastic * k.bend + viscous * k.bend_damping);
  BondTangent out;
  out.stretch = frame.rotation * along_across.asDiagonal() * frame.rotation.transpose();
  out.bend = frame.rotation * twist_bend.asDiagonal() * frame.rotation.transpose();
  const Mat3 arm = 0.5 * cross_matrix(r);
  out.couple = out.stretch * arm;
  out.turn = arm.transpose() * out.couple;
  if (options.stiffness && options.geometric == GeometricStiffness::full) add_geometric(in, frame, r, out);
  if (gradient != nullptr) {
    const Vec3 n = frame.rotation.col(in.axis);
    *gradient = {n / edge_m, -0.5 / edge_m * r.cross(n)};
  }
  return out;
}

}  // namespace

Block6 BondTangent::across() const {
  Block6 k;
  k.topLeftCorner<3, 3>() = -stretch;
  k.topRightCorner<3, 3>() = -couple;
  k.bottomLeftCorner<3, 3>() = couple.transpose();
  k.bottomRightCorner<3, 3>() = turn - bend + cross_matrix(half_moment);
  return k;
}

Block6 BondTangent::own(bool first) const {
  Block6 k;
  const double sign = first ? -1 : 1;
  k.topLeftCorner<3, 3>() = stretch;
  k.topRightCorner<3, 3>() = sign * couple;
  k.bottomLeftCorner<3, 3>() = sign * couple.transpose();
  k.bottomRightCorner<3, 3>() = turn + bend;
  return k;
}

void TangentStiffness::assemble(const LatticeTopology& topology, const LatticeConstants& constants,
                                const VoxelView& voxels, const TangentOptions& options) {
  topology_ = &topology;
  bonds_.resize(topology.bonds.size());
  const bool poisson = options.stiffness && !constants.volume_stiffness.empty();
  gradients_.resize(poisson ? topology.bonds.size() : 0);
  volume_weight_.resize(poisson ? topology.voxel_count() : 0);
  volume_sum_.resize(volume_weight_.size());
  for (std::size_t v = 0; v < volume_weight_.size(); ++v)
    volume_weight_[v] = constants.volume_stiffness[v] * constants.edge_m;
  parallel_for(bonds_.size(), tangent_bond_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const Bond& bond = topology.bonds[i];
      const int axis = i < topology.axis_bonds[0].end ? 0 : i < topology.axis_bonds[1].end ? 1 : 2;
      const BondInput in{constants.bonds[constants.bond_constants_of[i]],
                         voxels,
                         static_cast<std::size_t>(bond.a),
                         static_cast<std::size_t>(bond.b),
                         axis,
                         slack_of(options.slack, axis, topology.voxel_count(), bond.a)};
      bonds_[i] = bond_tangent(in, options, poisson ? &gradients_[i] : nullptr, constants.edge_m);
    }
  });
}

void TangentStiffness::multiply_voxels(std::span<const double> x, std::span<double> y, Range range) const {
  const auto at = [&](std::size_t v, std::size_t part) {
    return Eigen::Map<const Vec3>(x.data() + voxel_freedoms * v + 3 * part);
  };
  for (std::size_t v = range.begin; v < range.end; ++v) {
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    for (std::size_t face = 0; face < face_count; ++face) {
      const std::int32_t index = topology_->bond_at[v][face];
      if (index < 0) continue;
      const auto i = static_cast<std::size_t>(index);
      const BondTangent& k = bonds_[i];
      const auto a = static_cast<std::size_t>(topology_->bonds[i].a),
                 b = static_cast<std::size_t>(topology_->bonds[i].b);
      const double sign = face % 2 == 1 ? -1 : 1;  // -1 if this voxel is voxel a of the bond
      const Vec3 d = at(b, 0) - at(a, 0), m = at(a, 1) + at(b, 1), p = at(b, 1) - at(a, 1);
      force += sign * (k.stretch * d + k.couple * m);
      moment += k.couple.transpose() * d + k.turn * m + sign * (k.bend * p);
      moment -= sign * k.half_moment.cross(at(face % 2 == 1 ? b : a, 1));
      if (gradients_.empty()) continue;
      const double tension = volume_sum_[a] + volume_sum_[b];
      force += sign * tension * gradients_[i].along;
      moment += tension * gradients_[i].arm;
    }
    Eigen::Map<Vec3>(y.data() + voxel_freedoms * v) = force;
    Eigen::Map<Vec3>(y.data() + voxel_freedoms * v + 3) = moment;
  }
}

void TangentStiffness::multiply(std::span<const double> x, std::span<double> y) const {
  const auto at = [&](std::int32_t v, std::size_t part) {
    return Eigen::Map<const Vec3>(x.data() + voxel_freedoms * static_cast<std::size_t>(v) + 3 * part);
  };
  parallel_for(volume_weight_.size(), tangent_voxel_grain, [&](Range range, std::size_t) {
    for (std::size_t v = range.begin; v < range.end; ++v) {
      double sum = 0;
      for (const std::int32_t index : topology_->bond_at[v]) {
        if (index < 0) continue;
        const Bond& bond = topology_->bonds[static_cast<std::size_t>(index)];
        const StrainGradient& g = gradients_[static_cast<std::size_t>(index)];
        sum += g.along.dot(at(bond.b, 0) - at(bond.a, 0)) + g.arm.dot(at(bond.a, 1) + at(bond.b, 1));
      }
      volume_sum_[v] = volume_weight_[v] * sum;
    }
  });
  parallel_for(voxel_count(), tangent_voxel_grain, [&](Range range, std::size_t) { multiply_voxels(x, y, range); });
}

namespace {

/// Gradient of the sum of the strains of a voxel's bonds. Entry 0 is the gradient with respect to the degrees of
/// freedom of the voxel. Entry face + 1 is the gradient with respect to the degrees of freedom of the neighbour through
/// a face. The voxel index of an entry without a neighbour is -1.
struct VolumeGradient {
  std::array<std::int32_t, 7> voxel{-1, -1, -1, -1, -1, -1, -1};
  std::array<Vec6, 7> row;
};

VolumeGradient volume_gradient(const TangentStiffness& k, std::size_t v) {
  VolumeGradient out;
  out.voxel[0] = static_cast<std::int32_t>(v);
  out.row[0].setZero();
  for (std::size_t face = 0; face < face_count; ++face) {
    const std::int32_t index = k.topology().bond_at[v][face];
    if (index < 0) continue;
    const StrainGradient& g = k.strain_gradient(static_cast<std::size_t>(index));
    const double sign = face % 2 == 1 ? -1 : 1;
    Vec6 own, other;
    own << sign * g.along, g.arm;
    other << -sign * g.along, g.arm;
    out.voxel[face + 1] = k.topology().neighbour(v, static_cast<int>(face));
    out.row[0] += own;
    out.row[face + 1] = other;
  }
  return out;
}

}  // namespace

Block6 TangentStiffness::diagonal(std::size_t voxel) const {
  Mat3 stretch = Mat3::Zero(), couple = Mat3::Zero(), turn = Mat3::Zero();
  Block6 sum = Block6::Zero();
  Vec6 total = Vec6::Zero();
  for (std::size_t face = 0; face < face_count; ++face) {
    const std::int32_t index = topology_->bond_at[voxel][face];
    if (index < 0) continue;
    const auto i = static_cast<std::size_t>(index);
    const BondTangent& k = bonds_[i];
    const double sign = face % 2 == 1 ? -1 : 1;  // -1 if this voxel is voxel a of the bond
    stretch += k.stretch;
    couple += sign * k.couple;
    turn += k.turn + k.bend;
    if (volume_weight_.empty()) continue;
    const Bond& ends = topology_->bonds[i];
    Vec6 row;
    row << sign * gradients_[i].along, gradients_[i].arm;
    total += row;
    sum.noalias() += volume_weight_[static_cast<std::size_t>(face % 2 == 1 ? ends.b : ends.a)] * row * row.transpose();
  }
  if (!volume_weight_.empty()) sum.noalias() += volume_weight_[voxel] * total * total.transpose();
  sum.topLeftCorner<3, 3>() += stretch;
  sum.topRightCorner<3, 3>() += couple;
  sum.bottomLeftCorner<3, 3>() += couple.transpose();
  sum.bottomRightCorner<3, 3>() += turn;
  return sum;
}

Eigen::SparseMatrix<double> TangentStiffness::sparse(std::span<const std::int32_t> row_of, std::int32_t rows,
                                                     bool volume) const {
  std::vector<Eigen::Triplet<double>> entries;
  const bool poisson = volume && !volume_weight_.empty();
  entries.reserve(voxel_count() * (poisson ? 25 : 7) * 36);
  const auto add = [&](std::size_t v, std::size_t w, const Block6& block) {
    for (std::size_t i = 0; i < voxel_freedoms; ++i)
      for (std::size_t j = 0; j < voxel_freedoms; ++j) {
        const std::int32_t row = row_of[voxel_freedoms * v + i], col = row_of[voxel_freedoms * w + j];
        const double value = block(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
        if (row >= 0 && col >= 0 && value != 0) entries.emplace_back(row, col, value);
      }
  };
  for (std::size_t v = 0; v < voxel_count(); ++v) {
    Block6 own = Block6::Zero();
    for (std::size_t face = 0; face < face_count; ++face) {
      const std::int32_t index = topology_->bond_at[v][face];
      if (index < 0) continue;
      const BondTangent& k = bonds_[static_cast<std::size_t>(index)];
      own += k.own(face % 2 == 1);
      const auto other = static_cast<std::size_t>(topology_->neighbour(v, static_cast<int>(face)));
      add(v, other, face % 2 == 1 ? k.across() : Block6(k.across().transpose()));
    }
    add(v, v, own);
    if (!poisson) continue;
    const VolumeGradient g = volume_gradient(*this, v);
    for (std::size_t i = 0; i < 7; ++i)
      for (std::size_t j = 0; j < 7; ++j)
        if (g.voxel[i] >= 0 && g.voxel[j] >= 0)
          add(static_cast<std::size_t>(g.voxel[i]), static_cast<std::size_t>(g.voxel[j]),
              volume_weight_[v] * g.row[i] * g.row[j].transpose());
  }
  Eigen::SparseMatrix<double> out(rows, rows);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

std::int32_t number_freedoms(std::span<const std::uint8_t> held, std::vector<std::int32_t>& row_of) {
  row_of.assign(voxel_freedoms * held.size(), -1);
  std::int32_t rows = 0;
  for (std::size_t v = 0; v < held.size(); ++v)
    for (std::size_t i = 0; i < voxel_freedoms; ++i)
      if ((held[v] >> i & 1U) == 0) row_of[voxel_freedoms * v + i] = rows++;
  return rows;
}

std::vector<double> freedom_masses(const LatticeConstants& constants, std::size_t voxels) {
  std::vector<double> out;
  out.reserve(voxel_freedoms * voxels);
  for (std::size_t v = 0; v < voxels; ++v) {
    const VoxelClass& c = constants.of(v);
    out.insert(out.end(), {c.mass, c.mass, c.mass, c.inertia, c.inertia, c.inertia});
  }
  return out;
}

}  // namespace vw
