#include "sim/collision/scheme_contact.h"

namespace vw {
namespace {

constexpr int most_contacts = 20;

/// Which way to leave an obstacle by a unit of its normal: in a corner along the surface that was left before, so that two passes do.
Vec3 way_out(const Vec3& normal, const Vec3& before) {
  const double along = normal.dot(before);
  if (!(along < 0)) return normal;
  const Vec3 way = normal - along * before;
  const double share = way.squaredNorm();  // = way . normal
  return share > 1e-6 ? Vec3(way / share) : normal;
}

}  // namespace

void rest_in_contact(const Particle& p, double dt, const Barriers& barriers, StepOutcome& out) {
  Vec3 shift = Vec3::Zero(), before = Vec3::Zero();
  for (int pass = 0; pass <= most_contacts; ++pass) {
    const Meeting met = meet(barriers, p.x, out.x, p.radius);
    if (!met) return;
    out.touched = true;
    const Vec3 relative = out.v - met.surface_velocity;
    const double v_n = relative.dot(met.normal);
    const Vec3 tangential = relative - v_n * met.normal;
    double change = met.depth / dt;
    // Inside already, or behind a curved surface over the top of which it has passed: what would give it more speed than a bounce is no contact. Up
    // to there the chord of the way round it is right: that is how a particle follows a sphere and leaves it in time.
    const bool set_out = change > -2 * v_n || inside_at_start(*met.barrier, p.x, p.radius);
    if (set_out) change = v_n < 0 ? -v_n : 0;
    const double taken = friction_share(met.barrier->pair, tangential.norm(), change);
    const Vec3 way = set_out ? met.normal : way_out(met.normal, before);
    out.v += change * way - taken * tangential;
    if (set_out) {
      out.x += met.depth * met.normal - dt * taken * tangential;
      shift = out.x - p.x - dt * out.v;
      before.setZero();
    } else {
      out.x = p.x + shift + dt * out.v;
      before = met.normal;
    }
  }
  out.x = p.x;
  out.v.setZero();
  out.capped = true;
}

}  // namespace vw
