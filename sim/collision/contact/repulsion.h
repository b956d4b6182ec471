// Repulsion forces: a force at a distance keeps particles away from obstacles, in place of contact. Meant for physics
// of that kind (magnets, air cushions) and for comparison. They are hard to tune, and every gain limits the step.
#pragma once

#include <string>

namespace vw {

/// Force laws at a gap y with the normal speed v. none; spring: -K y for y < 0; spring_offset: -K (y - y0) - D v for y
/// < y0; inverse: K (1/y - 1/y0) - D v for y < y0.
enum class Repulsion { none, spring, spring_offset, inverse };

struct RepulsionForce {
  Repulsion law = Repulsion::none;
  double gain = 0;     ///< K [N/m]; for `inverse` [N m].
  double damping = 0;  ///< D [N s/m]
  double range = 0;    ///< y0 [m]
  /// Gap below which the force acts [m].
  [[nodiscard]] double reach() const { return law == Repulsion::none || law == Repulsion::spring ? 0 : range; }
};

/// Force along the outward normal [N], at `gap` from the surface and `speed` away from it. The inverse law is singular
/// at the surface: below a thousandth of its range, and inside, it keeps its value at that gap.
[[nodiscard]] double repulsion_force(const RepulsionForce& force, double gap, double speed);
/// -dF/dy [N/m] at that gap.
[[nodiscard]] double repulsion_stiffness(const RepulsionForce& force, double gap);

/// Longest step [s] in which a mass at that gap is stable with symplectic Euler, with damping at the old velocity: h^2
/// K + 2 h D < 4 m. Infinite if no force acts.
[[nodiscard]] double repulsion_stable_dt(const RepulsionForce& force, double mass, double gap);
/// Gap at which the force balances the weight; negative inside. Used to show a step bound before the simulation starts.
[[nodiscard]] double repulsion_rest_gap(const RepulsionForce& force, double weight_n);
/// Stable step of a mass at that gap: the bound shown beside the gains.
[[nodiscard]] double repulsion_bound(const RepulsionForce& force, double mass, double weight_n);
/// A sentence if integration steps of h [s] are too long for a mass at rest under its weight; otherwise empty.
[[nodiscard]] std::string repulsion_warning(const RepulsionForce& force, double mass, double weight_n, double h);

}  // namespace vw
