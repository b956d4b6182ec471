// A guest is a body of another system that is coupled to the fluid. This file declares the data of a guest that the
// fluid needs, and the impulses that the fluid returns. Coupling rules (sim/interaction/fluid) provide the guests
// before each fluid substep. The rigid motion of a guest is part of the pressure solve, so light bodies are as stable
// as heavy bodies (Gissler et al. 2019, "Interlinked SPH pressure solvers for strong fluid-rigid coupling").
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "sim/collision/collider.h"

namespace vw {

/// A box that is part of a deformable guest: a voxel at the guest's surface.
struct GuestBlock {
  Vec3 center = Vec3::Zero();
  Quat orientation = Quat::Identity();
  /// Linear velocity [m/s] and angular velocity [1/s] that the block would have at the end of the substep without the
  /// fluid.
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
  /// Lowest and highest corner in the block's frame [m]. At a face shared with another block the box extends into that
  /// block, so that no gap opens when the body bends.
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();
  std::uint8_t open_faces = 0x3f;  ///< Faces that are part of the surface, bits 0..5: -x +x -y +y -z +z.
  double mass_kg = std::numeric_limits<double>::infinity();
  /// Index of the guest's first sample on this block. This sample receives the block's impulses. The blocks of a guest
  /// are in the order of these indices.
  std::uint32_t sample = 0;
  Vec3 turn = Vec3::Zero();  ///< Output: angular impulse of the block's impulses about the sample `sample` [N m s].
  /// Output if there is wind: submerged fraction of each open face at the start of the substep, 0 to 1.
  std::array<float, 6> wet{};
};

/// A body in the fluid. The first layer of the body's boundary samples lies half a spacing behind the surface (see
/// walls.h). All data refer to the start of the substep unless stated otherwise.
struct Guest {
  std::vector<Vec3> place;  ///< Positions of the samples [m].
  /// Velocities that the samples would have at the end of the substep without the fluid, but with gravity [m/s].
  std::vector<Vec3> velocity;
  std::vector<float> share;  ///< Volume of each sample divided by the volume of a particle.
  /// For guests whose parts move relative to each other: the part that each sample belongs to, and the mass of that
  /// part. Otherwise empty. The pressure solve treats the guest as rigid, except that a particle trapped between parts
  /// drives them apart.
  std::vector<std::uint32_t> part;
  std::vector<double> part_mass_kg;
  /// Mass of the whole body in the solve. Infinite for bodies that are fixed or whose motion is prescribed.
  double mass_kg = std::numeric_limits<double>::infinity();
  Vec3 center = Vec3::Zero();
  /// Whether `center` is a point that cannot move, such as a point on a hinge. The guest then only turns about it.
  bool is_pivoted = false;
  /// Inverse moment of inertia in the world frame, about the centre [1/(kg m^2)].
  Mat3 inverse_inertia = Mat3::Zero();
  double friction = 0;  ///< Fraction of the fluid's viscosity that acts at the surface. 1 is no slip.
  double adhesion = 0;  ///< Attraction of the fluid to the surface [N/m].
  /// Linear map from the moment of the pressures about the centre to the moment that acts on the body. It is the
  /// identity for general bodies and zero for spheres. For bodies of revolution it removes the component along the
  /// axis, because pressures on such a body have no moment about its axis. The omitted moment would come from uneven
  /// sampling and would spin up light bodies.
  Mat3 pressure_moment = Mat3::Identity();
  /// Collider that stops particles that pressures do not keep out. The collider has the body's pose at the start of the
  /// substep and the body's velocity at the end of the substep without the fluid. If it is empty, pressures alone keep
  /// particles out.
  std::optional<Collider> solid;
  /// Alternative to `solid`: the blocks at the surface of a deformable body.
  std::vector<GuestBlock> blocks;
  /// Output: impulse of the fluid on each sample in this substep [N s].
  std::vector<Vec3> impulse;
  /// Output if there is wind: submerged fraction at each sample, 0 to 1. It is meaningful only for samples half a
  /// spacing behind the surface. Empty without wind.
  std::vector<float> wet;
  /// Output: angular impulses [N m s]. The angular impulse that acts on the body is the moment of the samples' impulses
  /// about the centre, minus `inactive_moment` (gain_of()). `inactive_moment` is the sum of two terms: the moment that
  /// must not act (see pressure_moment), and minus the couples that act without an impulse at a sample. `turn` is the
  /// angular impulse that acts on the body, about the position of its centre at the time of the impulses.
  Vec3 inactive_moment = Vec3::Zero();
  Vec3 turn = Vec3::Zero();
};

/// Change of a guest's velocity and spin by the impulses that the fluid exerts on it.
struct GuestGain {
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
};
/// Returns the change of the guest's motion by the impulses at its samples: total impulse divided by the mass [m/s],
/// and inverse inertia times angular momentum about the centre [1/s].
[[nodiscard]] inline GuestGain gain_of(const Guest& guest) {
  Vec3 push = Vec3::Zero(), turn = -guest.inactive_moment;
  for (std::size_t s = 0; s < guest.impulse.size(); ++s) {
    push += guest.impulse[s];
    turn += (guest.place[s] - guest.center).cross(guest.impulse[s]);
  }
  return {push / guest.mass_kg, guest.inverse_inertia * turn};
}

}  // namespace vw
