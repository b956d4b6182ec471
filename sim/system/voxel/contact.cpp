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
  const Obstacle* obstacle;
  Vec3 normal;
  Vec3 surface_velocity;
  double normal_force;
};

struct Touches {
  std::array<Touch, max_contacts> row;
  std::size_t count = 0;
};

ContactSlope slope_of(const Vec3& load, const Vec3& normal) {
  const double down = -load.dot(normal);
  const Vec3 along = load + down * normal;
  return {down, along.norm(), along};
}

SurfaceQuery surface_of(const Obstacle& obstacle, const Vec3& position) {
  if (!obstacle.flat) return query(*obstacle.collider, position);
  return {obstacle.normal.dot(position - obstacle.collider->position), obstacle.normal};
}

/// Normal forces on one voxel: k depth - c v_n with the voxel's own stiffness, and never a pull. Adds them to `force`.
void press(const ContactInput& in, const VoxelClass& c, const ContactVoxel& at, Vec3& force, Touches& touches, ContactState& state) {
  state.touching = 0;
  for (const Obstacle& obstacle : in.near) {
    const SurfaceQuery hit = surface_of(obstacle, at.position);
    // No deeper than to the centre: a body that starts immersed is pushed out, not shot out.
    const double depth = std::min(at.half_edge - hit.distance, at.half_edge);
    if (depth <= 0) continue;
    Vec3 surface_velocity = Vec3::Zero();
    if (!obstacle.still) surface_velocity = obstacle.collider->velocity_at(at.position - hit.distance * hit.normal);
    const double approach = (at.velocity - surface_velocity).dot(hit.normal);
    const double normal_force = c.contact_stiffness * depth - c.contact_damping * approach;
    if (!(normal_force > 0)) continue;
    force += normal_force * hit.normal;
    state.touching |= obstacle.bit;
    if (touches.count < max_contacts) touches.row[touches.count++] = {&obstacle, hit.normal, surface_velocity, normal_force};
  }
  state.held &= state.touching;  // a lifted voxel is free
}

/// Whether a voxel that slides with the lateral velocity `slip` is only landing. A body that is put on a slope sinks into its penalty springs and
/// swings for a while, and slips where a phase of that unloads it; where mu_d < tan a < mu_s, dry friction's law alone would then let it slide for
/// ever, which no block that is put on a real slope does. So on such a slope a voxel counts as landing while it moves downhill no faster than what
/// the load gives it in the time in which sound crosses the body a few times.
bool lands(const ContactInput& in, const VoxelClass& c, const Touch& touch, const SurfaceMaterial& pair, const Vec3& slip) {
  const ContactSlope slope = touch.obstacle->flat ? touch.obstacle->slope : slope_of(in.load, touch.normal);
  if (!(slope.steepness > pair.mu_dynamic * slope.down && slope.steepness <= pair.mu_static * slope.down) || slip.dot(slope.along) < 0) return false;
  return slip.norm() <= landing_crossings * in.voxels_across * std::sqrt(c.mass / c.contact_stiffness) * pair.mu_dynamic * slope.down;
}

/// Friction against one obstacle, from the lateral velocities before and (without this friction) after the substep. A voxel at rest is held while
/// its lateral load is at most mu_s F_n. One that slides comes to rest when |V_l| <= F_n mu_d dt / m or its motion turns back, provided that mu_s F_n
/// can hold the load (the source leaves that out, and stops again at once what it has just released); and when mu_d F_n alone can take all of its
/// motion. One that lands is braked by mu_s F_n. Returns the force.
Vec3 rub(const ContactInput& in, const VoxelClass& c, const ContactVoxel& at, const Touch& touch, const Vec3& velocity_after, ContactState& state) {
  const auto lateral = [&](const Vec3& velocity) -> Vec3 {
    const Vec3 relative = velocity - touch.surface_velocity;
    return relative - relative.dot(touch.normal) * touch.normal;
  };
  const SurfaceMaterial& pair = touch.obstacle->pair[in.constants->class_of[at.voxel]];
  const double mass_over_dt = c.mass / in.dt;
  // Impulses over dt: compared as squares, so that a voxel at rest takes no root.
  const Vec3 before = mass_over_dt * lateral(at.velocity), after = mass_over_dt * lateral(velocity_after);
  const double hold = std::max(pair.mu_static, pair.mu_dynamic) * touch.normal_force;
  const double motion_squared = after.squaredNorm();
  const std::uint32_t bit = touch.obstacle->bit;
  bool rests = (state.held & bit) != 0 && motion_squared <= hold * hold;
  double brake = 0;
  if (!rests) {
    brake = lands(in, c, touch, pair, before / mass_over_dt) ? hold : pair.mu_dynamic * touch.normal_force;
    if ((state.held & bit) == 0) {
      const bool slow = before.squaredNorm() <= brake * brake || before.dot(after) <= 0;
      rests = motion_squared <= brake * brake || (slow && (after - before).squaredNorm() <= hold * hold);
    }
  }
  state.held = rests ? state.held | bit : state.held & ~bit;
  return rests ? Vec3(-after) : Vec3(-brake / std::sqrt(motion_squared) * after);
}

}  // namespace

Obstacle make_obstacle(const Collider& collider, std::uint32_t index, const LatticeConstants& constants, const Vec3& load) {
  Obstacle obstacle;
  obstacle.collider = &collider;
  obstacle.bit = index < 32 ? 1U << index : 0;
  obstacle.flat = std::holds_alternative<PlaneShape>(collider.shape);
  obstacle.still = collider.velocity.isZero(0) && collider.angular_velocity.isZero(0);
  obstacle.normal = collider.orientation * Vec3::UnitY();
  obstacle.slope = slope_of(load, obstacle.normal);
  for (const VoxelClass& c : constants.classes) obstacle.pair.push_back(combine(c.surface, collider.surface));
  return obstacle;
}

Vec3 contact_force(const ContactInput& in, const ContactVoxel& at, const Vec3& force, ContactState& state) {
  const VoxelClass& c = in.constants->of(at.voxel);
  Touches touches;
  Vec3 total = force;
  press(in, c, at, total, touches, state);
  if (touches.count == 0) return total - force;
  const double dt_over_mass = in.dt / c.mass;
  Vec3 velocity_after = at.velocity + total * dt_over_mass;
  for (std::size_t i = 0; i < touches.count; ++i) {
    const Vec3 friction = rub(in, c, at, touches.row[i], velocity_after, state);
    total += friction;
    velocity_after += friction * dt_over_mass;
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
