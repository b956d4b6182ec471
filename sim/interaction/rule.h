// What rules have in common: a switch, the two systems that they are for, and a table of parameters that is read again at each edit.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "sim/interaction/interaction.h"

namespace vw {

struct RuleParams {
  bool enabled = true;
  std::string a, b;  ///< names of systems
};

/// The first three rows of a rule's table, in this order.
template <class P>
[[nodiscard]] Param<P> rule_enabled(std::string doc) {
  return {&P::enabled, "enabled", true, Live::yes, std::move(doc)};
}
template <class P>
[[nodiscard]] Param<P> rule_a(std::string doc = "Name of one of the two systems; empty: every one of its kind.") {
  return {&P::a, "a", "", Live::no, std::move(doc)};
}
template <class P>
[[nodiscard]] Param<P> rule_b(std::string doc = "Name of the other; empty: every one of its kind.") {
  return {&P::b, "b", "", Live::no, std::move(doc)};
}

/// A rule with parameters P, a RuleParams, of a table that outlives it. Asked at each substep of the finer side; hangs no springs on elements, unless
/// it says otherwise.
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
  /// A rule that is switched off remembers nothing.
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
