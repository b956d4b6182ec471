// Rigid bodies as rules see them at a moment within their substep.
#pragma once

#include "sim/collision/pose.h"
#include "sim/system/rigid/rigid.h"

namespace vw {

/// A body with the impulses that wait for it: they will move it in all of its substep, so it is foreseen where they take it.
struct Standing {
  Vec3 center = Vec3::Zero(), velocity = Vec3::Zero(), spin = Vec3::Zero();
  Quat orientation = Quat::Identity();
  double inverse_mass = 0;
  Mat3 inverse_inertia = Mat3::Zero();

  [[nodiscard]] Vec3 velocity_at(const Vec3& place) const { return velocity + spin.cross(place - center); }
  /// Of an impulse along `way` at `place` on the velocity there [1/kg].
  [[nodiscard]] double answer(const Vec3& place, const Vec3& way) const {
    const Vec3 turn = (place - center).cross(way);
    return inverse_mass + turn.dot(inverse_inertia * turn);
  }
};

/// `age`: time since the rows were valid [s].
[[nodiscard]] inline Standing standing(const RigidSystem& rigid, std::size_t row, double age) {
  const Elements& e = rigid.elements();
  Standing out;
  out.inverse_mass = 1 / e.mass[row];
  out.inverse_inertia = rigid.inverse_inertia(row);
  out.velocity = e.velocity[row] + out.inverse_mass * e.impulse[row];
  out.spin = e.angular_velocity[row] + out.inverse_inertia * e.angular_impulse[row];
  out.center = e.position[row] + age * out.velocity;
  out.orientation = rotation_of(age * out.spin) * e.orientation[row];
  return out;
}

/// What a dashpot of that damping ratio costs in stability: as if its spring were so many times stiffer (SPEC 1, "Time step").
[[nodiscard]] inline double damping_cost(double zeta) {
  const double cost = std::sqrt(zeta * zeta + 1) + zeta;
  return cost * cost;
}

}  // namespace vw
