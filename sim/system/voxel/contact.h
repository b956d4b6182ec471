// Voxels against obstacles: penalty springs that never pull, and Coulomb friction with a static state.
// A voxel touches as the ball of half its edge about its centre, as in Voxelyze: against a half space that is its lowest point when it lies flat,
// and the force goes through its centre, so contact gives no moment on a voxel (on the body it does).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/system/system.h"
#include "sim/system/voxel/constants.h"

namespace vw {

/// What a voxel remembers of its contacts.
struct ContactState {
  std::uint32_t held = 0;      ///< bit i: at rest by static friction on collider i (of the first 32)
  std::uint32_t touching = 0;  ///< bit i: pressed against collider i
  template <class F>
  void each_number(F) const {}  // any bits will do
};

/// A voxel presses against at most this many obstacles at once with friction; further ones still push.
inline constexpr std::size_t max_contacts = 8;

/// An obstacle that a body may reach, with all that does not change in a run of substeps made ready.
struct Obstacle {
  const Collider* collider = nullptr;
  std::uint32_t bit = 0;  ///< in ContactState; 0 beyond the first 32
  bool flat = false;      ///< a half space: `normal` holds everywhere
  bool still = false;     ///< does not move
  Vec3 normal{0, 1, 0};
  std::vector<double> mu_static, mu_dynamic;  ///< of the pair, by voxel class; 0 where its law is not dry
  bool wet = false;                           ///< some pair has a wet law
  std::vector<SurfaceMaterial> pair;          ///< by voxel class
};
/// `index`: of the collider in the world.
[[nodiscard]] Obstacle make_obstacle(const Collider& collider, std::uint32_t index, const LatticeConstants& constants);

/// What a substep's contacts need beside the voxels (contact-inl.h has their law).
struct ContactInput {
  std::span<const Obstacle> near;  ///< what this body may reach
  Vec3 load = Vec3::Zero();        ///< what pulls at the whole body, per mass: gravity and the regions' forces [m/s^2]
  double voxels_across = 1;        ///< longest edge of the lattice
};

/// Colliders that come closer to the body than it can move in one world step. Index order.
void find_near_colliders(std::span<const Collider> colliders, const Elements& elements, const Vec3& gravity, double dt,
                         std::vector<std::uint32_t>& out);

}  // namespace vw
