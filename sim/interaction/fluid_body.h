// Fluids with solid bodies in them: what the rules of the several kinds of bodies share. A rule brings each body as a guest into the fluid's pressure
// solve at the start of the fluid's substep, and hands what the fluid gave it to the body over that substep, evenly however often the body steps.
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
/// `body`: what the other side is called in the documents.
[[nodiscard]] ParamTable<FluidBodyParams> fluid_body_table(const std::string& body);

/// Impulses that a fluid's substep gave to the rows of a body's elements, and what share of them is due.
class GivenImpulses {
 public:
  void start(std::size_t rows);
  void add(std::size_t row, const Vec3& impulse) { linear_[row] += impulse; }
  void add_turn(std::size_t row, const Vec3& turn) { angular_[row] += turn; }
  /// Adds `share` of all to the elements' impulses.
  void hand_out(double share, Elements& elements) const;
  [[nodiscard]] std::size_t size() const { return linear_.size(); }

 private:
  std::vector<Vec3> linear_, angular_;
};

/// The course of such a rule: guests come at the start of the fluid's substep, what they were given is handed out until its end. It hangs no springs
/// on the body, whose answer is part of the fluid's solve.
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
  /// What the fluid gave to the body in its last substep [N s].
  [[nodiscard]] const Vec3& last_impulse() const { return last_impulse_; }

 protected:
  /// Whether a place is inside of the body, or nearer to it than `margin`.
  [[nodiscard]] virtual std::function<bool(const Vec3&)> inside(const System& body, double margin) const = 0;
  /// Particles rest half a spacing from a surface: where a body starts in the fluid, those nearer than that are none. Once, at the start.
  void make_room(FluidSystem& fluid, const System& body, const PairContext& context);
  /// Adds the body's guests as they stand now.
  virtual void bring(FluidSystem& fluid, System& body, const PairContext& context) = 0;
  /// Collects the guests' impulses into given_.
  virtual void collect(System& body) = 0;

  /// Whether a surface [m^2] can be covered with samples; if not, the world stops and says so of `whose`.
  [[nodiscard]] bool can_cover(double area_m2, double spacing_m, const std::string& whose);

  GivenImpulses given_;
  std::optional<HealthIssue> issue_;  ///< of the bodies as they were covered last
  std::vector<Guest*> guests_;        ///< of the fluid's substep under way

 private:
  bool has_room_ = false;  ///< made already
  Vec3 last_impulse_ = Vec3::Zero();
};

}  // namespace vw
