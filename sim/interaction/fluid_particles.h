// Particles in fluids, two-way: sand that sinks, bubbles and cork that rise, mist that is carried along. A particle is a ball smaller than the
// fluid's spacing: it takes up no room there, and feels what flows past it as the fluid around it is on average.
#pragma once

#include <vector>

#include "sim/base/cell_grid.h"
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
  struct Near {
    std::uint32_t row;
    double weight;  ///< V W: of a full place they sum to one
  };
  /// The fluid around a particle.
  struct Around {
    Vec3 velocity = Vec3::Zero();
    double density_kgpm3 = 0;
    double immersed = 0;      ///< share of the particle
    double inverse_mass = 0;  ///< by which an impulse changes that velocity [1/kg]
    double weight = 0;
  };
  void find_near(const Elements& rows, const Elements& grains, double spacing_m, const PairContext& context);
  [[nodiscard]] Around around(const Elements& rows, std::size_t grain, double volume_m3) const;
  [[nodiscard]] Vec3 impulse_on(const Elements& grains, std::size_t grain, const Around& fluid, const PairContext& context) const;

  CellGrid grid_;
  std::vector<std::uint32_t> row_;       ///< of the fluid, near any particle
  std::vector<Vec3> row_place_, place_;  ///< of those, and of the particles, now
  std::vector<std::vector<Near>> near_;  ///< of each particle
};

[[nodiscard]] const Schema& fluid_particles_schema();

}  // namespace vw
