#include "sim/system/flock/avoidance.h"

#include <limits>

namespace vw {
void Avoidance::look(FlockObstacles& obstacles, const Surroundings& around, const FlockPlan& plan, const FlockRows& rows) {
  (void)obstacles, (void)around, (void)plan;
  avoid_.assign(rows.size(), Vec3::Zero());
  flight_.assign(rows.size(), Vec3::Zero());
  free_m_.assign(rows.size(), std::numeric_limits<double>::infinity());
}
Vec3 flight_from(const SpeciesParams& species, const Vec3& position, const Vec3& velocity, const FlockStranger& hunter) {
  return (void)species, (void)position, (void)velocity, (void)hunter, Vec3::Zero();
}
}  // namespace vw
