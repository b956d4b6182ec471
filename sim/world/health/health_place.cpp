#include "sim/world/health/health_place.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace vw {
namespace {

constexpr double fast_mps = 10;  ///< speed below which an object is not considered a cause
/// If an object moves farther than this in one substep, it is considered a cause. The unit is the radius of the
/// element.
constexpr double farthest_way = 0.5;

/// Another object near an element.
struct Neighbor {
  std::string name;
  double distance_m = 0, speed_mps = 0;
};

Collider posed(const WorldParts& parts, std::size_t i, double time) {
  const ColliderSet::Motion motion = parts.colliders.motion(i, time);
  Collider collider = parts.colliders.as_declared()[i];
  collider.position = motion.pose.position, collider.orientation = motion.pose.orientation;
  collider.velocity = motion.velocity, collider.angular_velocity = motion.angular_velocity;
  return collider;
}

std::vector<Neighbor> neighbors_of(const WorldParts& parts, std::size_t system, std::size_t row, double time) {
  const Elements& own = parts.systems[system]->elements();
  const Vec3& x = own.position[row];
  std::vector<Neighbor> all;
  for (std::size_t i = 0; i < parts.colliders.size(); ++i) {
    if (!parts.colliders.meets(i, system)) continue;
    const Collider collider = posed(parts, i, time);
    all.push_back(
        {"collider " + collider.name, query(collider, x).distance - own.radius[row], collider.velocity_at(x).norm()});
  }
  for (std::size_t i = 0; i < parts.systems.size(); ++i) {
    const Elements& other = parts.systems[i]->elements();
    if (i == system || other.size() == 0) continue;
    const auto gap = [&](std::size_t k) { return (other.position[k] - x).norm() - other.radius[k] - own.radius[row]; };
    std::size_t nearest = 0;
    for (std::size_t k = 1; k < other.size(); ++k)
      if (gap(k) < gap(nearest)) nearest = k;
    all.push_back({fmt::format("{} (element {})", parts.systems[i]->name(), nearest), gap(nearest),
                   other.velocity[nearest].norm()});
  }
  return all;
}

std::string too_fast(const Neighbor& object, const SystemTiming& timing) {
  return fmt::format(
      "the cause is likely {}, which moves at {:.3g} m/s and thus by {:.3g} m in a substep of {:.3g} s: lower its "
      "speed or world.dt",
      object.name, object.speed_mps, object.speed_mps * timing.substep_dt, timing.substep_dt);
}

bool is_too_fast(const Neighbor& object, double radius_m, const SystemTiming& timing) {
  return object.speed_mps > fast_mps && object.speed_mps * timing.substep_dt > farthest_way * radius_m;
}

}  // namespace

IssuePlace place_of_issue(const WorldParts& parts, std::size_t system, std::int64_t row, double time,
                          const SystemTiming& timing) {
  const Elements& own = parts.systems[system]->elements();
  IssuePlace out;
  if (row < 0 || row >= static_cast<std::int64_t>(own.size())) {
    Neighbor fastest;
    for (std::size_t i = 0; i < parts.colliders.size(); ++i) {
      const Collider collider = posed(parts, i, time);
      const double speed = collider.velocity.norm();
      if (parts.colliders.meets(i, system) && speed > fastest.speed_mps)
        fastest = {"collider " + collider.name, 0, speed};
    }
    if (is_too_fast(fastest, own.size() > 0 ? own.radius[0] : 0, timing)) out.cause = too_fast(fastest, timing);
    return out;
  }
  const auto i = static_cast<std::size_t>(row);
  const Vec3& x = own.position[i];
  const double speed = own.velocity[i].norm();
  out.place = fmt::format("at ({:.4g}, {:.4g}, {:.4g}) m with a speed of {:.3g} m/s", x.x(), x.y(), x.z(), speed);
  const Neighbor* next = nullptr;
  const std::vector<Neighbor> all = neighbors_of(parts, system, i, time);
  for (const Neighbor& one : all) {
    // Among the objects that may have reached the element within the step, the fastest is chosen.
    if (!(one.distance_m <= 2 * own.radius[i] + 2 * (one.speed_mps + speed) * timing.substep_dt)) continue;
    if (next == nullptr || one.speed_mps > next->speed_mps ||
        (one.speed_mps == next->speed_mps && one.distance_m < next->distance_m))
      next = &one;
  }
  if (next == nullptr) return out;
  out.place += fmt::format(", next to {}{}", next->name,
                           next->speed_mps > 0 ? fmt::format(", which moves at {:.3g} m/s", next->speed_mps) : "");
  if (next->speed_mps > speed && is_too_fast(*next, own.radius[i], timing)) out.cause = too_fast(*next, timing);
  return out;
}

}  // namespace vw
