// Repulsion forces (SPEC 2, the third family): particles are kept away from obstacles by a force at a distance instead of being met. Kept for
// physics that is like that (magnets, air cushions) and for comparison: they are hard to tune, and every gain bounds the step.
#pragma once

#include <string>

namespace vw {

/// At a gap y with the normal speed v: none; -K y for y < 0; -K (y - y0) - D v for y < y0; K (1/y - 1/y0) - D v for y < y0.
enum class Repulsion { none, spring, spring_offset, inverse };

struct RepulsionForce {
  Repulsion law = Repulsion::none;
  double gain = 0;     ///< K [N/m]; of inverse [N m]
  double damping = 0;  ///< D [N s/m]
  double range = 0;    ///< y0 [m]
  /// Gap below which it acts.
  [[nodiscard]] double reach() const { return law == Repulsion::none || law == Repulsion::spring ? 0 : range; }
};

/// Along the outward normal [N], at `gap` from the surface and `speed` away from it. The inverse law has no force beyond the surface: closer than a
/// thousandth of its range, inside too, it is what it is there.
[[nodiscard]] double repulsion_force(const RepulsionForce& force, double gap, double speed);
/// -dF/dy [N/m] at that gap.
[[nodiscard]] double repulsion_stiffness(const RepulsionForce& force, double gap);

/// Longest step [s] in which a mass at that gap is stable with symplectic Euler, the damping taken at the old velocity: h^2 K + 2 h D < 4 m (SPEC 1's
/// condition with lK = K / m, lC = D / m). Infinite where nothing acts.
[[nodiscard]] double repulsion_stable_dt(const RepulsionForce& force, double mass, double gap);
/// The gap of a mass that its weight presses on the force: where a bound is told before anything has moved. Negative inside.
[[nodiscard]] double repulsion_rest_gap(const RepulsionForce& force, double weight_n);
/// The stable step of a mass at that gap: the bound to show beside the gains.
[[nodiscard]] double repulsion_bound(const RepulsionForce& force, double mass, double weight_n);
/// One sentence when integration steps of h [s] are too long for a mass at rest under its weight; empty when they are not.
[[nodiscard]] std::string repulsion_warning(const RepulsionForce& force, double mass, double weight_n, double h);

}  // namespace vw
