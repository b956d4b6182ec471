// Contact law of two grains: a spring with a dashpot along the line of centres, a tangential spring with memory, and a
// friction cone. The functions use no data other than their arguments.
#pragma once

#include "sim/base/math.h"

namespace vw {

/// Tangential spring constant divided by normal spring constant, for contacts with bodies.
inline constexpr double body_shear_ratio = 0.5;
/// Time constant with which an overlap that existed when the contact began is released [s]. It is short enough to make
/// the overlap invisible, and long enough to accelerate grains only slightly.
inline constexpr double overlap_relax_s = 0.1;
/// Acceleration that the search for contacts with bodies assumes in addition to the present velocities [m/s^2].
inline constexpr double search_acceleration = 40;

/// Parameters of the contact between two grains.
struct GrainLaw {
  double stiffness_npm = 1000;
  double shear_npm = 500;  ///< Constant of the tangential spring [N/m].
  double zeta = 0.25;      ///< Damping ratio of the dashpots. 1 is critical damping of the free pair.
  double mu_static = 0.5, mu_dynamic = 0.5;
  double root_stiffness = 0, root_shear = 0;  ///< Square roots of the spring constants.
  void set_stiffness(double npm, double shear_ratio);
};

/// Memory of a contact between grains a and b.
struct GrainTouch {
  Vec3 slip = Vec3::Zero();      ///< Extension of the tangential spring: displacement of a relative to b [m].
  Vec3 impulse = Vec3::Zero();   ///< Impulse on a in the last evaluation [N s].
  Vec3 velocity = Vec3::Zero();  ///< Velocity of a relative to b in the last evaluation [m/s].
  double work_j = 0;             ///< Work that the contact has done on the pair since the contact began [J].
  double give_m = 0;             ///< Part of the initial overlap that is not yet
                                 ///< released [m]. The spring does not resist it.
  bool touching = false;
  bool sliding = false;
};

/// Relative state of two grains a and b.
struct GrainPair {
  Vec3 normal{0, 1, 0};  ///< Unit vector from b to a.
  double depth = 0;      ///< Penetration depth [m]. It is negative if the grains are separated.
  /// Velocity of a relative to b [m/s]. If grains spin, it is the velocity of their surfaces at the contact.
  Vec3 velocity = Vec3::Zero();
  double mass_kg = 0;  ///< Effective mass m_a m_b / (m_a + m_b) [kg].
  /// Effective mass for tangential impulses [kg]. It is smaller than mass_kg if a grain spins, because the impulse also
  /// turns the grain. 0 means mass_kg.
  double tangential_kg = 0;
};

/// Returns the coefficient of restitution of a linear spring with dashpot whose force never pulls, as a function of the
/// damping ratio (Schwager & Poeschel, Granular Matter 9, 2007, eqs. 20-21).
[[nodiscard]] double restitution_of(double zeta);
/// Returns the damping ratio for a given coefficient of restitution (inverse of restitution_of()). A restitution below
/// 0.05 is treated as 0.05, because stronger dashpots would need too many substeps.
[[nodiscard]] double damping_ratio_of(double restitution);

/// Evaluates a contact over `dt` [s] and stores the impulse on grain a in `touch`. `relax` is the factor by which the
/// initial overlap decays in `dt`. If the grains are separated, the contact ends. The impulse then only removes energy
/// that the contact has added; if there is none, the impulse is zero.
void press(const GrainLaw& law, const GrainPair& pair, double dt, double relax, GrainTouch& touch);

}  // namespace vw
