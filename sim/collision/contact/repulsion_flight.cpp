#include "sim/collision/contact/repulsion_flight.h"

namespace vw {
namespace {

/// Integrates a step with the Runge-Kutta method. `push` returns the acceleration at a position, a velocity and a
/// fraction of the step.
template <class Push>
void step_rk4(const FlightPlan& plan, const Load& load, const Push& push, Vec3& x, Vec3& v) {
  const double h = plan.h, share = 1.0 / static_cast<double>(plan.steps);
  const Vec3 pull = plan.pull(load);
  for (std::int64_t i = 0; i < plan.steps; ++i) {
    const double now = static_cast<double>(i) * share;
    const auto a = [&](const Vec3& at, const Vec3& speed, double part) {
      return Vec3(pull - plan.rate * speed + push(at, speed, now + part * share));
    };
    const Vec3 k1 = a(x, v, 0), v2 = v + 0.5 * h * k1;
    const Vec3 k2 = a(x + 0.5 * h * v, v2, 0.5), v3 = v + 0.5 * h * k2;
    const Vec3 k3 = a(x + 0.5 * h * v2, v3, 0.5), v4 = v + h * k3;
    const Vec3 k4 = a(x + h * v3, v4, 1);
    x += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
}

/// Integrates a step with velocity Verlet. The force at the end of a step uses the velocity that follows from the force
/// at its start. The method is therefore of second order even with damping, and exact for a particle at rest.
template <class Push>
void step_verlet(const FlightPlan& plan, const Load& load, const Push& push, Vec3& x, Vec3& v) {
  const double h = plan.h, share = 1.0 / static_cast<double>(plan.steps);
  const Vec3 offset = plan.offset(load);
  for (std::int64_t i = 0; i < plan.steps; ++i) {
    const double now = static_cast<double>(i) * share;
    const Vec3 half_kick = 0.5 * h * push(x, v, now), kicked = v + half_kick, glided = plan.gain * kicked + offset;
    x += 0.5 * h * (kicked + glided);
    v = glided + 0.5 * h * push(x, glided + half_kick, now + share);
  }
}

template <class Push>
void step_euler(const FlightPlan& plan, const Load& load, const Push& push, Vec3& x, Vec3& v) {
  const double share = 1.0 / static_cast<double>(plan.steps);
  const Vec3 offset = plan.offset(load);
  for (std::int64_t i = 0; i < plan.steps; ++i) {
    v = plan.gain * v + offset + plan.h * push(x, v, static_cast<double>(i) * share);
    x += plan.h * v;
  }
}

}  // namespace

Vec3 repulsion_at(const Repelled& particle, const Barriers& barriers, const Vec3& x, const Vec3& v, double h,
                  double share, bool& stiff) {
  Vec3 sum = Vec3::Zero();
  const double reach = particle.force.reach();
  for (const Barrier& barrier : barriers.all()) {
    // The position includes the translation of the obstacle during the step, but not its rotation.
    const Vec3 there = x - share * barrier.drift;
    const SurfaceQuery found = barrier.at_start(there, particle.radius + reach);
    const double gap = found.distance - particle.radius;
    if (gap >= reach) continue;
    const double speed = found.normal.dot(v - barrier.start->velocity_at(there - found.distance * found.normal));
    sum += repulsion_force(particle.force, gap, speed) / particle.mass * found.normal;
    stiff = stiff || h > repulsion_stable_dt(particle.force, particle.mass, gap);
  }
  return sum;
}

void fly_repelled(const Repelled& particle, const FlightPlan& plan, const Load& load, const Barriers& barriers, Vec3& x,
                  Vec3& v, bool& stiff) {
  const auto push = [&](const Vec3& at, const Vec3& speed, double share) {
    return repulsion_at(particle, barriers, at, speed, plan.h, share, stiff);
  };
  switch (plan.integrator) {
    case FlightIntegrator::symplectic_euler: return step_euler(plan, load, push, x, v);
    case FlightIntegrator::velocity_verlet: return step_verlet(plan, load, push, x, v);
    case FlightIntegrator::rk4: return step_rk4(plan, load, push, x, v);
  }
}

}  // namespace vw
