#include "sim/collision/contact/scheme_contact.h"

#include <algorithm>

namespace vw {
namespace {

constexpr int most_contacts = 20;
/// A curved surface turns the velocity of what slides on it by no more than this in a step; more is a way through the obstacle.
constexpr double most_turn = 0.1;

/// Which way to leave an obstacle by a unit of its normal: in a corner along the surface that was left before, so that two passes do.
Vec3 way_out(const Vec3& normal, const Vec3& before) {
  const double along = dot3(normal, before);
  if (!(along < 0)) return normal;
  const Vec3 way = normal - along * before;
  const double share = way.squaredNorm();  // = way . normal
  return share > 1e-6 ? Vec3(way / share) : normal;
}

/// Where an obstacle's distances are none (a grid's by its rounded edges are up to a half too small), setting out by them comes to the surface slower
/// and slower: then as far as it goes on like that (Aitken). From the third pass on, which exact distances hardly ever need.
class Hastener {
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

/// At rest on the obstacle that it met last: what moves would leave it on its other side. Unless that leads into another one.
void give_up(const Particle& p, double dt, const Barriers& barriers, const Barrier& last, StepOutcome& out) {
  const Vec3 carried = last.carried(p.x);
  const Meeting other = meet(barriers, p.x, carried, p.radius);
  out.x = !other || other.barrier == &last ? carried : p.x;
  out.v = (out.x - p.x) / dt;
  out.capped = true;
}

}  // namespace

void rest_in_contact(const Particle& p, double dt, const Barriers& barriers, Meeting met, StepOutcome& out) {
  Vec3 shift = Vec3::Zero(), before = Vec3::Zero();
  Hastener hastener;
  for (int pass = 0; pass < most_contacts; ++pass) {
    if (!met) return;
    hastener.see(pass, met);
    out.touched = true;
    const Vec3 relative = out.v - met.surface_velocity;
    const double v_n = dot3(relative, met.normal);
    const Vec3 tangential = relative - v_n * met.normal;
    double change = met.depth / dt;
    // Inside already, or behind a curved surface over the top of which it has passed: no speed comes of that. Who began over the tangent plane was
    // not inside, as far as this contact goes, and need not be asked.
    const bool below = change + v_n > inside_tolerance / dt;
    const bool set_out = change > std::max(-2 * v_n, most_turn * norm3(relative)) || (below && inside_at_start(*met.barrier, p.x, p.radius));
    if (set_out) change = v_n < 0 ? -v_n : 0;
    const double taken = friction_share(met.barrier->pair, norm3(tangential), change);
    const Vec3 way = set_out ? met.normal : way_out(met.normal, before);
    out.v += change * way - taken * tangential;
    if (!set_out && change > -2 * v_n) {  // round a curved surface: the chord of the way, with no more speed than before
      const Vec3 turned = out.v - met.surface_velocity;
      out.x = p.x + shift + dt * out.v;
      out.v = met.surface_velocity + std::min(1.0, relative.norm() / turned.norm()) * turned;
      shift = out.x - p.x - dt * out.v;
      before = met.normal;
    } else if (set_out) {
      out.x += met.depth * met.normal - dt * taken * tangential;
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
