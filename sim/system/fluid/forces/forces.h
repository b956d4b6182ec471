// Forces of a fluid other than pressure and gravity: viscosity, velocity smoothing (XSPH), surface tension, adhesion,
// micropolar spin. Input: a workspace with neighbour lists and densities, and the properties of each phase. Output:
// velocities in space.motion, and impulses on guests (coupled bodies, guest.h). All forces act between pairs and
// conserve momentum. The forces are applied before the pressure solves, on the simulation thread, which distributes
// chunks of particles over the worker threads.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sim/base/data/parameter.h"
#include "sim/system/fluid/bodies/guest.h"
#include "sim/system/fluid/forces/viscosity.h"
#include "sim/system/fluid/rows/sph_workspace.h"
#include "sim/system/fluid/walls/walls.h"

namespace vw {

/// Settings of a whole fluid. FluidParams derives from this struct and includes force_params() in its parameter table.
struct FluidForces {
  ViscosityMethod viscosity_method = ViscosityMethod::implicit;
  double viscosity_error = 0.01;
  double smoothing = 0.05;  ///< Strength of the XSPH smoothing. With a lower value, a fluid at rest keeps jittering.
  double wall_friction = 1;
  double wall_adhesion = 0;
  double miscibility = 0;
  double spin_viscosity = 0;
  double spin_inertia = 0.5;
  double shifting = 0;
};

/// Properties of a phase. FluidPhase derives from this struct and includes phase_force_params() in its parameter table.
struct PhaseForces {
  double viscosity_pas = 0;  ///< Dynamic viscosity [Pa s].
  double tension_npm = 0;    ///< Tension of the free surface [N/m].
};

/// Parameter tables of FluidForces and PhaseForces.
[[nodiscard]] const ParamTable<FluidForces>& force_params();
[[nodiscard]] const ParamTable<PhaseForces>& phase_force_params();

/// State that forces carry from one substep to the next, in the order of the workspace's particles. An array stays
/// empty until a force first needs it, and then starts with one zero per particle. An array whose length is not the
/// number of particles counts as empty.
struct ForceRows {
  Float4s spin;     ///< Angular velocity of micropolar particles [rad/s].
  Float4s viscous;  ///< Acceleration by viscosity [m/s^2], the initial guess of the next implicit solve.
};

struct ForceInput {
  FluidForces settings;
  std::span<const PhaseForces> phases;
  std::span<const std::uint8_t> phase;   ///< Phase of each particle of the workspace.
  std::span<const Walls::Owner> owners;  ///< Owner of each wall sample.
  /// Guests in the fluid. `impulse` must have one entry per sample. Friction and adhesion are added to `impulse`.
  std::span<Guest> guests;
};

/// Applies the forces. Keeps scratch memory from one substep to the next.
class ForceSolver {
 public:
  /// Changes velocities (xyz of space.motion, periodic images included) by all forces over dt. Apply gravity and
  /// external impulses first. Overwrites w of space.rows and of space.motion, and uses space.before as scratch memory.
  /// Computes space.strain if space.fully_periodic_full is true, and clears it otherwise. Returns the result of the
  /// viscosity solve.
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

/// Returns the longest substep for which the explicitly integrated forces are stable [s]. The result is infinite if no
/// such force acts. `least_density`: lowest rest density of the phases [kg/m^3].
[[nodiscard]] double stable_force_step(const FluidForces& settings, std::span<const PhaseForces> phases,
                                       const SphScale& scale, double least_density);

/// Writes the curl of the velocity (space.motion) at each particle [1/s], for pictures. For linear velocity fields the
/// result is exact to rounding, even at surfaces.
void vorticity(const SphWorkspace& space, std::span<Float4> out);

/// Writes the displacement of each particle in this substep [m] by particle shifting, from dense to sparse regions
/// (after Lind, Xu, Stansby & Rogers 2012, eq. 22). The displacement is zero near free surfaces and at most a twentieth
/// of the spacing. `share`: strength of the shifting, 0 to 1.
void shifts(const SphWorkspace& space, double share, std::span<Float4> out);

}  // namespace vw
