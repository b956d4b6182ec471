// Force laws of repulsion, from Bridson's CS533D notes, section "Repulsion forces".
#include "sim/collision/contact/repulsion.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vw {
namespace {

/// Smallest gap at which the force law `inverse` is evaluated, as a fraction of its range.
constexpr double nearest = 1e-3;

bool acts(const RepulsionForce& force, double gap) { return force.law != Repulsion::none && gap < force.reach(); }
double inverse_gap(const RepulsionForce& force, double gap) { return std::max(gap, nearest * force.range); }

}  // namespace

double repulsion_force(const RepulsionForce& force, double gap, double speed) {
  if (!acts(force, gap)) return 0;
  switch (force.law) {
    case Repulsion::none: return 0;
    case Repulsion::spring: return -force.gain * gap;
    case Repulsion::spring_offset: return -force.gain * (gap - force.range) - force.damping * speed;
    case Repulsion::inverse:
      return force.gain * (1 / inverse_gap(force, gap) - 1 / force.range) - force.damping * speed;
  }
  return 0;
}

double repulsion_stiffness(const RepulsionForce& force, double gap) {
  if (!acts(force, gap)) return 0;
  if (force.law != Repulsion::inverse) return force.gain;
  const double y = inverse_gap(force, gap);
  return force.gain / (y * y);
}

double repulsion_stable_dt(const RepulsionForce& force, double mass, double gap) {
  if (!acts(force, gap)) return std::numeric_limits<double>::infinity();
  const double k = repulsion_stiffness(force, gap), d = force.law == Repulsion::spring ? 0 : force.damping;
  if (k <= 0) return d > 0 ? 2 * mass / d : std::numeric_limits<double>::infinity();
  // The bound is h^2 K + 2 h D = 4 m. Its root h = (-D + sqrt(D^2 + 4 K m)) / K is rearranged to avoid cancellation.
  return 4 * mass / (d + std::sqrt(d * d + 4 * k * mass));
}

double repulsion_rest_gap(const RepulsionForce& force, double weight_n) {
  switch (force.law) {
    case Repulsion::none: return std::numeric_limits<double>::infinity();
    case Repulsion::spring: return force.gain > 0 ? -weight_n / force.gain : -std::numeric_limits<double>::infinity();
    case Repulsion::spring_offset:
      return force.gain > 0 ? force.range - weight_n / force.gain : -std::numeric_limits<double>::infinity();
    case Repulsion::inverse: return force.gain > 0 ? 1 / (1 / force.range + weight_n / force.gain) : 0;
  }
  return 0;
}

double repulsion_bound(const RepulsionForce& force, double mass, double weight_n) {
  // A weightless particle rests at the edge of the range, where the force is just zero. The bound is taken slightly
  // inside, where the force acts.
  const double gap = std::min(repulsion_rest_gap(force, weight_n), std::nextafter(force.reach(), -1.0));
  return repulsion_stable_dt(force, mass, gap);
}

}  // namespace vw
