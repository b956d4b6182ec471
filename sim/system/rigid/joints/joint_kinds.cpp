#include "sim/system/rigid/joints/joint_kinds.h"

#include <utility>

#include "sim/base/data/node_kind.h"

namespace vw {
namespace {

using JointRows = ParamTable<JointParams>;

JointRows common_joint_rows(const char* anchor) {
  using P = JointParams;
  return {
      Param<P>{.member = &P::a,
               .key = "a",
               .label = "First body",
               .refers_to = "body",
               .doc = "Name of the first body of the joint, which other parameters call body a."},
      Param<P>{.member = &P::b,
               .key = "b",
               .label = "Second body",
               .refers_to = "body",
               .doc = "Name of the second body of the joint, which other parameters call body b. Empty means the "
                      "world."},
      Param<P>{.member = &P::anchor, .key = "anchor", .unit = Unit::meter, .range = {-1e6, 1e6}, .doc = anchor},
      Param<P>{.member = &P::collide,
               .key = "collide",
               .label = "Collision of the bodies",
               .doc = "Whether the two bodies of the joint (`a` and `b`) collide with each other."},
      Param<P>{.member = &P::break_force_n,
               .key = "break_force",
               .unit = Unit::newton,
               .range = {0, 1e12},
               .live = Live::yes,
               .doc = "Force at which the joint breaks. The force in the joint is averaged over a substep. A broken "
                      "joint stays broken. 0 means never."},
      Param<P>{.member = &P::repeat,
               .key = "repeat",
               .label = "Number of joints",
               .unit = Unit::count,
               .range = {1, 100000},
               .scale = Scale::log,
               .doc = "Number of joints, for chains of copied bodies. The joints are called NAME-1, NAME-2 and so on. "
                      "From one joint to the next, the final number in the names of `a` and `b` increases by one. A "
                      "system has at most 2,000,000 joints."},
      Param<P>{.member = &P::repeat_step,
               .key = "repeat_step",
               .label = "Offset between joints",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .doc = "Offset from the anchor of one joint to the anchor of the next, if `repeat` is above 1."},
  };
}

JointRows torque_rows() {
  using P = JointParams;
  return {Param<P>{.member = &P::break_torque_nm,
                   .key = "break_torque",
                   .unit = Unit::newton_meter,
                   .range = {0, 1e12},
                   .live = Live::yes,
                   .doc = "Torque at which the joint breaks. The torque in the joint is averaged over a substep. A "
                          "broken joint stays broken. 0 means never."}};
}

/// Returns the parameters of a hinge or slider. `way`, `rate` and `push` are the units of position, speed and force
/// along or about the axis.
JointRows axis_rows(Unit way, Unit rate, Unit push, const char* axis) {
  using P = JointParams;
  const Bounds any{-1e6, 1e6}, positive{0, 1e12};
  return {
      Param<P>{.member = &P::axis, .key = "axis", .range = {-1e6, 1e6}, .doc = axis},
      Param<P>{
          .member = &P::limited,
          .key = "limits",
          .live = Live::yes,
          .doc = "Whether `lower` and `upper` limit the motion of the bodies along or about the axis of the joint."},
      Param<P>{.member = &P::lower,
               .key = "lower",
               .unit = way,
               .range = any,
               .live = Live::yes,
               .doc = "Smallest angle or displacement of body a relative to body b, measured from the start position. "
                      "It has an effect only if `limits` is on. If `lower` is above `upper`, the two limits are "
                      "exchanged."},
      Param<P>{.member = &P::upper,
               .key = "upper",
               .unit = way,
               .range = any,
               .live = Live::yes,
               .doc = "Largest angle or displacement of body a relative to body b, measured from the start position. "
                      "It has an effect only if `limits` is on."},
      Param<P>{.member = &P::motor,
               .key = "motor",
               .live = Live::yes,
               .choices = {"off", "speed", "target"},
               .doc = "Motor that moves body a relative to body b, along or about the axis. off: no motor. speed: the "
                      "motor keeps the speed `motor_speed`. target: the motor moves body a to `motor_target`, at "
                      "`motor_speed` or slower."},
      Param<P>{.member = &P::motor_speed,
               .key = "motor_speed",
               .unit = rate,
               .range = any,
               .live = Live::yes,
               .doc = "Speed of body a relative to body b, along or about the axis, that the motor keeps if motor = "
                      "\"speed\". It may be negative. If motor = \"target\", its magnitude is the largest speed."},
      Param<P>{.member = &P::motor_target,
               .key = "motor_target",
               .unit = way,
               .range = any,
               .live = Live::yes,
               .doc = "Angle or displacement to which the motor moves body a relative to body b, measured from the "
                      "start position. It has an effect only if motor = \"target\"."},
      Param<P>{.member = &P::motor_time_s,
               .key = "motor_time",
               .label = "Motor time constant",
               .unit = Unit::second,
               .range = {1e-4, 100},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Time constant with which the motor approaches `motor_target`, if motor = \"target\". In this "
                      "time, the motor covers 63 % of the remaining distance."},
      Param<P>{.member = &P::motor_most,
               .key = "motor_most",
               .label = "Largest motor force",
               .unit = push,
               .range = positive,
               .live = Live::yes,
               .doc = "Largest force (slider) or torque (hinge) that the motor exerts. If the motor needs more, the "
                      "joint lags behind `motor_speed` or `motor_target`."},
      Param<P>{.member = &P::friction,
               .key = "friction",
               .unit = push,
               .range = positive,
               .live = Live::yes,
               .doc = "Force (slider) or torque (hinge) of dry friction in the joint, which resists its motion."},
  };
}

JointRows length_rows(const char* stiffness) {
  using P = JointParams;
  return {
      Param<P>{.member = &P::anchor_b,
               .key = "anchor_b",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .doc = "Attachment point on body `b` at the start, in world coordinates. If `b` is empty, this is a "
                      "fixed point of the world."},
      Param<P>{.member = &P::length_m,
               .key = "length",
               .unit = Unit::meter,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Rest length of the rope, rod or spring. 0 means the initial distance between its ends."},
      Param<P>{
          .member = &P::reel_mps,
          .key = "reel_speed",
          .unit = Unit::meter_per_second,
          .range = {0, 1e3},
          .live = Live::yes,
          .doc =
              "Speed at which the rope, rod or spring becomes longer or shorter if `length` is changed during a run."},
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
               .doc = "Damping of the rope or spring along its length. It has no effect if `stiffness` is 0."},
  };
}

struct KindOfJoint : NodeKind<JointParams> {
  KindOfJoint(JointKind which, std::string name, std::string doc, JointRows declared)
      : NodeKind<JointParams>(std::move(name), std::move(doc), std::move(declared)), kind(which) {}
  JointKind kind;
};

const std::vector<KindOfJoint>& joint_kinds() {
  static const char* place = "Position of the joint at the start, in world coordinates.";
  static const char* end = "Attachment point on body `a` at the start, in world coordinates.";
  static const std::vector<KindOfJoint> all{
      {JointKind::ball, "ball", "Two bodies that share a point and rotate freely about it.", common_joint_rows(place)},
      {JointKind::distance, "distance", "A rod or a spring between two points.",
       JointRows{common_joint_rows(end), length_rows("Stiffness of the spring. 0 means a rigid rod.")}},
      {JointKind::fixed, "fixed", "Two bodies that move as one.", JointRows{common_joint_rows(place), torque_rows()}},
      {JointKind::hinge, "hinge", "Two bodies that share an axis and rotate about it.",
       JointRows{common_joint_rows(place), torque_rows(),
                 axis_rows(Unit::radian, Unit::radian_per_second, Unit::newton_meter,
                           "Axis at the start, in world coordinates. Body a rotates about this axis.")}},
      {JointKind::rope, "rope", "A rope between two points. It limits their distance to its length and never pushes.",
       JointRows{common_joint_rows(end), length_rows("Stiffness of the rope. 0 means a rope that does not stretch.")}},
      {JointKind::slider, "slider", "A body that slides along an axis of another body without rotating relative to it.",
       JointRows{common_joint_rows(place), torque_rows(),
                 axis_rows(Unit::meter, Unit::meter_per_second, Unit::newton,
                           "Axis at the start, in world coordinates. Body a slides along this axis.")}},
  };
  return all;
}

}  // namespace

const std::vector<const Schema*>& joint_schemas() {
  static const std::vector<const Schema*> schemas = schemas_of(joint_kinds());
  return schemas;
}

JointParams read_joint(const Node& self) {
  const KindOfJoint& kind = kind_of(joint_kinds(), self);
  JointParams params = kind.read(self);
  params.kind = kind.kind;
  // An edit or an actuator may move one limit beyond the other while the simulation runs.
  if (params.lower > params.upper) std::swap(params.lower, params.upper);
  return params;
}

const std::string& joint_kind_name(JointKind kind) { return joint_kinds()[static_cast<std::size_t>(kind)].schema.kind; }

}  // namespace vw
