// Couplings of all pairs of kinds in a scene. For each pair, the table gives the rule that couples the two kinds, the
// system that handles the other kind itself, or the reason why there is no coupling. The table only documents the
// couplings, in the window's matrix and in the guide. A test compares it with the registered rules.
#pragma once

#include <span>
#include <string_view>

namespace vw {

/// Type of the coupling of a pair.
enum class PairAnswer {
  rule,    ///< The pair is coupled by a rule of interaction_kinds(), which can be switched and tuned.
  system,  ///< One of the two systems handles the coupling with its own parameters.
  none,    ///< The pair is not coupled.
};

/// Coupling of a pair of kinds. A kind is a system kind, "collider", or "field" (wind).
struct PairDecision {
  std::string_view kind_a, kind_b;  ///< The two kinds, in alphabetical order.
  bool within = false;              ///< If both kinds are equal: true for a system with itself, false for two systems.
  PairAnswer answer = PairAnswer::none;
  std::string_view rule;  ///< Kind of the rule's node. Empty if no rule couples the pair.
  std::string_view also;  ///< Kind of an optional second rule, which a scene must request explicitly. Usually empty.
  std::string_view because{};  ///< One sentence on the effect of the coupling, or on the reason why there is none.
};

/// All pairs, ordered by kind_a and kind_b. For two equal kinds, the pair of two systems precedes that of a system with
/// itself.
[[nodiscard]] std::span<const PairDecision> pair_table();
/// Entry of a pair of kinds, in any order. Null if the table has no such pair.
[[nodiscard]] const PairDecision* decide_pair(std::string_view kind_a, std::string_view kind_b, bool within);

}  // namespace vw
