// Each goal defines a desired velocity. The acceleration is computed from this velocity by change_to().
#include "sim/system/flock/steering/goals.h"

#include <algorithm>
#include <cmath>

#include "sim/collision/shape/hollow.h"
#include "sim/system/flock/steering/steering.h"

namespace vw {
namespace {

int species_index(const FlockPlan& plan, const std::string& name) {
  const auto found = std::find(plan.species_names.begin(), plan.species_names.end(), name);
  return name.empty() || found == plan.species_names.end() ? -1 : static_cast<int>(found - plan.species_names.begin());
}

std::vector<Vec3> points_of(const Goal& goal) {
  if (goal.kind == GoalKind::point) return {goal.params.position};
  std::vector<Vec3> points;
  for (std::size_t k = 0; k + 2 < goal.params.points.size(); k += 3)
    points.emplace_back(goal.params.points[k], goal.params.points[k + 1], goal.params.points[k + 2]);
  return points;
}

/// Largest speed [m/s] from which a member can stop within the distance `way` [m] by braking with half of its largest
/// acceleration. The other half remains for turning.
double braking_speed(const SpeciesParams& species, double way) {
  return std::sqrt(species.max_acceleration_mps2 * std::max(way, 0.0));
}

/// Desired velocity [m/s] of a member that approaches the position `to` up to the distance `keep` [m] and then moves
/// with the velocity `with` of the goal. A member that is nearer than `keep` moves away. `fastest` limits the speed
/// relative to the goal [m/s].
Vec3 arriving(const SpeciesParams& species, const Vec3& position, const Vec3& to, const Vec3& with, double keep,
              double fastest) {
  const Vec3 off = to - position;
  const double far = off.norm();
  if (!(far > 0)) return with;
  const double way = far - keep, speed = std::min(fastest, braking_speed(species, std::abs(way)));
  return with + (way < 0 ? -speed : speed) / far * off;
}

/// Desired velocity [m/s] of a member that moves away from the position `from`, which moves with the velocity `with`.
/// `fastest` is the speed relative to that position [m/s].
Vec3 leaving(const Vec3& position, const Vec3& from, const Vec3& with, double fastest) {
  const Vec3 off = position - from;
  const double far = off.norm();
  return far > 0 ? Vec3(with + fastest / far * off) : with;
}

/// Radius [m] of the bounding sphere of a bounded collider. The result is 0 for unbounded colliders and sheets.
double outer_radius(const Collider& collider) {
  const Box3 box = bounds(collider.shape);
  return is_solid(collider.shape) && box.sizes().allFinite() ? 0.5 * box.sizes().norm() : 0;
}

}  // namespace

void Goals::configure(const FlockPlan& plan) {
  aims_.clear();
  wanted_.clear();
  for (const Goal& goal : plan.goals) {
    if (!goal.params.enabled) continue;
    Aim aim;
    aim.kind = goal.kind;
    aim.species = species_index(plan, goal.params.species);
    aim.weight = goal.params.weight;
    aim.radius_m = goal.params.radius_m;
    aim.loop = goal.params.loop;
    aim.points = points_of(goal);
    aim.body = goal.params.body;
    if (aim.kind == GoalKind::body) wanted_.push_back(aim.body);
    aims_.push_back(std::move(aim));
  }
}

void Goals::begin(std::span<const Collider> colliders, const Surroundings& around) {
  for (Aim& aim : aims_) {
    if (aim.kind != GoalKind::body) continue;
    aim.known = false;
    for (const FlockMark& mark : around.marks)
      if (!aim.known && mark.body == aim.body) {
        aim.position = mark.position, aim.velocity = mark.velocity;
        aim.keep_m = mark.radius + aim.radius_m;
        aim.known = true;
      }
    for (const Collider& collider : colliders)
      if (!aim.known && collider.name == aim.body) {
        aim.position = collider.position, aim.velocity = collider.velocity;
        aim.keep_m = outer_radius(collider) + aim.radius_m;
        aim.known = true;
      }
  }
}

Vec3 Goals::pull(const SpeciesParams& species, std::uint8_t kind, const Vec3& position, const Vec3& velocity,
                 std::uint32_t& way) const {
  Vec3 pull = Vec3::Zero();
  bool on_path = false;
  for (const Aim& aim : aims_) {
    if (aim.species >= 0 && aim.species != kind) continue;
    const bool shuns = aim.weight < 0;
    Vec3 wanted = velocity;
    if (aim.kind == GoalKind::body) {
      if (!aim.known) continue;
      wanted = shuns ? leaving(position, aim.position, aim.velocity, species.max_speed_mps)
                     : arriving(species, position, aim.position, aim.velocity, aim.keep_m, species.max_speed_mps);
    } else if (aim.kind == GoalKind::point) {
      if (!shuns && (aim.points[0] - position).norm() <= aim.radius_m) continue;  // The member has arrived.
      wanted = shuns ? leaving(position, aim.points[0], Vec3::Zero(), species.cruise_speed_mps)
                     : arriving(species, position, aim.points[0], Vec3::Zero(), 0, species.cruise_speed_mps);
    } else {
      if (on_path || aim.points.empty()) continue;
      on_path = true;
      const auto count = static_cast<std::uint32_t>(aim.points.size());
      way = std::min(way, count - 1);
      const bool last = !aim.loop && way + 1 == count;
      const bool there = (aim.points[way] - position).norm() <= aim.radius_m;
      if (there && last && !shuns) continue;
      if (there && !last) way = (way + 1) % count;
      const Vec3& to = aim.points[way];
      if (shuns)
        wanted = leaving(position, to, Vec3::Zero(), species.cruise_speed_mps);
      else if (!aim.loop && way + 1 == count)
        wanted = arriving(species, position, to, Vec3::Zero(), 0, species.cruise_speed_mps);
      else
        wanted = species.cruise_speed_mps * (to - position).normalized();
    }
    pull += std::abs(aim.weight) * change_to(species, wanted, velocity);
  }
  return pull;
}

}  // namespace vw
