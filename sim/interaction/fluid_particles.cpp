// The mean of the fluid around each particle by the kernel of the fluid, then one particle after the other, so that crowds share what they brake.
#include "sim/interaction/fluid_particles.h"

#include <algorithm>
#include <cmath>

#include "sim/base/parallel.h"
#include "sim/field/sphere_drag.h"
#include "sim/system/fluid/fluid.h"
#include "sim/system/fluid/sph_kernel.h"

namespace vw {
namespace {

constexpr std::size_t grain_size = 256;
/// Walls have no rows: a place counts as full from this share of weights on, which a flat wall leaves, and a free surface has.
constexpr double full_from = 0.5;

double sphere_volume(double radius) { return 4.0 / 3.0 * pi * radius * radius * radius; }

}  // namespace

const ParamTable<FluidParticlesParams>& fluid_particles_params() {
  using P = FluidParticlesParams;
  static const ParamTable<P> table{
      rule_enabled<P>("Whether fluids carry particles, and particles move them."),
      rule_a<P>(),
      rule_b<P>(),
      {&P::viscosity_pas,
       "viscosity",
       Unit::none,
       1e-3,
       {1e-9, 1e6},
       Scale::log,
       Live::yes,
       "Dynamic viscosity that drags a particle along, in Pa s; water 0.001. The fluid's own says how fluid drags fluid."},
      {&P::added_mass,
       "added_mass",
       Unit::ratio,
       0.5,
       {0, 10},
       Scale::linear,
       Live::yes,
       "Mass of fluid that has to speed up with a particle, of what the particle displaces: 0.5 for a ball. Without it bubbles start at once."},
  };
  return table;
}

const Schema& fluid_particles_schema() {
  static const Schema schema{
      "fluid_particles", "Fluids drag particles and let them float or sink, and are dragged by them.", fluid_particles_params().specs(), {}};
  return schema;
}

void FluidParticles::find_near(const Elements& rows, const Elements& grains, double spacing_m, const PairContext& context) {
  const double reach = 2 * spacing_m, scale = lattice_factor(SphKernel::wendland) / 8;
  place_.resize(grains.size());
  Eigen::AlignedBox3d box;
  for (std::size_t i = 0; i < grains.size(); ++i) {
    place_[i] = grains.position[i] + context.age_b * grains.velocity[i];
    if (place_[i].allFinite()) box.extend(place_[i]);
  }
  box.extend(Vec3(box.min() - Vec3::Constant(reach))), box.extend(Vec3(box.max() + Vec3::Constant(reach)));
  row_.clear(), row_place_.clear();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Vec3 at = rows.position[k] + context.age_a * rows.velocity[k];
    if (!box.contains(at)) continue;
    row_.push_back(static_cast<std::uint32_t>(k));
    row_place_.push_back(at);
  }
  grid_.build(row_place_, reach);
  near_.resize(grains.size());
  parallel_for(grains.size(), grain_size, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      near_[i].clear();
      grid_.near(place_[i], [&](std::uint32_t k) {
        const double squared = (row_place_[k] - place_[i]).squaredNorm();
        if (squared < reach * reach) near_[i].push_back({row_[k], scale * kernel_shape(SphKernel::wendland, std::sqrt(squared) / reach)});
      });
    }
  });
}

/// Velocities count the impulses that wait, those of the particles before among them.
FluidParticles::Around FluidParticles::around(const Elements& rows, std::size_t grain, double volume_m3) const {
  Around fluid;
  for (const Near& near : near_[grain]) {
    fluid.weight += near.weight;
    fluid.velocity += near.weight * (rows.velocity[near.row] + rows.impulse[near.row] / rows.mass[near.row]);
    fluid.density_kgpm3 += near.weight * rows.mass[near.row] / volume_m3;
    fluid.inverse_mass += near.weight * near.weight / rows.mass[near.row];
  }
  if (fluid.weight <= 0) return {};
  fluid.velocity /= fluid.weight;
  fluid.density_kgpm3 /= fluid.weight;
  fluid.inverse_mass /= fluid.weight * fluid.weight;
  fluid.immersed = std::min(1.0, fluid.weight / full_from);
  return fluid;
}

/// (m + m_a) dv/dt = (m - rho V) g - k (v - u), with the drag of the end of the span, of which gravity is given to the particle by its own system.
Vec3 FluidParticles::impulse_on(const Elements& grains, std::size_t i, const Around& fluid, const PairContext& context) const {
  const double mass = grains.mass[i], displaced = fluid.immersed * fluid.density_kgpm3 * sphere_volume(grains.radius[i]);
  const double inertia = mass + params_.added_mass * displaced;
  // What waits for it holds it against a gravity that it has yet to feel of the part of its own substep that is over.
  const Vec3 relative = grains.velocity[i] + grains.impulse[i] / mass + context.age_b * context.gravity - fluid.velocity;
  const Vec3 driven = context.dt * (mass - displaced) / inertia * context.gravity;
  const double drag = fluid.immersed * ball_drag({fluid.density_kgpm3, params_.viscosity_pas}, grains.radius[i], relative.norm());
  const Vec3 braked = context.dt * drag / (1 + context.dt * drag * (1 / inertia + fluid.inverse_mass)) * (relative + driven);
  return mass * (driven - braked / inertia - context.dt * context.gravity);
}

void FluidParticles::apply(System& a, System& b, const PairContext& context) {
  Elements &rows = a.elements(), &grains = b.elements();
  if (rows.size() == 0 || grains.size() == 0) return;
  const double spacing = static_cast<const FluidSystem&>(a).spacing();
  find_near(rows, grains, spacing, context);
  rows.room_for_impulses();
  grains.room_for_impulses();
  for (std::size_t i = 0; i < grains.size(); ++i) {
    const Around fluid = around(rows, i, spacing * spacing * spacing);
    if (fluid.weight <= 0) continue;
    const Vec3 given = impulse_on(grains, i, fluid, context);
    grains.impulse[i] += given;
    for (const Near& near : near_[i]) rows.impulse[near.row] -= near.weight / fluid.weight * given;
  }
}

}  // namespace vw
