// Repulsion forces keep particles at a distance from obstacles, in place of contacts. They model magnets or air
// cushions, and can be compared with contacts. They are hard to tune, because stiff forces need short steps.
#pragma once

namespace vw {

/// Force laws for a gap y that grows at the speed v (K: gain, D: damping, y0: range):
/// none: no force.
/// spring: -K y for y < 0.
/// spring_offset: -K (y - y0) - D v for y < y0.
/// inverse: K (1/y - 1/y0) - D v for y < y0.
enum class Repulsion { none, spring, spring_offset, inverse };

struct RepulsionForce {
  Repulsion law = Repulsion::none;
  double gain = 0;     ///< Gain K [N/m], or [N m] for the law `inverse`.
  double damping = 0;  ///< Damping D [N s/m].
  double range = 0;    ///< Range y0 [m].
  /// Returns the gap below which the force acts [m].
  [[nodiscard]] double reach() const { return law == Repulsion::none || law == Repulsion::spring ? 0 : range; }
};

/// Returns the force along the outward normal [N] at the distance `gap` [m] from the surface, which grows at `speed`
/// [m/s]. The law `inverse` is singular at the surface. Its force at gaps below a thousandth of the range, and inside
/// the obstacle, is that at a thousandth of the range.
[[nodiscard]] double repulsion_force(const RepulsionForce& force, double gap, double speed);
/// Returns the stiffness -dF/dy [N/m] at `gap`.
[[nodiscard]] double repulsion_stiffness(const RepulsionForce& force, double gap);

/// Returns the longest stable step h [s] of symplectic Euler for a mass m [kg] at `gap`, if the damping force uses the
/// velocity at the start of the step: h^2 K + 2 h D < 4 m (K: stiffness, D: damping). The result is infinite if no
/// force acts.
[[nodiscard]] double repulsion_stable_dt(const RepulsionForce& force, double mass, double gap);
/// Returns the gap [m] at which the force balances the weight `weight_n` [N]. A negative gap is inside the obstacle.
/// The result is infinity for the law `none`. For a gain of 0, it is minus infinity for a spring law and 0 for the law
/// `inverse`.
[[nodiscard]] double repulsion_rest_gap(const RepulsionForce& force, double weight_n);
/// Returns the longest stable step [s] of a mass at its rest gap. The particle system reports it as the total
/// `repulsion_stable_dt`.
[[nodiscard]] double repulsion_bound(const RepulsionForce& force, double mass, double weight_n);

}  // namespace vw
