// Loads, breaking, saved state and display of joints.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/system/rigid/joints/joints.h"

namespace vw {

/// Largest valid velocity lag in a restored state [s]. A lag is half a substep, and the parameter longest_dt is at most
/// 1 s.
constexpr double most_pending_s = 1;

std::optional<Eigen::Matrix<double, 6, Eigen::Dynamic>> RigidJoints::permitted_motions(const Elements& rows,
                                                                                       std::size_t body,
                                                                                       double reach_m) const {
  // Sum over all constraint rows j of j^T j, with rotations in units of displacements at the reach of the body. The
  // permitted motions are its null space.
  Mat6 constraints = Mat6::Zero();
  bool is_held = false;
  for (const std::size_t i : world_joints_) {
    const Joint& joint = joints_[i];
    if (joint.a != body) continue;
    Mat6 own = Mat6::Zero(), world = Mat6::Zero();
    joint_rates(joint.frame, pose_of(rows, body), Pose{}, own, world);
    const JointParams& params = joint.params;
    const bool is_rod = params.kind == JointKind::distance && !is_spring(params);
    for (int r = 0; r < row_count(params.kind); ++r) {
      if (r == drive_row(params.kind) && !is_rod) continue;
      Vec6 row = own.row(r).transpose();
      row.tail<3>() /= reach_m;
      if (!(row.squaredNorm() > 0)) continue;
      constraints += row * row.transpose() / row.squaredNorm();
      is_held = true;
    }
  }
  if (!is_held) return std::nullopt;
  constexpr double free_share = 1e-10;  // relative to the largest eigenvalue
  const Eigen::SelfAdjointEigenSolver<Mat6> modes(constraints);
  const auto free = (modes.eigenvalues().array() < free_share * modes.eigenvalues()[5]).count();
  Eigen::Matrix<double, 6, Eigen::Dynamic> motions = modes.eigenvectors().leftCols(free);
  motions.bottomRows<3>() /= reach_m;
  return motions;
}

void RigidJoints::begin_load(std::size_t index) {
  Hold& hold = holds_[index];
  if (hold.is_told) hold.force.setZero(), hold.couple.setZero(), hold.driven = hold.time_s = 0, hold.is_told = false;
  hold.substep_force.setZero(), hold.substep_couple.setZero(), hold.substep_driven = 0;
  add_load(index, hold.impulse);
}

void RigidJoints::add_load(std::size_t index, const Vec6& impulse) {
  Hold& hold = holds_[index];
  const Vec6 load = hold.rows_a.transpose() * impulse;
  const Vec3 force = load.head<3>(), couple = load.tail<3>() - hold.arm.cross(force);
  hold.substep_force += force, hold.substep_couple += couple;
  if (const int row = drive_row(joints_[index].params.kind); row >= 0) hold.substep_driven += impulse[row];
}

void RigidJoints::finish_load(std::size_t index, double dt) {
  const JointParams& p = joints_[index].params;
  Hold& hold = holds_[index];
  pull_[index] = hold.substep_force.norm() / dt;
  hold.force += hold.substep_force, hold.couple += hold.substep_couple, hold.driven += hold.substep_driven,
      hold.time_s += dt;
  const auto is_over = [&](const Vec3& impulse, double most) { return most > 0 && impulse.norm() > most * dt; };
  if (is_over(hold.substep_force, p.break_force_n) || is_over(hold.substep_couple, p.break_torque_nm))
    broken_[index] = 1;
}

bool RigidJoints::finish(double dt) {
  // All joints of these bodies are broken, so no group contains the bodies. Their velocities lag behind the positions
  // by half a substep, as those of bodies without joints do.
  for (const std::size_t body : loose_) pending_kick_s_[body] = 0.5 * dt;
  const auto broken = static_cast<std::size_t>(std::count(broken_.begin(), broken_.end(), std::uint8_t{1}));
  if (links_.size() + broken == joints_.size()) return false;
  regroup();
  return true;
}

double RigidJoints::elastic_j(const Elements& rows) const {
  double sum = 0;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const Joint& joint = joints_[i];
    if (broken_[i] != 0 || !is_spring(joint.params)) continue;
    const double stretch = joint_errors(joint.frame, pose_of(rows, joint.a), pose_of(rows, joint.b), length_[i])[0];
    if (stretch > 0 || joint.params.kind == JointKind::distance)
      sum += 0.5 * joint.params.stiffness_npm * stretch * stretch;
  }
  return sum;
}

std::size_t RigidJoints::separated(const Elements& rows) const {
  constexpr double most_share = 0.05;
  std::size_t count = 0;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const Joint& joint = joints_[i];
    const JointKind kind = joint.params.kind;
    if (broken_[i] != 0 || kind == JointKind::rope || is_spring(joint.params)) continue;
    const bool is_rod = kind == JointKind::distance;
    const Vec6 error = joint_errors(joint.frame, pose_of(rows, joint.a), pose_of(rows, joint.b), length_[i]);
    const double gap_m = is_rod                      ? std::abs(error[0])
                         : kind == JointKind::slider ? elementary::hypot(error[3], error[4])
                                                     : error.head<3>().norm();
    const double size_m =
        is_rod ? length_[i] : joint.frame.arm_a.norm() + (joint.b == no_body ? 0 : joint.frame.arm_b.norm());
    if (size_m > 0 && gap_m > most_share * size_m) ++count;
  }
  return count;
}

void RigidJoints::visit_state(StateVisitor& visit) {
  if (joints_.empty()) return;
  visit.rows("joint");
  visit("joint_reading", reading_);
  visit("joint_length", length_);
  visit("joint_pull", pull_);
  visit("joint_gift", added_energy_j_);
  visit("joint_deficit", deficit_j_);
  visit("joint_last_dt", last_dt_s_);
  visit.rows(state_element);
  visit("joint_pending_kick", pending_kick_s_);
  visit.rows("joint");
  visit("joint_broken", broken_);
  visit.optional("joint_frames", live_frames_, state_motion);
}

std::string RigidJoints::state_problem() const {
  for (const std::size_t size : {reading_.size(), length_.size(), pull_.size(), added_energy_j_.size(),
                                 deficit_j_.size(), last_dt_s_.size(), broken_.size()})
    if (size != joints_.size())
      return "the state has " + std::to_string(size) + " joints, but the scene has " + std::to_string(joints_.size());
  if (pending_kick_s_.size() != is_jointed_.size())
    return "the state has velocity lags of joints for " + std::to_string(pending_kick_s_.size()) +
           " bodies, but the scene has " + std::to_string(is_jointed_.size()) + " bodies";
  if (!live_frames_.empty() && live_frames_.size() != initial_frames_.size())
    return "the state has frames of " + std::to_string(live_frames_.size() / frame_numbers) +
           " joints, but the scene has " + std::to_string(joints_.size());
  for (const double s : pending_kick_s_)
    if (!(s >= 0) || !(s <= most_pending_s)) return "the state of a joint is out of range or not finite";
  for (std::size_t i = 0; i < joints_.size(); ++i)
    if (!std::isfinite(reading_[i]) || !(length_[i] >= 0) || !std::isfinite(length_[i]) || !(pull_[i] >= 0) ||
        !(added_energy_j_[i] >= 0) || !std::isfinite(deficit_j_[i]) || !(last_dt_s_[i] >= 0) || broken_[i] > 1)
      return "the state of a joint is out of range or not finite";
  return {};
}

void RigidJoints::snapshot(const Elements& rows, std::vector<JointMark>& out) const {
  out.resize(joints_.size());
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const Joint& joint = joints_[i];
    const Hold& hold = holds_[i];
    const JointKind kind = joint.params.kind;
    const Pose a = pose_of(rows, joint.a), b = pose_of(rows, joint.b);
    JointMark& mark = out[i];
    mark.name = joint.name, mark.kind = joint_kind_name(kind);
    mark.a = (a.position + a.orientation * joint.frame.arm_a).cast<float>();
    mark.b = (b.position + b.orientation * joint.frame.arm_b).cast<float>();
    mark.axis =
        has_axis(kind) ? Vec3f((b.orientation * joint.frame.axes_b.col(0)).cast<float>()) : Vec3f(Vec3f::Zero());
    mark.broken = broken_[i] != 0;
    const double share = hold.time_s > 0 && !mark.broken ? 1 / hold.time_s : 0;
    mark.force_n = share * (is_line(kind) ? -hold.driven : hold.force.norm());
    mark.torque_nm = share * (kind == JointKind::hinge                   ? hold.driven
                              : is_line(kind) || kind == JointKind::ball ? 0
                                                                         : hold.couple.norm());
    mark.reading = reading_[i];
    mark.speed = 0;
    if (const int row = drive_row(kind); row >= 0) {
      Mat6 rows_a, rows_b;
      joint_rates(joint.frame, a, b, rows_a, rows_b);
      mark.speed = rows_a.row(row).head<3>().dot(rows.velocity[joint.a]) +
                   rows_a.row(row).tail<3>().dot(rows.angular_velocity[joint.a]);
      if (joint.b != no_body)
        mark.speed += rows_b.row(row).head<3>().dot(rows.velocity[joint.b]) +
                      rows_b.row(row).tail<3>().dot(rows.angular_velocity[joint.b]);
    }
  }
}

}  // namespace vw
