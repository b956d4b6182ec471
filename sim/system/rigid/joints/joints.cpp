#include "sim/system/rigid/joints/joints.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/base/elementary/elementary.h"

namespace vw {
namespace {

/// Each pass of the position correction corrects an error up to the fraction `at_once_fraction` of the joint's size
/// completely. Of the rest of the error, it corrects the fraction `correction_share`.
constexpr double at_once_fraction = 0.02, correction_share = 0.25;
constexpr int correction_passes = 3;       ///< Largest number of passes of the position correction in a substep.
constexpr double most_straightened = 0.3;  ///< Largest rotation of a body in one pass of the position correction [rad].
/// If a solution changes a velocity by more than this [m/s], the solve has failed.
constexpr double absurd_change = 1e9;
/// Largest displacement of a body in one pass of the position correction, in multiples of the largest position error
/// that the pass corrects.
constexpr double most_ways = 10;
/// While contacts are iterated, the curvature correction is updated only if velocities have changed by more than this
/// [m/s]. The omitted update causes a velocity error of about this value times the rotation in the substep [rad].
constexpr double near_mps = 1e-4;
/// Largest number of passes in the first iteration of a substep (`most_passes`), and in later iterations
/// (`later_passes`), which continue from the result of the first. Each pass updates the curvature correction, the
/// impulses and the active set of the joints' drive rows.
constexpr int most_passes = 16;
constexpr int later_passes = 3;
constexpr double most_turn = 0.2;  ///< Largest rotation of a lever arm in a substep [rad].
/// Largest product of substep and angular frequency of a taut link's transverse oscillation. The stability limit of the
/// SHAKE and RATTLE integrators is 2.
constexpr double most_swing = 0.5;
/// If a lever arm rotates by at most `full_bow` in a substep [rad], the curvature correction has full weight. If the
/// arm rotates by `no_bow` or more, the weight is 0, and only correct_positions() corrects the errors.
constexpr double full_bow = 0.4, no_bow = 0.8;
/// If a body rotates by more than this in a substep [rad], its pose at the end of the substep is not predicted.
constexpr double most_ahead = 10;
/// If a pass does not reduce the change of velocities to this fraction of the previous change, the matrix is factorized
/// again with end-of-substep Jacobians.
constexpr double slow = 0.1;
/// From this pass on, each pass must reduce the change of velocities to the fraction `converging` of the previous
/// change.
constexpr int passes_to_settle = 8;
constexpr double converging = 0.7;
/// Largest number of factorizations in a substep. After that, drive rows (joint_drive.h) keep their current active set.
constexpr int most_factors = 32;
constexpr double soft_give = 1e-3;  ///< Compliance that replaces hard_give if the joints contradict each other.
constexpr int soft_passes = 8;
/// In a substep, all drive rows (joint_drive.h) may change their states at once, up to this number of changes per
/// joint. Afterwards one drive row changes at a time, which guarantees that the iteration terminates (Murty 1974).
constexpr int changes_at_once = 4;

/// Returns `angle` plus the multiple of 2 pi that brings it nearest to `near`.
double unwound(double angle, double near) { return angle + 2 * pi * std::round((near - angle) / (2 * pi)); }

double reading_of(const JointFrame& frame, const Pose& a, const Pose& b, double near) {
  const double reading = joint_reading(frame, a, b);
  return frame.kind == JointKind::hinge ? unwound(reading, near) : reading;
}

Mat3 cross_with(const Vec3& v) {
  Mat3 m;
  m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
  return m;
}

/// Returns the derivative of a body's orientation after the time dt with respect to dt * spin, where `spin` is the
/// initial angular velocity. The body rotates without torque. A change of the orientation is expressed as a small
/// rotation vector in world axes. The error is of second order in dt * spin (of third order if the three moments of
/// inertia are equal).
Mat3 turn_by_spin(const Mat3& inertia, const Mat3& inverse_inertia, const Vec3& spin, double dt) {
  const Mat3 across = cross_with(dt * spin);
  const Mat3 swing = -inverse_inertia * (across * inertia - cross_with(dt * inertia * spin));
  return (Mat3::Identity() + 0.5 * across + across * across / 6) * (Mat3::Identity() + 0.5 * swing);
}

}  // namespace

void RigidJoints::begin_step() {
  for (Hold& hold : holds_) hold.is_told = true;
}

// ---- Solve ----

bool RigidJoints::is_free(std::size_t index) const {
  const JointDrive& drive = holds_[index].drive;
  const JointKind kind = joints_[index].params.kind;
  return drive.empty() ? has_axis(kind) || kind == JointKind::rope
                       : !drive.is_on();  // An elastic rope that is slack has an empty drive.
}

/// Factorizes the matrix [M J^T; J' -C] with the mass matrix M, the Jacobian J of the current poses and the compliances
/// C. J' is the Jacobian of the predicted poses if `uses_end_jacobian` is set, otherwise J. The unknowns are [change of
/// velocity; -impulse]. The right-hand side is [0; required rate - present rate]. Drive rows (joint_drive.h) with a
/// prescribed impulse are left out.
void RigidJoints::factorize(const RigidScene& scene, Group& group) {
  const std::size_t n = group.bodies.size();
  ++group.factors;
  group.has_rows = false;
  for (std::size_t i = 0; i < n; ++i) {
    const RigidBody& body = scene.bodies[group.bodies[i]];
    Mat6 mass = Mat6::Zero();
    mass.topLeftCorner<3, 3>() = body.mass_kg * Mat3::Identity();
    mass.bottomRightCorner<3, 3>() = body.inertia.tensor(scene.rows->orientation[group.bodies[i]]);
    group.factor.set_diagonal(i, mass);
  }
  std::size_t edge = 0;
  for (std::size_t k = 0; k < group.joints.size(); ++k) {
    const Hold& hold = holds_[group.joints[k]];
    const Eigen::Index row = drive_row(joints_[group.joints[k]].params.kind);
    Vec6 give = group.soft * hold.give;
    Mat6 a = hold.rows_a, b = hold.rows_b;
    if (!group.is_impact && hold.springs()) give[row] = hold.drive.kink().give;
    // Jacobians of the predicted poses if `uses_end_jacobian` is set, otherwise of the current poses.
    Mat6 later_a = a, later_b = b;
    const auto& [side_a, side_b] = group.sides[k];
    if (group.uses_end_jacobian) {
      joint_rates(joints_[group.joints[k]].frame, group.movers[side_a].ahead,
                  side_b == no_body ? Pose{} : group.movers[side_b].ahead, later_a, later_b);
      later_a.rightCols<3>() *= group.movers[side_a].turned;
      if (side_b != no_body) later_b.rightCols<3>() *= group.movers[side_b].turned;
    }
    if (group.is_impact ? is_free_in_impact(group.joints[k]) : is_free(group.joints[k])) {
      give[row] = 1;
      for (Mat6* rows : {&a, &b, &later_a, &later_b}) rows->row(row).setZero();
    }
    group.factor.set_diagonal(n + k, Mat6((-give).asDiagonal()));
    group.factor.set_edge(edge++, later_a, a.transpose());
    if (side_b != no_body) group.factor.set_edge(edge++, later_b, b.transpose());
  }
  group.factor.factorize();
}

bool RigidJoints::predict_poses(const RigidScene& scene, Group& group) {
  const Elements& rows = *scene.rows;
  bool is_wild = group.curvature_weight == 0;
  for (const std::size_t body : group.bodies)
    is_wild = is_wild || !(scene.dt * rows.angular_velocity[body].norm() < most_ahead);
  for (const std::size_t index : group.joints)
    is_wild = is_wild || !(scene.dt * turn_of_arms(joints_[index], rows) < no_bow);
  for (std::size_t i = 0; i < group.bodies.size(); ++i) {
    const std::size_t body = group.bodies[i];
    Mover& mover = group.movers[i];
    mover.velocity = rows.velocity[body], mover.spin = rows.angular_velocity[body];
    if (is_wild) continue;
    mover.ahead = {rows.position[body] + scene.dt * mover.velocity, rows.orientation[body]};
    mover.turned = turn_by_spin(scene.bodies[body].inertia.tensor(rows.orientation[body]), mover.inverse_inertia,
                                mover.spin, scene.dt);
    Vec3 spin = mover.spin;
    turn_freely(scene.bodies[body].inertia, mover.ahead.orientation, spin, scene.dt);
  }
  for (std::size_t k = 0; k < group.joints.size(); ++k) {
    const std::size_t index = group.joints[k];
    const Joint& joint = joints_[index];
    Hold& hold = holds_[index];
    if (is_wild) {
      hold.bend = hold.lag;
      continue;
    }
    const auto& [side_a, side_b] = group.sides[k];
    const Pose a = group.movers[side_a].ahead, b = side_b == no_body ? Pose{} : group.movers[side_b].ahead;
    const Vec6 rate = rates(index, rows.velocity, rows.angular_velocity);
    hold.bend = (joint_errors(joint.frame, a, b, length_[index]) - hold.goal) / scene.dt - rate;
    if (has_axis(joint.params.kind)) {
      const double near = hold.reading_then + scene.dt * rate[5];
      hold.bend[5] = (reading_of(joint.frame, a, b, near) - hold.reading_then) / scene.dt - rate[5];
    }
    if (is_spring(joint.params)) hold.bend[0] = 0;
    const double turn = scene.dt * turn_of_arms(joint, rows);
    const double curvature_weight =
        std::min(group.curvature_weight, std::clamp((no_bow - turn) / (no_bow - full_bow), 0.0, 1.0));
    hold.bend = hold.lag + curvature_weight * (hold.bend - hold.lag);
    for (Eigen::Index r = row_count(joint.params.kind); r < 6; ++r) hold.bend[r] = 0;
  }
  return !is_wild;
}

/// Applies an impulse to both bodies of a joint and adds it to the total impulse of the joint.
void RigidJoints::push(const RigidScene& scene, const Group& group, std::size_t k, const Vec6& impulse) {
  Elements& rows = *scene.rows;
  Hold& hold = holds_[group.joints[k]];
  hold.impulse += impulse;
  const auto give = [&](std::size_t place, const Mat6& share) {
    const std::size_t body = group.bodies[place];
    const Vec6 load = share.transpose() * impulse;
    rows.velocity[body] += group.movers[place].inverse_mass * load.head<3>();
    rows.angular_velocity[body] += group.movers[place].inverse_inertia * load.tail<3>();
  };
  give(group.sides[k].first, hold.rows_a);
  if (group.sides[k].second != no_body) give(group.sides[k].second, hold.rows_b);
}

/// Performs one linear solve: finds and applies the impulses with which every row has its required rate. Returns the
/// largest change of velocity [m/s], or infinity if the solve failed.
double RigidJoints::solve_once(const RigidScene& scene, Group& group) {
  const std::size_t n = group.bodies.size();
  std::fill_n(group.unknown.begin(), n, Vec6::Zero());
  for (std::size_t k = 0; k < group.joints.size(); ++k) {
    const std::size_t index = group.joints[k];
    const Hold& hold = holds_[index];
    const JointKind kind = joints_[index].params.kind;
    const Eigen::Index row = drive_row(kind);
    Vec6 give = group.soft == 1 ? hold.give : Vec6(Vec6::Zero());
    if (hold.springs()) give[row] = hold.drive.kink().give;
    Vec6 missing =
        -rates(index, scene.rows->velocity, scene.rows->angular_velocity) - hold.bend - give.cwiseProduct(hold.impulse);
    if (is_free(index))
      missing[row] = 0;
    else if (!hold.drive.empty())
      missing[row] += hold.drive.kink().speed;
    for (Eigen::Index r = row_count(kind); r < 6; ++r) missing[r] = 0;
    group.unknown[n + k] = missing;
  }
  group.factor.solve(group.unknown);
  double squares = 0, most = 0;
  for (const Vec6& one : group.unknown) squares += one.squaredNorm();
  for (std::size_t i = 0; i < n; ++i) {
    const Vec6& change = group.unknown[i];
    most = std::max({most, change.head<3>().norm(), scene.bodies[group.bodies[i]].reach_m * change.tail<3>().norm()});
  }
  // Only the changes of velocity are tested. The impulses are not tested, because impulses of joints that contradict
  // each other may be large and cancel.
  if (!std::isfinite(squares) || most > absurd_change) return infinite;
  for (std::size_t k = 0; k < group.joints.size(); ++k) push(scene, group, k, -group.unknown[n + k]);
  return most;
}

/// Sets the impulse of a drive row to its prescribed value.
void RigidJoints::apply_fixed_impulse(const RigidScene& scene, const Group& group, std::size_t k) {
  const Hold& hold = holds_[group.joints[k]];
  const Eigen::Index row = drive_row(joints_[group.joints[k]].params.kind);
  Vec6 rest = Vec6::Zero();
  rest[row] = hold.drive.fixed_impulse() - hold.impulse[row];
  push(scene, group, k, rest);
}

/// Updates the active sets: changes the state of each drive row (joint_drive.h) whose computed impulse or velocity
/// contradicts its state. Returns false if no state has changed.
bool RigidJoints::follow_drives(const RigidScene& scene, Group& group) {
  const int most_changes = 20 + 10 * static_cast<int>(group.joints.size());
  bool has_changed = false;
  for (std::size_t k = 0; k < group.joints.size() && group.changes < most_changes; ++k) {
    const std::size_t index = group.joints[k];
    Hold& hold = holds_[index];
    if (hold.drive.empty()) continue;
    const Eigen::Index row = drive_row(joints_[index].params.kind);
    const double speed = rates(index, scene.rows->velocity, scene.rows->angular_velocity)[row] + hold.bend[row];
    const double speed_noise = 1e-10, impulse_noise = speed_noise * hard_give / hold.give[row];
    if (!hold.drive.follow(speed, hold.impulse[row], speed_noise, impulse_noise)) continue;
    has_changed = true;
    if (!hold.drive.is_on()) apply_fixed_impulse(scene, group, k);
    if (++group.changes > changes_at_once * static_cast<int>(group.joints.size())) break;
  }
  return has_changed;
}

double RigidJoints::turn_of_arms(const Joint& joint, const Elements& rows) const {
  const auto turn = [&](std::size_t body, const Vec3& arm) {
    const double length = arm.norm();
    return length > 0 ? rows.angular_velocity[body].cross(rows.orientation[body] * arm).norm() / length : 0;
  };
  return std::max(turn(joint.a, joint.frame.arm_a), joint.b == no_body ? 0 : turn(joint.b, joint.frame.arm_b));
}

double RigidJoints::longest_dt(const Elements& rows) const {
  double most = 1e-300;
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    if (broken_[i] != 0) continue;
    const double swing = std::sqrt(pull_[i] * std::max(joints_[i].swing_a, joints_[i].swing_b));
    most = std::max({most, turn_of_arms(joints_[i], rows) / most_turn, swing / most_swing});
  }
  return 1 / most;
}

/// Restarts the solve with the Jacobians of the start of the substep. This is the fallback if the Jacobians change too
/// much within a substep for the iteration to converge, for instance at light links between heavy links under tension.
/// `correct_positions` later corrects the positions. The fallback may dissipate energy, but never adds energy. `soft`
/// is a factor on the compliance.
void RigidJoints::solve_without_curvature(const RigidScene& scene, Group& group, double soft) {
  for (std::size_t i = 0; i < group.bodies.size(); ++i) {
    scene.rows->velocity[group.bodies[i]] = group.movers[i].free_velocity;
    scene.rows->angular_velocity[group.bodies[i]] = group.movers[i].free_spin;
  }
  for (std::size_t k = 0; k < group.joints.size(); ++k) {
    holds_[group.joints[k]].impulse.setZero();
    if (const JointDrive& drive = holds_[group.joints[k]].drive; !drive.empty() && !drive.is_on())
      apply_fixed_impulse(scene, group, k);
  }
  group.curvature_weight = 0, group.soft = soft, group.uses_end_jacobian = false, group.is_converged = false;
  (void)predict_poses(scene, group);
  factorize(scene, group);
}

double RigidJoints::solve(const RigidScene& scene, std::size_t index) {
  Group& group = groups_[index];
  const Elements& rows = *scene.rows;
  const double seen_mps = group.is_fresh ? converged_mps : near_mps;
  const auto is_stale = [&](std::size_t i) {
    const Mover& mover = group.movers[i];
    const std::size_t body = group.bodies[i];
    return (rows.velocity[body] - mover.velocity).squaredNorm() > seen_mps * seen_mps ||
           (rows.angular_velocity[body] - mover.spin).norm() * scene.bodies[body].reach_m > seen_mps;
  };
  const bool is_first = group.is_fresh;
  if (is_first) {
    for (std::size_t i = 0; i < group.bodies.size(); ++i) {
      group.movers[i].free_velocity = rows.velocity[group.bodies[i]];
      group.movers[i].free_spin = rows.angular_velocity[group.bodies[i]];
    }
    for (std::size_t k = 0; k < group.joints.size(); ++k) {
      const Hold& hold = holds_[group.joints[k]];
      if (!hold.drive.empty() && !hold.drive.is_on()) apply_fixed_impulse(scene, group, k);
    }
  }
  double most = 0, last = infinite;
  bool follows = false;
  int passes = is_first ? most_passes : group.is_energy_limited ? 1 : later_passes;
  for (int pass = 0; pass < passes; ++pass) {
    // While the active sets of drive rows change, the velocities are not yet suitable for a prediction of poses.
    bool any = group.is_fresh;
    for (std::size_t i = 0; i < group.bodies.size() && !any && !follows; ++i) any = is_stale(i);
    group.is_fresh = false;
    if (any) (void)predict_poses(scene, group);
    const double change = solve_once(scene, group);
    if (change < infinite) most = std::max(most, change);
    follows = change < infinite && group.factors < most_factors && follow_drives(scene, group);
    if (is_first && group.soft == 1) {
      // The first fallback is the solve without curvature correction. The second fallback is the solve with compliant
      // joints.
      const bool is_lost =
          !(change < infinite) || (follows ? pass >= passes_to_settle : adds_energy(group, work_of(scene, group)));
      if (is_lost || (!follows && group.curvature_weight > 0 && change > converged_mps &&
                      (pass >= passes_to_settle ? !(change < converging * last) : !(change < 4 * last)))) {
        if (group.curvature_weight > 0) {
          solve_without_curvature(scene, group, 1);
        } else if (is_lost && (!follows || pass + 1 >= passes)) {
          solve_without_curvature(scene, group, soft_give / hard_give);
          passes = pass + 1 + soft_passes;
        } else if (follows) {
          factorize(scene, group);
        }
        continue;
      }
    }
    if (follows) {
      factorize(scene, group);
      continue;
    }
    if (change < converged_mps || !is_first || !(change < infinite)) break;
    if (group.curvature_weight > 0 && change > slow * last) {
      group.uses_end_jacobian = predict_poses(scene, group);
      factorize(scene, group);
    }
    last = change;
  }
  scale_impulses(scene, group);
  return group.is_energy_limited ? 0 : most;
}

// ---- After the bodies have moved ----

double RigidJoints::position_errors(const RigidScene& scene, Group& group) {
  const Elements& rows = *scene.rows;
  const std::size_t n = group.bodies.size();
  std::fill_n(group.unknown.begin(), n, Vec6::Zero());
  bool is_off = false;
  double squares = 0;
  for (std::size_t k = 0; k < group.joints.size(); ++k) {
    const std::size_t at = group.joints[k];
    const Joint& joint = joints_[at];
    const Hold& hold = holds_[at];
    Vec6 off = joint_errors(joint.frame, pose_of(rows, joint.a), pose_of(rows, joint.b), length_[at]);
    const Eigen::Index row = drive_row(joint.params.kind);
    if (has_axis(joint.params.kind) && joint.params.limited)
      off[5] = reading_[at] - std::clamp(reading_[at], joint.params.lower, joint.params.upper);
    if (is_free(at) || is_spring(joint.params)) off[row] = 0;
    for (Eigen::Index r = 0; r < 6; ++r) {
      const double unit = hold.rows_a.row(r).head<3>().isZero(0) ? hold.size_m : 1;
      const double size = std::abs(off[r]) * unit, least = at_once_fraction * hold.size_m;
      is_off = is_off || size > noise_fraction * hold.size_m;
      squares += size * size;
      if (size > least) off[r] *= (least + correction_share * (size - least)) / size;
    }
    group.unknown[n + k] = -off;
  }
  return is_off ? squares : 0;
}

void RigidJoints::correct_positions(const RigidScene& scene, std::size_t index) {
  Group& group = groups_[index];
  Elements& rows = *scene.rows;
  const auto read = [&](std::size_t at, double near) {
    const Joint& joint = joints_[at];
    reading_[at] = reading_of(joint.frame, pose_of(rows, joint.a), pose_of(rows, joint.b), near);
  };
  group.is_converged = group.is_converged && !group.is_energy_limited;
  update_added_energy(scene, group);
  for (const std::size_t at : group.joints) {
    begin_load(at);
    const bool turns = joints_[at].params.kind == JointKind::hinge;
    read(at, holds_[at].reading_then + (turns ? scene.dt * rates(at, rows.velocity, rows.angular_velocity)[5] : 0));
  }
  double before = position_errors(scene, group);
  bool is_soft = false;
  for (int pass = 0; pass < correction_passes && before > 0; ++pass) {
    for (const std::size_t at : group.joints) {
      const Joint& joint = joints_[at];
      joint_rates(joint.frame, pose_of(rows, joint.a), pose_of(rows, joint.b), holds_[at].rows_a, holds_[at].rows_b);
    }
    group.uses_end_jacobian = false, group.soft = is_soft ? soft_give / hard_give : 1;
    factorize(scene, group);
    double farthest = 0;
    for (std::size_t k = 0; k < group.joints.size(); ++k) {
      const Vec6& off = group.unknown[group.bodies.size() + k];
      const Hold& hold = holds_[group.joints[k]];
      for (Eigen::Index r = 0; r < 6; ++r)
        farthest = std::max(farthest, std::abs(off[r]) * (hold.rows_a.row(r).head<3>().isZero(0) ? hold.size_m : 1));
    }
    group.factor.solve(group.unknown);
    double squares = 0, turn = 0, way = 0;
    for (std::size_t i = 0; i < group.bodies.size(); ++i) {
      squares += group.unknown[i].squaredNorm();
      turn = std::max(turn, group.unknown[i].tail<3>().norm());
      way = std::max(way, group.unknown[i].head<3>().norm());
    }
    if (squares < absurd_change * absurd_change) {
      const double share =
          std::min({1.0, most_straightened / std::max(turn, 1e-300), most_ways * farthest / std::max(way, 1e-300)});
      for (std::size_t i = 0; i < group.bodies.size(); ++i) {
        const std::size_t body = group.bodies[i];
        group.movers[i].ahead = {rows.position[body], rows.orientation[body]};
        rows.position[body] += share * group.unknown[i].head<3>();
        rows.orientation[body] =
            (rotation_of(share * group.unknown[i].tail<3>()) * rows.orientation[body]).normalized();
      }
      for (const std::size_t at : group.joints) read(at, reading_[at]);
      const double after = position_errors(scene, group);
      if (after < (is_soft ? 0.999 : 0.9) * before) {
        before = after;
        continue;
      }
      for (std::size_t i = 0; i < group.bodies.size(); ++i) {
        const std::size_t body = group.bodies[i];
        rows.position[body] = group.movers[i].ahead.position,
        rows.orientation[body] = group.movers[i].ahead.orientation;
      }
      for (const std::size_t at : group.joints) read(at, reading_[at]);
    }
    if (is_soft) break;
    is_soft = true;
    before = position_errors(scene, group);
  }
}

}  // namespace vw
