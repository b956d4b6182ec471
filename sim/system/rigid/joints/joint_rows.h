// Constraint rows of one joint: position errors and Jacobians for given poses of its two bodies. A row acts as a force
// along a line through the anchor on body a, or as a couple. Its impulses on the two bodies are equal and opposite, so
// that momentum and angular momentum are conserved to rounding. If the anchors of a ball joint, a fixed joint or a
// hinge have separated, the force on body b instead acts at the anchor on body b, and angular momentum is not conserved
// exactly.
#pragma once

#include "sim/collision/pose.h"
#include "sim/system/rigid/joints/joint_factor.h"
#include "sim/system/rigid/joints/joint_kinds.h"

namespace vw {

/// Anchors and axes of a joint in the frames of its bodies. The origin of a body's frame is its centre of mass. The
/// frame of the world has the identity pose.
struct JointFrame {
  JointKind kind = JointKind::ball;
  Vec3 arm_a = Vec3::Zero(), arm_b = Vec3::Zero();  ///< Anchors [m].
  /// The columns are the joint's axis and two perpendicular directions. In the initial poses both matrices describe the
  /// same world directions.
  Mat3 axes_a = Mat3::Identity(), axes_b = Mat3::Identity();
};

/// Returns the frame of a joint whose bodies have the poses `a` and `b`, with anchors and axis in world coordinates.
/// Only hinges and sliders use `axis`.
[[nodiscard]] JointFrame joint_frame(JointKind kind, const Pose& a, const Pose& b, const Vec3& anchor_a,
                                     const Vec3& anchor_b, const Vec3& axis);

/// Returns the number of rows of a joint that are in use, 1 to 6.
[[nodiscard]] int row_count(JointKind kind);
/// Returns the index of the drive row (joint_drive.h), on which a motor, friction, limits, a spring or a rope may act.
/// It is the row along or about the axis, or along the line between the anchors. The result is -1 if the joint has no
/// such row.
[[nodiscard]] int drive_row(JointKind kind);
/// Whether the joint acts along the line between its anchors (distance, rope).
[[nodiscard]] inline bool is_line(JointKind kind) { return drive_row(kind) == 0; }
/// Whether the joint has an axis (hinge, slider).
[[nodiscard]] inline bool has_axis(JointKind kind) { return drive_row(kind) == 5; }
[[nodiscard]] inline bool is_spring(const JointParams& params) {
  return is_line(params.kind) && params.stiffness_npm > 0;
}

/// Returns the position error of each row [m], [rad]. The row of the axis of a hinge or slider has the error 0. For a
/// distance or rope joint the error is the distance of the anchors minus `length`.
[[nodiscard]] Vec6 joint_errors(const JointFrame& frame, const Pose& a, const Pose& b, double length);
/// Returns the joint coordinate. For a hinge, it is the angle of body a relative to body b in (-pi, pi] [rad]. For a
/// slider, it is the displacement of a relative to b along the axis [m]. For a distance or rope joint, it is the
/// distance of the anchors [m]. For the other kinds, it is 0.
[[nodiscard]] double joint_reading(const JointFrame& frame, const Pose& a, const Pose& b);
/// Computes the Jacobians: rows_a * (velocity, angular velocity of a) + rows_b * (velocity, angular velocity of b) are
/// the rates of the row errors. For the row along or about the axis of a hinge or slider, the result is the rate of
/// joint_reading().
void joint_rates(const JointFrame& frame, const Pose& a, const Pose& b, Mat6& rows_a, Mat6& rows_b);

}  // namespace vw
