// Two-way coupling of flocks and fluids. Fish swim by pushing the water backwards. The water carries the fish, and
// buoyancy acts on them.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/interaction/flock/flock_side.h"
#include "sim/interaction/fluid/fluid_mean.h"

namespace vw {

[[nodiscard]] const ParamTable<RuleParams>& flock_fluid_params();

/// The rule acts on members whose medium is water. At the start of the flock's substep, the flock receives the mean
/// velocity of the water around each member. At each substep of the finer system, three forces act:
/// - The thrust of a member is proportional to its immersed fraction. The reaction acts on the water at its tail.
/// - The drag acts against the velocity of the member relative to the mean velocity of the water. It is implicit and
///   therefore stable at any substep. Members that swim close together share the water that they drag along.
/// - The buoyancy is that of a body in water at rest.
/// Fluid particles receive the opposite impulses, distributed with the weights of the kernel mean, so momentum is
/// conserved exactly. A member at steady speed pushes a stream of water backwards with its tail and drags other water
/// along. Members whose medium is not water avoid the surface of the fluid.
class FlockFluid final : public RuleOf<RuleParams> {
 public:
  explicit FlockFluid(const Node& self) : RuleOf(flock_fluid_params(), self) {}

  void prepare(System& a, System& b, const PairContext& context) override;
  void answer(System& a, const PairContext& context) override;
  void apply(System& a, System& b, const PairContext& context) override;

 private:
  /// Members of one species whose medium is water. The radius of the kernel mean is half the length of a member,
  /// because a large member moves much water, but at least two spacings of the fluid.
  struct Swimmers {
    FluidMean mean;
    std::vector<std::uint32_t> row;  ///< Rows of these members in the flock.
    std::vector<Vec3> point;  ///< Sample points: the centres of all members, followed by the tails of all members.
  };
  void find_water(const FlockSystem& flock, const FluidSystem& fluid, const PairContext& context);
  void tell_water(FlockSystem& flock, const Elements& water) const;
  static void swim(const Swimmers& swimmers, double density_kgpm3, FlockSystem& flock, const FluidSystem& fluid,
                   Elements& water, const PairContext& context);
  void show_surface(FlockSystem& flock, const FluidSystem& fluid, const PairContext& context);

  std::vector<Swimmers> swimmers_;      ///< One entry per species.
  std::vector<std::uint32_t> highest_;  ///< Scratch memory: highest fluid particle over each square of the x-z plane.
  std::size_t found_rows_ = 0;          ///< Number of fluid particles at the last search.
  std::uint32_t found_last_ = 0;        ///< Id of the last fluid particle at the last search, or 0 if there was none.
};

[[nodiscard]] const Schema& flock_fluid_schema();

}  // namespace vw
