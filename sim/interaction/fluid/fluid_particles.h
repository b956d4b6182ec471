// Two-way coupling of particles and fluids, for sinking sand, rising bubbles, floating cork, or mist carried by the
// flow. A particle is a sphere smaller than the spacing of the fluid. It displaces no fluid particles, and the mean
// state of the fluid around it acts on it.
#pragma once

#include <vector>

#include "sim/interaction/fluid/fluid_mean.h"
#include "sim/interaction/rule.h"

namespace vw {

struct FluidParticlesParams : RuleParams {
  double viscosity_pas = 1e-3;
  double added_mass = 0.5;
};
[[nodiscard]] const ParamTable<FluidParticlesParams>& fluid_particles_params();

/// Three effects of the fluid act on a particle. The drag (sim/field/drag/sphere_drag.h) is implicit and therefore
/// stable at any substep. The buoyancy is that of a body in a fluid at rest. The added mass is the mass of the fluid
/// that accelerates with the particle. The surrounding fluid particles receive the opposite impulse, distributed with
/// the weights of the kernel mean, so momentum is conserved exactly.
class FluidParticles final : public RuleOf<FluidParticlesParams> {
 public:
  explicit FluidParticles(const Node& self) : RuleOf(fluid_particles_params(), self) {}

  void apply(System& a, System& b, const PairContext& context) override;

 private:
  /// Gravity that acts on the particles and on the fluid [m/s^2].
  struct Pull {
    Vec3 particle = Vec3::Zero(), fluid = Vec3::Zero();
  };
  [[nodiscard]] Vec3 impulse_on(const Elements& grains, std::size_t grain, const FluidMean::Around& fluid,
                                const Pull& pull, const PairContext& context) const;

  FluidMean mean_;
  std::vector<Vec3> place_;  ///< Present positions of the particles [m].
};

[[nodiscard]] const Schema& fluid_particles_schema();

}  // namespace vw
