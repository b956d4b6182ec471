// A rule between two systems, found by the pair of their kinds. It has its own parameters, gives both sides the same impulse to the bit
// (Newton's third law by construction) and is one file and one row of interaction_kinds().
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "sim/system/system.h"

namespace vw {

/// finer: evaluated at each substep of the finer of the pair. step: once per world step, its impulse held.
enum class Rate { finer, step };

/// The moment of one evaluation. The coarser side's positions are as of its last substep: predict x + v * age.
struct PairContext {
  double time = 0;   ///< [s]
  double dt = 0;     ///< span that the impulse stands for [s]
  double age_a = 0;  ///< time since side a's arrays were valid [s]
  double age_b = 0;
  std::uint64_t seed = 0;
  double step_a = 0;  ///< own substep of each side [s]
  double step_b = 0;
  Vec3 gravity = Vec3::Zero();  ///< of the world [m/s^2]
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
  /// Sum of spring constants [N/m] that this rule may hang on one element of a side: enters both sides' step bounds.
  [[nodiscard]] virtual double stiffness_npm(const System& a, const System& b) const = 0;
  /// Longest substep [s] of both sides in a step of `dt` that begins now, where stiffness_npm does not say it: for sides that take any spring but see
  /// the other side only once a substep.
  [[nodiscard]] virtual double longest_dt(const System& a, const System& b, double dt) const {
    (void)a, (void)b, (void)dt;
    return std::numeric_limits<double>::infinity();
  }
  /// Once, when a world is made, for every rule that is enabled: what the two sides have to give up to each other before they are measured.
  virtual void start(System& a, System& b, const PairContext& context) { (void)a, (void)b, (void)context; }
  /// Called for every rule of rate finer that is due at a moment before any of them is applied: what a side wants to know of all others before it
  /// answers.
  virtual void prepare(System& a, System& b, const PairContext& context) { (void)a, (void)b, (void)context; }
  /// Called just before apply(): what `a` has to solve first, for all rules at once. The time counts as that system's own.
  virtual void answer(System& a, const PairContext& context) { (void)a, (void)context; }
  /// Adds impulses to both sides' elements. `a` is of kind_a, `b` of kind_b of its row, whichever was listed first.
  virtual void apply(System& a, System& b, const PairContext& context) = 0;
  virtual void visit_state(StateVisitor& visit) { (void)visit; }
  /// Elastic energy now stored in this rule [J].
  [[nodiscard]] virtual double energy() const { return 0; }
  /// Why the last step's evaluations cannot be trusted, if so: the step is taken back.
  [[nodiscard]] virtual std::optional<HealthIssue> check_health() const { return std::nullopt; }
};

struct InteractionKind {
  const Schema* schema;
  std::string_view kind_a, kind_b;
  Result<std::unique_ptr<Interaction>> (*create)(const Node& self);
  bool within = false;  ///< of one kind with itself: also joins a system with itself, `a` and `b` are the same system then
  bool unasked = true;  ///< joins every pair of its kinds in a scene that does not mention it
};
/// All rules, ordered by name.
[[nodiscard]] std::span<const InteractionKind> interaction_kinds();

}  // namespace vw
