// Contact law of two spheres: spring, damper and friction.
#include "sim/system/voxel/contact/pair_contact.h"

#include <algorithm>
#include <cmath>

namespace vw {
namespace {

double damping_ratio(const VoxelClass& c) {
  const double critical = 2 * std::sqrt(c.mass * c.contact_stiffness);
  return critical > 0 ? c.contact_damping / critical : 0;
}

}  // namespace

double pair_stiffness(const VoxelClass& a, const VoxelClass& b) {
  const double sum = a.contact_stiffness + b.contact_stiffness;
  return sum > 0 ? 2 * a.contact_stiffness * b.contact_stiffness / sum : 0;
}

double pair_damping_ratio(const VoxelClass& a, const VoxelClass& b) {
  return 0.25 * (damping_ratio(a) + damping_ratio(b));
}

bool pair_contact(const PairVoxel& a, const PairVoxel& b, double dt, PairPush& push, const PairBound& bound) {
  const Vec3 r = b.position - a.position;
  const double reach = a.half_edge + b.half_edge, squared = r.squaredNorm();
  if (!(squared < reach * reach) || squared == 0) return false;
  const double distance = std::sqrt(squared);
  const Vec3 n = r / distance;
  // The contact point divides the line between the centres in the ratio of the radii. Both lever arms end in this
  // point, so that force and moments balance exactly.
  const Vec3 arm_a = a.half_edge / reach * r, arm_b = arm_a - r;
  const Vec3 slip = b.velocity + b.angular_velocity.cross(arm_b) - a.velocity - a.angular_velocity.cross(arm_a);
  const double mass =
      bound.mass > 0 ? bound.mass : a.material->mass * b.material->mass / (a.material->mass + b.material->mass);
  const double k = std::min(bound.stiffness, pair_stiffness(*a.material, *b.material));
  const double zeta = pair_damping_ratio(*a.material, *b.material);
  const double normal = k * (reach - distance) - 2 * zeta * std::sqrt(mass * k) * slip.dot(n);
  if (!(normal > 0)) return false;
  const Vec3 along = slip - slip.dot(n) * n;
  const SurfaceMaterial pair = combine(a.material->surface, b.material->surface);
  constexpr double most = 0.5;  // largest fraction of the slip velocity that friction removes in a substep
  const double hold = most * mass * along.norm() / dt;
  const double share = hold > 0 ? most * friction_share(pair, hold, normal, dt / mass) : 0;
  push.force = share * mass / dt * along - normal * n;
  push.moment_a = arm_a.cross(push.force);
  push.moment_b = -arm_b.cross(push.force);
  return true;
}

}  // namespace vw
