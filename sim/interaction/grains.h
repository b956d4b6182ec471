// Particles among themselves: grains that collide, rub and pile up. A rule of a particle system with itself, or of two of them.
#pragma once

#include <optional>
#include <vector>

#include "sim/interaction/grain_contact.h"
#include "sim/interaction/grain_pairs.h"
#include "sim/interaction/rule.h"

namespace vw {

struct GrainsParams : RuleParams {
  double stiffness_npm = 1000;
  double shear_ratio = 0.5;
  double restitution = 0.5;
  double mu_static = 0.5;
  double mu_dynamic = 0.5;
};
[[nodiscard]] const ParamTable<GrainsParams>& grains_params();

/// The discrete element method (Cundall & Strack, Geotechnique 29, 1979): each contact remembers how far it was sheared, which is why a heap rests. A
/// grain has no spin, so it slides and never rolls: heaps are as steep as those of rough, angular grains, and friction turns nobody.
class Grains final : public RuleOf<GrainsParams> {
 public:
  explicit Grains(const Node& self) : RuleOf(grains_params(), self) { learn_law(); }

  [[nodiscard]] Result<void> configure(const Node& self) override;
  [[nodiscard]] double stiffness_npm(const System& a, const System& b) const override;
  void apply(System& a, System& b, const PairContext& context) override;
  void visit_state(StateVisitor& visit) override;
  [[nodiscard]] double energy() const override { return energy_j_; }
  [[nodiscard]] std::optional<HealthIssue> check_health() const override { return issue_; }

  [[nodiscard]] std::size_t contact_count() const;

 private:
  void learn_law();
  void forget() override;
  [[nodiscard]] bool find_pairs(System& a, System& b, const PairContext& context);
  double press_row(std::size_t i, const Elements& a, const Elements& b, const PairContext& context, double relax);
  void press_pairs(const Elements& a, const Elements& b, const PairContext& context);
  void give(Elements& elements, const Elements& other, bool first);

  GrainLaw law_;
  GrainPairs pairs_;
  std::vector<GrainTouch> touch_;                ///< of each pair of pairs_
  std::vector<GrainContact> contact_, visited_;  ///< those that touch, by identity: what a state holds, and survives new lists
  bool lists_have_them_ = false;                 ///< touch_ is newer than contact_
  std::optional<HealthIssue> issue_;             ///< why the last evaluation gave nothing
  std::vector<double> energy_row_;
  double energy_j_ = 0;
};

[[nodiscard]] const Schema& grains_schema();

}  // namespace vw
