// Coupling of fluids and solid bodies, shared by the rules for all kinds of bodies. At the start of the fluid's
// substep, a rule adds each body as a guest to the pressure solve of the fluid. It then applies the resulting impulses
// to the body evenly over that substep, however many substeps the body takes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/interaction/rule.h"
#include "sim/system/fluid/fluid.h"

namespace vw {

struct FluidBodyParams : RuleParams {
  double friction = 1;
  double adhesion = 0;
};
/// Parameter table of a rule that couples fluids and bodies. `body` names the bodies in the descriptions of the
/// parameters.
[[nodiscard]] ParamTable<FluidBodyParams> fluid_body_table(const std::string& body);

/// Stores the impulses of one fluid substep on the elements of a body. hand_out() applies a fraction of these impulses
/// in each substep of the body.
class GivenImpulses {
 public:
  void start(std::size_t rows);
  void add(std::size_t row, const Vec3& impulse) { linear_[row] += impulse; }
  void add_turn(std::size_t row, const Vec3& turn) { angular_[row] += turn; }
  /// Adds the fraction `share` of all impulses to the elements.
  void hand_out(double share, Elements& elements) const;
  [[nodiscard]] std::size_t size() const { return linear_.size(); }

 private:
  std::vector<Vec3> linear_, angular_;
};

/// Base class of the rules that couple fluids and bodies. Guests are added at the start of the fluid's substep, and
/// their impulses are applied until the end of that substep. The rule attaches no springs to the body, because the
/// body's response is part of the pressure solve.
class FluidBodyRule : public RuleOf<FluidBodyParams> {
 public:
  using RuleOf::RuleOf;

  [[nodiscard]] double longest_dt(const System& a, const System& b, double dt) const override {
    (void)b, (void)dt;
    return static_cast<const FluidSystem&>(a).longest_dt_of_guests();
  }
  [[nodiscard]] std::optional<HealthIssue> check_health() const override { return issue_; }
  void start(System& a, System& b, const PairContext& context) override;
  void prepare(System& a, System& b, const PairContext& context) override;
  void answer(System& a, const PairContext& context) override;
  void apply(System& a, System& b, const PairContext& context) override;
  /// Total impulse on the body in the fluid's last substep [N s].
  [[nodiscard]] const Vec3& last_impulse() const { return last_impulse_; }

 protected:
  /// Returns a test of whether a point is inside the body or nearer to it than `margin` [m].
  [[nodiscard]] virtual std::function<bool(const Vec3&)> inside(const System& body, double margin) const = 0;
  /// Removes the fluid particles that are inside the body or too near its surface, because particles at rest are half a
  /// spacing outside a surface. Only the first call has an effect, and only at time 0.
  void make_room(FluidSystem& fluid, const System& body, const PairContext& context);
  /// Adds the guests that represent the body, in their present state, to the pressure solve of the fluid.
  virtual void bring(FluidSystem& fluid, System& body, const PairContext& context) = 0;
  /// Collects the impulses on the guests into given_.
  virtual void collect(System& body) = 0;

  /// Whether a surface of `area_m2` can be covered with samples. If not, a health issue that names the body `whose`
  /// stops the world.
  [[nodiscard]] bool can_cover(double area_m2, double spacing_m, const std::string& whose);

  GivenImpulses given_;
  std::optional<HealthIssue> issue_;  ///< Issue found when the bodies were last sampled.
  std::vector<Guest*> guests_;        ///< Guests in the present substep of the fluid.

 private:
  bool has_room_ = false;  ///< Whether make_room() has already run.
  Vec3 last_impulse_ = Vec3::Zero();
};

}  // namespace vw
