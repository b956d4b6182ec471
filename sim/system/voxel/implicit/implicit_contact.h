// Contact of a voxel with obstacles in an implicit step. The penalty springs of contact.h are evaluated at the end of
// the step. Friction is a spring that resists the lateral displacement in the step. Its force is limited by the
// friction cone. Input: position and displacement of a voxel. Output: the contact force and its derivative.
#pragma once

#include <array>
#include <span>

#include "sim/system/voxel/contact/contact.h"

namespace vw {

struct ImplicitContactInput {
  std::span<const Collider> colliders;  ///< colliders with their poses at the end of the step
  std::span<const std::uint32_t> near;  ///< indices of the colliders that the body may reach
  const LatticeConstants* constants = nullptr;
  double dt = 0;
  Vec3 load = Vec3::Zero();  ///< gravity [m/s^2]
};

/// Contact load of one voxel.
struct VoxelContact {
  Vec3 force = Vec3::Zero();
  /// Contact stiffness, the negative derivative of `force` with respect to the displacement. It is symmetric and
  /// positive semidefinite, because the dependence of friction on the normal force is left out.
  Mat3 stiffness = Mat3::Zero();
  std::uint32_t touching = 0;                   ///< bit i is set if the voxel presses against collider i
  std::uint32_t sticks = 0;                     ///< bit i is set if the voxel sticks to collider i
  int count = 0;                                ///< number of contacts; only the first max_contacts have friction
  std::array<double, max_contacts> friction{};  ///< stiffness of the lateral spring of each contact [N/m]
};

/// Computes the contact of a voxel. `position` is the voxel's position at the end of the step and `displacement` its
/// displacement in the step. `before` and `state` are velocity and contact state at the start of the step. A contact
/// with a collider in `expected` (bits) counts as closed while the gap is small, even if its spring then pulls. The
/// next iteration corrects this assumption if it is wrong.
/// The stiffness of the friction spring is reduced so that the spring force at the current slip lies within the
/// friction cone. If `lagged`, the result of an earlier iteration of this step, is given, the stiffness values in
/// `lagged` are used instead. The contact force is then a smooth function of the displacement.
[[nodiscard]] VoxelContact implicit_contact(const ImplicitContactInput& in, std::size_t voxel, double radius,
                                            const Vec3& position, const Vec3& displacement, const Vec3& before,
                                            const ContactState& state, std::uint32_t expected,
                                            const VoxelContact* lagged);

/// Returns the longest step [s], between dt / 64 and dt, in which no surface voxel moves deeper than a quarter of an
/// edge behind the surface of an obstacle in `near`. In a longer step a voxel could pass a thin wall without touching
/// it. Planes are skipped, because a half space has no far side.
[[nodiscard]] double longest_step_at_walls(std::span<const Collider> colliders, std::span<const std::uint32_t> near,
                                           const LatticeTopology& topology, const Elements& elements, double dt);

}  // namespace vw
