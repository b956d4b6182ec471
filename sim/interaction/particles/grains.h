// Contacts between particles ("grains"), which collide, slide on each other and pile up. The rule couples the particles
// of one system with each other, or the particles of two systems.
#pragma once

#include <optional>
#include <vector>

#include "sim/interaction/particles/grain_contact.h"
#include "sim/interaction/particles/grain_pairs.h"
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

/// Discrete element method (Cundall & Strack, Geotechnique 29, 1979). Each contact stores its tangential displacement,
/// so a heap stays at rest. Grains of a system with the parameter `spin` roll. Without spin, a grain slides but does
/// not roll, and friction exerts no torque on it. Heaps are then as steep as heaps of rough, angular grains.
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
  std::vector<GrainTouch> touch_;  ///< Contact memory of each pair in pairs_.
  /// Lever arm of the contact for each pair in pairs_, in radii of a grain: a vector from b to a whose length is
  /// slightly below 1, because the grains overlap. It is empty if no grain spins.
  std::vector<Vec3> lever_;
  /// The saved state: contacts of touching pairs, in which grains are identified by their ids. It does not depend on
  /// the list of pairs.
  std::vector<GrainContact> contact_, visited_;
  bool memory_in_lists_ = false;      ///< Whether the contact memory in touch_ is more recent than that in contact_.
  std::optional<HealthIssue> issue_;  ///< Reason why the last evaluation produced no impulses.
  std::vector<double> energy_row_;
  double energy_j_ = 0;
};

[[nodiscard]] const Schema& grains_schema();

}  // namespace vw
