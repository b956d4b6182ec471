// Coupling of flocks and rigid bodies. Members steer around bodies, flee from approaching bodies, follow bodies that
// are goals, and bounce off bodies that they could not avoid.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/interaction/contact/probe_contact.h"
#include "sim/interaction/flock/flock_side.h"

namespace vw {

[[nodiscard]] const ParamTable<FrightParams>& flock_rigid_params();

/// At the start of the flock's substep, the rule passes the nearby bodies to the flock's steering, as solids that
/// members never enter. If a member nevertheless hits a body, both receive a frictionless collision impulse. Momentum
/// and angular momentum of the pair are conserved to rounding.
class FlockRigid final : public RuleOf<FrightParams> {
 public:
  explicit FlockRigid(const Node& self) : RuleOf(flock_rigid_params(), self) {}

  void prepare(System& a, System& b, const PairContext& context) override;
  void apply(System& a, System& b, const PairContext& context) override;
  void visit_state(StateVisitor& visit) override;

 private:
  void forget() override { contact_.forget(); }
  void find_near(const FlockSystem& flock, const RigidSystem& rigid, const PairContext& context);

  ProbeContact contact_;
  std::vector<std::uint32_t> near_;  ///< Members that may touch a body in the flock's present substep, ascending.
  std::vector<std::uint8_t> may_touch_;
};

[[nodiscard]] const Schema& flock_rigid_schema();

}  // namespace vw
