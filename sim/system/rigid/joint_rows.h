// The geometry of one joint: by how much its rows are off where two bodies stand, and how fast that changes. A row is a force along a line through
// the anchor on a, or a couple, equal and opposite on both: momentum and angular momentum hold to rounding.
#pragma once

#include "sim/collision/pose.h"
#include "sim/system/rigid/joint_factor.h"
#include "sim/system/rigid/joint_kinds.h"

namespace vw {

/// Where a joint sits in its bodies, whose frames have the centre of mass as origin; the world's frame is the identity.
struct JointFrame {
  JointKind kind = JointKind::ball;
  Vec3 arm_a = Vec3::Zero(), arm_b = Vec3::Zero();            ///< anchors
  Mat3 axes_a = Mat3::Identity(), axes_b = Mat3::Identity();  ///< columns: the axis and two across; the same in the world at the start
};

/// Of bodies that stand at `a` and `b` with the anchors there in the world; `axis` of a hinge or slider.
[[nodiscard]] JointFrame joint_frame(JointKind kind, const Pose& a, const Pose& b, const Vec3& anchor_a, const Vec3& anchor_b, const Vec3& axis);

[[nodiscard]] int row_count(JointKind kind);
/// The row that may be free, driven or one-sided: along or about the axis, or along the line; -1: none.
[[nodiscard]] int drive_row(JointKind kind);
[[nodiscard]] inline bool is_line(JointKind kind) { return drive_row(kind) == 0; }   ///< between two points
[[nodiscard]] inline bool has_axis(JointKind kind) { return drive_row(kind) == 5; }  ///< about or along one
[[nodiscard]] inline bool is_spring(const JointParams& params) { return is_line(params.kind) && params.stiffness_npm > 0; }

/// What each row is off [m], [rad]; rows of the axis are 0. Along a line its length less `length`.
[[nodiscard]] Vec6 joint_errors(const JointFrame& frame, const Pose& a, const Pose& b, double length);
/// Angle in (-pi, pi] [rad] or way [m] of a against b along the axis; distance of the anchors.
[[nodiscard]] double joint_reading(const JointFrame& frame, const Pose& a, const Pose& b);
/// Velocity and angular velocity of the bodies times these are the rates of the rows.
void joint_rates(const JointFrame& frame, const Pose& a, const Pose& b, Mat6& rows_a, Mat6& rows_b);

}  // namespace vw
