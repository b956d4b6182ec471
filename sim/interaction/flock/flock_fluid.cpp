// Each evaluation computes kernel means of the fluid around the members and around their tails.
// Impulses are applied member by member, so results are bit-identical for any number of threads.
#include "sim/interaction/flock/flock_fluid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vw {
namespace {

/// Edge of the squares into which the fluid surface is divided in the x-z plane, in particle spacings. Each square is
/// represented by one sphere, so that members can avoid the surface.
constexpr double square_spacings = 4;

/// Returns the id of the last fluid particle, or 0 if there is none.
std::uint32_t last_water_id(const Elements& water) { return water.id.empty() ? 0 : water.id.back(); }

}  // namespace

const ParamTable<RuleParams>& flock_fluid_params() {
  using P = RuleParams;
  static const ParamTable<P> table{
      rule_params("Whether the flock and the fluid act on each other. Members with the medium \"water\" swim in the "
                  "fluid and stir it. Other members avoid the surface."),
  };
  return table;
}

const Schema& flock_fluid_schema() {
  static const Schema schema{
      "flock_fluid",
      "Fish swim in fluids. They push the water back, and the water exerts drag and buoyancy on them.",
      flock_fluid_params().specs(),
      {},
      "Flocks and fluids"};
  return schema;
}

// ---- Input of the flock's steering --------------------------------------------------------------------------------

void FlockFluid::find_water(const FlockSystem& flock, const FluidSystem& fluid, const PairContext& context) {
  const FlockRows& rows = flock.rows();
  const std::vector<SpeciesParams>& species = flock.plan().species;
  swimmers_.resize(species.size());
  for (Swimmers& swimmers : swimmers_) swimmers.row.clear();
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (species[rows.species[i]].medium == SpeciesMedium::water)
      swimmers_[rows.species[i]].row.push_back(static_cast<std::uint32_t>(i));
  for (std::size_t k = 0; k < species.size(); ++k) {
    Swimmers& swimmers = swimmers_[k];
    const std::size_t n = swimmers.row.size();
    if (n == 0) continue;
    swimmers.point.resize(2 * n);
    for (std::size_t s = 0; s < n; ++s) {
      const std::size_t i = swimmers.row[s];
      swimmers.point[s] = rows.elements.position[i] + context.age_a * rows.elements.velocity[i];
      swimmers.point[n + s] = swimmers.point[s] - 0.5 * species[k].length_m * rows.heading[i];
    }
    swimmers.mean.find(fluid, context.age_b, swimmers.point, 0.5 * species[k].length_m);
  }
  found_rows_ = fluid.elements().size();
  found_last_ = last_water_id(fluid.elements());
}

/// Passes the velocity of the water and the immersed fraction of each member to the flock. If a member is surrounded by
/// several fluids, their velocities are averaged with the immersed fractions as weights.
void FlockFluid::tell_water(FlockSystem& flock, const Elements& water) const {
  std::vector<FlockWater>& told = flock.around().water;
  if (told.size() != flock.rows().size()) told.assign(flock.rows().size(), {});
  for (const Swimmers& swimmers : swimmers_)
    for (std::size_t s = 0; s < swimmers.row.size(); ++s) {
      const FluidMean::Around here = swimmers.mean.at(water, s);
      FlockWater& at = told[swimmers.row[s]];
      const double both = at.share + here.immersed;
      if (!(both > 0)) continue;
      at.velocity = (at.share * at.velocity + here.immersed * here.velocity) / both;
      at.share = std::min(1.0, both);
    }
}

/// Represents the fluid surface by one sphere for each square of the x-z
/// plane. Each sphere lies just below the highest particle of its square.
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
  // The radius is half the diagonal of a square, so the spheres of adjacent squares leave no gap.
  const double radius = 0.5 * std::sqrt(2.0) * side;
  for (const std::uint32_t k : highest_) {
    if (k == nobody) continue;
    balls.position.push_back(rows.position[k] + context.age_b * rows.velocity[k] +
                             Vec3(0, 0.5 * fluid.spacing() - radius, 0));
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
  const bool any_swims =
      std::any_of(swimmers_.begin(), swimmers_.end(), [](const Swimmers& swimmers) { return !swimmers.row.empty(); });
  if (!any_swims && flock.rows().size() > 0) show_surface(flock, fluid, context);
}

void FlockFluid::answer(System& a, const PairContext& context) {
  if (context.age_a == 0) static_cast<FlockSystem&>(a).decide(context.time, context.step_a);
}

// ---- Forces between members and fluid -----------------------------------------------------------------------------

/// Applies the forces between members and fluid:
/// m dv/dt = s m T + (m g - rho V g_f) m / (m + rho V / 2) - s m r (v - u)
/// m is the mass of the member and v its velocity. s is the immersed fraction, T the acceleration by thrust, and V the
/// displaced volume. rho is the density of the fluid, u its mean velocity and g_f its gravity. r is the drag rate and g
/// the gravity of the world. The drag is evaluated at the end of the time span (implicit). The flock system applies the
/// weight m g, so this function applies the remainder. The term rho V / 2 is the added mass: a rising or sinking member
/// accelerates half the fluid that it displaces. Without the added mass, light members would accelerate instantly.
void FlockFluid::swim(const Swimmers& swimmers, double density_kgpm3, FlockSystem& flock, const FluidSystem& fluid,
                      Elements& water, const PairContext& context) {
  Elements& members = flock.elements();
  const std::size_t n = swimmers.row.size();
  for (std::size_t s = 0; s < n; ++s) {
    const FluidMean::Around here = swimmers.mean.at(water, s);
    if (here.weight <= 0) continue;
    const std::size_t i = swimmers.row[s];
    const double mass = members.mass[i], borne = here.immersed * here.density_kgpm3 / density_kgpm3;
    const Vec3 relative =
        members.velocity[i] + members.impulse[i] / mass + context.age_a * context.gravity - here.velocity;
    const Vec3 push = here.immersed * flock.thrust()[i];
    const Vec3 lift = ((1 - fluid.gravity_scale() * borne) / (1 + 0.5 * borne) - 1) * context.gravity;
    const double drag = here.immersed * mass * flock.drag_rate(i, relative.norm());
    const Vec3 driven = context.dt * (push + lift + context.gravity);
    const Vec3 braked =
        context.dt * drag / (1 + context.dt * drag * (1 / mass + here.inverse_mass)) * (relative + driven);
    const Vec3 pushed = context.dt * mass * push, met = context.dt * mass * lift - braked;
    members.impulse[i] += pushed + met;
    swimmers.mean.give(water, s, here, -met);
    const FluidMean::Around behind = swimmers.mean.at(water, n + s);
    if (behind.weight > 0)
      swimmers.mean.give(water, n + s, behind, -pushed);
    else
      swimmers.mean.give(water, s, here, -pushed);
  }
}

void FlockFluid::apply(System& a, System& b, const PairContext& context) {
  auto& flock = static_cast<FlockSystem&>(a);
  const auto& fluid = static_cast<const FluidSystem&>(b);
  // If fluid particles have been removed or added since the search, the neighbours must be searched again. This happens
  // if another rule removes particles, or lets the fluid make its substep.
  if (found_rows_ != fluid.elements().size() || found_last_ != last_water_id(fluid.elements()))
    find_water(flock, fluid, context);
  flock.elements().room_for_impulses();
  Elements& water = b.elements().room_for_impulses();
  for (std::size_t k = 0; k < swimmers_.size(); ++k)
    swim(swimmers_[k], flock.plan().species[k].density_kgpm3, flock, fluid, water, context);
}

}  // namespace vw
