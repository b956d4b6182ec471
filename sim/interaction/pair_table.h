// For each pair of kinds in a scene: the rule that couples them, the system that handles the other kind itself, or the
// reason why there is no coupling. The table only documents the couplings, in the window's matrix and in the guide. A
// test compares it with the registered rules.
#pragma once

#include <span>
#include <string_view>

namespace vw {

/// How a pair is coupled.
enum class PairAnswer {
  rule,    ///< By a rule of interaction_kinds(), which can be switched and tuned.
  system,  ///< By one of the two systems itself, with its own parameters.
  none,    ///< Not at all.
};

/// Kinds are system kinds, "collider", or "field" (wind).
struct PairDecision {
  std::string_view kind_a, kind_b;  ///< In alphabetical order.
  bool within = false;              ///< If both kinds are the same: a system with itself. Otherwise two systems.
  PairAnswer answer = PairAnswer::none;
  std::string_view rule;  ///< Kind of the rule's node. Empty if no rule couples the pair.
  std::string_view also;  ///< Kind of an optional second rule, which a scene must request explicitly. Usually empty.
  std::string_view because{};  ///< One sentence: the effect of the coupling, or the reason why there is none.
};

/// All pairs, ordered by kind_a and kind_b, with two systems before a system with itself.
[[nodiscard]] std::span<const PairDecision> pair_table();
/// Entry of a pair of kinds, in any order. Null if the table has no such pair.
[[nodiscard]] const PairDecision* decide_pair(std::string_view kind_a, std::string_view kind_b, bool within);

}  // namespace vw
