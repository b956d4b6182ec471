// Rigid bodies against obstacles and each other, within a substep: who touches, the impulses that keep them apart (sequential impulses, Catto 2005,
// with the friction cone of sim/collision/contact), and what is left of depth pushed apart without making velocity of it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/system/rigid/rigid_scene.h"

namespace vw {

constexpr std::uint32_t first_obstacle = 0x80000000;  ///< RigidContact::other of the first collider

/// `a` is pressed along `normal`, the other side against it.
struct RigidContact {
  std::size_t a = 0, b = no_body;  ///< b: no_body for an obstacle
  std::uint32_t other = 0;         ///< b, or first_obstacle and the collider's number
  std::uint32_t mark = 0xffffffff;
  Vec3 point = Vec3::Zero();
  Vec3 place = Vec3::Zero();  ///< the same in a's frame, from its centre of mass
  Vec3 normal{0, 1, 0};
  double gap = 0;                        ///< [m], negative: depth
  Vec3 surface_velocity = Vec3::Zero();  ///< of an obstacle
  SurfaceMaterial pair;
  double normal_impulse = 0;  ///< [N s]
  Vec3 friction_impulse = Vec3::Zero();
  Vec3 impact_impulse = Vec3::Zero();  ///< of impacts in a line, before the other two [N s]
  bool has_bounced = false;            ///< in such an impact

  [[nodiscard]] Vec3 impulse() const { return normal_impulse * normal + friction_impulse; }
  [[nodiscard]] bool is_pressed() const { return normal_impulse > 0 || has_bounced; }
};

}  // namespace vw
