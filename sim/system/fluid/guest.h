// Bodies of other systems in the fluid: what the fluid needs of them, and what it gives them. Rules (sim/interaction/fluid_*.h) bring them before
// each of the fluid's substeps; a guest takes part in the pressure solve by its rigid motion, so light bodies are as stable as heavy ones (Gissler et
// al. 2019, "Interlinked SPH pressure solvers for strong fluid-rigid coupling").
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "sim/collision/collider.h"

namespace vw {

/// A box that is part of a guest whose parts move against each other: a voxel at its surface.
struct GuestBlock {
  Vec3 center = Vec3::Zero();
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();  ///< as it will be without the fluid
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();       ///< its corners in its own frame; where it goes on in another block it reaches into that
  std::uint8_t open_faces = 0x3f;                     ///< that are part of the surface, bit 0..5: -x +x -y +y -z +z
  double mass_kg = std::numeric_limits<double>::infinity();
  std::uint32_t sample = 0;    ///< of the guest's samples: one of its own, which takes its impulses
  Vec3 turn = Vec3::Zero();    ///< out: their moment about that sample [N m s]
  std::array<float, 6> wet{};  ///< out, where wind blows: how far each open face is under water as the substep begins, 0 to 1
};

/// One body. Samples lie half a spacing behind its surface (see walls.h); a guest is asked to be there at the substep's start.
struct Guest {
  std::vector<Vec3> place;     ///< of the samples [m]
  std::vector<Vec3> velocity;  ///< as it will be without the fluid, weight included [m/s]
  std::vector<float> share;    ///< volume / V of each
  /// Of each sample the part that it belongs to, and that part's mass, where parts move against each other; else empty. In the solve the guest is
  /// rigid, but a row caught between parts only drives them apart.
  std::vector<std::uint32_t> part;
  std::vector<double> part_mass_kg;
  /// How the whole answers: infinite mass for what is driven or held.
  double mass_kg = std::numeric_limits<double>::infinity();
  Vec3 center = Vec3::Zero();
  Mat3 inverse_inertia = Mat3::Zero();  ///< world frame, about the centre [1/(kg m^2)]
  double friction = 0;                  ///< share of the fluid's viscosity that its skin feels, 1 = no slip
  double adhesion = 0;
  /// What of an arm from the centre counts for the moment of pressures: all of it; of a ball nothing, of a body that is round about an axis what is
  /// along that axis. Pressure has no other moment on it than what samples make by their unevenness, which would spin up light ones.
  Mat3 pressure_arm = Mat3::Identity();
  /// What keeps particles out where pressures do not: the body at the substep's start, as fast as it will be without the fluid. None: pressures
  /// alone.
  std::optional<Collider> solid;
  /// Or what it consists of at its surface.
  std::vector<GuestBlock> blocks;
  /// Out: what the fluid gave each sample in its substep [N s].
  std::vector<Vec3> impulse;
  /// Out, where wind blows: how far each sample of the first layer is under water, 0 to 1. Else empty.
  std::vector<float> wet;
  /// Out: what of their moment about the centre does not act, less what acts beside them; and what acts, about the centre of then [N m s].
  Vec3 uneven_turn = Vec3::Zero();
  Vec3 turn = Vec3::Zero();
};

/// How what it was given changes a guest's motion.
struct GuestGain {
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
};
/// Of the impulses [N s] at its samples: momentum over mass, angular momentum about its centre times its inverse inertia [m/s, 1/s].
[[nodiscard]] inline GuestGain gain_of(const Guest& guest) {
  Vec3 push = Vec3::Zero(), turn = -guest.uneven_turn;
  for (std::size_t s = 0; s < guest.impulse.size(); ++s) {
    push += guest.impulse[s];
    turn += (guest.place[s] - guest.center).cross(guest.impulse[s]);
  }
  return {push / guest.mass_kg, guest.inverse_inertia * turn};
}

}  // namespace vw
