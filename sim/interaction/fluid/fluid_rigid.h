// Two-way coupling of fluids and rigid bodies by one of two methods. Either the pressure solve of the fluid includes
// the bodies (fluid_body.h), or springs act between fluid particles and particles that fill the bodies
// (rigid_springs.h).
#pragma once

#include "sim/interaction/fluid/fluid_body.h"
#include "sim/interaction/fluid/rigid_springs.h"
#include "sim/system/fluid/walls/walls.h"
#include "sim/system/rigid/rigid.h"

namespace vw {

enum class RigidCoupling { pressure, springs };

class FluidRigid final : public FluidBodyRule {
 public:
  explicit FluidRigid(const Node& self);
  [[nodiscard]] Result<void> configure(const Node& self) override;
  [[nodiscard]] double longest_dt(const System& a, const System& b, double dt) const override;
  void prepare(System& a, System& b, const PairContext& context) override;
  void answer(System& a, const PairContext& context) override;
  void apply(System& a, System& b, const PairContext& context) override;
  void visit_state(StateVisitor& visit) override { springs_.visit_state(visit); }
  [[nodiscard]] double energy() const override { return is_sprung() ? springs_.energy_j() : 0; }
  [[nodiscard]] std::optional<HealthIssue> check_health() const override {
    return is_sprung() ? springs_.issue() : issue_;
  }

 private:
  void take(const Node& self);
  [[nodiscard]] bool is_sprung() const { return coupling_ == RigidCoupling::springs; }
  [[nodiscard]] std::function<bool(const Vec3&)> inside(const System& body, double margin,
                                                        std::span<const std::uint8_t> rows) const override;
  void bring(FluidSystem& fluid, System& body, const PairContext& context) override;
  void collect(System& body) override;
  void sample(const RigidSystem& rigid, double spacing_m);

  RigidCoupling coupling_ = RigidCoupling::pressure;
  RigidSprings springs_;
  /// Cache: samples of the surface of each body, relative to the centre of mass of the body.
  std::vector<SurfaceSamples> samples_;
  double spacing_m_ = 0;
  std::vector<Vec3> center_;  ///< Centre of mass of each body at the start of the fluid's substep [m].
};

[[nodiscard]] const Schema& fluid_rigid_schema();

}  // namespace vw
