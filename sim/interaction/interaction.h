// A rule couples two systems. It is selected by the kinds of the two systems and has its own parameters. By
// construction, both sides receive exactly opposite impulses (Newton's third law). Each rule is implemented in one file
// and has one row in interaction_kinds(), which names the pair of kinds that the rule joins.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/system/system.h"

namespace vw {

/// Evaluation rate of a rule. With `finer`, the rule is evaluated at each substep of the finer system of the pair. With
/// `step`, it is evaluated once per world step, and its impulse acts over the whole step.
enum class Rate { finer, step };

/// Time information of one evaluation. The arrays of a system hold the state after the last substep of the system.
/// Rules predict the present position of an element as x + v * age from its position x and velocity v.
struct PairContext {
  double time = 0;   ///< Present time [s].
  double dt = 0;     ///< Time span that the impulse covers [s].
  double age_a = 0;  ///< Time since the last substep of side a [s].
  double age_b = 0;  ///< Time since the last substep of side b [s].
  std::uint64_t seed = 0;
  double step_a = 0;            ///< Substep of side a [s].
  double step_b = 0;            ///< Substep of side b [s].
  Vec3 gravity = Vec3::Zero();  ///< Gravity of the world [m/s^2].
};

class Interaction {
 public:
  virtual ~Interaction() = default;
  Interaction() = default;
  Interaction(const Interaction&) = delete;
  Interaction& operator=(const Interaction&) = delete;

  [[nodiscard]] virtual Result<void> configure(const Node& self) = 0;
  [[nodiscard]] virtual bool enabled() const = 0;
  [[nodiscard]] virtual Rate rate() const = 0;
  /// Largest sum of the spring constants [N/m] that this rule may attach to one element of a side. The step bounds of
  /// both sides take this sum into account.
  [[nodiscard]] virtual double stiffness_npm(const System& a, const System& b) const = 0;
  /// Longest substep [s] of both sides in a world step of `dt` that begins now. This function expresses bounds that do
  /// not follow from stiffness_npm(). An example is a side that is stable with any spring, but is coupled to the other
  /// side only once per substep.
  [[nodiscard]] virtual double longest_dt(const System& a, const System& b, double dt) const {
    (void)a, (void)b, (void)dt;
    return std::numeric_limits<double>::infinity();
  }
  /// Called once for every enabled rule when a world is created, before any measurement. The rule may remove overlaps
  /// of the two sides, for example fluid particles inside a body.
  virtual void start(System& a, System& b, const PairContext& context) { (void)a, (void)b, (void)context; }
  /// Called for every rule with rate `finer` that is due at a tick, before any of these rules is applied. If a side
  /// needs the input of all its rules to compute its response, each rule passes its input to that side here.
  virtual void prepare(System& a, System& b, const PairContext& context) { (void)a, (void)b, (void)context; }
  /// Called just before apply(). System `a` can run a solve that needs the input of all rules. The computing time is
  /// attributed to that system.
  virtual void answer(System& a, const PairContext& context) { (void)a, (void)context; }
  /// Adds impulses to the elements of both sides. `a` is of kind_a and `b` of kind_b of the rule's row, whatever their
  /// order in the scene.
  virtual void apply(System& a, System& b, const PairContext& context) = 0;
  virtual void visit_state(StateVisitor& visit) { (void)visit; }
  /// Elastic energy stored in this rule [J].
  [[nodiscard]] virtual double energy() const { return 0; }
  /// Reason why the evaluations of the last step are invalid, or nullopt if they are valid. An invalid step is undone.
  [[nodiscard]] virtual std::optional<HealthIssue> check_health() const { return std::nullopt; }
};

/// The two sides of a coupling: two systems, or one system with itself.
enum class Sides { two_systems, one_system };

/// Whether a rule acts without a node in the scene. A rule with `by_default` couples every pair of systems of its
/// kinds, unless the scene has a node of the rule's kind. A rule with `on_request` needs a node.
enum class Presence { by_default, on_request };

/// Row of the table of rules: the pair of kinds that a rule joins, and the effect of the rule in words.
struct InteractionKind {
  const Schema* schema;
  std::string_view kind_a, kind_b;  ///< Kinds of the two systems, in alphabetical order.
  Result<std::unique_ptr<Interaction>> (*create)(const Node& self);
  Presence presence = Presence::by_default;
  std::string_view effect = {};  ///< One sentence, which the window's matrix of rules shows.
  /// One sentence on the effect within a single system, if the rule also couples a system with itself (`a` and `b` are
  /// then the same system). It is empty if the rule couples only two different systems.
  std::string_view effect_within = {};

  [[nodiscard]] bool joins(Sides sides) const { return sides == Sides::two_systems || !effect_within.empty(); }
};
/// All rules, ordered by name. Several rules may join the same pair of kinds.
[[nodiscard]] std::span<const InteractionKind> interaction_kinds();

/// Type of the coupling of a pair of kinds.
enum class PairAnswer {
  rule,    ///< One or more rules of interaction_kinds() couple the pair. They can be switched and tuned.
  system,  ///< One of the two systems handles the coupling with its own parameters.
  none,    ///< The pair is not coupled.
};

/// A pair of kinds that no rule joins. A kind is a system kind, "collider", or "field" (wind). The row only documents
/// the pair, in the window's matrix of rules. A test checks that each pair is either here or joined by a rule.
struct PairWithoutRule {
  std::string_view kind_a, kind_b;  ///< The two kinds, in alphabetical order.
  Sides sides;                      ///< one_system if the row describes a system with itself.
  PairAnswer answer;                ///< `system` or `none`.
  std::string_view because;         ///< One sentence: the effect, or the reason why there is none.
};
/// All pairs that no rule joins, ordered by kind_a and kind_b.
[[nodiscard]] std::span<const PairWithoutRule> pairs_without_rule();

/// Coupling of a pair of kinds.
struct PairDecision {
  PairAnswer answer = PairAnswer::none;
  std::vector<const InteractionKind*> rules;  ///< Rules that join the pair, in the order of their names.
  std::string because;  ///< Effect of the coupling, or the reason why there is none. One sentence for each rule.
};
/// Coupling of two kinds, in any order, or nullopt if neither table has the pair.
[[nodiscard]] std::optional<PairDecision> decide_pair(std::string_view kind_a, std::string_view kind_b, Sides sides);

}  // namespace vw
