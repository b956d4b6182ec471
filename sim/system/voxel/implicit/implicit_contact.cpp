// Penalty contact and Coulomb friction with a stick state, evaluated at the end of a step.
#include "sim/system/voxel/implicit/implicit_contact.h"

#include <algorithm>

namespace vw {
namespace {

/// Ratio of the lateral spring stiffness of a sticking voxel to its normal spring stiffness. The lateral spring starts
/// unloaded in each step. The stress of a voxel that is wedged between sticking voxels therefore relaxes in each step,
/// by a fraction of 1 / ratio.
constexpr double contact_hold_stiffness = 1e5;
/// Gap, relative to the half edge, below which an expected contact counts as closed.
constexpr double near_contact_gap = 0.05;

/// Largest depth behind a surface that a voxel may reach in one step, relative to the voxel's half edge.
constexpr double max_depth = 0.5;
/// Shortest step at a wall, as a fraction of the whole step.
constexpr double shortest_fraction = 1.0 / 64;

/// Returns the time, at most dt, after which a sphere is at the depth `max_depth` * `radius` behind the surface of an
/// obstacle. The sphere moves with `velocity` relative to the obstacle. Conservative advancement is used: each distance
/// query gives a distance that the sphere can move without contact.
double time_until_inside(const Collider& collider, Vec3 at, double radius, const Vec3& velocity, double dt) {
  constexpr int max_queries = 32;
  const double speed = velocity.norm(), touch = 1e-3 * radius;
  double time = 0;
  for (int i = 0; i < max_queries && time < dt; ++i) {
    const SurfaceQuery hit = query_near(collider, at + time * velocity, radius + speed * (dt - time));
    const double gap = hit.distance - radius;
    if (gap <= touch) {
      const double approach = -velocity.dot(hit.normal);
      return approach * dt <= max_depth * radius ? dt : std::min(dt, time + max_depth * radius / approach);
    }
    time += gap / speed;
  }
  return dt;
}

/// A contact with friction.
struct Rubbing {
  Vec3 normal;
  SurfaceMaterial pair;
  double normal_force;
  double spring;  ///< stiffness of the lateral spring if the voxel sticks [N/m]
  Vec3 slip;
  Vec3 before;  ///< velocity relative to the surface at the start of the step
  std::uint32_t bit;
};

/// Adds friction as a spring whose force is limited by the friction cone. The anchor of the spring is the voxel's
/// position at the start of the step. The anchor moves with the surface.
void rub(const ImplicitContactInput& in, const Rubbing& on, const ContactState& state, const double* lagged,
         double& friction, VoxelContact& out) {
  const Mat3 across = Mat3::Identity() - on.normal * on.normal.transpose();
  const Vec3 lateral = across * on.slip;
  // The static cone applies to a voxel that sticks. It also applies to a voxel that comes into contact and is so slow
  // that friction stops it in this step or the next, like a block that is just put down.
  const double stops_at = 2 * on.pair.mu_dynamic * std::max(0.0, -in.load.dot(on.normal)) * in.dt;
  const bool calm =
      (state.held & on.bit) != 0 || ((state.touching & on.bit) == 0 && (across * on.before).norm() <= stops_at);
  // If a sticking voxel starts to slide, friction_spring() returns the dynamic friction.
  friction =
      lagged != nullptr ? *lagged : friction_spring(on.pair, on.normal_force, lateral.norm(), on.spring, calm, in.dt);
  if (friction >= on.spring) out.sticks |= on.bit;
  out.force -= friction * lateral;
  out.stiffness += friction * across;
}

}  // namespace

VoxelContact implicit_contact(const ImplicitContactInput& in, std::size_t voxel, double radius, const Vec3& position,
                              const Vec3& displacement, const Vec3& before, const ContactState& state,
                              std::uint32_t expected, const VoxelContact* lagged) {
  VoxelContact out;
  const VoxelClass& c = in.constants->of(voxel);
  for (const std::uint32_t index : in.near) {
    const Collider& collider = in.colliders[index];
    const SurfaceQuery hit = query_near(collider, position, (1 + 2 * near_contact_gap) * radius);
    const double depth = radius - hit.distance;
    const std::uint32_t bit = index < 32 ? 1U << index : 0;
    const bool awaited = depth <= 0 && (expected & bit) != 0 && depth > -near_contact_gap * radius;
    if (awaited) {
      out.force += c.contact_stiffness * depth * hit.normal;
      out.stiffness += c.contact_stiffness * hit.normal * hit.normal.transpose();
    }
    if (depth <= 0) continue;
    const Vec3 surface_velocity = collider.velocity_at(position - hit.distance * hit.normal);
    const Vec3 slip = displacement - in.dt * surface_velocity;
    // The damping force is limited to the magnitude of the spring force. Otherwise the normal force would jump where
    // contact begins, and the step might have no equilibrium. If the voxel is so fast that this limited force does not
    // stop it, the damping force grows in proportion to the depth, up to a depth of the half edge. Otherwise the voxel
    // would sink in by many edges.
    const double inside = std::min(depth, radius), spring = c.contact_stiffness * inside,
                 damping = c.contact_damping / in.dt;
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
    const Rubbing on{hit.normal,   combine(c.surface, collider.surface),
                     normal_force, contact_hold_stiffness * c.contact_stiffness,
                     slip,         before - surface_velocity,
                     bit};
    const bool lags = lagged != nullptr && lagged->count > static_cast<int>(row);
    rub(in, on, state, lags ? &lagged->friction[row] : nullptr, out.friction[row], out);
  }
  return out;
}

double longest_step_at_walls(std::span<const Collider> colliders, std::span<const std::uint32_t> near,
                             const LatticeTopology& topology, const Elements& elements, double dt) {
  double step = dt;
  for (const std::uint32_t index : near) {
    const Collider& collider = colliders[index];
    if (std::holds_alternative<PlaneShape>(collider.shape) && !collider.two_sided) continue;
    for (std::size_t v = 0; v < elements.size(); ++v) {
      if (topology.exposed[v] == 0) continue;
      const Vec3 velocity = elements.velocity[v] - collider.velocity_at(elements.position[v]);
      if (velocity.norm() * step <= max_depth * elements.radius[v]) continue;
      step = time_until_inside(collider, elements.position[v], elements.radius[v], velocity, step);
    }
  }
  return std::max(step, shortest_fraction * dt);
}

}  // namespace vw
