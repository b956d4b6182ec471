// Contact response and friction laws. Dry friction follows Bridson's CS533D notes, sections on contact friction,
// collision friction and "simplifying".
#include "sim/collision/contact/response.h"

#include <algorithm>
#include <cmath>

#include "sim/base/elementary/elementary.h"

namespace vw {
namespace {

double product(double a, double b) { return a * b; }
double quotient(double a, double b) { return a / b; }
bool at_most(double a, double b) { return a <= b; }
double one_or(bool mask, double b) { return mask ? 1 : b; }
double like(double, double x) { return x; }
Vec3 scaled(double s, const Vec3& v) { return s * v; }
double length_of(const Vec3& v) { return norm3(v); }

#include "sim/collision/contact/friction-inl.h"

FrictionCone<double> cone_of(const SurfaceMaterial& pair, double normal) {
  return friction_cone(normal, std::max(pair.mu_static, pair.mu_dynamic), pair.mu_dynamic);
}

bool is_wet(const SurfaceMaterial& s) {
  return s.friction == FrictionLaw::wet || s.friction == FrictionLaw::wet_linear;
}

/// Clears all coefficients that the pair's friction law does not use. Code that supports only dry friction then treats
/// a wet pair as frictionless.
SurfaceMaterial only_its_law(SurfaceMaterial pair) {
  if (pair.friction != FrictionLaw::dry) pair.mu_static = pair.mu_dynamic = 0;
  if (!is_wet(pair)) pair.wetness = 0;
  return pair;
}

}  // namespace

SurfaceMaterial combine(const SurfaceMaterial& a, const SurfaceMaterial& b) {
  if (a.decides != b.decides) return only_its_law(a.decides ? a : b);
  SurfaceMaterial pair{std::max(a.restitution, b.restitution), std::sqrt(a.mu_static * b.mu_static),
                       std::sqrt(a.mu_dynamic * b.mu_dynamic)};
  if (a.friction == FrictionLaw::frictionless || b.friction == FrictionLaw::frictionless) {
    pair.friction = FrictionLaw::frictionless;
  } else if (is_wet(a) && is_wet(b)) {
    pair.friction = a.friction == b.friction ? a.friction : FrictionLaw::wet;
    pair.wetness = std::sqrt(a.wetness * b.wetness);
  } else if (is_wet(a) || is_wet(b)) {
    pair.friction = is_wet(a) ? a.friction : b.friction;
    pair.wetness = is_wet(a) ? a.wetness : b.wetness;
  }
  return only_its_law(pair);
}

double friction_factor(double tangential, double normal, double mu_static, double mu_dynamic) {
  return friction_taken(friction_cone(normal, std::max(mu_static, mu_dynamic), mu_dynamic), tangential);
}

double friction_share(const SurfaceMaterial& pair, double tangential, double normal, double speed_of_unit) {
  switch (pair.friction) {
    case FrictionLaw::dry: return friction_factor(tangential, normal, pair.mu_static, pair.mu_dynamic);
    case FrictionLaw::wet: return -elementary::expm1(-pair.wetness * normal * speed_of_unit);
    case FrictionLaw::wet_linear: return std::min(1.0, pair.wetness * normal * speed_of_unit);
    case FrictionLaw::frictionless: return 0;
  }
  return 0;
}

double sliding_friction(const SurfaceMaterial& pair, double normal_force, double speed) {
  if (pair.friction == FrictionLaw::dry) return cone_of(pair, normal_force).slide;
  return pair.friction == FrictionLaw::frictionless ? 0 : pair.wetness * normal_force * speed;
}

double holding_friction(const SurfaceMaterial& pair, double normal_force) {
  return pair.friction == FrictionLaw::dry ? cone_of(pair, normal_force).hold : 0;
}

double friction_spring(const SurfaceMaterial& pair, double normal_force, double slip, double hold, bool calm,
                       double dt) {
  if (pair.friction == FrictionLaw::frictionless) return 0;
  // Wet friction is D F_n v_T, with the sliding speed v_T = slip / dt. Its stiffness is therefore D F_n / dt.
  if (pair.friction != FrictionLaw::dry) return std::min(hold, pair.wetness * normal_force / dt);
  const FrictionCone<double> cone = cone_of(pair, normal_force);
  return hold * slip <= (calm ? cone.hold : cone.slide) ? hold : cone.slide / slip;
}

Vec3 collide(const Vec3& v, const Vec3& n, const SurfaceMaterial& pair) {
  const double v_n = dot3(v, n);
  if (v_n >= 0) return v;
  return answer(v, n, v_n, pair.restitution,
                [&](double tangential, double dv_n) { return friction_share(pair, tangential, dv_n); });
}

Vec3 collide(const Vec3& v, const Vec3& n, double restitution, double mu_static, double mu_dynamic) {
  return collide(v, n, SurfaceMaterial{restitution, mu_static, mu_dynamic});
}

}  // namespace vw
