// Energy of joints: bounds the work of joint impulses, and conserves the energy of conservative groups.
#include <algorithm>
#include <cmath>

#include "sim/base/inertia.h"
#include "sim/system/rigid/joints/joints.h"

namespace vw {
namespace {

/// Largest energy that joints may have added and not yet removed, as a fraction of the kinetic energy.
constexpr double gift_share = 0.3;
/// A joint counts as satisfied if its constraint rates are below this fraction of the group's speed.
constexpr double held_share = 1e-3;
constexpr double rounding = 1e-12;
/// Energy errors below this fraction of the internal kinetic energy (restore_energy()) are not corrected, because they
/// oscillate about zero without drift.
constexpr double free_error = 2e-4;
/// Largest energies that the correction may add and remove in a substep, as fractions of the internal kinetic energy.
/// The integrator itself does not lose more energy than `most_added` in a substep.
constexpr double most_added = 0.1;
constexpr double most_removed = 0.9;
/// If the internal motion of a group has less than this fraction of the kinetic energy, the group moves as one rigid
/// body, and its energy is not corrected.
constexpr double least_internal = 1e-9;

/// If the energy error of a substep exceeds this fraction of the internal kinetic energy, the substep is repeated as
/// two substeps of half the length.
constexpr double most_error = 0.01;
constexpr int most_halvings = 6;
constexpr int half_rounds = 4;

}  // namespace

RigidJoints::JointWork RigidJoints::work_of(const RigidScene& scene, Group& group) {
  JointWork gift;
  for (Mover& mover : group.movers) mover.load.setZero();
  for (std::size_t k = 0; k < group.joints.size(); ++k) {
    const Hold& hold = holds_[group.joints[k]];
    const auto& [side_a, side_b] = group.sides[k];
    group.movers[side_a].load += hold.rows_a.transpose() * hold.impulse;
    if (side_b != no_body) group.movers[side_b].load += hold.rows_b.transpose() * hold.impulse;
  }
  for (std::size_t i = 0; i < group.bodies.size(); ++i) {
    const std::size_t body = group.bodies[i];
    const Mover& mover = group.movers[i];
    const Vec3 push = mover.load.head<3>(), turn = mover.load.tail<3>();
    const Vec3 slower = mover.inverse_mass * push, calmer = mover.inverse_inertia * turn;
    const Vec3 velocity = scene.rows->velocity[body] - slower, spin = scene.rows->angular_velocity[body] - calmer;
    const double square = push.dot(slower) + turn.dot(calmer);
    gift.linear += velocity.dot(push) + spin.dot(turn);
    gift.square += square;
    const RigidBody& it = scene.bodies[body];
    gift.before +=
        0.5 * (it.mass_kg * velocity.squaredNorm() + spin.dot(it.inertia.tensor(scene.rows->orientation[body]) * spin));
  }
  for (const std::size_t index : group.joints) {
    const JointParams& p = joints_[index].params;
    const Hold& hold = holds_[index];
    const bool has_motor = has_axis(p.kind) && p.motor != JointMotor::off;
    if (!has_motor && !hold.length_changes && !is_spring(p)) continue;
    const int row = drive_row(p.kind);
    const double rate = rates(index, scene.rows->velocity, scene.rows->angular_velocity)[row];
    const double most = has_motor ? scene.dt * p.motor_most : infinite;
    gift.allowed += std::max(0.0, std::clamp(hold.impulse[row], -most, most) * rate);
  }
  return gift;
}

bool RigidJoints::adds_energy(const Group& group, const JointWork& gift) const {
  return !(gift.excess() <= 0) && !(added_energy_j_[group.joints.front()] + gift.excess() <=
                                    gift_share * (gift.before + gift.linear + 0.5 * gift.square));
}

void RigidJoints::scale_impulses(const RigidScene& scene, Group& group) {
  const JointWork gift = work_of(scene, group);
  if (!adds_energy(group, gift)) return;
  group.is_energy_limited = true;
  const double share =
      gift.square > 0 ? std::clamp((-gift.linear + std::sqrt(2 * gift.square * gift.allowed)) / gift.square, 0.0, 1.0)
                      : 0.0;
  for (std::size_t k = 0; k < group.joints.size(); ++k)
    push(scene, group, k, (share - 1) * holds_[group.joints[k]].impulse);
}

void RigidJoints::update_added_energy(const RigidScene& scene, Group& group) {
  double& ahead = added_energy_j_[group.joints.front()];
  const JointWork gift = work_of(scene, group);
  // For a group at rest, rounding may make this kinetic energy negative.
  const double most = std::max(0.0, gift_share * (gift.before + gift.linear + 0.5 * gift.square));
  ahead = std::clamp(ahead + gift.excess(), 0.0, most);
}

// ---- Conservative motion ----

double RigidJoints::kick_s(std::size_t body, double dt) const {
  if (is_jointed_[body] == 0) return dt;
  const double pending = pending_kick_s_[body];
  return (pending == 0 && is_driven_[body] != 0 ? 0.5 * dt : pending) + 0.5 * dt;
}

double RigidJoints::kinetic_j(const RigidScene& scene, const Group& group, std::span<const Vec3> velocity,
                              std::span<const Vec3> spin) const {
  double sum = 0;
  for (const std::size_t body : group.bodies) {
    const RigidBody& it = scene.bodies[body];
    sum += 0.5 * (it.mass_kg * velocity[body].squaredNorm() +
                  spin[body].dot(it.inertia.tensor(scene.rows->orientation[body]) * spin[body]));
  }
  return sum;
}

bool RigidJoints::starts_conservative(const RigidScene& scene, const Group& group) const {
  const Elements& rows = *scene.rows;
  double speed = 0;
  for (const std::size_t body : group.bodies) {
    speed =
        std::max(speed, scene.velocity_then[body].norm() + scene.bodies[body].reach_m * scene.spin_then[body].norm());
    if (pending_kick_s_[body] != 0 || rows.angular_velocity[body] != scene.spin_then[body]) return false;
    const Vec3 kick = group.kick_s * scene.gravity, expected = scene.velocity_then[body] + kick;
    if (!((rows.velocity[body] - expected).norm() <= rounding * (scene.velocity_then[body].norm() + kick.norm())))
      return false;
  }
  for (const std::size_t index : group.joints) {
    const Joint& joint = joints_[index];
    const Hold& hold = holds_[index];
    Vec6 rate = rates(index, scene.velocity_then, scene.spin_then);
    if (is_free(index)) rate[drive_row(joint.params.kind)] = 0;
    for (Eigen::Index r = row_count(joint.params.kind); r < 6; ++r) rate[r] = 0;
    for (Eigen::Index r = 0; r < 6; ++r)
      if (hold.rows_a.row(r).head<3>().isZero(0)) rate[r] *= hold.size_m;
    if (!(rate.norm() <= held_share * speed)) return false;
    // A rope that becomes taut dissipates energy, so the motion is not conservative.
    if (joint.params.kind == JointKind::rope && !is_free(index) && !(pull_[index] > 0)) return false;
  }
  return true;
}

bool RigidJoints::may_conserve(const Group& group) const {
  return std::all_of(group.joints.begin(), group.joints.end(), [&](std::size_t index) {
    const JointParams& p = joints_[index].params;
    const Hold& hold = holds_[index];
    if (is_line(p.kind)) return !is_spring(p) && !hold.length_changes;
    return hold.drive.empty() || (!hold.drive.is_on() && hold.drive.fixed_impulse() == 0);
  });
}

bool RigidJoints::synchronize(const RigidScene& scene, Group& group) {
  Elements& rows = *scene.rows;
  const std::size_t n = group.bodies.size();
  compute_jacobians(scene, group);
  group.uses_end_jacobian = false, group.soft = 1;
  factorize(scene, group);
  group.has_rows = true;
  group.rows_at.resize(n), group.free_rows.resize(group.joints.size());
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t body = group.bodies[i];
    group.rows_at[i] = {rows.position[body], rows.orientation[body]};
    group.movers[i].free_velocity = rows.velocity[body], group.movers[i].free_spin = rows.angular_velocity[body];
    rows.velocity[body] += 0.5 * scene.dt * scene.gravity;
    group.unknown[i].setZero();
  }
  for (std::size_t k = 0; k < group.joints.size(); ++k) {
    const std::size_t index = group.joints[k];
    group.free_rows[k] = is_free(index) ? 1 : 0;
    Vec6 rate = rates(index, rows.velocity, rows.angular_velocity);
    if (is_free(index)) rate[drive_row(joints_[index].params.kind)] = 0;
    for (Eigen::Index r = row_count(joints_[index].params.kind); r < 6; ++r) rate[r] = 0;
    group.unknown[n + k] = -rate;
  }
  const double before = kinetic_j(scene, group, rows.velocity, rows.angular_velocity);
  group.factor.solve(group.unknown);
  for (std::size_t i = 0; i < n; ++i) {
    rows.velocity[group.bodies[i]] += group.unknown[i].head<3>();
    rows.angular_velocity[group.bodies[i]] += group.unknown[i].tail<3>();
  }
  const double after = kinetic_j(scene, group, rows.velocity, rows.angular_velocity);
  // Rejects the result if the projection adds energy or if a rope pushes.
  bool is_sound = after <= before * (1 + 1e-9);
  for (std::size_t k = 0; k < group.joints.size(); ++k)
    is_sound = is_sound && !(joints_[group.joints[k]].params.kind == JointKind::rope && group.unknown[n + k][0] < 0);
  if (!is_sound) {
    for (std::size_t i = 0; i < n; ++i) {
      rows.velocity[group.bodies[i]] = group.movers[i].free_velocity;
      rows.angular_velocity[group.bodies[i]] = group.movers[i].free_spin;
    }
    return false;
  }
  for (std::size_t k = 0; k < group.joints.size(); ++k) add_load(group.joints[k], -group.unknown[n + k]);
  added_energy_j_[group.joints.front()] = std::max(0.0, added_energy_j_[group.joints.front()] + after - before);
  return true;
}

/// Corrects the energy of a conservative group. Returns the energy error of this substep divided by the internal
/// kinetic energy. RATTLE conserves the energy of a modified problem that depends on the substep. While substeps are
/// equal, the true energy oscillates about the modified energy without drift. If substeps change with the motion,
/// energy is lost. The error is therefore accumulated. The accumulated error is removed when the length of the substep
/// changes, or when the error exceeds the amplitude of the oscillation. To remove the error, the motion relative to the
/// rigid motion of the whole group is scaled. This preserves momentum, angular momentum and the velocity constraints.
/// If a joint connects the group to the world, the complete motion is scaled, which preserves the velocity constraints.
double RigidJoints::restore_energy(const RigidScene& scene, Group& group) {
  Elements& rows = *scene.rows;
  double& deficit = deficit_j_[group.joints.front()];
  double& last_dt = last_dt_s_[group.joints.front()];
  double lost = group.kinetic_then - kinetic_j(scene, group, rows.velocity, rows.angular_velocity);
  bool is_held = false;
  for (const std::size_t index : group.joints) is_held = is_held || joints_[index].b == no_body;
  Vec3 center = Vec3::Zero(), drift = Vec3::Zero(), spin = Vec3::Zero();
  double mass = 0;
  for (std::size_t i = 0; i < group.bodies.size(); ++i) {
    const std::size_t body = group.bodies[i];
    const double m = scene.bodies[body].mass_kg;
    lost += m * scene.gravity.dot(rows.position[body] - group.movers[i].start.position);
    mass += m, center += m * rows.position[body], drift += m * rows.velocity[body];
  }
  center /= mass, drift /= mass;
  if (is_held) {
    drift.setZero();
  } else {
    Vec3 turning = Vec3::Zero();
    Mat3 tensor = Mat3::Zero();
    for (const std::size_t body : group.bodies) {
      const double m = scene.bodies[body].mass_kg;
      const Vec3 r = rows.position[body] - center;
      const Mat3 own = scene.bodies[body].inertia.tensor(rows.orientation[body]);
      turning += m * r.cross(rows.velocity[body]) + own * rows.angular_velocity[body];
      tensor += own + m * point_inertia(r);
    }
    spin = tensor.ldlt().solve(turning);
  }
  double internal = 0, whole = 0;
  for (const std::size_t body : group.bodies) {
    const RigidBody& it = scene.bodies[body];
    const Mat3 tensor = it.inertia.tensor(rows.orientation[body]);
    const Vec3 u = rows.velocity[body] - drift - spin.cross(rows.position[body] - center),
               w = rows.angular_velocity[body] - spin;
    internal += 0.5 * (it.mass_kg * u.squaredNorm() + w.dot(tensor * w));
    whole += 0.5 * (it.mass_kg * rows.velocity[body].squaredNorm() +
                    rows.angular_velocity[body].dot(tensor * rows.angular_velocity[body]));
  }
  const bool is_same_step = last_dt == scene.dt;
  last_dt = scene.dt;
  if (!(internal > least_internal * whole) || !std::isfinite(lost)) return 0;
  deficit += lost;
  if (is_same_step && std::abs(deficit) <= free_error * internal) return std::abs(lost) / internal;
  const double scale = std::sqrt(1 + std::clamp(deficit / internal, -most_removed, most_added)) - 1;
  for (const std::size_t body : group.bodies) {
    rows.velocity[body] += scale * (rows.velocity[body] - drift - spin.cross(rows.position[body] - center));
    rows.angular_velocity[body] += scale * (rows.angular_velocity[body] - spin);
  }
  deficit -= std::clamp(deficit, -most_removed * internal, most_added * internal);
  return std::abs(lost) / internal;
}

void RigidJoints::end_substep(const RigidScene& scene, std::size_t index, const GroupContacts& contacts) {
  Group& group = groups_[index];
  const bool is_conservative = may_conserve(group);
  const bool is_synchronous = !contacts.press && is_conservative && group.is_converged && synchronize(scene, group);
  const double error = is_synchronous && group.is_tracked ? restore_energy(scene, group) : 0;
  const bool is_rough = !group.is_converged || error > most_error;
  if (is_rough && is_conservative && !contacts.exist && group.depth < most_halvings) {
    halve(scene, index);
    return;
  }
  if (is_synchronous && group.is_tracked) added_energy_j_[group.joints.front()] = 0;
  for (const std::size_t body : group.bodies) pending_kick_s_[body] = is_synchronous ? 0 : 0.5 * scene.dt;
  for (const std::size_t joint : group.joints) finish_load(joint, scene.dt);
}

/// Repeats a substep of this group as two substeps of half the length. Requires that the group has no contacts.
void RigidJoints::halve(const RigidScene& scene, std::size_t index) {
  Group& group = groups_[index];
  Elements& rows = *scene.rows;
  for (std::size_t i = 0; i < group.bodies.size(); ++i) {
    const std::size_t body = group.bodies[i];
    rows.position[body] = group.movers[i].start.position, rows.orientation[body] = group.movers[i].start.orientation;
    rows.velocity[body] = group.movers[i].start_velocity - group.kick_s * scene.gravity;
    rows.angular_velocity[body] = group.movers[i].start_spin;
  }
  for (const std::size_t at : group.joints) reading_[at] = holds_[at].reading_then;
  const std::size_t first = group.joints.front();
  added_energy_j_[first] = group.start.gift, deficit_j_[first] = group.start.deficit_j,
  last_dt_s_[first] = group.start.last_dt_s;
  group.has_rows = false;
  ++group.depth;
  RigidScene half = scene;
  half.dt = 0.5 * scene.dt;
  half.velocity_then = half_velocity_, half.spin_then = half_spin_;
  for (int part = 0; part < 2; ++part) {
    for (const std::size_t body : group.bodies) {
      half_velocity_[body] = rows.velocity[body], half_spin_[body] = rows.angular_velocity[body];
      rows.velocity[body] += kick_s(body, half.dt) * scene.gravity;
    }
    begin(half, index);
    for (int round = 0; round < half_rounds && solve(half, index) > converged_mps; ++round) {
    }
    for (const std::size_t body : group.bodies) {
      rows.position[body] += half.dt * rows.velocity[body];
      turn_freely(scene.bodies[body].inertia, rows.orientation[body], rows.angular_velocity[body], half.dt);
    }
    correct_positions(half, index);
    end_substep(half, index, {});
  }
  --group.depth;
}

bool RigidJoints::has_rows_of(const RigidScene& scene, const Group& group) const {
  if (!group.has_rows) return false;
  for (std::size_t i = 0; i < group.bodies.size(); ++i) {
    const std::size_t body = group.bodies[i];
    if (group.rows_at[i].position != scene.rows->position[body] ||
        group.rows_at[i].orientation.coeffs() != scene.rows->orientation[body].coeffs())
      return false;
  }
  return true;
}

}  // namespace vw
