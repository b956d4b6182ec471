// The tables of a fluid's parameters and of its phases'.
#include "sim/system/fluid/fluid_params.h"

#include <algorithm>
#include <cmath>

namespace vw {
namespace {

const ParamTable<FluidPhase>& phase_params() {
  using P = FluidPhase;
  static const auto forces = phase_force_params<P>();
  static const ParamTable<P> table{
      {&P::density_kgpm3, "density", Unit::kilogram_per_m3, 1000.0, {1, 1e5}, Scale::log, Live::yes, "Density at rest."},
      forces[0],
      forces[1],
      {&P::color, "color", Unit::ratio, Vec3(0.16, 0.42, 0.78), {0, 1}, Live::yes, "Colour, linear red, green, blue.", ParamType::color},
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
       "Distance of particles at rest, twice their radius: half of it means eight times as many particles, and twice as many substeps."},
      {&P::capacity,
       "capacity",
       Unit::count,
       std::int64_t{1000000},
       {1, 1e8},
       Scale::log,
       Live::no,
       "Particles at most; inflows wait while it is full."},
      {&P::method,
       "method",
       FluidMethod::dfsph,
       {"dfsph", "wcsph"},
       Live::yes,
       "dfsph: pressures that keep the volume, solved for in each substep; wcsph: pressures from a stiff law of state, ten times as many substeps."},
      {&P::kernel_choice,
       "kernel",
       KernelChoice::automatic,
       {"auto", "cubic", "wendland"},
       Live::yes,
       "Smoothing kernel: the cubic spline, with which particles of viscous liquids pass one another with less friction, or Wendland's C2 function, "
       "whose particles do not pair up. auto: the cubic spline where every phase is too viscous to settle by itself (from 0.44 Pa s on at a spacing "
       "of 12.5 mm and 1,000 kg/m^3), else Wendland's."},
      {&P::density_error, "density_error", Unit::ratio, 5e-4, {1e-6, 0.1}, Scale::log, Live::yes, "Mean compression that a dfsph substep may leave."},
      {&P::divergence_error,
       "divergence_error",
       Unit::ratio,
       1e-4,
       {1e-6, 1},
       Scale::log,
       Live::yes,
       "Mean compression in a substep to which the velocities that dfsph leaves may lead. Where rows go by more than 0.02 spacings in it, in "
       "proportion more, up to 0.001."},
      {&P::max_iterations,
       "max_iterations",
       Unit::count,
       std::int64_t{100},
       {2, 10000},
       Scale::log,
       Live::yes,
       "Iterations of each pressure solve at most."},
      {&P::cfl,
       "cfl",
       Unit::ratio,
       0.4,
       {0.02, 0.6},
       Scale::log,
       Live::yes,
       "Way that the fastest particle may go in a substep, in spacings: less is quieter and slower."},
      {&P::max_dt_s, "max_dt", Unit::second, 0.005, {1e-6, 0.02}, Scale::log, Live::yes, "Longest substep."},
      {&P::stiffness_pa,
       "stiffness",
       Unit::pascal,
       50'000.0,
       {1, 1e9},
       Scale::log,
       Live::yes,
       "Of wcsph: pressure is this times (density^exponent - 1). Higher gives way less and needs more substeps, as its root."},
      {&P::stiffness_exponent,
       "stiffness_exponent",
       Unit::none,
       7.0,
       {1, 10},
       Scale::linear,
       Live::yes,
       "Of wcsph: exponent of the law of state, 7 for water."},
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
      {&P::gravity_scale, "gravity_scale", Unit::ratio, 1.0, {-10, 10}, Scale::linear, Live::yes, "Share of the world's gravity that it feels."},
      {&P::central_pull,
       "central_pull",
       Unit::none,
       0.0,
       {0, 100},
       Scale::linear,
       Live::yes,
       "Acceleration toward the middle of the domain for each metre from it [1/s^2], not along periodic axes."},
      {&P::domain_center, "domain_center", Unit::meter, Vec3(0, 0, 0), {-1e6, 1e6}, Live::no, "Middle of the domain."},
      {&P::domain_size,
       "domain_size",
       Unit::meter,
       Vec3(200, 200, 200),
       {1e-4, 1e6},
       Live::no,
       "Edge lengths of the domain. Particles that leave it are removed and counted; along periodic axes they come back on the other side."},
      {&P::periodic,
       "periodic",
       PeriodicAxes::none,
       {"none", "x", "y", "z", "xy", "xz", "yz", "xyz"},
       Live::no,
       "Axes along which the domain's sides are one and the same place."},
  };
  return table;
}

const Schema& fluid_phase_schema() {
  static const Schema schema{"phase", "A liquid: what it weighs and looks like.", phase_params().specs(), {}};
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
  if (params.kernel_choice != KernelChoice::automatic) return params.kernel_choice == KernelChoice::cubic ? SphKernel::cubic : SphKernel::wendland;
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
  return wrong_value(child.line, "phase", '"' + name + '"', "must name a phase of this fluid", nearest_word(name, known));
}

}  // namespace vw
