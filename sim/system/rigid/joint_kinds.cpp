#include "sim/system/rigid/joint_kinds.h"

#include "sim/base/node_kind.h"

namespace vw {
namespace {

using P = JointParams;
using Rows = std::vector<Param<P>>;

Rows common_rows(const char* anchor) {
  return {
      {&P::a, "a", "", Live::no, "Body that is joined."},
      {&P::b, "b", "", Live::no, "Body that it is joined to; empty: the world."},
      {&P::anchor, "anchor", Unit::meter, Vec3(0, 0, 0), {-1e6, 1e6}, Live::no, anchor},
      {&P::collide, "collide", false, Live::no, "The two bodies meet each other."},
      {&P::break_force_n,
       "break_force",
       Unit::newton,
       0.0,
       {0, 1e12},
       Scale::linear,
       Live::yes,
       "Force, over a substep, at which it breaks for good; 0: never."},
      {&P::repeat,
       "repeat",
       Unit::count,
       std::int64_t{1},
       {1, 100000},
       Scale::log,
       Live::no,
       "So many joints (name-1, name-2, ...): the number that ends the name of a or b counts up."},
      {&P::repeat_step, "repeat_step", Unit::meter, Vec3(0, 0, 0), {-1e6, 1e6}, Live::no, "How far each is from the last."},
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
           "Torque, over a substep, at which it breaks for good; 0: never."}};
}

/// Of a hinge or slider: `way` and `push` are the units along or about the axis.
Rows axis_rows(Unit way, Unit rate, Unit push, const char* axis) {
  const Bounds any{-1e6, 1e6}, positive{0, 1e12};
  return {
      {&P::axis, "axis", Unit::none, Vec3(0, 0, 1), {-1e6, 1e6}, Live::no, axis},
      {&P::limited, "limits", false, Live::yes, "It stops at its limits."},
      {&P::lower, "lower", way, 0.0, any, Scale::linear, Live::yes, "Lower limit, of what has been gone since the start."},
      {&P::upper, "upper", way, 0.0, any, Scale::linear, Live::yes, "Upper limit."},
      {&P::motor,
       "motor",
       JointMotor::off,
       {"off", "speed", "target"},
       Live::yes,
       "speed: keeps motor_speed; target: goes to motor_target, no faster than motor_speed."},
      {&P::motor_speed, "motor_speed", rate, 1.0, any, Scale::linear, Live::yes, "Of side a against b."},
      {&P::motor_target, "motor_target", way, 0.0, any, Scale::linear, Live::yes, "Where it goes, from the start on."},
      {&P::motor_time_s,
       "motor_time",
       Unit::second,
       0.05,
       {1e-4, 100},
       Scale::log,
       Live::yes,
       "Time in which it takes away 63 % of what is left to the target."},
      {&P::motor_most, "motor_most", push, 1.0, positive, Scale::linear, Live::yes, "The most that the motor gives."},
      {&P::friction, "friction", push, 0.0, positive, Scale::linear, Live::yes, "Dry friction of its bearing."},
  };
}

Rows length_rows(const char* stiffness) {
  return {
      {&P::anchor_b, "anchor_b", Unit::meter, Vec3(0, 0, 0), {-1e6, 1e6}, Live::no, "The same on b."},
      {&P::length_m, "length", Unit::meter, 0.0, {0, 1e6}, Scale::linear, Live::yes, "Length; 0: as at the start."},
      {&P::reel_mps, "reel_speed", Unit::meter_per_second, 1.0, {0, 1e3}, Scale::linear, Live::yes, "How fast it is reeled to another length."},
      {&P::stiffness_npm, "stiffness", Unit::newton_per_meter, 0.0, {0, 1e12}, Scale::linear, Live::yes, stiffness},
      {&P::damping, "damping", Unit::newton_second_per_meter, 0.0, {0, 1e9}, Scale::linear, Live::yes, "Damping along it, where it is a spring."},
  };
}

struct KindOfJoint : NodeKind<P> {
  KindOfJoint(JointKind which, std::string name, std::string doc, Rows declared)
      : NodeKind<P>(std::move(name), std::move(doc), std::move(declared)), kind(which) {}
  JointKind kind;
};

const std::vector<KindOfJoint>& kinds() {
  static const char* place = "Where they are joined at the start, in the world.";
  static const char* end = "Where it holds a at the start, in the world.";
  static const std::vector<KindOfJoint> all{
      {JointKind::ball, "ball", "Two bodies share a point and turn about it freely.", common_rows(place)},
      {JointKind::distance, "distance", "A rod between two points, or a spring.",
       joined(common_rows(end), length_rows("Of a spring; 0: a rod that does not stretch."))},
      {JointKind::fixed, "fixed", "Two bodies move as one.", joined(common_rows(place), torque_rows())},
      {JointKind::hinge, "hinge", "Two bodies share an axis and turn about it.",
       joined(joined(common_rows(place), torque_rows()),
              axis_rows(Unit::radian, Unit::radian_per_second, Unit::newton_meter, "Axis at the start, in the world: a turns about it."))},
      {JointKind::rope, "rope", "It holds two points no farther apart than its length, and never pushes.",
       joined(common_rows(end), length_rows("Of a springy rope; 0: it does not stretch."))},
      {JointKind::slider, "slider", "A body slides along an axis of the other and does not turn against it.",
       joined(joined(common_rows(place), torque_rows()),
              axis_rows(Unit::meter, Unit::meter_per_second, Unit::newton, "Axis at the start, in the world: a slides along it."))},
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
