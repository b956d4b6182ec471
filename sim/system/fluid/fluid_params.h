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
/// `automatic` selects the cubic spline if all phases creep, otherwise Wendland's function; see kernel_in_use().
enum class KernelChoice { automatic, cubic, wendland };
enum class PeriodicAxes { none, x, y, z, xy, xz, yz, xyz };

struct FluidParams : FluidForces, SurfaceWindParams {
  double spacing_m = 0.02;
  std::int64_t capacity = 1000000;
  FluidMethod method = FluidMethod::dfsph;
  KernelChoice kernel_choice = KernelChoice::automatic;
  SphKernel kernel = SphKernel::wendland;  ///< Result of kernel_in_use(). Not a declared parameter.
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
/// Returns the phases of a fluid's node in file order. If the node has none, the result is one phase of water.
[[nodiscard]] std::vector<FluidPhase> fluid_phases(const Node& self);
/// Returns the index of the phase called `name`. `name` is the value of the parameter `phase` of `child`, a fill or an
/// inflow. Returns 0 if `name` is empty, and an error if no phase has this name.
[[nodiscard]] Result<std::uint8_t> find_phase(std::span<const FluidPhase> phases, const Node& child,
                                              const std::string& name);

/// Whether a liquid creeps: its Reynolds number sqrt(g d) d / nu is below ten, with the gravity g, the spacing d and
/// the kinematic viscosity nu. Such a liquid does not settle by itself within an acceptable time. Returns false without
/// gravity.
[[nodiscard]] bool creeps(double nu_m2ps, double spacing_m, const Vec3& gravity_mps2);
/// Returns the kernel that `kernel_choice` selects. `automatic` selects the cubic spline if all phases creep (see
/// creeps()), otherwise Wendland's function. While a lattice of particles is sheared, its density sum varies. With
/// Wendland's function the variation is several times as large as with the cubic spline, whose Fourier transform is
/// zero at the wave number 2 pi / d of the lattice (spacing d, support radius 2 d). At each variation, particles push
/// others aside against the pressure, and this work acts as friction. The friction matters only if viscosity and
/// pressure alone move the particles, that is, if all phases creep.
[[nodiscard]] SphKernel kernel_in_use(const FluidParams& params, std::span<const FluidPhase> phases,
                                      const Vec3& gravity_mps2);

}  // namespace vw
