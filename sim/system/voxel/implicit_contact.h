// Contact of a voxel with obstacles inside an implicit step: the penalty springs of contact.h at the end of the step,
// and friction as a spring against the step's lateral displacement, limited by the cone. In: position and displacement
// of a voxel. Out: the contact force and its derivative.
#pragma once

#include <array>
#include <span>

#include "sim/system/voxel/contact.h"

namespace vw {

struct ImplicitContactInput {
  std::span<const Collider> colliders;  ///< their poses at the end of the step
  std::span<const std::uint32_t> near;  ///< indices of the colliders that the body may reach
  const LatticeConstants* constants = nullptr;
  double dt = 0;
  Vec3 load = Vec3::Zero();  ///< gravity [m/s^2]
};

/// Contact load of one voxel.
struct VoxelContact {
  Vec3 force = Vec3::Zero();
  /// -d force / d displacement, symmetric and positive semidefinite. The dependence of friction on the pressure is left
  /// out.
  Mat3 stiffness = Mat3::Zero();
  std::uint32_t touching = 0;                   ///< bit i: pressed against collider i
  std::uint32_t sticks = 0;                     ///< bit i: static friction holds at collider i
  int count = 0;                                ///< number of contacts
  std::array<double, max_contacts> friction{};  ///< lateral spring of each contact in order [N/m]
};

/// Contact of a voxel at `position` at the end of the step, after a `displacement` from its start, where it had the
/// velocity `before` and the contact state `state`. Colliders of `expected` (bits) count as closed while the gap is
/// small, even if their spring then pulls; the next iteration corrects that guess.
/// Friction is a spring against the slip, softened to what the cone allows at that slip. If `lagged` (an earlier
/// contact of the voxel in this step) is given, its springs are kept, and the problem is smooth.
[[nodiscard]] VoxelContact implicit_contact(const ImplicitContactInput& in, std::size_t voxel, double radius,
                                            const Vec3& position, const Vec3& displacement, const Vec3& before,
                                            const ContactState& state, std::uint32_t expected,
                                            const VoxelContact* lagged);

/// Longest step [s], at most `dt` and at least dt / 64, in which no voxel that approaches one of the obstacles `near`
/// gets further than a quarter of an edge behind its surface. In a longer step a voxel could pass a thin wall without
/// touching it. Planes are skipped, since nothing lies behind them.
[[nodiscard]] double longest_step_at_walls(std::span<const Collider> colliders, std::span<const std::uint32_t> near,
                                           const LatticeTopology& topology, const Elements& elements, double dt);

}  // namespace vw
