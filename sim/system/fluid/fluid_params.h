// Parameters of a fluid and of its phases. The parameters of fills, inflows and drains are declared in fill.h and
// flow.h.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/base/data/node.h"
#include "sim/system/fluid/forces/forces.h"
#include "sim/system/fluid/forces/surface_wind.h"
#include "sim/system/fluid/rows/sph_kernel.h"

namespace vw {

enum class FluidMethod { dfsph, wcsph };
/// `automatic` selects the cubic spline for creeping liquids and Wendland's function for all others; see
/// kernel_in_use().
enum class KernelChoice { automatic, cubic, wendland };
enum class PeriodicAxes { none, x, y, z, xy, xz, yz, xyz };

struct FluidParams : FluidForces, SurfaceWindParams {
  double spacing_m = 0.02;
  std::int64_t capacity = 1000000;
  FluidMethod method = FluidMethod::dfsph;
  KernelChoice kernel_choice = KernelChoice::automatic;
  SphKernel kernel = SphKernel::wendland;  ///< Kernel in use, from kernel_in_use(); not a declared parameter.
  double density_error = 5e-4;
  double divergence_error = 1e-4;
  std::int64_t max_iterations = 100;
  double cfl = 0.4;
  double max_dt_s = 0.005;
  double stiffness_pa = 50'000;
  double stiffness_exponent = 7;
  double gravity_scale = 1;
  double central_pull = 0;
  Vec3 domain_center{0, 0, 0};
  Vec3 domain_size{200, 200, 200};
  PeriodicAxes periodic = PeriodicAxes::none;
};
/// Parameter table: keys, units, defaults, ranges.
[[nodiscard]] const ParamTable<FluidParams>& fluid_params();

/// One liquid of a fluid. The particles of all phases share one pressure solve.
struct FluidPhase : PhaseForces {
  double density_kgpm3 = 1000;
  Vec3 color{0.16, 0.42, 0.78};
  std::string name;  ///< Name of the phase's node in the scene.
};
/// Schema of `[[system.phase]]`.
[[nodiscard]] const Schema& fluid_phase_schema();
/// Phases of a fluid's node in file order. If the node has none, the result is one phase of water.
[[nodiscard]] std::vector<FluidPhase> fluid_phases(const Node& self);
/// Index of the phase called `name`, the value of the parameter `phase` of `child` (a fill or an inflow). Returns 0 if
/// `name` is empty.
[[nodiscard]] Result<std::uint8_t> find_phase(std::span<const FluidPhase> phases, const Node& child,
                                              const std::string& name);

/// Whether a liquid of kinematic viscosity `nu_m2ps` falls over one spacing at a Reynolds number below ten. Such a
/// liquid does not settle by itself within an acceptable time. False without gravity.
[[nodiscard]] bool creeps(double nu_m2ps, double spacing_m, const Vec3& gravity_mps2);
/// The kernel that `kernel_choice` selects. In a sheared lattice, the density sum of Wendland's function varies several
/// times as much as the density sum of the cubic spline, whose Fourier transform is zero at the lattice's wave number
/// (2 pi / d for H = 2 d). At each such variation, particles must push others aside against the pressure, which acts as
/// friction. This friction matters only if viscosity and pressure alone move the particles, that is, if all phases
/// creep.
[[nodiscard]] SphKernel kernel_in_use(const FluidParams& params, std::span<const FluidPhase> phases,
                                      const Vec3& gravity_mps2);

}  // namespace vw
