// SPEC 1, ground and friction, at the end of a step.
#include "sim/system/voxel/implicit_contact.h"

#include <algorithm>

namespace vw {
namespace {

/// Lateral spring of a held voxel over its normal one. It starts anew in each step: what is wedged between held voxels relaxes by this share a step.
constexpr double hold_stiffness = 1e5;
/// Gap over half an edge below which an expected contact counts as closed.
constexpr double near_gap = 0.05;

/// Way of a voxel behind a surface in one step, over its half edge.
constexpr double way_inside = 0.5;
/// The shortest step at a wall is this share of the whole one.
constexpr double shortest_share = 1.0 / 64;

/// How long a ball may go on by `velocity` relative to an obstacle before it is `way_inside` behind its surface; at most dt. Its distance says how
/// far it can go without touching, again and again.
double time_until_inside(const Collider& collider, Vec3 at, double radius, const Vec3& velocity, double dt) {
  constexpr int most_looks = 32;
  const double speed = velocity.norm(), touch = 1e-3 * radius;
  double time = 0;
  for (int look = 0; look < most_looks && time < dt; ++look) {
    const SurfaceQuery hit = query_near(collider, at + time * velocity, radius + speed * (dt - time));
    const double gap = hit.distance - radius;
    if (gap <= touch) {
      const double approach = -velocity.dot(hit.normal);
      return approach * dt <= way_inside * radius ? dt : std::min(dt, time + way_inside * radius / approach);
    }
    time += gap / speed;
  }
  return dt;
}

struct Rubbing {
  Vec3 normal;
  SurfaceMaterial pair;
  double normal_force;
  double spring;  ///< that holds [N/m]
  Vec3 slip;
  Vec3 before;  ///< velocity relative to the surface at the start
  std::uint32_t bit;
};

/// Friction as a spring from where the surface has carried the step's first position, cut at the cone.
void rub(const ImplicitContactInput& in, const Rubbing& on, const ContactState& state, const double* lagged, double& friction, VoxelContact& out) {
  const Mat3 across = Mat3::Identity() - on.normal * on.normal.transpose();
  const Vec3 lateral = across * on.slip;
  // Held, or so slow that friction stops the body in this step or the next: the static cone, as a block that is just put down.
  const double stops_at = 2 * on.pair.mu_dynamic * std::max(0.0, -in.load.dot(on.normal)) * in.dt;
  const bool calm = (state.held & on.bit) != 0 || ((state.touching & on.bit) == 0 && (across * on.before).norm() <= stops_at);
  // A sliding voxel that was held gives way to the dynamic friction.
  friction = lagged != nullptr ? *lagged : friction_spring(on.pair, on.normal_force, lateral.norm(), on.spring, calm, in.dt);
  if (friction >= on.spring) out.sticks |= on.bit;
  out.force -= friction * lateral;
  out.stiffness += friction * across;
}

}  // namespace

VoxelContact implicit_contact(const ImplicitContactInput& in, std::size_t voxel, double radius, const Vec3& position, const Vec3& displacement,
                              const Vec3& before, const ContactState& state, std::uint32_t expected, const VoxelContact* lagged) {
  VoxelContact out;
  const VoxelClass& c = in.constants->of(voxel);
  for (const std::uint32_t index : in.near) {
    const Collider& collider = in.colliders[index];
    const SurfaceQuery hit = query_near(collider, position, (1 + 2 * near_gap) * radius);
    const double depth = radius - hit.distance;
    const std::uint32_t bit = index < 32 ? 1U << index : 0;
    const bool awaited = depth <= 0 && (expected & bit) != 0 && depth > -near_gap * radius;
    if (awaited) {
      out.force += c.contact_stiffness * depth * hit.normal;
      out.stiffness += c.contact_stiffness * hit.normal * hit.normal.transpose();
    }
    if (depth <= 0) continue;
    const Vec3 surface_velocity = collider.velocity_at(position - hit.distance * hit.normal);
    const Vec3 slip = displacement - in.dt * surface_velocity;
    // Damping at most doubles or takes away the spring's force: a force that jumps where contact begins has no equilibrium at the step's end. Only
    // what comes faster than that could stop is braked in proportion to its depth, up to the centre, or it would sink in by many voxels.
    const double inside = std::min(depth, radius), spring = c.contact_stiffness * inside, damping = c.contact_damping / in.dt;
    const double damped = -damping * slip.dot(hit.normal), braked = damped * inside / radius;
    const double normal_force = spring + std::clamp(damped, -spring, std::max(spring, braked));
    if (!(normal_force > 0)) continue;
    double stiffness = c.contact_stiffness;
    if (braked > spring)
      stiffness += damping * inside / radius + (depth < radius ? damped / radius : 0);
    else
      stiffness += std::abs(damped) < spring ? damping : damped > 0 ? c.contact_stiffness : 0;
    out.touching |= bit;
    out.force += normal_force * hit.normal;
    out.stiffness += stiffness * hit.normal * hit.normal.transpose();
    const auto row = static_cast<std::size_t>(out.count++);
    if (row >= max_contacts) continue;
    const Rubbing on{
        hit.normal, combine(c.surface, collider.surface), normal_force, hold_stiffness * c.contact_stiffness, slip, before - surface_velocity, bit};
    const bool lags = lagged != nullptr && lagged->count > static_cast<int>(row);
    rub(in, on, state, lags ? &lagged->friction[row] : nullptr, out.friction[row], out);
  }
  return out;
}

double longest_step_at_walls(std::span<const Collider> colliders, std::span<const std::uint32_t> near, const LatticeTopology& topology,
                             const Elements& elements, double dt) {
  double step = dt;
  for (const std::uint32_t index : near) {
    const Collider& collider = colliders[index];
    if (std::holds_alternative<PlaneShape>(collider.shape)) continue;
    for (std::size_t v = 0; v < elements.size(); ++v) {
      if (topology.exposed[v] == 0) continue;
      const Vec3 velocity = elements.velocity[v] - collider.velocity_at(elements.position[v]);
      if (velocity.norm() * step <= way_inside * elements.radius[v]) continue;
      step = time_until_inside(collider, elements.position[v], elements.radius[v], velocity, step);
    }
  }
  return std::max(step, shortest_share * dt);
}

}  // namespace vw
