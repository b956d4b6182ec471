// SPEC 1, ground and friction, at the end of a step.
#include "sim/system/voxel/implicit_contact.h"

#include <algorithm>

namespace vw {
namespace {

/// Lateral spring of a held voxel over its normal one: in a step it gives by a thousandth of what the normal one would, 1e-9 m for a gram.
constexpr double hold_stiffness = 1e3;

/// Friction as a spring from where the surface has carried the step's first position, cut at the cone.
void rub(const ImplicitContactInput& in, const Vec3& normal, const SurfaceMaterial& pair, double normal_force, double spring, const Vec3& slip,
         const Vec3& before, std::uint32_t bit, const ContactState& state, VoxelContact& out) {
  const Mat3 across = Mat3::Identity() - normal * normal.transpose();
  const Vec3 lateral = across * slip;
  // Held, or so slow that friction stops the body in this step or the next: the static cone, as a block that is just put down.
  const double stops_at = 2 * pair.mu_dynamic * std::max(0.0, -in.load.dot(normal)) * in.dt;
  const bool calm = (state.held & bit) != 0 || ((state.touching & bit) == 0 && (across * before).norm() <= stops_at);
  const double limit = (calm ? std::max(pair.mu_static, pair.mu_dynamic) : pair.mu_dynamic) * normal_force;
  const double size = lateral.norm();
  const bool sticks = spring * size <= limit;
  if (sticks) out.sticks |= bit;
  // A sliding voxel that was held gives way to the dynamic friction.
  const double stiffness = sticks ? spring : pair.mu_dynamic * normal_force / size;
  out.force -= stiffness * lateral;
  out.stiffness += stiffness * across;
}

}  // namespace

VoxelContact implicit_contact(const ImplicitContactInput& in, std::size_t voxel, double radius, const Vec3& position, const Vec3& displacement,
                              const Vec3& before, const ContactState& state) {
  VoxelContact out;
  const VoxelClass& c = in.constants->of(voxel);
  for (const std::uint32_t index : in.near) {
    const Collider& collider = in.colliders[index];
    const SurfaceQuery hit = query(collider, position);
    const double depth = radius - hit.distance;
    if (depth <= 0) continue;
    const Vec3 surface_velocity = collider.velocity_at(position - hit.distance * hit.normal);
    const Vec3 slip = displacement - in.dt * surface_velocity;
    // Damping at most doubles or takes away the spring's force: a force that jumps where contact begins has no equilibrium at the step's end.
    const double spring = c.contact_stiffness * std::min(depth, radius), damping = c.contact_damping / in.dt;
    const double damped = -damping * slip.dot(hit.normal);
    const double normal_force = spring + std::clamp(damped, -spring, spring);
    if (!(normal_force > 0)) continue;
    const double stiffness = c.contact_stiffness + (std::abs(damped) < spring ? damping : damped > 0 ? c.contact_stiffness : 0);
    const std::uint32_t bit = index < 32 ? 1U << index : 0;
    out.touching |= bit;
    out.force += normal_force * hit.normal;
    out.stiffness += stiffness * hit.normal * hit.normal.transpose();
    if (static_cast<std::size_t>(out.count++) >= max_contacts) continue;
    rub(in, hit.normal, combine(c.surface, collider.surface), normal_force, hold_stiffness * c.contact_stiffness, slip,
        before - surface_velocity, bit, state, out);
  }
  return out;
}

}  // namespace vw
