// Motion of a particle over one step without contacts, under gravity and linear drag relative to the wind. Scalar and
// SIMD code (sim/system/particles/motion_lanes.cpp) perform the same operations in the same order, so their results are
// bitwise equal.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sim/base/elementary/elementary.h"
#include "sim/base/math.h"

namespace vw {

enum class FlightIntegrator { symplectic_euler, velocity_verlet, rk4 };

/// Load on one particle in a step: the wind velocity at the particle [m/s], and the pending impulse divided by the mass
/// ("kick", [m/s]), which acts uniformly over the step.
struct Load {
  Vec3 wind = Vec3::Zero();
  Vec3 kick = Vec3::Zero();
};

/// Motion of a free particle in one step.
struct Flight {
  double dt = 0;
  Vec3 gravity = Vec3::Zero();
  double drag_time_s = 0;  ///< Drag time constant tau [s]. 0 means no drag. The terminal velocity is wind + g tau.
  Load load;
  FlightIntegrator integrator = FlightIntegrator::symplectic_euler;
  std::int64_t subdivisions = 1;  ///< Number of integrator steps in dt.
};

/// Constants of the integrator, computed once for all particles with the same drag time. h is the length of one
/// integrator step [s].
struct FlightPlan {
  FlightIntegrator integrator = FlightIntegrator::symplectic_euler;
  std::int64_t steps = 1;
  double dt = 0, h = 0, half_h = 0, sixth_h = 0, sixth_h_squared = 0;
  double gain = 1;  ///< exp(-h / tau), or 1 without drag.
  double drag_time_s = 0, rate = 0;
  /// `inverse_dt` is 1 / dt [1/s]. `kick_gain` is the fraction of the kick by which one integrator step changes the
  /// velocity. `kick_lead` is the displacement per unit of kick in the exact solution [s].
  double inverse_dt = 0, kick_gain = 1, kick_lead = 0;
  /// Displacement per unit of initial velocity in a step of the exact solution [s]: tau (1 - exp(-dt / tau)), or dt
  /// without drag.
  double phi = 0;
  /// Whether the exact solution for gravity and drag is used for the complete step (scheme `exact`). `integrator` is
  /// then ignored.
  bool closed = false;
  Vec3 gravity = Vec3::Zero();
  /// Returns whether the end position is x + dt v, where v is the velocity at the end of the step. In a contact, the
  /// schemes `single`, `loop` and `collision_then_contact` require this relation.
  [[nodiscard]] bool straight() const {
    return !closed && integrator == FlightIntegrator::symplectic_euler && steps == 1;
  }
  [[nodiscard]] bool dragged() const { return drag_time_s > 0; }
  /// Returns the constant term of the velocity update v -> gain v + offset. The update is exact for linear drag: v ->
  /// v_inf + (v - v_inf) exp(-h / tau) with v_inf = wind + g tau.
  [[nodiscard]] Vec3 offset(const Load& load) const {
    const Vec3 offset = dragged() ? Vec3((1 - gain) * (load.wind + drag_time_s * gravity)) : Vec3(h * gravity);
    return offset + kick_gain * load.kick;
  }
  /// Returns the displacement in a step of the exact solution that starts at rest [m].
  [[nodiscard]] Vec3 lead(const Load& load) const {
    const Vec3 lead =
        dragged() ? Vec3((dt - phi) * (load.wind + drag_time_s * gravity)) : Vec3((0.5 * dt * dt) * gravity);
    return lead + kick_lead * load.kick;
  }
  /// Returns the acceleration of a particle whose velocity is zero [m/s^2].
  [[nodiscard]] Vec3 pull(const Load& load) const {
    return (dragged() ? Vec3(gravity + rate * load.wind) : gravity) + inverse_dt * load.kick;
  }
};

/// Largest number of Runge-Kutta steps into which a step is divided to keep each of them within the drag time constant.
/// If more would be needed, velocity Verlet with exact exponential drag is used instead.
inline constexpr double most_drag_steps = 64;

[[nodiscard]] inline FlightPlan make_flight_plan(const Flight& flight, bool closed = false) {
  FlightPlan plan;
  plan.closed = closed;
  plan.integrator = closed ? FlightIntegrator::symplectic_euler : flight.integrator;
  plan.steps = closed ? 1 : std::max<std::int64_t>(1, flight.subdivisions);
  plan.dt = flight.dt;
  plan.gravity = flight.gravity + Vec3::Zero();  // Turns -0 into +0, so that adding zero to an offset changes no bit.
  plan.drag_time_s = flight.drag_time_s;
  if (plan.dragged()) {
    plan.rate = 1 / plan.drag_time_s;
    const double wanted = std::ceil(flight.dt * plan.rate);
    if (plan.integrator == FlightIntegrator::rk4 && wanted > most_drag_steps)
      plan.integrator = FlightIntegrator::velocity_verlet;
    if (plan.integrator == FlightIntegrator::rk4) plan.steps = std::max(plan.steps, static_cast<std::int64_t>(wanted));
  }
  plan.h = flight.dt / static_cast<double>(plan.steps);
  plan.half_h = 0.5 * plan.h;
  plan.sixth_h = plan.h / 6;
  plan.sixth_h_squared = plan.h * plan.sixth_h;
  if (plan.dragged()) plan.gain = elementary::exp(-plan.h * plan.rate);
  plan.phi = plan.dragged() ? -plan.drag_time_s * elementary::expm1(-plan.dt * plan.rate) : plan.dt;
  plan.inverse_dt = 1 / plan.dt;
  // A kick acts as a constant force over the step. In each integrator step, symplectic Euler and velocity Verlet add an
  // equal fraction of the kick to the velocity and then apply drag. In the Runge-Kutta method and in the exact
  // solution, kick and drag act together.
  plan.kick_gain = plan.gain / static_cast<double>(plan.steps);
  if (plan.closed) {
    plan.kick_gain = plan.phi * plan.inverse_dt;
    plan.kick_lead = plan.dragged() ? (plan.dt - plan.phi) * plan.drag_time_s * plan.inverse_dt : 0.5 * plan.dt;
  }
  return plan;
}

/// Integrator constants for one of the components x, y, z, as scalars or as SIMD vectors.
template <class T>
struct FlightTerms {
  T h, half_h, sixth_h, sixth_h_squared, gain, offset, rate, pull, two, phi, lead;
};

#include "sim/collision/contact/flight-inl.h"

/// Returns the integrator constants of component k.
[[nodiscard]] inline FlightTerms<double> flight_terms(const FlightPlan& plan, const Vec3& offset, const Vec3& pull,
                                                      const Vec3& lead, Eigen::Index k) {
  return {plan.h, plan.half_h, plan.sixth_h, plan.sixth_h_squared, plan.gain, offset[k], plan.rate, pull[k],
          2.0,    plan.phi,    lead[k]};
}

/// Integrates all three components over the complete step.
inline void fly(const FlightPlan& plan, const Load& load, Vec3& x, Vec3& v) {
  const Vec3 offset = plan.offset(load), pull = plan.pull(load), lead = plan.lead(load);
  for (Eigen::Index k = 0; k < 3; ++k) fly_component(plan, flight_terms(plan, offset, pull, lead, k), x[k], v[k]);
}

}  // namespace vw
