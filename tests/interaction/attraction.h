// Example of a user-defined rule, explained in docs/guide/rules.md: rigid bodies attract particles.
#pragma once

#include "sim/interaction/rule.h"

namespace vw {

struct AttractionParams : RuleParams {
  double strength = 0.01;
};

inline const ParamTable<AttractionParams>& attraction_params() {
  using P = AttractionParams;
  static const ParamTable<P> table{
      rule_params("Whether bodies draw particles."),
      Param<P>{.member = &P::strength,
               .key = "strength",
               .range = {0, 1e6},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Force over both masses and over the distance [N/(kg^2 m)]."},
  };
  return table;
}

class Attraction final : public RuleOf<AttractionParams> {
 public:
  explicit Attraction(const Node& self) : RuleOf(attraction_params(), self) {}
  [[nodiscard]] double stiffness_npm(const System& a, const System& b) const override {
    double heaviest = 0;
    for (const System* side : {&a, &b}) {
      double sum = 0;
      for (const double mass : side->elements().mass) sum += mass;
      heaviest = heaviest == 0 ? sum : heaviest * sum;
    }
    return params_.strength * heaviest;
  }

  void apply(System& a, System& b, const PairContext& context) override {
    Elements &grains = a.elements().room_for_impulses(), &bodies = b.elements().room_for_impulses();
    for (std::size_t i = 0; i < grains.size(); ++i)
      for (std::size_t j = 0; j < bodies.size(); ++j) {
        const Vec3 from = grains.position[i] + context.age_a * grains.velocity[i],
                   to = bodies.position[j] + context.age_b * bodies.velocity[j];
        const Vec3 impulse = context.dt * params_.strength * grains.mass[i] * bodies.mass[j] * (to - from);
        grains.impulse[i] += impulse;
        bodies.impulse[j] -= impulse;
      }
  }
};

inline const Schema& attraction_schema() {
  static const Schema schema{
      "attraction", "Rigid bodies draw particles, both feel it.", attraction_params().specs(), {}};
  return schema;
}

}  // namespace vw
