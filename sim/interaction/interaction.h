// A rule couples two systems and is found by the pair of their kinds. It has its own parameters. By construction both
// sides receive exactly opposite impulses (Newton's third law). A rule is one file and one row of interaction_kinds().
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "sim/system/system.h"

namespace vw {

/// finer: evaluated at each substep of the finer system of the pair. step: evaluated once per world step; its impulse
/// is held.
enum class Rate { finer, step };

/// Time information of one evaluation. The coarser side's positions belong to its last substep: predict them by x + v *
/// age.
struct PairContext {
  double time = 0;   ///< [s]
  double dt = 0;     ///< Time span that the impulse covers [s].
  double age_a = 0;  ///< Time since side a's arrays were valid [s].
  double age_b = 0;
  std::uint64_t seed = 0;
  double step_a = 0;  ///< Substep of each side [s].
  double step_b = 0;
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
  /// Largest sum of spring constants [N/m] that this rule may attach to one element of a side. Enters the step bounds
  /// of both sides.
  [[nodiscard]] virtual double stiffness_npm(const System& a, const System& b) const = 0;
  /// Longest substep [s] of both sides in a world step of `dt` that begins now, for bounds that stiffness_npm() does
  /// not express. Example: a side that is stable with any spring, but sees the other side only once per substep.
  [[nodiscard]] virtual double longest_dt(const System& a, const System& b, double dt) const {
    (void)a, (void)b, (void)dt;
    return std::numeric_limits<double>::infinity();
  }
  /// Called once for every enabled rule when a world is created, before any measurement. The rule can remove overlaps
  /// of the two sides, for example fluid particles inside a body.
  virtual void start(System& a, System& b, const PairContext& context) { (void)a, (void)b, (void)context; }
  /// Called for every rule with rate `finer` that is due at a tick, before any of them is applied. Collects the input
  /// that a side needs from all its rules before it computes a response.
  virtual void prepare(System& a, System& b, const PairContext& context) { (void)a, (void)b, (void)context; }
  /// Called just before apply(). Lets `a` run a solve that needs the input of all rules. The time is charged to that
  /// system.
  virtual void answer(System& a, const PairContext& context) { (void)a, (void)context; }
  /// Adds impulses to the elements of both sides. `a` is of kind_a and `b` of kind_b of the rule's row, whatever their
  /// order in the scene.
  virtual void apply(System& a, System& b, const PairContext& context) = 0;
  virtual void visit_state(StateVisitor& visit) { (void)visit; }
  /// Elastic energy stored in this rule [J].
  [[nodiscard]] virtual double energy() const { return 0; }
  /// The reason if the last step's evaluations are invalid. The step is then taken back.
  [[nodiscard]] virtual std::optional<HealthIssue> check_health() const { return std::nullopt; }
};

struct InteractionKind {
  const Schema* schema;
  std::string_view kind_a, kind_b;
  Result<std::unique_ptr<Interaction>> (*create)(const Node& self);
  /// For a rule of a kind with itself: the rule also joins a system with itself. `a` and `b` are then the same system.
  bool within = false;
  bool unasked = true;  ///< The rule joins every pair of its kinds in a scene that does not mention it.
};
/// All rules, ordered by name.
[[nodiscard]] std::span<const InteractionKind> interaction_kinds();

}  // namespace vw
