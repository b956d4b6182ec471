// Finds and prepares the obstacles that a body may reach. The contact law is in contact-inl.h.
#include "sim/system/voxel/contact/contact.h"

#include <algorithm>
#include <cmath>

namespace vw {
Obstacle make_obstacle(const Collider& collider, std::uint32_t index, const LatticeConstants& constants) {
  Obstacle obstacle;
  obstacle.collider = &collider;
  obstacle.bit = index < 32 ? 1U << index : 0;
  obstacle.flat = std::holds_alternative<PlaneShape>(collider.shape) && !collider.two_sided;
  obstacle.still = collider.velocity.isZero(0) && collider.angular_velocity.isZero(0);
  obstacle.normal = collider.orientation * Vec3::UnitY();
  for (const VoxelClass& c : constants.classes) {
    const SurfaceMaterial pair = combine(c.surface, collider.surface);
    obstacle.mu_static.push_back(pair.mu_static);
    obstacle.mu_dynamic.push_back(pair.mu_dynamic);
    obstacle.wet = obstacle.wet || pair.wetness > 0;
    obstacle.pair.push_back(pair);
  }
  return obstacle;
}

ContactState renumbered(const ContactState& contact, std::span<const std::size_t> now) {
  ContactState changed;
  for (std::size_t i = 0; i < std::min<std::size_t>(now.size(), 32); ++i) {
    if (now[i] >= 32) continue;
    changed.held |= (contact.held >> i & 1U) << now[i];
    changed.touching |= (contact.touching >> i & 1U) << now[i];
  }
  return changed;
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
  // The reach is the radius of the body's bounding box plus three allowances: twice the distance that the fastest voxel
  // covers in the step, the effect of gravity, and two voxel edges for a release of elastic energy within the step.
  const double reach =
      0.5 * box.diagonal().norm() + 2 * std::sqrt(fastest) * dt + gravity.norm() * dt * dt + 4 * widest;
  for (std::size_t i = 0; i < colliders.size(); ++i) {
    const Collider& collider = colliders[i];
    const double moves = collider.velocity_at(box.center()).norm() * dt;
    if (comes_within(collider, box.center(), reach + moves)) out.push_back(static_cast<std::uint32_t>(i));
  }
}

}  // namespace vw
