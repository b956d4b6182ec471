// The particles are updated one after the other, each with the kernel mean of the fluid around it. This mean includes
// the impulses of earlier particles on the fluid.
#include "sim/interaction/fluid/fluid_particles.h"

#include "sim/field/drag/sphere_drag.h"
#include "sim/system/particles/particles.h"

namespace vw {
namespace {

double sphere_volume(double radius) { return 4.0 / 3.0 * pi * radius * radius * radius; }

}  // namespace

const ParamTable<FluidParticlesParams>& fluid_particles_params() {
  using P = FluidParticlesParams;
  static const ParamTable<P> table{
      rule_params("Whether the fluid and the particles push each other. If off, the particles pass through the fluid."),
      Param<P>{.member = &P::viscosity_pas,
               .key = "viscosity",
               .unit = Unit::pascal_second,
               .range = {1e-9, 1e6},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Dynamic viscosity that determines the drag of the fluid on particles. Water has 0.001 Pa s. "
                      "The viscosity of the fluid itself does not affect this drag."},
      Param<P>{.member = &P::added_mass,
               .key = "added_mass",
               .unit = Unit::ratio,
               .range = {0, 10},
               .live = Live::yes,
               .doc = "Mass of the fluid that accelerates with a particle, as a fraction of the mass of the displaced "
                      "fluid. A sphere has 0.5. At 0, bubbles reach their final speed almost at once."},
  };
  return table;
}

const Schema& fluid_particles_schema() {
  static const Schema schema{"fluid_particles",
                             "Drag, buoyancy and added mass act between fluids and particles.",
                             fluid_particles_params().specs(),
                             {},
                             "Fluids and particles"};
  return schema;
}

/// Returns the impulse of the fluid on a particle, from (m + m_a) dv/dt = m g_p - rho V g_f - k (v - u). m is the mass
/// of the particle, m_a its added mass, V its immersed volume and v its velocity. rho is the density of the fluid, u
/// its mean velocity, and k the drag coefficient [kg/s]. The drag is implicit: it uses the velocity at the end of the
/// time span. The particle system itself applies the weight m g_p, so the impulse returned here leaves it out. The
/// gravity g_f of the fluid determines the hydrostatic pressure and may differ from g_p.
Vec3 FluidParticles::impulse_on(const Elements& grains, std::size_t i, const FluidMean::Around& fluid, const Pull& pull,
                                const PairContext& context) const {
  const double mass = grains.mass[i],
               displaced = fluid.immersed * fluid.density_kgpm3 * sphere_volume(grains.radius[i]);
  const double inertia = mass + params_.added_mass * displaced;
  // The pending impulse already includes the forces that balance gravity in the elapsed part of the particle's substep.
  // The velocity does not yet include gravity for that part, so gravity is added here.
  const Vec3 relative = grains.velocity[i] + grains.impulse[i] / mass + context.age_b * pull.particle - fluid.velocity;
  const Vec3 driven = context.dt / inertia * (mass * pull.particle - displaced * pull.fluid);
  const double drag =
      fluid.immersed * ball_drag({fluid.density_kgpm3, params_.viscosity_pas}, grains.radius[i], relative.norm());
  const Vec3 braked =
      context.dt * drag / (1 + context.dt * drag * (1 / inertia + fluid.inverse_mass)) * (relative + driven);
  return mass * (driven - braked / inertia - context.dt * pull.particle);
}

void FluidParticles::apply(System& a, System& b, const PairContext& context) {
  Elements &rows = a.elements(), &grains = b.elements();
  if (rows.size() == 0 || grains.size() == 0) return;
  place_.resize(grains.size());
  for (std::size_t i = 0; i < grains.size(); ++i) place_[i] = grains.position[i] + context.age_b * grains.velocity[i];
  rows.room_for_impulses();
  grains.room_for_impulses();
  const auto& water = static_cast<const FluidSystem&>(a);
  const Pull pull{particles_gravity_scale(b) * context.gravity, water.gravity_scale() * context.gravity};
  mean_.find(water, context.age_a, place_);
  for (std::size_t i = 0; i < grains.size(); ++i) {
    const FluidMean::Around fluid = mean_.at(rows, i);
    if (fluid.weight <= 0) continue;
    const Vec3 given = impulse_on(grains, i, fluid, pull, context);
    grains.impulse[i] += given;
    mean_.give(rows, i, fluid, -given);
  }
}

}  // namespace vw
