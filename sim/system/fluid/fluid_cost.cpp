#include "sim/system/fluid/fluid_cost.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/ordered_max.h"
#include "sim/system/fluid/walls/walls.h"

namespace vw {
namespace {

/// Pair evaluations per particle in each part of a substep: about 30 neighbours in each of about 10 passes over the
/// neighbour lists.
constexpr double cost_of_particle = 300;
/// Cost of placing and sorting one sample of a moving wall in each part of a substep, in pair evaluations.
constexpr double cost_of_sample = 15;

/// A particle is reported as the fastest object only if its speed exceeds the speed of every inflow, collider and body
/// by this factor. Otherwise an inflow has probably emitted the particle, or a collider or body has hit it.
constexpr double clearly_faster = 20;

/// Calls offer(speed, name) for each object that moves. `name` is a function that returns the object's name, because
/// most names are not needed.
template <class F>
void each_mover(const FluidMovers& movers, F offer) {
  const Elements& e = movers.rows.elements;
  offer(fastest_of(e.velocity), [] { return std::string("a particle"); });
  for (std::size_t i = 0; i < e.impulse.size(); ++i)
    offer((e.velocity[i] + e.impulse[i] / e.mass[i]).norm(), [] { return std::string("a particle pushed by a rule"); });
  for (std::size_t i = 0; i < movers.inflows.size(); ++i)
    if (movers.inflows[i].open_at(movers.time))
      offer(movers.inflows[i].speed_mps, [&, i] { return "inflow " + movers.inflow_names[i]; });
  for (const Collider& collider : movers.colliders)
    offer(collider.velocity.norm(), [&] { return "collider " + collider.name; });
  for (const Guest& guest : movers.guests)
    offer(fastest_of(guest.velocity), [] { return std::string("a body in the fluid"); });
}

}  // namespace

double fastest_of(const std::vector<Vec3>& velocity) {
  return std::sqrt(
      std::max(0.0, ordered_max(velocity.size(), 4096, [&](std::size_t i) { return velocity[i].squaredNorm(); })));
}

double fastest_way(const FluidMovers& movers) {
  double most = 0;
  each_mover(movers, [&](double speed, const auto&) { most = std::max(most, speed); });
  return std::isfinite(most) ? most : 0;
}

FluidMover fastest_mover(const FluidMovers& movers) {
  FluidMover most, named;
  each_mover(movers, [&](double speed, const auto& name) {
    if (speed > most.speed_mps) most = {speed, name()};
    if (std::string found = name(); speed > named.speed_mps && !found.starts_with("a particle"))
      named = {speed, std::move(found)};
  });
  return clearly_faster * named.speed_mps > most.speed_mps ? named : most;
}

MovingWalls moving_walls(std::span<const Collider> colliders, double spacing_m, const Box3& domain) {
  MovingWalls walls;
  double most = 0;
  for (const Collider& collider : colliders) {
    if (is_still(collider)) continue;
    const double samples = samples_of_wall(collider, spacing_m, domain);
    walls.samples += samples;
    if (samples > most) most = samples, walls.largest = collider.name;
  }
  return walls;
}

namespace {

double cost_of_part(const FluidMovers& movers, const MovingWalls& walls) {
  return cost_of_particle * static_cast<double>(movers.rows.size()) + cost_of_sample * walls.samples;
}

}  // namespace

double fluid_cost(const FluidMovers& movers, const MovingWalls& walls, double way_m, double dt, std::int64_t substeps,
                  double most_parts) {
  const double asked = fastest_way(movers) * dt / way_m;
  return std::clamp(asked, static_cast<double>(substeps), std::max(most_parts, static_cast<double>(substeps))) *
         cost_of_part(movers, walls);
}

CostCause fluid_cost_cause(const FluidMovers& movers, const MovingWalls& walls, double cost) {
  const FluidMover mover = fastest_mover(movers);
  const auto particles = static_cast<double>(movers.rows.size());
  const double parts = cost / std::max(1.0, cost_of_part(movers, walls));
  std::string what = fmt::format("{:.0f} {} per step for {:.0f} particles", parts,
                                 std::round(parts) == 1 ? "substep" : "substeps", particles);
  std::string remedy = "raise the fluid's spacing";
  if (cost_of_sample * walls.samples > cost_of_particle * particles) {
    what +=
        fmt::format(" and {:.2g} sample points on moving obstacles, most of them on {}", walls.samples, walls.largest);
    remedy = "make " + walls.largest + " smaller, raise the fluid's spacing, or lower its domain_size";
  }
  if (!(mover.speed_mps > 0)) return {what, remedy};  // If nothing moves yet, the number of particles is the cause.
  return {fmt::format("{}; {} moves at {:.3g} m/s", what, mover.name, mover.speed_mps),
          "lower that speed, or " + remedy};
}

StepBound fluid_step_bound(const FluidMovers& movers, const FluidParams& params, double dt) {
  const FluidMover mover = fastest_mover({movers.rows, movers.inflows, movers.inflow_names, {}, {}, movers.time});
  constexpr double rounding = 1e-9;
  if (params.cfl * params.spacing_m <= (1 + rounding) * dt * mover.speed_mps)
    return {fmt::format("the speed of {} ({:.3g} m/s) at cfl = {:g}", mover.name, mover.speed_mps, params.cfl),
            "lower that speed, or raise cfl"};
  if (params.max_dt_s <= dt) return {"max_dt", "raise max_dt"};
  if (params.method == FluidMethod::wcsph)
    return {"the speed of sound, which follows from stiffness,", "lower stiffness, or raise spacing"};
  return {"the acceleration by gravity, pressure or tension over one spacing",
          "raise spacing, or lower gravity or tension"};
}

}  // namespace vw
