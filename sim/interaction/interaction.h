// A rule couples two systems. The kinds of the two systems determine which rules apply, and each rule has its own
// parameters. Both sides receive opposite impulses by construction (Newton's third law). Each rule is implemented in
// one file and has one entry in interaction_kinds(), which names the two kinds of systems that it couples.
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

/// When a rule is evaluated. `finer`: at each substep of the finer system of the pair. `step`: once per world step, and
/// the impulse is then distributed over the step.
enum class Rate { finer, step };

/// Times and steps of one evaluation. The arrays of a system contain its state after its last substep. `age` is the
/// time since then. A rule predicts the present position of an element with position x and velocity v as x + v * age.
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
  /// Returns the largest sum of spring constants [N/m] that this rule may attach to one element. Both systems choose
  /// their substeps from it.
  [[nodiscard]] virtual double stiffness_npm(const System& a, const System& b) const = 0;
  /// Returns the longest substep [s] that this rule permits for both systems in a world step of `dt` that begins now.
  /// It covers bounds that stiffness_npm() cannot express. For example, an implicit system is stable with any spring,
  /// but receives contact forces only once per substep.
  [[nodiscard]] virtual double longest_dt(const System& a, const System& b, double dt) const {
    (void)a, (void)b, (void)dt;
    return std::numeric_limits<double>::infinity();
  }
  /// This function is called once for every enabled rule when a world is created, before any quantity is measured. The
  /// rule may remove overlaps of the two systems, for example fluid particles inside a body.
  virtual void start(System& a, System& b, const PairContext& context) { (void)a, (void)b, (void)context; }
  /// This function is called for every enabled rule after elements were added to a running world or moved by a command.
  /// `new_a` and `new_b` contain 1 for each such element, or are empty if that side has none. The rule may remove
  /// overlaps.
  virtual void elements_added(System& a, System& b, std::span<const std::uint8_t> new_a,
                              std::span<const std::uint8_t> new_b) {
    (void)a, (void)b, (void)new_a, (void)new_b;
  }
  /// This function is called at a tick (a substep of the finest of the coupled systems) for every rule with rate
  /// `finer` that is due, before the first of these rules is applied. A system whose response depends on the input of
  /// all its rules receives this input here.
  virtual void prepare(System& a, System& b, const PairContext& context) { (void)a, (void)b, (void)context; }
  /// This function is called just before apply(). System `a` can run a solver here that needs the input of all its
  /// rules. The computing time is attributed to that system.
  virtual void answer(System& a, const PairContext& context) { (void)a, (void)context; }
  /// Adds impulses to the elements of both sides. `a` is the system of kind_a and `b` that of kind_b, regardless of
  /// their order in the scene.
  virtual void apply(System& a, System& b, const PairContext& context) = 0;
  virtual void visit_state(StateVisitor& visit) { (void)visit; }
  /// Returns the elastic energy stored in this rule [J].
  [[nodiscard]] virtual double energy() const { return 0; }
  /// Returns the reason why the impulses of the last step are invalid, or nullopt if they are valid. The world reverts
  /// an invalid step.
  [[nodiscard]] virtual std::optional<HealthIssue> check_health() const { return std::nullopt; }
};

/// The two sides of a coupling: two systems, or one system with itself.
enum class Sides { two_systems, one_system };

/// Whether a rule acts without a node in the scene. A rule with `by_default` couples every pair of systems of its two
/// kinds; nodes of the rule in the scene replace this default. A rule with `on_request` acts only if the scene has a
/// node for it.
enum class Presence { by_default, on_request };

/// Entry in the table of rules: the two kinds of systems that the rule couples, and its effect in words.
struct InteractionKind {
  const Schema* schema;
  std::string_view kind_a, kind_b;  ///< Kinds of the two systems, in alphabetical order.
  Result<std::unique_ptr<Interaction>> (*create)(const Node& self);
  Presence presence = Presence::by_default;
  std::string_view effect = {};  ///< One sentence, which the matrix of rules in the window shows.
  /// One sentence on the effect within a single system (`a` and `b` are then the same system). It is empty if the rule
  /// couples only two different systems.
  std::string_view effect_within = {};

  [[nodiscard]] bool joins(Sides sides) const { return sides == Sides::two_systems || !effect_within.empty(); }
};
/// Returns all rules, ordered by name. Several rules may couple the same two kinds.
[[nodiscard]] std::span<const InteractionKind> interaction_kinds();

/// How a pair of kinds is coupled.
enum class PairAnswer {
  rule,    ///< One or more rules of interaction_kinds() couple the pair. The user can disable them and set their
           ///< parameters.
  system,  ///< One of the two systems handles the coupling with its own parameters.
  none,    ///< The pair is not coupled.
};

/// A pair of kinds that no rule couples. A kind is a system kind, "collider", or "field" (wind). These entries have no
/// effect; the matrix of rules in the window shows them as explanations. A test checks that each pair of kinds is
/// either listed here or coupled by a rule.
struct PairWithoutRule {
  std::string_view kind_a, kind_b;  ///< The two kinds, in alphabetical order.
  Sides sides;                      ///< one_system if the entry describes a system with itself.
  PairAnswer answer;                ///< `system` or `none`.
  std::string_view because;         ///< One sentence: the effect, or the reason why there is none.
};
/// Returns all pairs of kinds that no rule couples, ordered by kind_a and kind_b.
[[nodiscard]] std::span<const PairWithoutRule> pairs_without_rule();

/// The type of coupling of a pair of kinds, and the rules that couple it.
struct PairDecision {
  PairAnswer answer = PairAnswer::none;
  std::vector<const InteractionKind*> rules;  ///< Rules that couple the pair, ordered by name.
  std::string because;  ///< Effect of the coupling, or the reason why there is none. It contains one sentence for each
                        ///< rule.
};
/// Returns the coupling of two kinds, given in any order, or nullopt if neither of the two tables contains the pair.
[[nodiscard]] std::optional<PairDecision> decide_pair(std::string_view kind_a, std::string_view kind_b, Sides sides);

}  // namespace vw
