// Coupling of fluids and solid bodies, shared by the rules for all kinds of bodies. At the start of the fluid's
// substep, a rule adds each body to the pressure solve of the fluid as a "guest". The resulting impulses are then
// applied uniformly over the fluid's substep, however many substeps the body takes in that time.
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
/// Returns the parameter table of a rule that couples fluids and bodies. `body` is inserted into the descriptions of
/// the parameters as the name of the bodies.
[[nodiscard]] ParamTable<FluidBodyParams> fluid_body_table(const std::string& body);

/// Impulses on the elements of a body from one fluid substep. hand_out() applies a fraction of them in each substep of
/// the body.
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

/// Base class of the rules that couple fluids and bodies. At the start of the fluid's substep, the bodies are added
/// to the pressure solve as guests (sim/system/fluid/bodies/guest.h). Their impulses are applied until the end of
/// that substep. No springs act on the bodies, because the pressure solve includes the motion of the bodies.
class FluidBodyRule : public RuleOf<FluidBodyParams> {
 public:
  using RuleOf::RuleOf;

  [[nodiscard]] double longest_dt(const System& a, const System& b, double dt) const override {
    (void)b, (void)dt;
    return static_cast<const FluidSystem&>(a).longest_dt_of_guests(params_.adhesion);
  }
  [[nodiscard]] std::optional<HealthIssue> check_health() const override { return issue_; }
  void start(System& a, System& b, const PairContext& context) override;
  /// Removes the fluid particles inside or too near new bodies, and new fluid particles inside or too near bodies. An
  /// element that a command has moved counts as new.
  void elements_added(System& a, System& b, std::span<const std::uint8_t> new_a,
                      std::span<const std::uint8_t> new_b) override;
  void prepare(System& a, System& b, const PairContext& context) override;
  void answer(System& a, const PairContext& context) override;
  void apply(System& a, System& b, const PairContext& context) override;
  /// Returns the total impulse on the body in the fluid's last substep [N s].
  [[nodiscard]] const Vec3& last_impulse() const { return last_impulse_; }

 protected:
  /// Returns a function that tests whether a point is inside the body or nearer to it than `margin` [m]. If `rows` is
  /// not empty, only the elements with a 1 in `rows` count.
  [[nodiscard]] virtual std::function<bool(const Vec3&)> inside(const System& body, double margin,
                                                                std::span<const std::uint8_t> rows = {}) const = 0;
  /// Removes the fluid particles that are inside the body or too near its surface (particles at rest lie half a spacing
  /// outside). Has an effect only at time 0 and if `has_room_` is false.
  void make_room(FluidSystem& fluid, const System& body, const PairContext& context);
  /// Adds the body to the pressure solve of the fluid, in its present state, as one or more guests.
  virtual void bring(FluidSystem& fluid, System& body, const PairContext& context) = 0;
  /// Collects the impulses on the guests in given_.
  virtual void collect(System& body) = 0;

  /// Returns whether a surface of `area_m2` [m^2] is small enough to be sampled. If not, sets a health issue that names
  /// the body `whose`. The health issue stops the world.
  [[nodiscard]] bool can_cover(double area_m2, double spacing_m, const std::string& whose);

  GivenImpulses given_;
  std::optional<HealthIssue> issue_;  ///< Health issue of the last sampling, for example a body that is too large.
  std::vector<Guest*> guests_;        ///< Guests in the present substep of the fluid.
  /// Whether start() has called make_room(). Does not change later, because the world may return to time 0.
  bool has_room_ = false;

 private:
  Vec3 last_impulse_ = Vec3::Zero();
};

}  // namespace vw
