// Fluids with rigid bodies in them, two-way.
#pragma once

#include "sim/interaction/fluid_body.h"
#include "sim/system/fluid/walls.h"
#include "sim/system/rigid/rigid.h"

namespace vw {

class FluidRigid final : public FluidBodyRule {
 public:
  using FluidBodyRule::FluidBodyRule;
  [[nodiscard]] Result<void> configure(const Node& self) override;

 private:
  [[nodiscard]] std::function<bool(const Vec3&)> inside(const System& body, double margin) const override;
  void bring(FluidSystem& fluid, System& body, const PairContext& context) override;
  void collect(System& body) override;
  void sample(const RigidSystem& rigid, double spacing_m);

  std::vector<SurfaceSamples> samples_;  ///< of each body, about its centre of mass; a cache
  double spacing_m_ = 0;
};

[[nodiscard]] const Schema& fluid_rigid_schema();
[[nodiscard]] Result<std::unique_ptr<Interaction>> create_fluid_rigid(const Node& self);

}  // namespace vw
