// Predicted state of a rigid body between two of its substeps, and the stability bound of contact springs.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/collision/pose.h"
#include "sim/system/rigid/rigid.h"

namespace vw {

/// State of a body at the present time, extrapolated from its last substep with constant velocities.
struct Standing {
  Vec3 center = Vec3::Zero(), velocity = Vec3::Zero(), spin = Vec3::Zero();
  Quat orientation = Quat::Identity();
  double inverse_mass = 0;
  Mat3 inverse_inertia = Mat3::Zero();

  [[nodiscard]] Vec3 velocity_at(const Vec3& place) const { return velocity + spin.cross(place - center); }
  /// Returns the inverse effective mass [1/kg] at the point `place` along the unit vector `way`: the velocity change of
  /// that point per unit impulse.
  [[nodiscard]] double answer(const Vec3& place, const Vec3& way) const {
    const Vec3 turn = (place - center).cross(way);
    return inverse_mass + turn.dot(inverse_inertia * turn);
  }
};

/// Velocity changes of a body by collision impulses since the last substep of its system. These impulses are pending:
/// they act only in the next substep. The predicted state must include them, or the body would collide again at the
/// next evaluation. Impulses of contact springs are left out, because they balance the weight, which the prediction
/// also leaves out.
struct Thrown {
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
};

/// Returns the predicted state of the body in row `row`. `age` is the time since the last substep of `rigid` [s].
[[nodiscard]] inline Standing standing(const RigidSystem& rigid, std::size_t row, double age,
                                       const Thrown& thrown = {}) {
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

/// Sums over the contacts of one element. `springs` sums spring constant times inverse
/// effective mass, which is the squared angular frequency w^2 [1/s^2]. `dashpots` sums dashpot
/// constant times inverse effective mass, which is 2 zeta w with the damping ratio zeta [1/s].
struct ContactLoad {
  double springs = 0, dashpots = 0;
  void add(double stiffness_npm, double dashpot_nspm, double answer) {
    springs += stiffness_npm * answer, dashpots += dashpot_nspm * answer;
  }
  /// Returns the longest substep h with w h <= `swing` and w^2 h^2 + 4 zeta w h <= 4 `share`. At 4 (`share` = 1),
  /// symplectic Euler would become unstable, because the dashpot force uses the velocity at the start of the substep.
  [[nodiscard]] double resolved_dt(double swing, double share) const {
    if (!(springs > 0)) return std::numeric_limits<double>::infinity();
    const double damped = (std::sqrt(dashpots * dashpots + 4 * share * springs) - dashpots) / springs;
    return std::min(swing / std::sqrt(springs), damped);
  }
};

/// Returns the factor by which a dashpot of damping ratio `zeta` tightens the stability bound of symplectic Euler. A
/// spring with this dashpot has the same bound as an undamped spring whose stiffness is larger by the factor.
[[nodiscard]] inline double damping_cost(double zeta) {
  const double cost = std::sqrt(zeta * zeta + 1) + zeta;
  return cost * cost;
}

}  // namespace vw
