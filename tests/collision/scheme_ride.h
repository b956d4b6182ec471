// Moves one particle among obstacles step by step with fixed settings, for tests of the contact schemes.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "sim/collision/contact/scheme.h"
#include "sim/collision/mesh/triangle_mesh.h"

namespace vw::test {

inline constexpr double g = 9.81;

inline std::shared_ptr<const Geometry> geometry_of(TriangleList list) { return *TriangleMesh::make(std::move(list)); }
inline Collider plane(double slope_rad = 0) {
  Collider c;
  c.shape = PlaneShape{};
  c.orientation = Quat(Eigen::AngleAxisd(slope_rad, Vec3::UnitZ()));
  return c;
}
inline Collider ball(const Vec3& at, double radius) {
  Collider c;
  c.shape = SphereShape{radius};
  c.position = at;
  return c;
}
inline Collider box(const Vec3& at, const Vec3& half) {
  Collider c;
  c.shape = BoxShape{half};
  c.position = at;
  return c;
}

/// Returns the surface of the particle that gives exactly these values for the contact, independent of the values of
/// the collider.
inline SurfaceMaterial exactly(double e, double mu_s, double mu_d, FrictionLaw law = FrictionLaw::dry,
                               double wetness = 0) {
  return {e, mu_s, mu_d, law, wetness, true};
}
inline SurfaceMaterial exactly(double e, double mu) { return exactly(e, mu, mu); }

inline constexpr auto schemes =
    std::to_array<Scheme>({Scheme::single, Scheme::loop, Scheme::collision_then_contact, Scheme::exact});
inline constexpr auto integrators = std::to_array<FlightIntegrator>(
    {FlightIntegrator::symplectic_euler, FlightIntegrator::velocity_verlet, FlightIntegrator::rk4});
inline std::string name_of(Scheme scheme) {
  return std::array<const char*, 5>{"single", "loop", "collision then contact", "exact",
                                    "none"}[static_cast<std::size_t>(scheme)];
}

struct ExactStep {
  SchemeParams params;
  SurfaceMaterial surface = exactly(0, 0);
  double dt = 1.0 / 60;
  std::vector<Collider> colliders{plane()};
  Vec3 gravity{0, -g, 0};
  double drag_time_s = 0;
  Load load;
  double time = 0;

  explicit ExactStep(Scheme scheme = Scheme::collision_then_contact) { params.scheme = scheme; }
  /// Makes one step of the particle and moves the colliders.
  StepOutcome step(Particle& p) {
    std::vector<Collider> end;
    for (const Collider& c : colliders) end.push_back(at_time(c, dt));
    const FlightPlan plan = make_flight_plan(params, gravity, drag_time_s, dt);
    const StepOutcome out = advance(params, p, plan, load, Barriers(colliders, end, surface, params.detection));
    p.x = out.x;
    p.v = out.v;
    colliders = end;
    time += dt;
    return out;
  }
  void steps(Particle& p, int count) {
    for (int i = 0; i < count; ++i) step(p);
  }
};

}  // namespace vw::test
