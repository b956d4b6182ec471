// Prepares the constraint equations of joints at the start of a substep: Jacobians, required rates, springs and drives.
#include <algorithm>
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/system/rigid/joints/joints.h"

namespace vw {

Vec6 RigidJoints::rates(std::size_t index, std::span<const Vec3> velocity, std::span<const Vec3> spin) const {
  const Joint& joint = joints_[index];
  const Hold& hold = holds_[index];
  Vec6 rate = hold.rows_a.leftCols<3>() * velocity[joint.a] + hold.rows_a.rightCols<3>() * spin[joint.a];
  if (joint.b != no_body)
    rate += hold.rows_b.leftCols<3>() * velocity[joint.b] + hold.rows_b.rightCols<3>() * spin[joint.b];
  return rate;
}

void RigidJoints::begin(const RigidScene& scene, std::size_t index) {
  Group& group = groups_[index];
  group.changes = 0, group.factors = 1, group.is_energy_limited = false, group.curvature_weight = group.soft = 1,
  group.is_fresh = true, group.uses_end_jacobian = false;
  group.is_converged = true;
  group.kick_s = kick_s(group.bodies.front(), scene.dt);
  const bool has_rows = has_rows_of(scene, group);
  if (!has_rows) compute_jacobians(scene, group);
  for (std::size_t k = 0; k < group.joints.size(); ++k) prepare(scene, group, k);
  group.is_tracked = starts_conservative(scene, group);
  group.kinetic_then = group.is_tracked ? kinetic_j(scene, group, scene.velocity_then, scene.spin_then) : 0;
  const std::size_t first = group.joints.front();
  group.start = {added_energy_j_[first], deficit_j_[first], last_dt_s_[first]};
  for (std::size_t i = 0; i < group.bodies.size(); ++i) {
    const std::size_t body = group.bodies[i];
    Mover& mover = group.movers[i];
    mover.start = {scene.rows->position[body], scene.rows->orientation[body]};
    mover.start_velocity = scene.rows->velocity[body], mover.start_spin = scene.rows->angular_velocity[body];
  }
  const auto is_same = [&](std::size_t k) {
    return (group.free_rows[k] != 0) == is_free(group.joints[k]) && !holds_[group.joints[k]].springs();
  };
  bool is_factored = has_rows;
  for (std::size_t k = 0; k < group.joints.size() && is_factored; ++k) is_factored = is_same(k);
  if (!is_factored) factorize(scene, group);
  group.factors = 1;
}

void RigidJoints::compute_jacobians(const RigidScene& scene, Group& group) {
  for (std::size_t i = 0; i < group.bodies.size(); ++i) {
    const RigidBody& body = scene.bodies[group.bodies[i]];
    group.movers[i].inverse_mass = 1 / body.mass_kg;
    group.movers[i].inverse_inertia = body.inertia.inverse(scene.rows->orientation[group.bodies[i]]);
  }
  for (std::size_t k = 0; k < group.joints.size(); ++k) {
    const Joint& joint = joints_[group.joints[k]];
    Hold& hold = holds_[group.joints[k]];
    const Pose a = pose_of(*scene.rows, joint.a), b = pose_of(*scene.rows, joint.b);
    joint_rates(joint.frame, a, b, hold.rows_a, hold.rows_b);
    hold.arm = a.orientation * joint.frame.arm_a;
    Vec6 yields = Vec6::Zero();
    const auto add = [&](const Mover& mover, const Mat6& rows) {
      yields += mover.inverse_mass * rows.leftCols<3>().rowwise().squaredNorm();
      yields += rows.rightCols<3>().cwiseProduct(rows.rightCols<3>() * mover.inverse_inertia).rowwise().sum();
    };
    const auto& [side_a, side_b] = group.sides[k];
    add(group.movers[side_a], hold.rows_a);
    if (side_b != no_body) add(group.movers[side_b], hold.rows_b);
    for (Eigen::Index r = 0; r < 6; ++r) hold.give[r] = yields[r] > 0 ? hard_give * yields[r] : 1;
  }
}

void RigidJoints::prepare(const RigidScene& scene, const Group& group, std::size_t k) {
  const std::size_t index = group.joints[k];
  const Joint& joint = joints_[index];
  Hold& hold = holds_[index];
  const Pose a = pose_of(*scene.rows, joint.a), b = pose_of(*scene.rows, joint.b);
  hold.impulse.setZero(), hold.bend.setZero();
  hold.size_m = joint.frame.arm_a.norm() + scene.bodies[joint.a].reach_m;
  hold.reading_then = reading_[index];
  const Vec6 off = joint_errors(joint.frame, a, b, length_[index]);
  for (Eigen::Index r = 0; r < 6; ++r) {
    const bool is_way = !hold.rows_a.row(r).head<3>().isZero(0);
    hold.goal[r] = std::abs(off[r]) * (is_way ? 1 : hold.size_m) > noise_fraction * hold.size_m ? off[r] : 0;
  }
  hold.drive.clear();
  if (is_line(joint.params.kind)) {
    if (is_spring(joint.params)) add_spring(scene, index, hold.give[0] / hard_give, group.kick_s);
    if (joint.params.kind == JointKind::rope && !is_spring(joint.params)) {
      hold.goal[0] = std::max(hold.goal[0], 0.0);
      hold.drive.add({0, -infinite, 0, 0});
    }
    const double asked = joint.params.length_m > 0 ? joint.params.length_m : length_[index];
    const double reel = scene.dt * joint.params.reel_mps;
    hold.length_changes = asked != length_[index];
    length_[index] += std::clamp(asked - length_[index], -reel, reel);
  }
  hold.lag.setZero();
  if (is_line(joint.params.kind) && !is_spring(joint.params))
    hold.lag[0] = (joint_errors(joint.frame, a, b, length_[index])[0] - hold.goal[0]) / scene.dt;
  if (has_axis(joint.params.kind)) set_drive(scene, group, k);
  if (is_line(joint.params.kind) && !hold.drive.empty()) {
    const double rate = rates(index, scene.rows->velocity, scene.rows->angular_velocity)[0];
    hold.drive.begin_at(rate + hold.lag[0]);
  }
}

/// Adds a spring force by Newmark's method (Newmark 1959): the force at the start of the substep plus the fraction beta
/// of its change. The method has no numerical damping at any step size. With beta = 1/4 the method is stable for any
/// stiffness. With beta = 1/12 it is accurate to fourth order and stable up to w dt = 2.4, where w is the spring's
/// angular frequency.
void RigidJoints::add_spring(const RigidScene& scene, std::size_t index, double inverse_mass, double kick_s) {
  const Joint& joint = joints_[index];
  Hold& hold = holds_[index];
  const double dt = scene.dt, k = joint.params.stiffness_npm, c = joint.params.damping;
  const double stretch =
      joint_errors(joint.frame, pose_of(*scene.rows, joint.a), pose_of(*scene.rows, joint.b), length_[index])[0];
  const double then = rates(index, scene.velocity_then, scene.spin_then)[0];
  const double now = rates(index, scene.rows->velocity, scene.rows->angular_velocity)[0];
  if (joint.params.kind == JointKind::rope && stretch + dt * std::max(now, 0.0) <= 0) return;
  const double stiff = k * dt * dt * inverse_mass;
  // If the oscillation is too fast for the substep (w dt >= 2), backward Euler (beta = 1) moves the spring to its
  // equilibrium.
  double beta = 1, later = 1, share_then = 0;
  if (stiff < 4) {
    beta = stiff < 0.5 ? 1.0 / 12 : 0.25;
    // Damping acts on a weighted mean of the velocities at the start and at the end of the substep. The weights are
    // such that damping never reverses a velocity.
    later = std::max(0.5, 1 - 1 / std::max(c * dt * inverse_mass, 1e-300));
    share_then = dt * beta * k - (1 - later) * c;
  }
  const double give = 1 / (dt * (dt * beta * k + later * c));
  const double speed = give * (dt * share_then * then - kick_s * k * stretch);
  hold.goal[0] = 0;
  hold.drive.add({speed, -infinite, joint.params.kind == JointKind::rope ? 0 : infinite, give});
}

/// Sets the force law of a hinge or slider: motor, friction and limits.
void RigidJoints::set_drive(const RigidScene& scene, const Group& group, std::size_t k) {
  const std::size_t index = group.joints[k];
  const JointParams& p = joints_[index].params;
  Hold& hold = holds_[index];
  const double dt = scene.dt, at = hold.reading_then, push_s = group.kick_s;
  const double noise = noise_fraction * (p.kind == JointKind::slider ? hold.size_m : 1);
  double wanted = p.motor_speed;
  if (p.motor == JointMotor::target) {
    const double most = std::abs(p.motor_speed);
    wanted = std::clamp((p.motor_target - at) * -elementary::expm1(-dt / p.motor_time_s) / dt, -most, most);
  }
  const bool is_driven = p.motor != JointMotor::off && p.motor_most > 0;
  if (is_driven) hold.drive.add({wanted, -push_s * p.motor_most, push_s * p.motor_most, 0});
  if (p.friction > 0) hold.drive.add({0, -push_s * p.friction, push_s * p.friction, 0});
  if (p.limited) {
    const auto rate_to = [&](double limit, double sign) {
      return sign * (limit - at) > noise ? 0.0 : (limit - at) / dt;
    };
    hold.drive.add({rate_to(p.lower, 1), 0, infinite, 0});
    hold.drive.add({rate_to(p.upper, -1), -infinite, 0, 0});
  }
  const double rate = rates(index, scene.rows->velocity, scene.rows->angular_velocity)[5];
  if (is_driven)
    hold.drive.begin_on(wanted);
  else if (p.friction > 0)
    hold.drive.begin_on(0);
  else
    hold.drive.begin_at(rate);
}

}  // namespace vw
