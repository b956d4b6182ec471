// What can be set of a fluid as a whole and of its phases; fills, inflows and drains declare their own (fill.h, flow.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/base/node.h"
#include "sim/system/fluid/forces.h"
#include "sim/system/fluid/sph_kernel.h"
#include "sim/system/fluid/surface_wind.h"

namespace vw {

enum class FluidMethod { dfsph, wcsph };
/// `automatic`: the cubic spline for liquids that creep, see kernel_in_use(), Wendland's function for all others.
enum class KernelChoice { automatic, cubic, wendland };
enum class PeriodicAxes { none, x, y, z, xy, xz, yz, xyz };

struct FluidParams : FluidForces, SurfaceWindParams {
  double spacing_m = 0.02;
  std::int64_t capacity = 1000000;
  FluidMethod method = FluidMethod::dfsph;
  KernelChoice kernel_choice = KernelChoice::automatic;
  SphKernel kernel = SphKernel::wendland;  ///< the one in use; not declared, kernel_in_use() finds it
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
/// Their declarations: keys, units, defaults, ranges.
[[nodiscard]] const ParamTable<FluidParams>& fluid_params();

/// One liquid of a fluid; particles of several share one pressure solve.
struct FluidPhase : PhaseForces {
  double density_kgpm3 = 1000;
  Vec3 color{0.16, 0.42, 0.78};
  std::string name;  ///< of its node
};
/// Schema of `[[system.phase]]`.
[[nodiscard]] const Schema& fluid_phase_schema();
/// Those of a fluid's node, in the order of the file; water where it declares none.
[[nodiscard]] std::vector<FluidPhase> fluid_phases(const Node& self);
/// The phase that `child` (a fill, an inflow) names in its text `phase`; empty: the first.
[[nodiscard]] Result<std::uint8_t> find_phase(std::span<const FluidPhase> phases, const Node& child, const std::string& name);

/// Whether a liquid of kinematic viscosity `nu_m2ps` falls over a spacing at a Reynolds number below ten, so that it does not come to rest by
/// itself within the time that users wait; never without gravity.
[[nodiscard]] bool creeps(double nu_m2ps, double spacing_m, const Vec3& gravity_mps2);
/// The kernel that `kernel_choice` means. In a lattice that is sheared the density that Wendland's function sums changes several times as much as
/// that of the cubic spline, whose Fourier transform is zero at the lattice's wave number (2 pi / d of H = 2 d). Particles must push others aside
/// against the pressure for each such change, a friction that only matters where nothing but viscosity and pressure moves them: where all phases
/// creep.
[[nodiscard]] SphKernel kernel_in_use(const FluidParams& params, std::span<const FluidPhase> phases, const Vec3& gravity_mps2);

}  // namespace vw
