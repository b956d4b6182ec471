// What any two things of a scene have to do with each other: the rule that joins them, the system that answers by itself, or why there is nothing.
// Nothing runs by this table: it is what the window's matrix and the guide show, and a test holds it against the rules that there are.
#pragma once

#include <span>
#include <string_view>

namespace vw {

/// What decides how two of a pair act on each other.
enum class PairAnswer {
  rule,    ///< a rule of interaction_kinds(): it can be switched and tuned
  system,  ///< one of the two by itself, by its own parameters
  none,    ///< nothing does
};

/// Kinds are those of systems, or "collider" and "field" (wind).
struct PairDecision {
  std::string_view kind_a, kind_b;  ///< in the order of the alphabet
  bool within = false;              ///< of one system with itself, where both kinds are the same; else of two
  PairAnswer answer = PairAnswer::none;
  std::string_view rule;       ///< kind of the rule's node; empty where no rule answers
  std::string_view also;       ///< kind of a second rule, that joins them only where it is asked for; mostly empty
  std::string_view because{};  ///< one sentence: what happens, or why nothing does
};

/// All pairs, ordered by kind_a, kind_b, and two systems before one with itself.
[[nodiscard]] std::span<const PairDecision> pair_table();
/// The decision of a pair whose kinds stand in any order; null where one of them is no kind of the table.
[[nodiscard]] const PairDecision* decide_pair(std::string_view kind_a, std::string_view kind_b, bool within);

}  // namespace vw
