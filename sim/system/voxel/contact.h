// Contact of voxels with obstacles: penalty springs that never pull, and Coulomb friction with a stick state. A voxel
// collides as a ball of half its edge about its centre, as in Voxelyze; on a half space this is its lowest point when
// it lies flat. The force acts through the voxel's centre, so contact gives a moment on the body but none on the voxel.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/system/system.h"
#include "sim/system/voxel/constants.h"

namespace vw {

/// Contact state of one voxel.
struct ContactState {
  std::uint32_t held = 0;      ///< bit i: held by static friction on collider i (of the first 32)
  std::uint32_t touching = 0;  ///< bit i: pressed against collider i
  template <class F>
  void each_number(F) const {}  // no value is invalid
};

/// Largest number of obstacles against which a voxel has friction at once. Further obstacles only exert their normal
/// force.
inline constexpr std::size_t max_contacts = 8;

/// An obstacle that a body may reach, with all quantities that stay constant in a run of substeps.
struct Obstacle {
  const Collider* collider = nullptr;
  std::uint32_t bit = 0;  ///< the collider's bit in ContactState; 0 beyond the first 32
  bool flat = false;      ///< a half space: `normal` is the same everywhere
  bool still = false;     ///< the obstacle does not move
  Vec3 normal{0, 1, 0};
  /// Friction coefficients of the pair by voxel class; 0 if its friction law is not dry.
  std::vector<double> mu_static, mu_dynamic;
  bool wet = false;                   ///< at least one pair has a wet friction law
  std::vector<SurfaceMaterial> pair;  ///< combined surface by voxel class
};
/// Prepares an obstacle. `index` is the collider's index in the world.
[[nodiscard]] Obstacle make_obstacle(const Collider& collider, std::uint32_t index, const LatticeConstants& constants);

/// Input of a substep's contact forces besides the voxels. The law is in contact-inl.h.
struct ContactInput {
  std::span<const Obstacle> near;  ///< the obstacles that this body may reach
  Vec3 load = Vec3::Zero();        ///< gravity plus the regions' forces over the body's mass [m/s^2]
  double voxels_across = 1;        ///< longest edge of the lattice in voxels
};

/// Finds the colliders that may touch the body within one world step of `dt`. `out` receives their indices in ascending
/// order.
void find_near_colliders(std::span<const Collider> colliders, const Elements& elements, const Vec3& gravity, double dt,
                         std::vector<std::uint32_t>& out);

}  // namespace vw
