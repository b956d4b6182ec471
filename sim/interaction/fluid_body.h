// Fluids with solid bodies: shared by the rules for the several kinds of bodies. At the start of the fluid's substep a
// rule adds each body as a guest to the fluid's pressure solve. It then applies the resulting impulses to the body
// evenly over that substep, however often the body steps.
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
/// `body`: name of the other side in the documentation.
[[nodiscard]] ParamTable<FluidBodyParams> fluid_body_table(const std::string& body);

/// Impulses that a fluid substep gave to the rows of a body's elements, and their distribution over that substep.
class GivenImpulses {
 public:
  void start(std::size_t rows);
  void add(std::size_t row, const Vec3& impulse) { linear_[row] += impulse; }
  void add_turn(std::size_t row, const Vec3& turn) { angular_[row] += turn; }
  /// Adds `share` of all impulses to the elements.
  void hand_out(double share, Elements& elements) const;
  [[nodiscard]] std::size_t size() const { return linear_.size(); }

 private:
  std::vector<Vec3> linear_, angular_;
};

/// Sequence of such a rule: guests are added at the start of the fluid's substep, and their impulses are applied until
/// its end. The rule attaches no springs to the body, because the body's response is part of the fluid's solve.
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
  /// Removes the fluid particles in and at the body, once, at the start: particles rest half a spacing from a surface.
  void make_room(FluidSystem& fluid, const System& body, const PairContext& context);
  /// Adds the body's guests in their present state.
  virtual void bring(FluidSystem& fluid, System& body, const PairContext& context) = 0;
  /// Collects the guests' impulses into given_.
  virtual void collect(System& body) = 0;

  /// Whether a surface [m^2] can be covered with samples. If not, a health issue that names the body `whose` stops the
  /// world.
  [[nodiscard]] bool can_cover(double area_m2, double spacing_m, const std::string& whose);

  GivenImpulses given_;
  std::optional<HealthIssue> issue_;  ///< From the last sampling of the bodies.
  std::vector<Guest*> guests_;        ///< Guests of the fluid's present substep.

 private:
  bool has_room_ = false;  ///< Whether make_room() has already run.
  Vec3 last_impulse_ = Vec3::Zero();
};

}  // namespace vw
