// Forces of a fluid beyond pressure and gravity: viscosity, surface tension, adhesion, micropolar spin. In: a workspace whose lists and densities are
// made, and what each phase is made of. Out: changed velocities (space.motion), and what walls' skins felt (guests' impulses). All are pair forces:
// what one row gains another loses. Runs between the two pressure solves, on the simulation thread, chunks over the workers.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sim/base/parameter.h"
#include "sim/system/fluid/guest.h"
#include "sim/system/fluid/sph_workspace.h"
#include "sim/system/fluid/viscosity.h"
#include "sim/system/fluid/walls.h"

namespace vw {

/// Settings of a fluid as a whole: FluidParams derive from it and list force_params<FluidParams>() among their own.
struct FluidForces {
  ViscosityMethod viscosity_method = ViscosityMethod::implicit;
  double viscosity_error = 0.01;
  double smoothing = 0.05;  ///< less, and what rests does not come to rest
  double wall_friction = 1;
  double wall_adhesion = 0;
  double miscibility = 0;
  double spin_viscosity = 0;
  double spin_inertia = 0.5;
  double shifting = 0;
};

/// What a phase is made of, by its number: FluidPhase derives from it and lists phase_force_params<FluidPhase>().
struct PhaseForces {
  double viscosity_pas = 0;  ///< dynamic
  double tension_npm = 0;    ///< of its free surface
};

/// Declarations of a fluid's and of a phase's forces, for a struct P derived from FluidForces or PhaseForces.
template <class P>
[[nodiscard]] std::array<Param<P>, 9> force_params();
template <class P>
[[nodiscard]] std::array<Param<P>, 2> phase_force_params();

/// What goes on from one substep to the next, in the order of the workspace's rows: state of the fluid. A column is empty while nothing needs it, and
/// filled with zeros when something first does; so one of another length counts as empty.
struct ForceRows {
  Float4s spin;     ///< angular velocity of micropolar rows [rad/s]
  Float4s viscous;  ///< acceleration by viscosity [m/s^2]: where the next implicit solve begins
};

struct ForceInput {
  FluidForces settings;
  std::span<const PhaseForces> phases;
  std::span<const std::uint8_t> phase;   ///< of each row of the workspace
  std::span<const Walls::Owner> owners;  ///< of the wall rows
  std::span<Guest> guests;               ///< `impulse` is sized; what their skins feel is added
};

/// Keeps scratch from one substep to the next.
class ForceSolver {
 public:
  /// Changes velocities (xyz of space.motion, images too) by all the forces that act for dt. Gravity and impulses come before it. The w of space.rows
  /// and of space.motion are written over.
  ViscosityResult add_forces(SphWorkspace& space, ForceRows& rows, const ForceInput& in, double dt);

 private:
  void smooth(SphWorkspace& space, double share);
  void pull(SphWorkspace& space, const ForceInput& in, double dt);
  void pull_guests(SphWorkspace& space, const ForceInput& in, double dt) const;
  void spin(SphWorkspace& space, ForceRows& rows, const FluidForces& settings, double dt);

  Float4s normal_, change_, turn_;
  std::vector<float> viscosity_of_row_;
  ViscositySolver viscosity_;
};

/// The longest substep in which the forces that are stepped explicitly are stable [s]; infinity where none acts. `least_density`: of the phases.
[[nodiscard]] double stable_force_step(const FluidForces& settings, std::span<const PhaseForces> phases, const SphScale& scale, double least_density);

/// Curl of the velocity (space.motion) at each row [1/s]; exact to rounding for velocities that are linear in place, at surfaces too. For pictures.
void vorticity(const SphWorkspace& space, std::span<Float4> out);

/// Where shifting moves each row in this substep [m], to be added to its place: from where rows are dense to where they are sparse, not beside a free
/// surface, and by no more than d / 20 (after Lind, Xu, Stansby & Rogers 2012, eq. 22).
void shifts(const SphWorkspace& space, double share, std::span<Float4> out);

template <class P>
std::array<Param<P>, 9> force_params() {
  const FluidForces usual;
  using F = FluidForces;
  return {{
      {static_cast<ViscosityMethod P::*>(&F::viscosity_method),
       "viscosity_method",
       usual.viscosity_method,
       {"implicit", "morris"},
       Live::yes,
       "implicit: forces between particles along the line between them, so spin is kept; morris: along their velocities' difference, smoother in "
       "channels, but what spins freely is slowed. Both are solved for where a plain step would not be stable, so any viscosity goes."},
      {static_cast<double P::*>(&F::viscosity_error),
       "viscosity_error",
       Unit::ratio,
       usual.viscosity_error,
       {1e-5, 0.5},
       Scale::log,
       Live::yes,
       "Share of what viscosity does in a substep that the implicit solve may leave."},
      {static_cast<double P::*>(&F::smoothing),
       "smoothing",
       Unit::ratio,
       usual.smoothing,
       {0, 0.5},
       Scale::linear,
       Live::yes,
       "XSPH: share of the difference to the neighbours' mean velocity that is taken away in 0.08 sqrt(spacing / gravity), 3.6 ms at 2 cm, however "
       "long substeps are. Calms splashes, as a viscosity of 1.7 smoothing sqrt(gravity spacing) spacing would. WCSPH takes 0.05 at least, and in "
       "each substep: its sound has to be damped. What a liquid's own viscosity takes is not taken again."},
      {static_cast<double P::*>(&F::wall_friction),
       "wall_friction",
       Unit::ratio,
       usual.wall_friction,
       {0, 1},
       Scale::linear,
       Live::yes,
       "Share of the viscosity that acts at walls: 1 = no slip, 0 = free slip."},
      {static_cast<double P::*>(&F::wall_adhesion),
       "wall_adhesion",
       Unit::newton_per_meter,
       usual.wall_adhesion,
       {0, 1e4},
       Scale::linear,
       Live::yes,
       "Attraction of walls, in the measure of a phase's tension: a quarter of that lets drops stand at a right angle, all of it at 55 degrees; "
       "with none they come off."},
      {static_cast<double P::*>(&F::miscibility),
       "miscibility",
       Unit::ratio,
       usual.miscibility,
       {0, 1},
       Scale::linear,
       Live::yes,
       "How much of their mean tension phases feel toward each other: 0 = drops of one in the other pull together, 1 = they mix."},
      {static_cast<double P::*>(&F::spin_viscosity),
       "spin_viscosity",
       Unit::none,
       usual.spin_viscosity,
       {0, 1},
       Scale::linear,
       Live::yes,
       "Micropolar transfer between particles' spin and the flow's [m^2/s]: eddies below the spacing live on. 0 = off."},
      {static_cast<double P::*>(&F::spin_inertia),
       "spin_inertia",
       Unit::ratio,
       usual.spin_inertia,
       {0.05, 10},
       Scale::log,
       Live::yes,
       "Inertia of particles' spin, in spacings squared: how long eddies that cannot be resolved live."},
      {static_cast<double P::*>(&F::shifting),
       "shifting",
       Unit::ratio,
       usual.shifting,
       {0, 1},
       Scale::linear,
       Live::yes,
       "Moves particles toward where they are sparse, away from free surfaces, so that they stay evenly spread. 0 = off."},
  }};
}

template <class P>
std::array<Param<P>, 2> phase_force_params() {
  return {{
      {static_cast<double P::*>(&PhaseForces::viscosity_pas),
       "viscosity",
       Unit::none,
       0.0,
       {0, 1e4},
       Scale::linear,
       Live::yes,
       "Dynamic viscosity [Pa s]: water 0.001, oil 0.1, honey 10. Coarse particles add some of their own."},
      {static_cast<double P::*>(&PhaseForces::tension_npm),
       "tension",
       Unit::newton_per_meter,
       0.0,
       {0, 1e4},
       Scale::linear,
       Live::yes,
       "Tension of the free surface: water 0.072."},
  }};
}

}  // namespace vw
