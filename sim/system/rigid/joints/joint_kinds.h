// Parameters and schemas of the joint kinds of a rigid system (slot `joint`).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/data/node.h"

namespace vw {

enum class JointKind : std::uint8_t { ball, distance, fixed, hinge, rope, slider };
enum class JointMotor : std::uint8_t { off, speed, target };

struct JointParams {
  JointKind kind = JointKind::ball;
  std::string a, b;  ///< Names of the bodies. If b is empty, the joint connects a to the world.
  Vec3 anchor{0, 0, 0}, anchor_b{0, 0, 0};
  Vec3 axis{0, 0, 1};
  bool collide = false;
  /// Force and torque at which the joint breaks. If the value is 0, the joint never breaks.
  double break_force_n = 0, break_torque_nm = 0;
  std::int64_t repeat = 1;
  Vec3 repeat_step{0, 0, 0};

  // Motion along or about the axis. Units: [rad] and [N m] for a hinge, [m] and [N] for a slider.
  bool limited = false;
  double lower = 0, upper = 0;
  JointMotor motor = JointMotor::off;
  double motor_speed = 1, motor_target = 0, motor_time_s = 0.05, motor_most = 1;
  double friction = 0;

  double length_m = 0;  ///< Length of a rod or rope. 0 means the length in the initial poses.
  double reel_mps = 1;
  double stiffness_npm = 0;  ///< Spring stiffness [N/m]. 0 means inextensible.
  double damping = 0;        ///< [N s/m]
};

/// The schemas of slot `joint`, ordered by name: ball, distance, fixed, hinge, rope, slider.
[[nodiscard]] const std::vector<const Schema*>& joint_schemas();
/// Returns the parameters of a joint node. If `lower` exceeds `upper`, the two values are exchanged.
[[nodiscard]] JointParams read_joint(const Node& self);
[[nodiscard]] const std::string& joint_kind_name(JointKind kind);

}  // namespace vw
