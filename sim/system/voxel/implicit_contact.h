// Contact and friction inside an implicit step: the same penalty springs as in contact.h at the step's end, and a friction that is a spring against
// the step's lateral displacement until it would exceed the cone. In: where a voxel is and would go. Out: a force, and how it changes.
#pragma once

#include <array>
#include <span>

#include "sim/system/voxel/contact.h"

namespace vw {

struct ImplicitContactInput {
  std::span<const Collider> colliders;  ///< where they are at the step's end
  std::span<const std::uint32_t> near;
  const LatticeConstants* constants = nullptr;
  double dt = 0;
  Vec3 load = Vec3::Zero();  ///< per mass [m/s^2]: gravity
};

struct VoxelContact {
  Vec3 force = Vec3::Zero();
  Mat3 stiffness = Mat3::Zero();  ///< -d force / d displacement, symmetric and positive semidefinite (friction's dependence on the pressure left out)
  std::uint32_t touching = 0;     ///< bit i: pressed against collider i
  std::uint32_t sticks = 0;       ///< bit i: of those, friction holds
  int count = 0;
  std::array<double, max_contacts> friction{};  ///< lateral spring of each contact in its order [N/m]
};

/// Contact of a voxel at `position` at the step's end, `displacement` away from where it began at velocity `before`. `state` is that of the start.
/// Colliders of `expected` (bits) count as pressed while the gap is small, though they would have to pull: a guess that the next iteration corrects.
/// Friction is a spring against the slip, as soft as the cone asks for at that slip; with `lagged` (an earlier contact of the voxel) it keeps that
/// one's softness, and the problem is smooth.
[[nodiscard]] VoxelContact implicit_contact(const ImplicitContactInput& in, std::size_t voxel, double radius, const Vec3& position,
                                            const Vec3& displacement, const Vec3& before, const ContactState& state, std::uint32_t expected,
                                            const VoxelContact* lagged);

/// Longest step [s], at most `dt`, in which no voxel that is on its way into one of the obstacles `near` gets further than a quarter of an edge
/// behind its surface: in a longer one it may come out behind a thin wall and never have touched it. Planes have nothing behind them.
[[nodiscard]] double longest_step_at_walls(std::span<const Collider> colliders, std::span<const std::uint32_t> near, const LatticeTopology& topology,
                                           const Elements& elements, double dt);

}  // namespace vw
