// Rigid bodies as rules see them at a moment within their substep.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/collision/pose.h"
#include "sim/system/rigid/rigid.h"

namespace vw {

/// A body where its velocities have taken it.
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

/// Velocities that a row was thrown off with since its arrays were valid. What waits for a row will move it in all of its substep, so whatever
/// bounced is foreseen with that, or it would bounce again. What rests on springs is not: their impulses wait beside a weight that no rule knows of.
struct Thrown {
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
};

/// `age`: time since the rows were valid [s].
[[nodiscard]] inline Standing standing(const RigidSystem& rigid, std::size_t row, double age, const Thrown& thrown = {}) {
  const Elements& e = rigid.elements();
  Standing out;
  out.inverse_mass = 1 / e.mass[row];
  out.inverse_inertia = rigid.inverse_inertia(row);
  out.velocity = e.velocity[row] + thrown.velocity;
  out.spin = e.angular_velocity[row] + thrown.spin;
  out.center = e.position[row] + age * out.velocity;
  out.orientation = rotation_of(age * out.spin) * e.orientation[row];
  return out;
}

/// Springs and dashpots on a row, each times what it answers with there: w^2 [1/s^2] and 2 zeta w [1/s] of all together.
struct ContactLoad {
  double springs = 0, dashpots = 0;
  void add(double stiffness_npm, double dashpot_nspm, double answer) { springs += stiffness_npm * answer, dashpots += dashpot_nspm * answer; }
  /// Longest substep that resolves them: w h at most `swing`, and w^2 h^2 + 4 zeta w h at most `share` of the 4 at which symplectic Euler with
  /// damping at the old velocity swings up (SPEC 1, "Time step").
  [[nodiscard]] double resolved_dt(double swing, double share) const {
    if (!(springs > 0)) return std::numeric_limits<double>::infinity();
    const double damped = (std::sqrt(dashpots * dashpots + 4 * share * springs) - dashpots) / springs;
    return std::min(swing / std::sqrt(springs), damped);
  }
};

/// What a dashpot of that damping ratio costs in stability: as if its spring were so many times stiffer (SPEC 1, "Time step").
[[nodiscard]] inline double damping_cost(double zeta) {
  const double cost = std::sqrt(zeta * zeta + 1) + zeta;
  return cost * cost;
}

}  // namespace vw
