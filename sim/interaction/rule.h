// Base class of all rules, and the parameters that all rules have: a switch and the names of the two systems. The
// parameters are updated after each edit of the rule's node.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "sim/interaction/interaction.h"

namespace vw {

struct RuleParams {
  bool enabled = true;
  std::string a, b;  ///< Names of the two systems.
};

/// Returns the entries with which every rule's parameter table begins. The arguments are the descriptions of the three
/// parameters.
[[nodiscard]] ParamTable<RuleParams> rule_params(
    std::string enabled,
    std::string a = "Name of one of the two systems. Empty means every system to which the rule applies.",
    std::string b = "Name of the other system. Empty means every system to which the rule applies.");

/// Rule with parameters P, a class derived from RuleParams. The parameter table must outlive the rule. By default, the
/// rule is evaluated at each substep of the finer system and attaches no springs to elements.
template <class P>
class RuleOf : public Interaction {
 public:
  RuleOf(const ParamTable<P>& table, const Node& self) : params_(table.read(self.values)), table_(table) {}

  [[nodiscard]] Result<void> configure(const Node& self) override {
    params_ = table_.read(self.values);
    if (!params_.enabled) forget();
    return {};
  }
  [[nodiscard]] bool enabled() const override { return params_.enabled; }
  [[nodiscard]] Rate rate() const override { return Rate::finer; }
  [[nodiscard]] double stiffness_npm(const System& a, const System& b) const override {
    (void)a, (void)b;
    return 0;
  }

 protected:
  /// Clears the stored contacts and other memory of the rule. This function is called when the rule is disabled.
  virtual void forget() {}

  P params_;

 private:
  const ParamTable<P>& table_;
};

template <class R>
[[nodiscard]] Result<std::unique_ptr<Interaction>> create_rule(const Node& self) {
  return std::unique_ptr<Interaction>(std::make_unique<R>(self));
}

}  // namespace vw
