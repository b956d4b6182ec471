// What the kinds of slot `joint` of a rigid system declare.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/node.h"

namespace vw {

enum class JointKind : std::uint8_t { ball, distance, fixed, hinge, rope, slider };
enum class JointMotor : std::uint8_t { off, speed, target };

struct JointParams {
  JointKind kind = JointKind::ball;
  std::string a, b;  ///< b empty: the world
  Vec3 anchor{0, 0, 0}, anchor_b{0, 0, 0};
  Vec3 axis{0, 0, 1};
  bool collide = false;
  double break_force_n = 0, break_torque_nm = 0;  ///< 0: never
  std::int64_t repeat = 1;
  Vec3 repeat_step{0, 0, 0};

  // Along or about the axis: [rad] and [N m] of a hinge, [m] and [N] of a slider.
  bool limited = false;
  double lower = 0, upper = 0;
  JointMotor motor = JointMotor::off;
  double motor_speed = 1, motor_target = 0, motor_time_s = 0.05, motor_most = 1;
  double friction = 0;

  double length_m = 0;  ///< 0: as it is at the start
  double reel_mps = 1;
  double stiffness_npm = 0;  ///< 0: does not stretch
  double damping = 0;        ///< [N s/m]
};

/// The schemas of slot `joint`, by name: ball, distance, fixed, hinge, rope, slider.
[[nodiscard]] const std::vector<const Schema*>& joint_schemas();
[[nodiscard]] JointParams read_joint(const Node& self);
[[nodiscard]] const std::string& joint_kind_name(JointKind kind);

}  // namespace vw
