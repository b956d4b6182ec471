// Flocks and rigid bodies: members steer clear of them, flee from one that falls among them, follow those that their goals name, and bounce off what
// they could not avoid.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/interaction/flock_side.h"
#include "sim/interaction/probe_contact.h"

namespace vw {

[[nodiscard]] const ParamTable<FrightParams>& flock_rigid_params();

/// As the flock's substep begins it is told the bodies about it, as solids that it never enters. Whoever would touch one all the same gets a blow
/// without friction as the two meet, which the body gets too: the pair keeps momentum and angular momentum to rounding.
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
  std::vector<std::uint32_t> near_;  ///< members that may touch a body in the flock's substep under way, ascending
  std::vector<std::uint8_t> may_touch_;
};

[[nodiscard]] const Schema& flock_rigid_schema();

}  // namespace vw
