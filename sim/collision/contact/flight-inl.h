// Integration of free flight, for scalars and for SIMD vectors. Code can only be inlined into functions of the same
// instruction set. This file therefore has no include guard and is included inside a namespace: once by flight.h, in
// vw, and once for each instruction set by sim/system/particles/motion_lanes.cpp.

/// Integrates one component of position and velocity over the complete step.
template <class T>
inline void fly_component(const FlightPlan& plan, const FlightTerms<T>& c, T& x, T& v) {
  if (plan.closed) {
    x = x + (c.phi * v + c.lead);
    v = c.gain * v + c.offset;
  } else if (plan.integrator == FlightIntegrator::symplectic_euler) {
    for (std::int64_t i = 0; i < plan.steps; ++i) {
      v = c.gain * v + c.offset;
      x = x + c.h * v;
    }
  } else if (plan.integrator == FlightIntegrator::velocity_verlet) {
    for (std::int64_t i = 0; i < plan.steps; ++i) {
      const T before = v;
      v = c.gain * v + c.offset;
      x = x + c.half_h * (before + v);
    }
  } else {
    for (std::int64_t i = 0; i < plan.steps; ++i) {
      const T k1 = c.pull - c.rate * v, k2 = c.pull - c.rate * (v + c.half_h * k1),
              k3 = c.pull - c.rate * (v + c.half_h * k2), k4 = c.pull - c.rate * (v + c.h * k3);
      x = x + (c.h * v + c.sixth_h_squared * ((k1 + k2) + k3));
      v = v + c.sixth_h * ((k1 + k4) + c.two * (k2 + k3));
    }
  }
}
