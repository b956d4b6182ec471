// Parameter tables of a fluid and of its phases, and the choice of the kernel.
#include "sim/system/fluid/fluid_params.h"

#include <algorithm>
#include <cmath>

namespace vw {
namespace {

const ParamTable<FluidPhase>& phase_params() {
  using P = FluidPhase;
  static const auto forces = phase_force_params<P>();
  static const ParamTable<P> table{
      {&P::density_kgpm3, "density", Unit::kilogram_per_m3, 1000.0, {1, 1e5}, Scale::log, Live::yes, "Rest density."},
      forces[0],
      forces[1],
      {&P::color,
       "color",
       Unit::ratio,
       Vec3(0.16, 0.42, 0.78),
       {0, 1},
       Live::yes,
       "Colour, linear red, green, blue.",
       ParamType::color},
  };
  return table;
}

}  // namespace

const ParamTable<FluidParams>& fluid_params() {
  using P = FluidParams;
  static const auto forces = force_params<P>();
  static const auto wind = surface_wind_params<P>();
  static const ParamTable<P> table{
      {&P::spacing_m,
       "spacing",
       Unit::meter,
       0.02,
       {1e-5, 100},
       Scale::log,
       Live::no,
       "Particle spacing at rest, twice the particle radius. Half the spacing needs eight times as many particles and "
       "twice as many substeps."},
      {&P::capacity,
       "capacity",
       Unit::count,
       std::int64_t{1000000},
       {1, 1e8},
       Scale::log,
       Live::no,
       "Maximum number of particles. Inflows wait while it is reached."},
      {&P::method,
       "method",
       FluidMethod::dfsph,
       {"dfsph", "wcsph"},
       Live::yes,
       "Pressure solver. dfsph: incompressible, with an implicit solve in each substep; wcsph: stiff equation of "
       "state, with ten times as many "
       "substeps."},
      {&P::kernel_choice,
       "kernel",
       KernelChoice::automatic,
       {"auto", "cubic", "wendland"},
       Live::yes,
       "Smoothing kernel. cubic: cubic spline, with less friction between particles of viscous liquids; wendland: "
       "Wendland's C2 function, which "
       "prevents pairing of particles; auto: cubic if every phase is too viscous to settle by itself (above 0.44 Pa s "
       "at a spacing of 12.5 mm "
       "and 1,000 kg/m^3), otherwise wendland."},
      {&P::density_error,
       "density_error",
       Unit::ratio,
       5e-4,
       {1e-6, 0.1},
       Scale::log,
       Live::yes,
       "Mean relative compression that a dfsph "
       "substep may leave."},
      {&P::divergence_error,
       "divergence_error",
       Unit::ratio,
       1e-4,
       {1e-6, 1},
       Scale::log,
       Live::yes,
       "Root mean square compression that the velocities of dfsph may cause in a substep. If particles move more than "
       "0.02 spacings relative to "
       "each other in it, the tolerance grows in proportion, up to 0.001."},
      {&P::max_iterations,
       "max_iterations",
       Unit::count,
       std::int64_t{100},
       {2, 10000},
       Scale::log,
       Live::yes,
       "Maximum number of iterations of each pressure solve."},
      {&P::cfl,
       "cfl",
       Unit::ratio,
       0.4,
       {0.02, 0.6},
       Scale::log,
       Live::yes,
       "Largest displacement of the fastest particle in a substep, in spacings. A lower value is quieter and slower."},
      {&P::max_dt_s, "max_dt", Unit::second, 0.005, {1e-6, 0.02}, Scale::log, Live::yes, "Longest substep."},
      {&P::stiffness_pa,
       "stiffness",
       Unit::pascal,
       50'000.0,
       {1, 1e9},
       Scale::log,
       Live::yes,
       "Stiffness of wcsph: pressure = stiffness (density^exponent - 1). A higher value compresses less; the number of "
       "substeps grows with its "
       "square root."},
      {&P::stiffness_exponent,
       "stiffness_exponent",
       Unit::none,
       7.0,
       {1, 10},
       Scale::linear,
       Live::yes,
       "Exponent of the equation of state of wcsph, 7 for water."},
      forces[0],
      forces[1],
      forces[2],
      forces[3],
      forces[4],
      forces[5],
      forces[6],
      forces[7],
      forces[8],
      wind[0],
      wind[1],
      wind[2],
      wind[3],
      wind[4],
      {&P::gravity_scale,
       "gravity_scale",
       Unit::ratio,
       1.0,
       {-10, 10},
       Scale::linear,
       Live::yes,
       "Factor of the world's gravity that acts on "
       "the fluid."},
      {&P::central_pull,
       "central_pull",
       Unit::none,
       0.0,
       {0, 100},
       Scale::linear,
       Live::yes,
       "Acceleration toward the centre of the domain per metre of distance [1/s^2], except along periodic axes."},
      {&P::domain_center, "domain_center", Unit::meter, Vec3(0, 0, 0), {-1e6, 1e6}, Live::no, "Centre of the domain."},
      {&P::domain_size,
       "domain_size",
       Unit::meter,
       Vec3(200, 200, 200),
       {1e-4, 1e6},
       Live::no,
       "Edge lengths of the domain. Particles that leave it are removed and counted; along periodic axes they re-enter "
       "on the opposite side."},
      {&P::periodic,
       "periodic",
       PeriodicAxes::none,
       {"none", "x", "y", "z", "xy", "xz", "yz", "xyz"},
       Live::no,
       "Axes along which the domain is periodic."},
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
