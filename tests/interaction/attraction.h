// A rule of one's own, as docs/guide/rules.md explains it: rigid bodies draw particles to them.
#pragma once

#include <string>

#include "sim/interaction/interaction.h"

namespace vw {

struct AttractionParams {
  bool enabled = true;
  std::string a, b;
  double strength = 0.01;
};

inline const ParamTable<AttractionParams>& attraction_params() {
  using P = AttractionParams;
  static const ParamTable<P> table{
      {&P::enabled, "enabled", true, Live::yes, "Whether bodies draw particles."},
      {&P::a, "a", "", Live::no, "Name of one of the two systems; empty: every one of its kind."},
      {&P::b, "b", "", Live::no, "Name of the other; empty: every one of its kind."},
      {&P::strength, "strength", Unit::none, 0.01, {0, 1e6}, Scale::log, Live::yes, "Force over both masses and over the distance [N/(kg^2 m)]."},
  };
  return table;
}

class Attraction final : public Interaction {
 public:
  explicit Attraction(const Node& self) : params_(attraction_params().read(self.values)) {}

  [[nodiscard]] Result<void> configure(const Node& self) override {
    params_ = attraction_params().read(self.values);
    return {};
  }
  [[nodiscard]] bool enabled() const override { return params_.enabled; }
  [[nodiscard]] Rate rate() const override { return Rate::finer; }
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
        const Vec3 from = grains.position[i] + context.age_a * grains.velocity[i], to = bodies.position[j] + context.age_b * bodies.velocity[j];
        const Vec3 impulse = context.dt * params_.strength * grains.mass[i] * bodies.mass[j] * (to - from);
        grains.impulse[i] += impulse;
        bodies.impulse[j] -= impulse;
      }
  }

 private:
  AttractionParams params_;
};

inline const Schema& attraction_schema() {
  static const Schema schema{"attraction", "Rigid bodies draw particles, both feel it.", attraction_params().specs(), {}};
  return schema;
}
inline Result<std::unique_ptr<Interaction>> create_attraction(const Node& self) {
  return std::unique_ptr<Interaction>(std::make_unique<Attraction>(self));
}

}  // namespace vw
