// Contacts of rigid bodies with obstacles and with each other within a substep. Normal impulses and friction are found
// by sequential impulses (Catto 2005) with the friction cone of sim/collision/contact. Remaining penetration is
// corrected in positions alone, without changing velocities.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/system/rigid/rigid_scene.h"

namespace vw {

constexpr std::uint32_t first_obstacle = 0x80000000;  ///< RigidContact::other of the first collider.

/// Contact of body `a`. The normal impulse pushes body `a` along `normal` and the other side in the opposite direction.
struct RigidContact {
  std::size_t a = 0, b = no_body;  ///< b is no_body if the other side is an obstacle.
  std::uint32_t other = 0;         ///< Index of b, or first_obstacle plus the index of the collider.
  /// Index of the contact's record for display. 0xffffffff if there is none.
  std::uint32_t mark = 0xffffffff;
  Vec3 point = Vec3::Zero();
  Vec3 place = Vec3::Zero();  ///< Contact point in the frame of body a, relative to its centre of mass [m].
  Vec3 normal{0, 1, 0};
  double gap = 0;                        ///< Distance of the surfaces [m]. A negative value is the penetration depth.
  Vec3 surface_velocity = Vec3::Zero();  ///< Velocity of the obstacle's surface at the contact point [m/s].
  SurfaceMaterial pair;
  double normal_impulse = 0;  ///< Impulse along the normal [N s].
  Vec3 friction_impulse = Vec3::Zero();
  /// Impulse of the impact stages (contact_impacts.cpp), which precede the contact solve [N s].
  Vec3 impact_impulse = Vec3::Zero();
  bool has_bounced = false;  ///< Whether the contact took part in an impact stage.

  [[nodiscard]] Vec3 impulse() const { return normal_impulse * normal + friction_impulse; }
  [[nodiscard]] bool is_pressed() const { return normal_impulse > 0 || has_bounced; }
};

}  // namespace vw
