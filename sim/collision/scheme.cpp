// The schemes share their parts: find the deepest obstacle, respond, try again.
#include "sim/collision/scheme.h"

namespace vw {
namespace {

constexpr int most_collisions = 3;  // SPEC 2, scheme 3
constexpr int most_contacts = 20;   // then the particle stays where it was, which is outside

/// An obstacle that a point is in.
struct Hit {
  const Collider* collider = nullptr;
  std::size_t index = 0;
  double depth = 0;  ///< > 0 inside [m]
  Vec3 normal{0, 1, 0};
  Vec3 surface_velocity = Vec3::Zero();
};

/// The obstacle in which the sphere at x lies deepest. Depths under rounding of the coordinates count as touching, not as inside.
Hit deepest(const Vec3& x, double radius, std::span<const Collider> colliders) {
  const double rounding = 4e-16 * (x.cwiseAbs().maxCoeff() + radius);
  Hit hit;
  hit.depth = rounding;
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    const SurfaceQuery found = query(colliders[i], x);
    if (radius - found.distance <= hit.depth) continue;
    hit = {&colliders[i], i, radius - found.distance, found.normal, colliders[i].velocity_at(x)};
  }
  return hit;
}

/// Bounce of velocity v at a hit; unchanged when it separates.
Vec3 bounce(const Vec3& v, const Hit& hit, const SurfaceMaterial& pair) {
  return hit.surface_velocity + collide(v - hit.surface_velocity, hit.normal, pair);
}

/// Inelastic contact: takes just so much normal velocity that the candidate ends on the surface (v_n = -gap / dt), and friction from that change.
/// Where the particle was inside already (`inside_before`), it is set on the surface without gaining speed from its depth.
void rest_on(const Hit& hit, const SurfaceMaterial& pair, const Vec3& x0, bool inside_before, double dt, StepOutcome& out) {
  const Vec3 relative = out.v - hit.surface_velocity;
  const double v_n = relative.dot(hit.normal);
  const Vec3 tangential = relative - v_n * hit.normal;
  double change = hit.depth / dt;
  if (inside_before) change = v_n < 0 ? -v_n : 0;
  const double taken = friction_share(pair, tangential.norm(), change);
  out.v += change * hit.normal - taken * tangential;
  out.x = inside_before ? Vec3(out.x + hit.depth * hit.normal - dt * taken * tangential) : Vec3(x0 + dt * out.v);
}

/// Contact passes until outside, or back to the start of the step.
void contact_loop(const Particle& p, double dt, std::span<const Collider> start, std::span<const Collider> end, StepOutcome& out) {
  for (int pass = 0; pass < most_contacts; ++pass) {
    const Hit hit = deepest(out.x, p.radius, end);
    if (hit.collider == nullptr) return;
    out.touched = true;
    const bool inside_before = query(start[hit.index], p.x).distance < p.radius - 1e-9;
    rest_on(hit, combine(p.surface, hit.collider->surface), p.x, inside_before, dt, out);
  }
  if (deepest(out.x, p.radius, end).collider == nullptr) return;
  out = {p.x, Vec3::Zero(), true, true};
}

/// One response of the candidate's own (average) velocity, replayed.
void respond_once(const Particle& p, double dt, std::span<const Collider> end, StepOutcome& out) {
  const Hit hit = deepest(out.x, p.radius, end);
  if (hit.collider == nullptr) return;
  out.touched = true;
  out.v = bounce(out.v, hit, combine(p.surface, hit.collider->surface));
  out.x = p.x + dt * out.v;
}

/// Elastic phase of scheme 3: bounces the velocity of the step's start, re-integrates, looks again.
void collide_from_start(const Particle& p, const VelocityMap& map, std::span<const Collider> end, StepOutcome& out) {
  Vec3 v = p.v;
  for (int pass = 0; pass < most_collisions; ++pass) {
    const Hit hit = deepest(out.x, p.radius, end);
    if (hit.collider == nullptr) return;
    out.touched = true;
    const SurfaceMaterial pair = combine(p.surface, hit.collider->surface);
    if (pair.restitution == 0) return;  // nothing elastic: contact does it all, exactly as in the loop
    const Vec3 bounced = bounce(v, hit, pair);
    if (bounced == v) return;  // at rest or leaving: contact's business
    v = bounced;
    out.v = map(v);
    out.x = p.x + map.dt * out.v;
  }
}

}  // namespace

StepOutcome advance(Scheme scheme, const Particle& p, const VelocityMap& map, std::span<const Collider> start, std::span<const Collider> end) {
  StepOutcome out{p.x, map(p.v), false, false};
  out.x += map.dt * out.v;
  switch (scheme) {
    case Scheme::single: respond_once(p, map.dt, end, out); break;
    case Scheme::loop: {
      const Hit hit = deepest(out.x, p.radius, end);
      if (hit.collider != nullptr && combine(p.surface, hit.collider->surface).restitution > 0) respond_once(p, map.dt, end, out);
      contact_loop(p, map.dt, start, end, out);
      break;
    }
    case Scheme::collision_then_contact:
      collide_from_start(p, map, end, out);
      contact_loop(p, map.dt, start, end, out);
      break;
  }
  return out;
}

}  // namespace vw
