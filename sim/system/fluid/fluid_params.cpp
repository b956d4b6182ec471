// Parameter tables of a fluid and of its phases, and the choice of the kernel.
#include "sim/system/fluid/fluid_params.h"

#include <algorithm>
#include <cmath>

namespace vw {
namespace {

const ParamTable<FluidPhase>& phase_params() {
  using P = FluidPhase;
  static const ParamTable<P> table{
      Param<P>{.member = &P::density_kgpm3,
               .key = "density",
               .unit = Unit::kilogram_per_m3,
               .range = {1, 1e5},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Density of the liquid at rest."},
      phase_force_params(),
      Param<P>{.member = &P::color,
               .key = "color",
               .label = "Colour",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .color = true,
               .doc = "Colour in pictures, as linear red, green and blue from 0 to 1."},
  };
  return table;
}

}  // namespace

const ParamTable<FluidParams>& fluid_params() {
  using P = FluidParams;
  static const ParamTable<P> table{
      Param<P>{.member = &P::spacing_m,
               .key = "spacing",
               .unit = Unit::meter,
               .range = {1e-5, 100},
               .scale = Scale::log,
               .doc = "Distance between neighbouring particles of the fluid at rest. If the spacing is halved, the "
                      "fluid needs eight times as many particles and twice as many substeps."},
      Param<P>{
          .member = &P::capacity,
          .key = "capacity",
          .unit = Unit::count,
          .range = {1, 1e8},
          .scale = Scale::log,
          .doc = "Largest number of particles of the fluid. While the fluid has this number, inflows add no fluid."},
      Param<P>{.member = &P::method,
               .key = "method",
               .live = Live::yes,
               .choices = {"dfsph", "wcsph"},
               .doc = "Method that computes the pressure. dfsph: incompressible fluid; iterations compute the pressure "
                      "in each substep. wcsph: slightly compressible fluid; the pressure follows from the density, and "
                      "about ten times as many substeps are needed."},
      Param<P>{.member = &P::kernel_choice,
               .key = "kernel",
               .live = Live::yes,
               .choices = {"auto", "cubic", "wendland"},
               .doc = "Smoothing kernel of SPH. auto: cubic if all phases are very viscous, otherwise wendland. A "
                      "phase is very viscous if its viscosity exceeds density * spacing * sqrt(g * spacing) / 10, "
                      "where g is the gravity of the fluid. cubic: cubic spline, with less friction between particles "
                      "of viscous liquids. wendland: C2 function of Wendland, with which particles do not form pairs."},
      Param<P>{.member = &P::density_error,
               .key = "density_error",
               .unit = Unit::ratio,
               .range = {1e-6, 0.1},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Tolerance of the density solve, if method = \"dfsph\": mean relative compression of the fluid "
                      "that may remain after a substep. Smaller values need more iterations."},
      Param<P>{.member = &P::divergence_error,
               .key = "divergence_error",
               .unit = Unit::ratio,
               .range = {1e-6, 1},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Tolerance of the velocity solve, if method = \"dfsph\": relative compression (root mean square) "
                      "that the velocities may cause in a substep. In violent flow, the tolerance is larger, up to "
                      "0.001. Flow is violent if particles move relative to each other by more than 0.02 spacings "
                      "(root mean square) in a substep."},
      Param<P>{.member = &P::max_iterations,
               .key = "max_iterations",
               .label = "Maximum iterations",
               .unit = Unit::count,
               .range = {2, 10000},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Largest number of iterations of the density solve and of the velocity solve in a substep, if "
                      "method = \"dfsph\"."},
      Param<P>{.member = &P::cfl,
               .key = "cfl",
               .label = "CFL factor",
               .unit = Unit::ratio,
               .range = {0.02, 0.6},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Largest distance that a particle may move in a substep, as a multiple of `spacing`. Lower "
                      "values reduce noise, but need more substeps."},
      Param<P>{.member = &P::max_dt_s,
               .key = "max_dt",
               .label = "Longest substep",
               .unit = Unit::second,
               .range = {1e-6, 0.02},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Longest substep of the fluid. Substeps are shorter if stability requires it."},
      Param<P>{.member = &P::stiffness_pa,
               .key = "stiffness",
               .unit = Unit::pascal,
               .range = {1, 1e9},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Stiffness of the fluid, if method = \"wcsph\". The pressure is stiffness * "
                      "(r^stiffness_exponent - 1), where r is the density divided by the rest density. Higher values "
                      "reduce compression. The number of substeps grows with the square root of the stiffness."},
      Param<P>{.member = &P::stiffness_exponent,
               .key = "stiffness_exponent",
               .range = {1, 10},
               .live = Live::yes,
               .doc = "Exponent of the relation between pressure and density, if method = \"wcsph\". Water has 7."},
      force_params(),
      surface_wind_params(),
      Param<P>{
          .member = &P::gravity_scale,
          .key = "gravity_scale",
          .unit = Unit::ratio,
          .range = {-10, 10},
          .live = Live::yes,
          .doc =
              "Factor by which the gravity of the world is multiplied for this system. 0 makes the system weightless."},
      Param<P>{.member = &P::central_pull,
               .key = "central_pull",
               .unit = Unit::per_second2,
               .range = {0, 100},
               .live = Live::yes,
               .doc = "Attraction towards the centre of the domain, as acceleration per metre of distance from the "
                      "centre. It does not act along periodic axes. 0 means no attraction."},
      Param<P>{.member = &P::domain_center,
               .key = "domain_center",
               .label = "Domain centre",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .doc = "Centre of the domain, which is the box that contains the fluid."},
      Param<P>{.member = &P::domain_size,
               .key = "domain_size",
               .unit = Unit::meter,
               .range = {1e-4, 1e6},
               .doc = "Edge lengths of the domain, which is the box that contains the fluid. Particles that leave the "
                      "domain are removed, except along periodic axes, where they enter again on the opposite side."},
      Param<P>{.member = &P::periodic,
               .key = "periodic",
               .choices = {"none", "x", "y", "z", "xy", "xz", "yz", "xyz"},
               .doc = "Axes along which the domain of the fluid is periodic. A particle that leaves the domain along "
                      "such an axis enters again on the opposite side."},
  };
  return table;
}

const Schema& fluid_phase_schema() {
  static const Schema schema{
      "phase", "A liquid with its density, viscosity, surface tension and colour.", phase_params().specs(), {}};
  return schema;
}

std::vector<FluidPhase> fluid_phases(const Node& self) {
  std::vector<FluidPhase> phases;
  for (const Node* node : self.all("phase")) {
    phases.push_back(phase_params().read(node->values));
    phases.back().name = node->name;
  }
  if (phases.empty()) {
    phases.push_back(phase_params().defaults());
    phases.back().name = "water";
  }
  return phases;
}

bool creeps(double nu_m2ps, double spacing_m, const Vec3& gravity_mps2) {
  constexpr double inverse_reynolds = 0.1;
  const double g = gravity_mps2.norm();
  return g > 0 && nu_m2ps > inverse_reynolds * std::sqrt(g * spacing_m) * spacing_m;
}

SphKernel kernel_in_use(const FluidParams& params, std::span<const FluidPhase> phases, const Vec3& gravity_mps2) {
  if (params.kernel_choice != KernelChoice::automatic)
    return params.kernel_choice == KernelChoice::cubic ? SphKernel::cubic : SphKernel::wendland;
  const auto creeping = [&](const FluidPhase& phase) {
    return creeps(phase.viscosity_pas / phase.density_kgpm3, params.spacing_m, params.gravity_scale * gravity_mps2);
  };
  return std::all_of(phases.begin(), phases.end(), creeping) ? SphKernel::cubic : SphKernel::wendland;
}

Result<std::uint8_t> find_phase(std::span<const FluidPhase> phases, const Node& child, const std::string& name) {
  if (name.empty()) return std::uint8_t{0};
  std::vector<std::string> known;
  for (std::size_t i = 0; i < phases.size(); ++i) {
    if (phases[i].name == name) return static_cast<std::uint8_t>(i);
    known.push_back(phases[i].name);
  }
  return wrong_value(child.line, "phase", '"' + name + '"', "must name a phase of this fluid",
                     nearest_word(name, known));
}

}  // namespace vw
