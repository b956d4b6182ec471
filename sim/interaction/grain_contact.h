// Two grains that touch: a spring with a dashpot along the line of centres, a spring with memory across it, one friction cone. Pure functions.
#pragma once

#include "sim/base/math.h"

namespace vw {

/// What a pair of grains obeys.
struct GrainLaw {
  double stiffness_npm = 1000;
  double shear_npm = 500;  ///< of the spring across the line of centres
  double zeta = 0.25;      ///< ratio of the dashpots to critical ones of the free pair
  double mu_static = 0.5, mu_dynamic = 0.5;
  double root_stiffness = 0, root_shear = 0;  ///< square roots of the spring constants
  void set_stiffness(double npm, double shear_ratio);
};

/// What a contact remembers.
struct GrainTouch {
  Vec3 slip = Vec3::Zero();      ///< extension of the spring across [m], of a against b
  Vec3 impulse = Vec3::Zero();   ///< on a, of the last evaluation [N s]
  Vec3 velocity = Vec3::Zero();  ///< of a relative to b at the last evaluation [m/s]
  double work_j = 0;             ///< that the contact has done on the pair since it began
  double give_m = 0;             ///< overlap that it was born with and does not resist
  bool touching = false;
  bool sliding = false;
};

/// A pair at one moment.
struct GrainPair {
  Vec3 normal{0, 1, 0};          ///< unit, from b to a
  double depth = 0;              ///< [m]; negative: apart
  Vec3 velocity = Vec3::Zero();  ///< of a relative to b [m/s]
  double mass_kg = 0;            ///< m_a m_b / (m_a + m_b)
};

/// Coefficient of restitution of a linear spring and dashpot that never pull (Schwager & Poeschel, Granular Matter 9, 2007, eqs. 20-21).
[[nodiscard]] double restitution_of(double zeta);
/// Its inverse. Under 0.05 counts as 0.05: a dashpot that takes more would cost more substeps than it is worth.
[[nodiscard]] double damping_ratio_of(double restitution);

/// One evaluation over `dt`: impulse on a into `touch`, zero where they are apart. `relax` is the share of an inborn overlap that stays.
void press(const GrainLaw& law, const GrainPair& pair, double dt, double relax, GrainTouch& touch);

}  // namespace vw
