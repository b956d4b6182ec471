// Particles in fluids, two-way: sand that sinks, bubbles and cork that rise, mist that is carried along. A particle is a ball smaller than the
// fluid's spacing: it takes up no room there, and feels what flows past it as the fluid around it is on average.
#pragma once

#include <vector>

#include "sim/interaction/fluid_mean.h"
#include "sim/interaction/rule.h"

namespace vw {

struct FluidParticlesParams : RuleParams {
  double viscosity_pas = 1e-3;
  double added_mass = 0.5;
};
[[nodiscard]] const ParamTable<FluidParticlesParams>& fluid_particles_params();

/// Drag (sim/field/sphere_drag.h), which is solved for, so that no step is too long for it; buoyancy as in fluid at rest; and the mass of the fluid
/// that goes along when a particle speeds up. What a particle gets, the rows around it give, by their weights in the mean: momentum is exact.
class FluidParticles final : public RuleOf<FluidParticlesParams> {
 public:
  explicit FluidParticles(const Node& self) : RuleOf(fluid_particles_params(), self) {}

  void apply(System& a, System& b, const PairContext& context) override;

 private:
  /// Gravity that each side feels [m/s^2].
  struct Pull {
    Vec3 particle = Vec3::Zero(), fluid = Vec3::Zero();
  };
  [[nodiscard]] Vec3 impulse_on(const Elements& grains, std::size_t grain, const FluidMean::Around& fluid, const Pull& pull,
                                const PairContext& context) const;

  FluidMean mean_;
  std::vector<Vec3> place_;  ///< of the particles, now
};

[[nodiscard]] const Schema& fluid_particles_schema();

}  // namespace vw
