#include "sim/system/rigid/joints/joint_rows.h"

#include "sim/base/elementary/elementary.h"

namespace vw {
namespace {

/// The anchors of a joint count as separated if the gap between them exceeds this fraction of the sum of both lever
/// arms.
constexpr double torn_share = 1e-5;

Vec3 anchor_on(const Pose& body, const Vec3& arm) { return body.position + body.orientation * arm; }

/// Returns the vector from the anchor on b to the anchor on a [m].
Vec3 apart(const JointFrame& frame, const Pose& a, const Pose& b) {
  return anchor_on(a, frame.arm_a) - anchor_on(b, frame.arm_b);
}

/// Returns the rotation vector, in world axes, by which body a deviates from the orientation that the joint requires
/// relative to body b. The result is accurate for small deviations.
Vec3 turned_too_far(const JointFrame& frame, const Pose& a, const Pose& b) {
  const Quat off =
      (a.orientation * Quat(Mat3(frame.axes_a * frame.axes_b.transpose())) * b.orientation.conjugate()).normalized();
  return (off.w() < 0 ? -2.0 : 2.0) * off.vec();
}

Vec3 line_of(const JointFrame& frame, const Pose& a, const Pose& b) {
  const Vec3 way = apart(frame, a, b);
  const double length = way.norm();
  return length > 1e-12 ? Vec3(way / length) : Vec3::UnitY();
}

}  // namespace

JointFrame joint_frame(JointKind kind, const Pose& a, const Pose& b, const Vec3& anchor_a, const Vec3& anchor_b,
                       const Vec3& axis) {
  JointFrame frame;
  frame.kind = kind;
  const Pose to_a = inverse(a), to_b = inverse(b);
  frame.arm_a = to_a.position + to_a.orientation * anchor_a;
  frame.arm_b = to_b.position + to_b.orientation * anchor_b;
  Mat3 axes;
  axes.col(0) = axis.normalized();
  axes.col(1) = axes.col(0).unitOrthogonal();
  axes.col(2) = axes.col(0).cross(axes.col(1));
  frame.axes_a = to_a.orientation * axes;
  frame.axes_b = to_b.orientation * axes;
  return frame;
}

int row_count(JointKind kind) {
  switch (kind) {
    case JointKind::ball: return 3;
    case JointKind::distance:
    case JointKind::rope: return 1;
    default: return 6;
  }
}

int drive_row(JointKind kind) {
  switch (kind) {
    case JointKind::distance:
    case JointKind::rope: return 0;
    case JointKind::hinge:
    case JointKind::slider: return 5;
    default: return -1;
  }
}

Vec6 joint_errors(const JointFrame& frame, const Pose& a, const Pose& b, double length) {
  Vec6 off = Vec6::Zero();
  const Vec3 way = apart(frame, a, b);
  switch (frame.kind) {
    case JointKind::ball: off.head<3>() = way; break;
    case JointKind::distance:
    case JointKind::rope: off[0] = way.norm() - length; break;
    case JointKind::fixed: off << way, turned_too_far(frame, a, b); break;
    case JointKind::hinge: {
      const Mat3 axes = b.orientation * frame.axes_b;
      const Vec3 tilt = axes.col(0).cross(a.orientation * frame.axes_a.col(0));
      off << way, tilt.dot(axes.col(1)), tilt.dot(axes.col(2)), 0;
      break;
    }
    case JointKind::slider: {
      const Mat3 axes = b.orientation * frame.axes_b;
      off << turned_too_far(frame, a, b), way.dot(axes.col(1)), way.dot(axes.col(2)), 0;
      break;
    }
  }
  return off;
}

double joint_reading(const JointFrame& frame, const Pose& a, const Pose& b) {
  switch (frame.kind) {
    case JointKind::distance:
    case JointKind::rope: return apart(frame, a, b).norm();
    case JointKind::hinge: {
      const Mat3 axes = b.orientation * frame.axes_b;
      const Vec3 side = a.orientation * frame.axes_a.col(1);
      return elementary::atan2(side.dot(axes.col(2)), side.dot(axes.col(1)));
    }
    case JointKind::slider: return apart(frame, a, b).dot(b.orientation * frame.axes_b.col(0));
    default: return 0;
  }
}

void joint_rates(const JointFrame& frame, const Pose& a, const Pose& b, Mat6& rows_a, Mat6& rows_b) {
  rows_a.setZero(), rows_b.setZero();
  const Vec3 arm_a = a.orientation * frame.arm_a;
  Vec3 arm_b = a.position + arm_a - b.position;
  // If the anchors have separated, the lever arm of b must end at the anchor of b. Otherwise the constraint force would
  // act on b at the anchor of a, and would exert a wrong torque on b. The displacement of a slider does not count as
  // such a gap. The line of a rod or rope passes through both anchors, so no correction is needed.
  const bool may_tear =
      frame.kind == JointKind::ball || frame.kind == JointKind::fixed || frame.kind == JointKind::hinge;
  if (const Vec3 own = b.orientation * frame.arm_b;
      may_tear && (arm_b - own).norm() > torn_share * (arm_a.norm() + own.norm()))
    arm_b = own;
  const auto force = [&](Eigen::Index row, const Vec3& along) {
    rows_a.row(row) << along.transpose(), arm_a.cross(along).transpose();
    rows_b.row(row) << -along.transpose(), -arm_b.cross(along).transpose();
  };
  const auto couple = [&](Eigen::Index row, const Vec3& about) {
    rows_a.row(row).tail<3>() = about.transpose();
    rows_b.row(row).tail<3>() = -about.transpose();
  };
  const Mat3 axes = b.orientation * frame.axes_b;
  switch (frame.kind) {
    case JointKind::distance:
    case JointKind::rope: force(0, line_of(frame, a, b)); return;
    case JointKind::slider:
      for (Eigen::Index k = 0; k < 3; ++k) couple(k, Vec3::Unit(k));
      force(3, axes.col(1)), force(4, axes.col(2)), force(5, axes.col(0));
      return;
    default: break;
  }
  for (Eigen::Index k = 0; k < 3; ++k) force(k, Vec3::Unit(k));
  if (frame.kind == JointKind::fixed)
    for (Eigen::Index k = 0; k < 3; ++k) couple(3 + k, Vec3::Unit(k));
  if (frame.kind == JointKind::hinge) couple(3, axes.col(1)), couple(4, axes.col(2)), couple(5, axes.col(0));
}

}  // namespace vw
