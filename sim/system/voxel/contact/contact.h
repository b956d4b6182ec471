// Contact of voxels with obstacles: penalty springs that never pull, and Coulomb friction with a stick state. As in
// Voxelyze, a voxel collides as a sphere about its centre. The radius is half the edge, so that a voxel that lies flat
// on a half space has the depth of its lower face. The contact force acts at the voxel's centre. It therefore exerts no
// moment on the voxel, but it can exert a moment on the body.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/system/system.h"
#include "sim/system/voxel/lattice/constants.h"

namespace vw {

/// Contact state of one voxel.
struct ContactState {
  std::uint32_t held = 0;  ///< bit i is set if the voxel sticks to collider i; only for the first 32 colliders
  /// Bit i is set if the voxel presses against collider i; only for the first 32 colliders.
  std::uint32_t touching = 0;
  template <class F>
  void each_number(F) const {}  // every bit pattern is valid
  template <class F>
  void each_member(F take) const {
    take("held", held), take("touching", touching);
  }
};

/// Returns the contact state after collider i has become collider now[i], or was removed if now[i] is not below 32.
[[nodiscard]] ContactState renumbered(const ContactState& contact, std::span<const std::size_t> now);

/// Largest number of obstacles against which a voxel has friction at once. Further obstacles only exert their normal
/// force.
inline constexpr std::size_t max_contacts = 8;

/// An obstacle that a body may reach, with the quantities that stay constant in a run of substeps.
struct Obstacle {
  const Collider* collider = nullptr;
  std::uint32_t bit = 0;  ///< the collider's bit in ContactState; 0 beyond the first 32
  bool flat = false;      ///< the obstacle is a half space with the constant normal `normal`
  bool still = false;     ///< the obstacle does not move
  Vec3 normal{0, 1, 0};
  /// Friction coefficients of the obstacle paired with each voxel class; 0 if the friction law of the pair is not dry.
  std::vector<double> mu_static, mu_dynamic;
  bool wet = false;                   ///< the friction law of at least one pair is wet
  std::vector<SurfaceMaterial> pair;  ///< combined surface of the obstacle and each voxel class
};
/// Prepares the obstacle of a collider. `index` is the collider's index in the world.
[[nodiscard]] Obstacle make_obstacle(const Collider& collider, std::uint32_t index, const LatticeConstants& constants);

/// Input of the contact law (contact-inl.h) besides the voxels.
struct ContactInput {
  std::span<const Obstacle> near;  ///< the obstacles that this body may reach
  Vec3 load = Vec3::Zero();        ///< gravity plus (sum of the regions' forces) / (mass of the body) [m/s^2]
  double voxels_across = 1;        ///< longest edge of the lattice in voxels
};

/// Finds the colliders that may touch the body within one step of length `dt` [s]. `out` receives their indices in
/// ascending order.
void find_near_colliders(std::span<const Collider> colliders, const Elements& elements, const Vec3& gravity, double dt,
                         std::vector<std::uint32_t>& out);

}  // namespace vw
