#include "sim/interaction/fluid/fluid_body.h"

#include <algorithm>

#include <fmt/format.h>

namespace vw {

ParamTable<FluidBodyParams> fluid_body_table(const std::string& body) {
  using P = FluidBodyParams;
  return {
      rule_params("Whether the fluid and the bodies push each other. If off, the fluid passes through the bodies."),
      Param<P>{.member = &P::friction,
               .key = "friction",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Fraction of the fluid's viscosity that acts at the surface of " + body +
                      ". 1 means no slip, and 0 means free slip."},
      Param<P>{.member = &P::adhesion,
               .key = "adhesion",
               .unit = Unit::newton_per_meter,
               .range = {0, 10},
               .live = Live::yes,
               .doc = "Attraction of the fluid to the surface of " + body +
                      ". At a quarter of the surface tension, drops on the surface have a contact angle of about 90 "
                      "degrees. Higher values wet the surface more. 0 means no attraction."},
  };
}

void GivenImpulses::start(std::size_t rows) {
  linear_.assign(rows, Vec3::Zero());
  angular_.assign(rows, Vec3::Zero());
}

void GivenImpulses::hand_out(double share, Elements& elements) const {
  elements.room_for_impulses();
  for (std::size_t i = 0; i < linear_.size(); ++i) {
    if (linear_[i].isZero(0) && angular_[i].isZero(0)) continue;
    elements.impulse[i] += share * linear_[i];
    elements.angular_impulse[i] += share * angular_[i];
    elements.note_meeting(i);
  }
}

bool FluidBodyRule::can_cover(double area_m2, double spacing_m, const std::string& whose) {
  // A surface has two layers of samples, each with one sample per squared spacing. A sample takes a few hundred bytes.
  constexpr double most_samples = 8e6, layers = 2;
  if (layers * area_m2 <= most_samples * spacing_m * spacing_m) return true;
  issue_ = HealthIssue{whose + " is too large for the spacing of the fluid", -1,
                       fmt::format("its surface of {:.3g} m^2 needs more than {} sample points at a spacing of {:g} m: "
                                   "raise the fluid's spacing or make the body smaller",
                                   area_m2, static_cast<std::int64_t>(most_samples), spacing_m)};
  return false;
}

/// Fluid particles within this distance of the surface of a body, in spacings of the fluid, are removed when the body
/// enters the fluid. Particles at rest lie half a spacing outside.
constexpr double free_margin = 0.45;

void FluidBodyRule::elements_added(System& a, System& b, std::span<const std::uint8_t> new_a,
                                   std::span<const std::uint8_t> new_b) {
  auto& fluid = static_cast<FluidSystem&>(a);
  const double margin = free_margin * fluid.spacing();
  // New particles are removed first, because a removal changes the rows to which `new_a` refers.
  if (!new_a.empty()) fluid.make_room(inside(b, margin), new_a);
  if (!new_b.empty()) fluid.make_room(inside(b, margin, new_b));
}

void FluidBodyRule::make_room(FluidSystem& fluid, const System& body, const PairContext& context) {
  // If the fluid will be settled, only the particles inside the body are removed, because settling moves particles that
  // are too near the body. Otherwise, the particles within 0.45 spacings of the surface are removed as well.
  const double margin = fluid.settles_slowly() ? 0 : free_margin;
  if (context.time == 0 && !has_room_) fluid.make_room(inside(body, margin * fluid.spacing()));
}

void FluidBodyRule::start(System& a, System& b, const PairContext& context) {
  auto& fluid = static_cast<FluidSystem&>(a);
  make_room(fluid, b, context);
  has_room_ = true;
  guests_.clear();
  if (fluid.settles_slowly()) bring(fluid, b, context);
  guests_.clear();
}

void FluidBodyRule::prepare(System& a, System& b, const PairContext& context) {
  if (context.age_a > 0) return;
  auto& fluid = static_cast<FluidSystem&>(a);
  make_room(fluid, b, context);
  guests_.clear();
  bring(fluid, b, context);
}

void FluidBodyRule::answer(System& a, const PairContext& context) {
  if (context.age_a == 0) static_cast<FluidSystem&>(a).solve(context.time, context.step_a);
}

void FluidBodyRule::apply(System& a, System& b, const PairContext& context) {
  (void)a;
  if (context.age_a == 0) {
    given_.start(b.elements().size());
    collect(b);
    last_impulse_.setZero();
    for (const Guest* guest : guests_)
      for (const Vec3& impulse : guest->impulse) last_impulse_ += impulse;
    guests_.clear();
  }
  if (given_.size() == b.elements().size()) given_.hand_out(context.dt / context.step_a, b.elements());
}

}  // namespace vw
