#include "sim/interaction/fluid/deformation_filter.h"

#include <algorithm>
#include <cmath>

#include "sim/base/inertia.h"

namespace vw {
namespace {

/// Fraction of the difference between present and filtered deformation velocities that damp() removes in a substep of
/// the fluid. With this value, the damping removes more energy than the delay of the filter adds, also in sheets of one
/// voxel whose material hardly damps.
constexpr double damped = 0.2;
/// Largest rotation of a piece (a connected part of the body) in a substep of the fluid [rad] that the filter follows.
/// A piece that turns further was moved by a command, and its displacement is not filtered.
constexpr double most_turn = 0.5;

double own_inertia(const Elements& e, std::uint32_t v) { return cube_inertia(e.mass[v], e.radius[v]); }

/// Twice the Rodrigues vector of a rotation: along its axis, with length 2 tan(t / 2) for the angle t, which is t for
/// small rotations. A point at the distance a from the axis, in the middle between its positions before and after the
/// rotation, moves by this length times a.
Vec3 rodrigues_of(const Quat& turn) {
  constexpr double least_scalar = 1e-3;  // Rotations near half a turn are outside the range of the filter.
  return (turn.w() < 0 ? -2 : 2) / std::max(least_scalar, std::abs(turn.w())) * turn.vec();
}
Quat from_rodrigues(const Vec3& vector) {
  return Quat(1, 0.5 * vector.x(), 0.5 * vector.y(), 0.5 * vector.z()).normalized();
}

/// Velocity [m/s] and angular velocity [1/s] of a rigid motion about `center`.
struct RigidVelocity {
  Vec3 center = Vec3::Zero(), velocity = Vec3::Zero(), spin = Vec3::Zero();

  [[nodiscard]] Vec3 at(const Vec3& point) const { return velocity + spin.cross(point - center); }
};

/// Returns the rigid motion with the momentum and the angular momentum of the given voxels at the positions `center`.
RigidVelocity rigid_velocity(const Elements& e, std::span<const Vec3> center, std::span<const std::uint32_t> voxels) {
  if (voxels.empty()) return {};
  // All sums are taken relative to the first voxel, so that one pass over the voxels suffices.
  const Vec3 origin = center[voxels.front()];
  double mass = 0;
  Vec3 moment = Vec3::Zero(), momentum = Vec3::Zero(), angular_momentum = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
  for (const std::uint32_t v : voxels) {
    const Vec3 arm = center[v] - origin;
    mass += e.mass[v];
    moment += e.mass[v] * arm;
    momentum += e.mass[v] * e.velocity[v];
    angular_momentum += e.mass[v] * arm.cross(e.velocity[v]) + own_inertia(e, v) * e.angular_velocity[v];
    inertia += e.mass[v] * point_inertia(arm) + own_inertia(e, v) * Mat3::Identity();
  }
  const Vec3 arm = moment / mass;
  inertia -= mass * point_inertia(arm);
  return {origin + arm, momentum / mass, inertia.inverse() * (angular_momentum - arm.cross(momentum))};
}

/// Returns the voxels whose common motion is the frame of the piece.
std::span<const std::uint32_t> frame_of(const DeformingPiece& piece) {
  return piece.held.empty() ? piece.voxels : piece.held;
}

/// Displacement of a rigid motion: rotation by `turn` about `from`, then a translation from `from` to `to`.
struct RigidStep {
  Vec3 from = Vec3::Zero(), to = Vec3::Zero();
  Quat turn = Quat::Identity();

  [[nodiscard]] Vec3 moved(const Vec3& point) const { return to + turn * (point - from); }
};

/// Positions [m] and orientations of all voxels.
struct Places {
  std::span<const Vec3> center;
  std::span<const Quat> orientation;
};

/// Returns the rigid displacement of the given voxels from `before` to `now` that has their mean displacement and their
/// mean rotation, weighted with mass and moment of inertia.
RigidStep rigid_step(const Elements& e, const Places& before, const Places& now,
                     std::span<const std::uint32_t> voxels) {
  RigidStep step;
  double mass = 0;
  for (const std::uint32_t v : voxels) {
    mass += e.mass[v];
    step.from += e.mass[v] * before.center[v];
    step.to += e.mass[v] * now.center[v];
  }
  if (!(mass > 0)) return step;
  step.from /= mass, step.to /= mass;
  Mat3 inertia = Mat3::Zero();
  Vec3 turned = Vec3::Zero();
  for (const std::uint32_t v : voxels) {
    const Vec3 arm_before = before.center[v] - step.from, arm = now.center[v] - step.to,
               middle = 0.5 * (arm_before + arm);
    inertia += e.mass[v] * point_inertia(middle) + own_inertia(e, v) * Mat3::Identity();
    turned += e.mass[v] * middle.cross(arm - arm_before) +
              own_inertia(e, v) * rodrigues_of(now.orientation[v] * before.orientation[v].conjugate());
  }
  step.turn = from_rodrigues(inertia.inverse() * turned);
  return step;
}

}  // namespace

double gain_for(double added_mass_ratio) { return 1 / std::max(1.0, added_mass_ratio); }

void DeformationFilter::forget() { center_.clear(), orientation_.clear(); }

void DeformationFilter::visit_state(StateVisitor& visit) {
  visit.rows("voxel in the fluid");
  visit.optional("followed_center", center_);
  visit.optional("followed_orientation", orientation_);
}

void DeformationFilter::follow_piece(const Elements& elements, std::span<const Vec3> center,
                                     const DeformingPiece& piece, double dt) {
  const RigidVelocity motion = rigid_velocity(elements, center, frame_of(piece));
  const RigidStep step = rigid_step(elements, {center_, orientation_}, {center, elements.orientation}, frame_of(piece));
  const bool was_moved = rodrigues_of(step.turn).norm() > most_turn;
  for (const std::uint32_t v : piece.voxels) {
    const Vec3 from = was_moved ? center[v] : step.moved(center_[v]), way = piece.gain * (center[v] - from);
    const Quat before = was_moved ? elements.orientation[v] : step.turn * orientation_[v];
    const Vec3 turn = piece.gain * rodrigues_of(elements.orientation[v] * before.conjugate());
    center_[v] = from + way;
    orientation_[v] = (from_rodrigues(turn) * before).normalized();
    deforming_[v] = way / dt;
    bending_[v] = turn / dt;
    velocity_[v] = motion.at(center_[v]) + deforming_[v];
    spin_[v] = motion.spin + bending_[v];
  }
  for (const std::uint32_t v : piece.held) {
    center_[v] = center[v], orientation_[v] = elements.orientation[v];
    velocity_[v] = elements.velocity[v], spin_[v] = elements.angular_velocity[v];
    deforming_[v] = velocity_[v] - motion.at(center[v]), bending_[v] = spin_[v] - motion.spin;
  }
}

void DeformationFilter::damp(Elements& elements, const DeformingPiece& piece, double share) const {
  elements.room_for_impulses();
  const double removed = damped * share;
  const RigidVelocity motion = rigid_velocity(elements, elements.position, frame_of(piece));
  for (const std::uint32_t v : piece.voxels) {
    const Vec3 off = elements.velocity[v] - motion.at(elements.position[v]) - deforming_[v],
               spin_off = elements.angular_velocity[v] - motion.spin - bending_[v];
    elements.impulse[v] -= removed * elements.mass[v] * off;
    elements.angular_impulse[v] -= removed * own_inertia(elements, v) * spin_off;
  }
}

void DeformationFilter::follow(const Elements& elements, std::span<const Vec3> center,
                               std::span<const DeformingPiece> pieces, double dt) {
  const std::size_t n = elements.size();
  // The lengths in a state from a file may differ from each other.
  if (center_.size() != n || orientation_.size() != n)
    center_.assign(center.begin(), center.end()), orientation_ = elements.orientation;
  velocity_.resize(n), spin_.resize(n), deforming_.resize(n), bending_.resize(n);
  for (const DeformingPiece& piece : pieces) follow_piece(elements, center, piece, dt);
}

}  // namespace vw
