// Finds pieces by a flood fill over bonds. Sums over a piece run over the voxels in ascending order.
#include "sim/system/voxel/lattice/pieces.h"

#include <algorithm>

#include <Eigen/Cholesky>

namespace vw {

void Pieces::update(const LatticeTopology& topology, std::span<const std::uint8_t> held) {
  const std::size_t n = topology.voxel_count();
  if (bond_at_ == topology.bond_at && held_.size() == n && std::equal(held.begin(), held.end(), held_.begin())) return;
  bond_at_ = topology.bond_at;
  held_.assign(held.begin(), held.end());
  constexpr std::uint32_t none = 0xffffffffU;
  piece_.assign(n, none);
  free_.clear(), first_.assign(1, 0), voxels_.clear();
  std::vector<std::uint32_t> open;
  for (std::size_t seed = 0; seed < n; ++seed) {
    if (piece_[seed] != none) continue;
    const auto piece = static_cast<std::uint32_t>(free_.size());
    free_.push_back(1);
    open.assign(1, static_cast<std::uint32_t>(seed));
    piece_[seed] = piece;
    while (!open.empty()) {
      const std::uint32_t v = open.back();
      open.pop_back();
      voxels_.push_back(v);
      if (held_[v] != 0) free_[piece] = 0;
      for (int face = 0; face < face_count; ++face) {
        const std::int32_t other = topology.neighbour(v, face);
        if (other < 0 || piece_[static_cast<std::size_t>(other)] != none) continue;
        piece_[static_cast<std::size_t>(other)] = piece;
        open.push_back(static_cast<std::uint32_t>(other));
      }
    }
    std::sort(voxels_.begin() + first_[piece], voxels_.end());
    first_.push_back(static_cast<std::uint32_t>(voxels_.size()));
  }
}

std::vector<std::uint32_t> Pieces::groups_of(std::span<const std::pair<std::uint32_t, std::uint32_t>> links) const {
  std::vector<std::uint32_t> group(count());
  for (std::uint32_t piece = 0; piece < group.size(); ++piece) group[piece] = piece;
  const auto root = [&](std::uint32_t piece) {
    while (group[piece] != piece) piece = group[piece] = group[group[piece]];
    return piece;
  };
  for (const auto& [a, b] : links) {
    const std::uint32_t first = root(piece_[a]), second = root(piece_[b]);
    group[std::max(first, second)] = std::min(first, second);
  }
  for (std::uint32_t piece = 0; piece < group.size(); ++piece) group[piece] = root(piece);
  return group;
}

void Pieces::restore_momentum(const LatticeConstants& constants, const MomentumInput& in, Elements& elements) const {
  const std::vector<std::uint32_t> group = groups_of(in.links);
  std::vector<std::uint32_t> size(count(), 0);
  std::vector<std::uint8_t> closed(count(), 1);  // 1 if no piece of the group is constrained or touches an obstacle
  for (std::size_t piece = 0; piece < count(); ++piece) {
    ++size[group[piece]];
    if (free_[piece] == 0 || in.touched[piece] != 0) closed[group[piece]] = 0;
  }
  for (std::size_t piece = 0; piece < count(); ++piece)
    if (free_[piece] != 0) restore_piece(constants, in, piece, size[group[piece]] == 1, elements);
  // Lists the pieces group by group, in ascending order within a group.
  std::vector<std::uint32_t> end(count(), 0), members(count());
  for (std::size_t piece = 0, sum = 0; piece < count(); sum += size[piece], ++piece)
    end[piece] = static_cast<std::uint32_t>(sum);
  for (std::uint32_t piece = 0; piece < count(); ++piece) members[end[group[piece]]++] = piece;
  for (std::uint32_t first = 0; first < count(); ++first)
    if (group[first] == first && size[first] > 1 && closed[first] != 0)
      restore_group(constants, in, std::span(members).subspan(end[first] - size[first], size[first]), elements);
}

/// Corrects the momentum of one piece. If the piece presses on another piece (`alone` is false) or on an obstacle, its
/// residual is not corrected here. In this case, only the angular momentum that backward Euler takes from a rotating
/// piece is restored.
void Pieces::restore_piece(const LatticeConstants& constants, const MomentumInput& in, std::size_t piece, bool alone,
                           Elements& elements) const {
  double mass = 0;
  Vec3 center = Vec3::Zero(), before = Vec3::Zero(), after = Vec3::Zero();
  const std::span<const std::uint32_t> voxels = voxels_of(piece);
  for (const std::uint32_t v : voxels) {
    mass += elements.mass[v];
    center += elements.mass[v] * elements.position[v];
    before += elements.mass[v] * in.velocity_before[v];
    after += elements.mass[v] * elements.velocity[v];
  }
  center /= mass, before /= mass, after /= mass;
  // Errors of the step that are removed below: gain of the piece in momentum (`force`), and in angular momentum about
  // its centre (`spurious`).
  Vec3 force = Vec3::Zero(), spurious = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
  for (const std::uint32_t v : voxels) {
    const double m = elements.mass[v];
    const Vec3 r = elements.position[v] - center;
    inertia.diagonal().array() += m * r.squaredNorm() + constants.of(v).inertia;
    inertia -= m * r * r.transpose();
    spurious += in.dt * m * (elements.velocity[v] - after).cross(in.velocity_before[v] - before);
    if (in.touched[piece] != 0 || !alone) continue;
    const Eigen::Map<const Vec3> left(in.residual.data() + 6 * v), turn(in.residual.data() + 6 * v + 3);
    force += in.dt * left;
    spurious += in.dt * (r.cross(left) + turn);
  }
  const Vec3 push = -force / mass, spin = -inertia.ldlt().solve(spurious);
  for (const std::uint32_t v : voxels) {
    elements.velocity[v] += push + spin.cross(elements.position[v] - center);
    elements.position[v] += in.dt * push;
    elements.angular_velocity[v] += spin;
  }
}

/// Corrects the pieces of a group, which press on each other at the end of the step, by one rigid motion of the whole
/// group. Two errors are corrected: the remaining residual, and the spurious change h sum M V1 x V0 of the angular
/// momentum of pieces that move past each other. h is the step, M the mass of a piece, and V0 and V1 are the piece's
/// velocities before and after the step, relative to the group.
void Pieces::restore_group(const LatticeConstants& constants, const MomentumInput& in,
                           std::span<const std::uint32_t> pieces, Elements& elements) const {
  double mass = 0;
  Vec3 center = Vec3::Zero(), before = Vec3::Zero(), after = Vec3::Zero();
  struct Motion {
    double mass = 0;
    Vec3 before = Vec3::Zero(), after = Vec3::Zero();  ///< momentum before and after the step
  };
  std::vector<Motion> motions;
  for (const std::uint32_t piece : pieces) {
    Motion& motion = motions.emplace_back();
    for (const std::uint32_t v : voxels_of(piece)) {
      motion.mass += elements.mass[v];
      center += elements.mass[v] * elements.position[v];
      motion.before += elements.mass[v] * in.velocity_before[v];
      motion.after += elements.mass[v] * elements.velocity[v];
    }
    mass += motion.mass, before += motion.before, after += motion.after;
  }
  center /= mass, before /= mass, after /= mass;
  Vec3 force = Vec3::Zero(), spurious = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Motion& motion = motions[i];
    spurious += in.dt * (motion.after - motion.mass * after).cross(motion.before / motion.mass - before);
    for (const std::uint32_t v : voxels_of(pieces[i])) {
      const double m = elements.mass[v];
      const Vec3 r = elements.position[v] - center;
      inertia.diagonal().array() += m * r.squaredNorm() + constants.of(v).inertia;
      inertia -= m * r * r.transpose();
      const Eigen::Map<const Vec3> left(in.residual.data() + 6 * v), turn(in.residual.data() + 6 * v + 3);
      force += in.dt * left;
      spurious += in.dt * (r.cross(left) + turn);
    }
  }
  const Vec3 push = -force / mass, spin = -inertia.ldlt().solve(spurious);
  for (const std::uint32_t piece : pieces)
    for (const std::uint32_t v : voxels_of(piece)) {
      elements.velocity[v] += push + spin.cross(elements.position[v] - center);
      elements.position[v] += in.dt * push;
      elements.angular_velocity[v] += spin;
    }
}

}  // namespace vw
