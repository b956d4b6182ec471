#include "sim/system/rigid/joints/joint_kinds.h"

#include "sim/base/data/node_kind.h"

namespace vw {
namespace {

using P = JointParams;
using Rows = ParamTable<P>;

Rows common_rows(const char* anchor) {
  return {
      Param<P>{
          .member = &P::a, .key = "a", .label = "First body", .refers_to = "body", .doc = "First body of the joint."},
      Param<P>{.member = &P::b,
               .key = "b",
               .label = "Second body",
               .refers_to = "body",
               .doc = "Second body of the joint; empty: the world."},
      Param<P>{.member = &P::anchor, .key = "anchor", .unit = Unit::meter, .range = {-1e6, 1e6}, .doc = anchor},
      Param<P>{.member = &P::collide, .key = "collide", .doc = "Whether the two bodies collide with each other."},
      Param<P>{.member = &P::break_force_n,
               .key = "break_force",
               .unit = Unit::newton,
               .range = {0, 1e12},
               .live = Live::yes,
               .doc = "Mean force over a substep at which the joint breaks permanently; 0: never."},
      Param<P>{.member = &P::repeat,
               .key = "repeat",
               .unit = Unit::count,
               .range = {1, 100000},
               .scale = Scale::log,
               .doc = "Number of joints (name-1, name-2, ...). From one joint to the next, the final number in the "
                      "names of a and b increases by one."},
      Param<P>{.member = &P::repeat_step,
               .key = "repeat_step",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .doc = "Offset from one joint to the next."},
  };
}

Rows torque_rows() {
  return {Param<P>{.member = &P::break_torque_nm,
                   .key = "break_torque",
                   .unit = Unit::newton_meter,
                   .range = {0, 1e12},
                   .live = Live::yes,
                   .doc = "Mean torque over a substep at which the joint breaks permanently; 0: never."}};
}

/// Parameters of a hinge or slider. `way`, `rate` and `push` are the units of position, speed and force along or about
/// the axis.
Rows axis_rows(Unit way, Unit rate, Unit push, const char* axis) {
  const Bounds any{-1e6, 1e6}, positive{0, 1e12};
  return {
      Param<P>{.member = &P::axis, .key = "axis", .range = {-1e6, 1e6}, .doc = axis},
      Param<P>{.member = &P::limited,
               .key = "limits",
               .live = Live::yes,
               .doc = "Whether the motion along or about the axis is limited."},
      Param<P>{.member = &P::lower,
               .key = "lower",
               .unit = way,
               .range = any,
               .live = Live::yes,
               .doc = "Lower limit of the motion, relative to the initial position."},
      Param<P>{.member = &P::upper,
               .key = "upper",
               .unit = way,
               .range = any,
               .live = Live::yes,
               .doc = "Upper limit of the motion, relative to the initial position."},
      Param<P>{.member = &P::motor,
               .key = "motor",
               .live = Live::yes,
               .choices = {"off", "speed", "target"},
               .doc = "Motor along or about the axis. speed: the motor keeps the speed motor_speed. target: the motor "
                      "moves to motor_target, at most at motor_speed."},
      Param<P>{.member = &P::motor_speed,
               .key = "motor_speed",
               .unit = rate,
               .range = any,
               .live = Live::yes,
               .doc = "Speed of body a relative to body b."},
      Param<P>{.member = &P::motor_target,
               .key = "motor_target",
               .unit = way,
               .range = any,
               .live = Live::yes,
               .doc = "Target position of body a relative to body b, measured from their initial relative position."},
      Param<P>{.member = &P::motor_time_s,
               .key = "motor_time",
               .unit = Unit::second,
               .range = {1e-4, 100},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Time constant of the approach to the target. In this time, the motor covers 63 % of the "
                      "remaining distance."},
      Param<P>{.member = &P::motor_most,
               .key = "motor_most",
               .unit = push,
               .range = positive,
               .live = Live::yes,
               .doc = "Largest force or torque of the motor."},
      Param<P>{.member = &P::friction,
               .key = "friction",
               .unit = push,
               .range = positive,
               .live = Live::yes,
               .doc = "Force or torque of dry friction in the bearing."},
  };
}

Rows length_rows(const char* stiffness) {
  return {
      Param<P>{.member = &P::anchor_b,
               .key = "anchor_b",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .doc = "Attachment point on body b at the start, in world coordinates."},
      Param<P>{.member = &P::length_m,
               .key = "length",
               .unit = Unit::meter,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Rest length; 0: the initial distance."},
      Param<P>{.member = &P::reel_mps,
               .key = "reel_speed",
               .unit = Unit::meter_per_second,
               .range = {0, 1e3},
               .live = Live::yes,
               .doc = "Speed at which the rest length changes to a newly set value."},
      Param<P>{.member = &P::stiffness_npm,
               .key = "stiffness",
               .unit = Unit::newton_per_meter,
               .range = {0, 1e12},
               .live = Live::yes,
               .doc = stiffness},
      Param<P>{.member = &P::damping,
               .key = "damping",
               .unit = Unit::newton_second_per_meter,
               .range = {0, 1e9},
               .live = Live::yes,
               .doc = "Damping along the joint, used only if the stiffness is not zero."},
  };
}

struct KindOfJoint : NodeKind<P> {
  KindOfJoint(JointKind which, std::string name, std::string doc, Rows declared)
      : NodeKind<P>(std::move(name), std::move(doc), std::move(declared)), kind(which) {}
  JointKind kind;
};

const std::vector<KindOfJoint>& kinds() {
  static const char* place = "Position of the joint at the start, in world coordinates.";
  static const char* end = "Attachment point on body a at the start, in world coordinates.";
  static const std::vector<KindOfJoint> all{
      {JointKind::ball, "ball", "Two bodies share a point and rotate freely about it.", common_rows(place)},
      {JointKind::distance, "distance", "A rod or a spring between two points.",
       Rows{common_rows(end), length_rows("Spring stiffness; 0: a rigid rod.")}},
      {JointKind::fixed, "fixed", "Two bodies move as one.", Rows{common_rows(place), torque_rows()}},
      {JointKind::hinge, "hinge", "Two bodies share an axis and rotate about it.",
       Rows{common_rows(place), torque_rows(),
            axis_rows(Unit::radian, Unit::radian_per_second, Unit::newton_meter,
                      "Axis at the start, in world coordinates. Body a rotates about this axis.")}},
      {JointKind::rope, "rope", "A rope limits the distance of two points to its length and never pushes.",
       Rows{common_rows(end), length_rows("Stiffness of an elastic rope; 0: inextensible.")}},
      {JointKind::slider, "slider", "A body slides along an axis of another body without rotating relative to it.",
       Rows{common_rows(place), torque_rows(),
            axis_rows(Unit::meter, Unit::meter_per_second, Unit::newton,
                      "Axis at the start, in world coordinates. Body a slides along this axis.")}},
  };
  return all;
}

}  // namespace

const std::vector<const Schema*>& joint_schemas() {
  static const std::vector<const Schema*> schemas = schemas_of(kinds());
  return schemas;
}

JointParams read_joint(const Node& self) {
  const KindOfJoint& kind = kind_of(kinds(), self);
  JointParams params = kind.read(self);
  params.kind = kind.kind;
  return params;
}

const std::string& joint_kind_name(JointKind kind) { return kinds()[static_cast<std::size_t>(kind)].schema.kind; }

}  // namespace vw
