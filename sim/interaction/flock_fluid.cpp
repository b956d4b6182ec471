// Means of the rows around members and their tails at each evaluation; impulses one member after the other: the same bits at any number of threads.
#include "sim/interaction/flock_fluid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vw {
namespace {

/// A square of the ground over which the surface is told as one ball, in spacings.
constexpr double square_spacings = 4;

}  // namespace

const ParamTable<RuleParams>& flock_fluid_params() {
  using P = RuleParams;
  static const ParamTable<P> table{
      rule_enabled<P>("Whether members of medium \"water\" swim in the fluid and stir it, and others keep clear of its surface."),
      rule_a<P>(),
      rule_b<P>(),
  };
  return table;
}

const Schema& flock_fluid_schema() {
  static const Schema schema{
      "flock_fluid", "Fish swim in fluids: they push the water back, and it carries them and bears them up.", flock_fluid_params().specs(), {}};
  return schema;
}

// ---- What a flock is told -------------------------------------------------------------------------------------------------------------------

void FlockFluid::find_water(const FlockSystem& flock, const FluidSystem& fluid, const PairContext& context) {
  const FlockRows& rows = flock.rows();
  const std::vector<SpeciesParams>& species = flock.plan().species;
  swimmer_.clear();
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (species[rows.species[i]].medium == Medium::water) swimmer_.push_back(static_cast<std::uint32_t>(i));
  const std::size_t n = swimmer_.size();
  point_.resize(2 * n);
  for (std::size_t s = 0; s < n; ++s) {
    const std::size_t i = swimmer_[s];
    point_[s] = rows.elements.position[i] + context.age_a * rows.elements.velocity[i];
    point_[n + s] = point_[s] - 0.5 * species[rows.species[i]].length_m * rows.heading[i];
  }
  mean_.find(fluid, context.age_b, point_);
  found_rows_ = fluid.elements().size();
}

/// Of several fluids at a member the mean by their shares.
void FlockFluid::tell_water(FlockSystem& flock, const Elements& water) const {
  std::vector<FlockWater>& told = flock.around().water;
  if (told.size() != flock.rows().size()) told.assign(flock.rows().size(), {});
  for (std::size_t s = 0; s < swimmer_.size(); ++s) {
    const FluidMean::Around here = mean_.at(water, s);
    FlockWater& at = told[swimmer_[s]];
    const double both = at.share + here.immersed;
    if (!(both > 0)) continue;
    at.velocity = (at.share * at.velocity + here.immersed * here.velocity) / both;
    at.share = std::min(1.0, both);
  }
}

/// The highest row over each square of the ground stands for the surface there.
void FlockFluid::show_surface(FlockSystem& flock, const FluidSystem& fluid, const PairContext& context) {
  const Elements& rows = fluid.elements();
  const double side = square_spacings * fluid.spacing();
  const Box3 minded = minded_by(flock, 0);
  Box3 box;
  for (const Vec3& place : rows.position)
    if (minded.contains(place)) box.extend(place);
  if (box.isEmpty()) return;
  const Vec3 counts = (box.sizes() / side).array().floor() + 1;
  if (!(counts.x() * counts.z() < 4 * static_cast<double>(rows.size()) + 64)) return;
  constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();
  const auto across = static_cast<std::size_t>(counts.x());
  highest_.assign(across * static_cast<std::size_t>(counts.z()), nobody);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!minded.contains(rows.position[k])) continue;
    const Vec3 at = (rows.position[k] - box.min()) / side;
    std::uint32_t& highest = highest_[static_cast<std::size_t>(at.z()) * across + static_cast<std::size_t>(at.x())];
    if (highest == nobody || rows.position[k].y() > rows.position[highest].y()) highest = static_cast<std::uint32_t>(k);
  }
  FlockBalls balls;
  balls.solid = false;
  const double radius = 0.5 * std::sqrt(2.0) * side;  // of squares that touch: no hole between them
  for (const std::uint32_t k : highest_) {
    if (k == nobody) continue;
    balls.position.push_back(rows.position[k] + context.age_b * rows.velocity[k] + Vec3(0, 0.5 * fluid.spacing() - radius, 0));
    balls.velocity.push_back(rows.velocity[k]);
    balls.radius.push_back(radius);
  }
  flock.around().balls.push_back(std::move(balls));
}

void FlockFluid::prepare(System& a, System& b, const PairContext& context) {
  auto& flock = static_cast<FlockSystem&>(a);
  const auto& fluid = static_cast<const FluidSystem&>(b);
  b.elements().room_for_impulses();
  find_water(flock, fluid, context);
  if (context.age_a > 0) return;
  tell_water(flock, fluid.elements());
  offer_marks(flock, fluid, context.age_b);
  if (swimmer_.empty() && flock.rows().size() > 0) show_surface(flock, fluid, context);
}

void FlockFluid::answer(System& a, const PairContext& context) {
  if (context.age_a == 0) static_cast<FlockSystem&>(a).decide(context.time, context.step_a);
}

// ---- What the two do to each other ------------------------------------------------------------------------------------------------------------

/// m dv/dt = s T + (m - rho V) g - m r (v - u), with the drag of the end of the span, of which m g is the flock's own to give.
void FlockFluid::apply(System& a, System& b, const PairContext& context) {
  auto& flock = static_cast<FlockSystem&>(a);
  const auto& fluid = static_cast<const FluidSystem&>(b);
  if (found_rows_ != fluid.elements().size()) find_water(flock, fluid, context);  // another rule took rows away
  Elements &members = flock.elements().room_for_impulses(), &water = b.elements().room_for_impulses();
  const std::size_t n = swimmer_.size();
  for (std::size_t s = 0; s < n; ++s) {
    const FluidMean::Around here = mean_.at(water, s);
    if (here.weight <= 0) continue;
    const std::size_t i = swimmer_[s];
    const double mass = members.mass[i], density = flock.plan().species[flock.rows().species[i]].density_kgpm3;
    const double borne = here.immersed * here.density_kgpm3 / density;
    const Vec3 relative = members.velocity[i] + members.impulse[i] / mass + context.age_a * context.gravity - here.velocity;
    const Vec3 push = here.immersed * flock.thrust()[i], lift = -borne * context.gravity;
    const double drag = here.immersed * mass * flock.drag_rate(i, relative.norm());
    const Vec3 driven = context.dt * (push + lift + context.gravity);
    const Vec3 braked = context.dt * drag / (1 + context.dt * drag * (1 / mass + here.inverse_mass)) * (relative + driven);
    const Vec3 pushed = context.dt * mass * push, met = context.dt * mass * lift - braked;
    members.impulse[i] += pushed + met;
    mean_.give(water, s, here, -met);
    const FluidMean::Around behind = mean_.at(water, n + s);
    if (behind.weight > 0)
      mean_.give(water, n + s, behind, -pushed);
    else
      mean_.give(water, s, here, -pushed);
  }
}

}  // namespace vw
