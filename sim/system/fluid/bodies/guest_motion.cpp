#include "sim/system/fluid/bodies/guest_motion.h"

#include <algorithm>
#include <limits>

namespace vw {

Vec3 turn_of(const Guest& guest) {
  Vec3 turn = -guest.inactive_moment;
  for (std::size_t s = 0; s < guest.place.size(); ++s) turn += (guest.place[s] - guest.center).cross(guest.impulse[s]);
  return turn;
}

void move_on(Guest& guest, double dt) {
  Vec3 push = Vec3::Zero(), way = Vec3::Zero();
  for (const Vec3& impulse : guest.impulse) push += impulse;
  const Vec3 gained = push / guest.mass_kg, spun = guest.inverse_inertia * turn_of(guest);
  for (std::size_t s = 0; s < guest.place.size(); ++s) {
    guest.velocity[s] += gained + spun.cross(guest.place[s] - guest.center);
    guest.place[s] += dt * guest.velocity[s];
    way += dt * guest.velocity[s];
  }
  if (!guest.place.empty() && !guest.is_pivoted) guest.center += way / static_cast<double>(guest.place.size());
}

void hold_still(Guest& guest) {
  constexpr double endless = std::numeric_limits<double>::infinity();
  guest.mass_kg = endless;
  guest.inverse_inertia.setZero();
  std::fill(guest.velocity.begin(), guest.velocity.end(), Vec3::Zero());
  std::fill(guest.part_mass_kg.begin(), guest.part_mass_kg.end(), endless);
  if (guest.solid) guest.solid->velocity = guest.solid->angular_velocity = Vec3::Zero();
  for (GuestBlock& block : guest.blocks) block.velocity = block.spin = Vec3::Zero(), block.mass_kg = endless;
}

}  // namespace vw
