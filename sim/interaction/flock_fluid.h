// Flocks in fluids, two-way: fish swim in the water by pushing it back, it carries them along and bears them up.
#pragma once

#include <vector>

#include "sim/interaction/flock_side.h"
#include "sim/interaction/fluid_mean.h"

namespace vw {

[[nodiscard]] const ParamTable<RuleParams>& flock_fluid_params();

/// Of members whose medium is water. As their substep begins each is told the water around it. Then, at each substep of the finer side: the thrust
/// that it gives itself, as far as it is under water, is taken from the water at its tail; drag against the mean of the water around it, which is
/// solved for so that no step is too long and crowds share what they brake; and buoyancy as in water at rest. Rows get the opposite of each by their
/// weights in the mean: momentum is exact, and who swims at a steady speed leaves a stream behind it that goes back, and one with it that goes forth.
/// Members that fly keep clear of the surface.
class FlockFluid final : public RuleOf<RuleParams> {
 public:
  explicit FlockFluid(const Node& self) : RuleOf(flock_fluid_params(), self) {}

  void prepare(System& a, System& b, const PairContext& context) override;
  void answer(System& a, const PairContext& context) override;
  void apply(System& a, System& b, const PairContext& context) override;

 private:
  /// Members of one species whose medium is water. What they are in is looked for within half their length: large ones push much water.
  struct Swimmers {
    FluidMean mean;
    std::vector<std::uint32_t> row;  ///< of the flock
    std::vector<Vec3> point;         ///< of each: its middle; after all of them, of each: its tail
  };
  void find_water(const FlockSystem& flock, const FluidSystem& fluid, const PairContext& context);
  void tell_water(FlockSystem& flock, const Elements& water) const;
  static void swim(const Swimmers& swimmers, double density_kgpm3, FlockSystem& flock, const FluidSystem& fluid, Elements& water,
                   const PairContext& context);
  void show_surface(FlockSystem& flock, const FluidSystem& fluid, const PairContext& context);

  std::vector<Swimmers> swimmers_;      ///< by species
  std::vector<std::uint32_t> highest_;  ///< row of the fluid over each square of the ground; scratch
  std::size_t found_rows_ = 0;          ///< of the fluid when they were found last
};

[[nodiscard]] const Schema& flock_fluid_schema();

}  // namespace vw
