// A rule couples two systems. It is selected by the kinds of the two systems and has its own parameters. By
// construction, both sides receive exactly opposite impulses (Newton's third law). A rule is one file and one row of
// interaction_kinds().
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "sim/system/system.h"

namespace vw {

/// Evaluation rate of a rule. finer: at each substep of the finer system of the pair. step: once per world step, and
/// the impulse of that evaluation acts over the whole step.
enum class Rate { finer, step };

/// Time information of one evaluation. The positions of the coarser side are those after its last substep. Rules
/// predict the present position of an element as x + v * age from its position x and velocity v.
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
  /// Largest sum of spring constants [N/m] that this rule may attach to one element of a side. It enters the step
  /// bounds of both sides.
  [[nodiscard]] virtual double stiffness_npm(const System& a, const System& b) const = 0;
  /// Longest substep [s] of both sides in a world step of `dt` that begins now. It expresses bounds that do not follow
  /// from stiffness_npm(). Example: a side that is stable with any spring, but is coupled to the other side only once
  /// per substep.
  [[nodiscard]] virtual double longest_dt(const System& a, const System& b, double dt) const {
    (void)a, (void)b, (void)dt;
    return std::numeric_limits<double>::infinity();
  }
  /// Called once for every enabled rule when a world is created, before any measurement. The rule may remove overlaps
  /// of the two sides, for example fluid particles inside a body.
  virtual void start(System& a, System& b, const PairContext& context) { (void)a, (void)b, (void)context; }
  /// Called for every rule with rate `finer` that is due at a tick, before any of these rules is applied. Collects the
  /// input that a side needs from all its rules before it computes its response.
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
  /// Reason why the last step's evaluations are invalid, if they are. The step is then undone.
  [[nodiscard]] virtual std::optional<HealthIssue> check_health() const { return std::nullopt; }
};

struct InteractionKind {
  const Schema* schema;
  std::string_view kind_a, kind_b;
  Result<std::unique_ptr<Interaction>> (*create)(const Node& self);
  /// For a rule that couples a kind with itself: whether the rule also couples a system with itself. `a` and `b` are
  /// then the same system.
  bool within = false;
  /// Whether the rule couples every pair of systems of kind_a and kind_b in a scene that has no node of the rule's
  /// kind.
  bool unasked = true;
};
/// All rules, ordered by name.
[[nodiscard]] std::span<const InteractionKind> interaction_kinds();

}  // namespace vw
