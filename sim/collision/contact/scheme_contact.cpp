#include "sim/collision/contact/scheme_contact.h"

#include <algorithm>

namespace vw {
namespace {

constexpr int most_contacts = 20;
/// Largest change of the normal velocity in a step, relative to the speed, that counts as motion along a curved
/// surface. A larger change means that the path crossed the obstacle.
constexpr double most_turn = 0.1;

/// Returns the displacement per unit of depth that moves a particle out of an obstacle. In a corner, it is tangential
/// to the surface of the previous pass, so that two passes suffice for both surfaces.
Vec3 way_out(const Vec3& normal, const Vec3& before) {
  const double along = dot3(normal, before);
  if (!(along < 0)) return normal;
  const Vec3 way = normal - along * before;
  const double share = way.squaredNorm();  // Equals way.dot(normal).
  return share > 1e-6 ? Vec3(way / share) : normal;
}

/// Aitken acceleration of the corrections. A distance grid may understate distances near rounded edges by a factor of
/// up to two, so that repeated corrections approach the surface more and more slowly. From the third pass on, the
/// correction is therefore extrapolated. Exact distances rarely need more than two passes.
class AitkenAccelerator {
 public:
  void see(int pass, Meeting& met) {
    const double depth = met.depth;
    const bool again = pass >= 2 && met.barrier == barrier_ && depth < depth_ && dot3(met.normal, normal_) > 0.99;
    if (again) met.depth *= std::min(4.0, depth_ / (depth_ - depth));
    barrier_ = met.barrier;
    depth_ = depth;
    normal_ = met.normal;
  }

 private:
  const Barrier* barrier_ = nullptr;
  double depth_ = 0;
  Vec3 normal_ = Vec3::Zero();
};

/// Ends the iteration without success. The particle moves rigidly with the obstacle that it hit last, because a moving
/// obstacle would pass over a particle that stays in place. If the new position lies in another obstacle, the particle
/// nevertheless stays at its start position.
void give_up(const Particle& p, double dt, const Barriers& barriers, const Barrier& last, StepOutcome& out) {
  const Vec3 carried = last.carried(p.x);
  const Meeting other = meet(barriers, p.x, carried, p.radius);
  out.x = !other || other.barrier == &last ? carried : p.x;
  out.v = (out.x - p.x) / dt;
  out.capped = true;
}

}  // namespace

Rubbing rub(const SurfaceMaterial& pair, const Particle& particle, const Vec3& tangential, const Vec3& normal,
            double change, Vec3& spin) {
  if (!particle.spins) return {tangential, friction_share(pair, norm3(tangential), change)};
  // A tangential impulse J at the surface of a ball of mass m and radius r, with the moment of inertia 2/5 m r^2,
  // changes the velocity of its centre by J / m and that of its surface by 7/2 J / m.
  constexpr double centre_share = 2.0 / 7;
  const Vec3 sliding = tangential - particle.radius * spin.cross(normal);
  const double taken = centre_share * friction_share(pair, centre_share * norm3(sliding), change);
  spin += 2.5 * taken / particle.radius * normal.cross(sliding);
  return {sliding, taken};
}

void rest_in_contact(const Particle& p, double dt, const Barriers& barriers, Meeting met, StepOutcome& out) {
  Vec3 shift = Vec3::Zero(), before = Vec3::Zero();
  AitkenAccelerator hastener;
  for (int pass = 0; pass < most_contacts; ++pass) {
    if (!met) return;
    hastener.see(pass, met);
    out.touched = true;
    const Vec3 relative = out.v - met.surface_velocity;
    const double v_n = dot3(relative, met.normal);
    const Vec3 tangential = relative - v_n * met.normal;
    double change = met.depth / dt;
    // The correction adds no speed if the particle was inside at the start, or if it passed through a curved surface to
    // its far side. A particle that began above the tangent plane was not inside with respect to this contact, so the
    // query is skipped.
    const bool below = change + v_n > inside_tolerance / dt;
    const bool set_out = change > std::max(-2 * v_n, most_turn * norm3(relative)) ||
                         (below && inside_at_start(*met.barrier, p.x, p.radius));
    if (set_out) change = v_n < 0 ? -v_n : 0;
    const auto [sliding, taken] = rub(met.barrier->pair, p, tangential, met.normal, change, out.spin);
    const Vec3 way = set_out ? met.normal : way_out(met.normal, before);
    out.v += change * way - taken * sliding;
    // The particle slides along a curved surface, and its displacement is a chord of the surface. The correction
    // therefore turns the velocity, but does not increase the speed.
    if (!set_out && change > -2 * v_n) {
      const Vec3 turned = out.v - met.surface_velocity;
      // Friction may make a spinning particle faster.
      const double fastest = p.spins ? norm3(relative - taken * sliding) : relative.norm();
      out.x = p.x + shift + dt * out.v;
      out.v = met.surface_velocity + std::min(1.0, fastest / turned.norm()) * turned;
      shift = out.x - p.x - dt * out.v;
      before = met.normal;
    } else if (set_out) {
      out.x += met.depth * met.normal - dt * taken * sliding;
      shift = out.x - p.x - dt * out.v;
      before.setZero();
    } else {
      out.x = p.x + shift + dt * out.v;
      before = met.normal;
    }
    met = meet(barriers, p.x, out.x, p.radius);
  }
  if (met) give_up(p, dt, barriers, *met.barrier, out);
}

}  // namespace vw
