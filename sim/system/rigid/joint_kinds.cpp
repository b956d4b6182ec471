#include "sim/system/rigid/joint_kinds.h"

#include "sim/base/node_kind.h"

namespace vw {
namespace {

using P = JointParams;
using Rows = std::vector<Param<P>>;

Rows common_rows(const char* anchor) {
  return {
      {&P::a, "a", "", Live::no, "First body."},
      {&P::b, "b", "", Live::no, "Second body; empty: the world."},
      {&P::anchor, "anchor", Unit::meter, Vec3(0, 0, 0), {-1e6, 1e6}, Live::no, anchor},
      {&P::collide, "collide", false, Live::no, "The two bodies collide with each other."},
      {&P::break_force_n,
       "break_force",
       Unit::newton,
       0.0,
       {0, 1e12},
       Scale::linear,
       Live::yes,
       "Mean force over a substep at which the joint breaks permanently; 0: never."},
      {&P::repeat,
       "repeat",
       Unit::count,
       std::int64_t{1},
       {1, 100000},
       Scale::log,
       Live::no,
       "Number of joints (name-1, name-2, ...). The trailing number in the names of a and b increases by one for "
       "each."},
      {&P::repeat_step,
       "repeat_step",
       Unit::meter,
       Vec3(0, 0, 0),
       {-1e6, 1e6},
       Live::no,
       "Offset from one joint to the next."},
  };
}

Rows torque_rows() {
  return {{&P::break_torque_nm,
           "break_torque",
           Unit::newton_meter,
           0.0,
           {0, 1e12},
           Scale::linear,
           Live::yes,
           "Mean torque over a substep at which the joint breaks permanently; 0: never."}};
}

/// Parameters of a hinge or slider. `way`, `rate` and `push` are the units of position, speed and force along or about
/// the axis.
Rows axis_rows(Unit way, Unit rate, Unit push, const char* axis) {
  const Bounds any{-1e6, 1e6}, positive{0, 1e12};
  return {
      {&P::axis, "axis", Unit::none, Vec3(0, 0, 1), {-1e6, 1e6}, Live::no, axis},
      {&P::limited, "limits", false, Live::yes, "The motion along the axis is limited."},
      {&P::lower, "lower", way, 0.0, any, Scale::linear, Live::yes, "Lower limit, relative to the initial position."},
      {&P::upper, "upper", way, 0.0, any, Scale::linear, Live::yes, "Upper limit, relative to the initial position."},
      {&P::motor,
       "motor",
       JointMotor::off,
       {"off", "speed", "target"},
       Live::yes,
       "Motor along the axis. speed: keeps motor_speed; target: moves to motor_target, at most at motor_speed."},
      {&P::motor_speed, "motor_speed", rate, 1.0, any, Scale::linear, Live::yes, "Speed of a relative to b."},
      {&P::motor_target, "motor_target", way, 0.0, any, Scale::linear, Live::yes,
       "Target position of a relative to b; the initial position is "
       "the origin."},
      {&P::motor_time_s,
       "motor_time",
       Unit::second,
       0.05,
       {1e-4, 100},
       Scale::log,
       Live::yes,
       "Time constant of the approach to the target: 63 % of the remaining distance."},
      {&P::motor_most, "motor_most", push, 1.0, positive, Scale::linear, Live::yes,
       "Largest force or torque of the motor."},
      {&P::friction, "friction", push, 0.0, positive, Scale::linear, Live::yes, "Dry friction of the bearing."},
  };
}

Rows length_rows(const char* stiffness) {
  return {
      {&P::anchor_b,
       "anchor_b",
       Unit::meter,
       Vec3(0, 0, 0),
       {-1e6, 1e6},
       Live::no,
       "Attachment point on b at the start, in world coordinates."},
      {&P::length_m,
       "length",
       Unit::meter,
       0.0,
       {0, 1e6},
       Scale::linear,
       Live::yes,
       "Rest length; 0: the initial distance."},
      {&P::reel_mps,
       "reel_speed",
       Unit::meter_per_second,
       1.0,
       {0, 1e3},
       Scale::linear,
       Live::yes,
       "Speed at which the rest length changes to "
       "a new value."},
      {&P::stiffness_npm, "stiffness", Unit::newton_per_meter, 0.0, {0, 1e12}, Scale::linear, Live::yes, stiffness},
      {&P::damping,
       "damping",
       Unit::newton_second_per_meter,
       0.0,
       {0, 1e9},
       Scale::linear,
       Live::yes,
       "Damping along the joint; used only if "
       "the stiffness is not zero."},
  };
}

struct KindOfJoint : NodeKind<P> {
  KindOfJoint(JointKind which, std::string name, std::string doc, Rows declared)
      : NodeKind<P>(std::move(name), std::move(doc), std::move(declared)), kind(which) {}
  JointKind kind;
};

const std::vector<KindOfJoint>& kinds() {
  static const char* place = "Position of the joint at the start, in world coordinates.";
  static const char* end = "Attachment point on a at the start, in world coordinates.";
  static const std::vector<KindOfJoint> all{
      {JointKind::ball, "ball", "Two bodies share a point and rotate freely about it.", common_rows(place)},
      {JointKind::distance, "distance", "A rod or a spring between two points.",
       joined(common_rows(end), length_rows("Spring stiffness; 0: a rigid rod."))},
      {JointKind::fixed, "fixed", "Two bodies move as one.", joined(common_rows(place), torque_rows())},
      {JointKind::hinge, "hinge", "Two bodies share an axis and rotate about it.",
       joined(joined(common_rows(place), torque_rows()),
              axis_rows(Unit::radian, Unit::radian_per_second, Unit::newton_meter,
                        "Axis at the start, in world coordinates; a rotates about it."))},
      {JointKind::rope, "rope", "A rope limits the distance of two points to its length and never pushes.",
       joined(common_rows(end), length_rows("Stiffness of an elastic rope; 0: inextensible."))},
      {JointKind::slider, "slider", "A body slides along an axis of another body without rotating relative to it.",
       joined(joined(common_rows(place), torque_rows()),
              axis_rows(Unit::meter, Unit::meter_per_second, Unit::newton,
                        "Axis at the start, in world coordinates; a slides along it."))},
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
