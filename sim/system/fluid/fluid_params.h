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
enum class PeriodicAxes { none, x, y, z, xy, xz, yz, xyz };

struct FluidParams : FluidForces, SurfaceWindParams {
  double spacing_m = 0.02;
  std::int64_t capacity = 1000000;
  FluidMethod method = FluidMethod::dfsph;
  SphKernel kernel = SphKernel::wendland;
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

}  // namespace vw
