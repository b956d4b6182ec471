// SPEC 1, ground and friction.
#include "sim/system/voxel/contact.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vw {
namespace {

/// Crossings of the body by sound that count as landing: with 4 some light frames of bonds still ran away in 180 random cases, with 8 none.
constexpr double landing_crossings = 8;

struct Touch {
  Vec3 normal;
  Vec3 surface_velocity;
  double normal_force;
  std::uint32_t collider;
  double mu_static, mu_dynamic;
};

struct Touches {
  std::array<Touch, max_contacts> row;
  std::size_t count = 0;
};

/// Normal forces on one voxel: k depth - c v_n with the voxel's own stiffness, and never a pull. Adds them to `force`.
void press(const ContactInput& in, const ContactVoxel& at, Vec3& force, Touches& touches, ContactState& state) {
  const VoxelClass& c = in.constants->of(at.voxel);
  state.touching = 0;
  for (const std::uint32_t index : in.near) {
    const Collider& collider = in.colliders[index];
    const SurfaceQuery hit = query(collider, at.position);
    // No deeper than to the centre: a body that starts immersed is pushed out, not shot out.
    const double depth = std::min(at.half_edge - hit.distance, at.half_edge);
    if (depth <= 0) continue;
    const Vec3 surface_velocity = collider.velocity_at(at.position - hit.distance * hit.normal);
    const double approach = (at.velocity - surface_velocity).dot(hit.normal);
    const double normal_force = c.contact_stiffness * depth - c.contact_damping * approach;
    if (!(normal_force > 0)) continue;
    force += normal_force * hit.normal;
    if (index < 32) state.touching |= 1U << index;
    if (touches.count == max_contacts) continue;
    const SurfaceMaterial pair = combine(c.surface, collider.surface);
    touches.row[touches.count++] = {hit.normal, surface_velocity, normal_force, index, pair.mu_static, pair.mu_dynamic};
  }
  state.held &= state.touching;  // a lifted voxel is free
}

/// Whether a voxel that slides with the lateral velocity `slip` is only landing. A body that is put on a slope sinks into its penalty springs and
/// swings for a while, and slips where a phase of that unloads it; where mu_d < tan a < mu_s, dry friction's law alone would then let it slide for
/// ever, which no block that is put on a real slope does. So on such a slope a voxel counts as landing while it moves downhill no faster than what
/// the load gives it in the time in which sound crosses the body a few times.
bool lands(const ContactInput& in, const VoxelClass& c, const Touch& touch, const Vec3& slip) {
  const double down = -in.load.dot(touch.normal);
  const Vec3 along = in.load + down * touch.normal;
  const double steepness = along.norm();
  if (!(steepness > touch.mu_dynamic * down && steepness <= touch.mu_static * down) || slip.dot(along) < 0) return false;
  return slip.norm() <= landing_crossings * in.voxels_across * std::sqrt(c.mass / c.contact_stiffness) * touch.mu_dynamic * down;
}

/// Friction against one obstacle, from the lateral velocities before and (without this friction) after the substep. A voxel at rest is held while
/// its lateral load is at most mu_s F_n. One that slides comes to rest when |V_l| <= F_n mu_d dt / m or its motion turns back, provided that mu_s F_n
/// can hold the load (the source leaves that out, and stops again at once what it has just released); and when mu_d F_n alone can take all of its
/// motion. One that lands is braked by mu_s F_n. Returns the force.
Vec3 rub(const ContactInput& in, const ContactVoxel& at, const Touch& touch, const Vec3& velocity_after, ContactState& state) {
  const auto lateral = [&](const Vec3& velocity) -> Vec3 {
    const Vec3 relative = velocity - touch.surface_velocity;
    return relative - relative.dot(touch.normal) * touch.normal;
  };
  const VoxelClass& c = in.constants->of(at.voxel);
  const double mass_over_dt = c.mass / in.dt;
  const Vec3 before = lateral(at.velocity), after = lateral(velocity_after);
  const double hold = std::max(touch.mu_static, touch.mu_dynamic) * touch.normal_force;
  const double brake = lands(in, c, touch, before) ? hold : touch.mu_dynamic * touch.normal_force;
  const double motion = mass_over_dt * after.norm();
  const std::uint32_t bit = touch.collider < 32 ? 1U << touch.collider : 0;
  const bool slow = mass_over_dt * before.norm() <= brake || before.dot(after) <= 0;
  const bool rests = (state.held & bit) != 0 ? motion <= hold : motion <= brake || (slow && mass_over_dt * (after - before).norm() <= hold);
  state.held = rests ? state.held | bit : state.held & ~bit;
  return (rests ? -mass_over_dt : -mass_over_dt * brake / motion) * after;
}

}  // namespace

Vec3 contact_force(const ContactInput& in, const ContactVoxel& at, const Vec3& force, ContactState& state) {
  Touches touches;
  Vec3 total = force;
  press(in, at, total, touches, state);
  if (touches.count == 0) return total - force;
  const double mass = in.constants->of(at.voxel).mass;
  Vec3 velocity_after = at.velocity + total * (in.dt / mass);
  for (std::size_t i = 0; i < touches.count; ++i) {
    const Vec3 friction = rub(in, at, touches.row[i], velocity_after, state);
    total += friction;
    velocity_after += friction * (in.dt / mass);
  }
  return total - force;
}

void find_near_colliders(std::span<const Collider> colliders, const Elements& elements, const Vec3& gravity, double dt,
                         std::vector<std::uint32_t>& out) {
  out.clear();
  if (elements.size() == 0) return;
  Eigen::AlignedBox3d box;
  double fastest = 0, widest = 0;
  for (std::size_t v = 0; v < elements.size(); ++v) {
    box.extend(elements.position[v]);
    fastest = std::max(fastest, elements.velocity[v].squaredNorm());
    widest = std::max(widest, elements.radius[v]);
  }
  // Twice what the fastest voxel covers, free fall, and two voxels for what an elastic release may add within the step.
  const double reach = 0.5 * box.diagonal().norm() + 2 * std::sqrt(fastest) * dt + gravity.norm() * dt * dt + 4 * widest;
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    const Collider& collider = colliders[i];
    const double moves = collider.velocity_at(box.center()).norm() * dt;
    // Written so that a body of which a position is not finite keeps every collider.
    if (!(query(collider, box.center()).distance > reach + moves)) out.push_back(static_cast<std::uint32_t>(i));
  }
}

}  // namespace vw
