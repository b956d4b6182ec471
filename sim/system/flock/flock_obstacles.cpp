#include "sim/system/flock/flock_obstacles.h"

namespace vw {
void FlockObstacles::assign(std::span<const Collider> colliders, const Surroundings& around, double dt) { (void)colliders, (void)around, dt_ = dt; }
void FlockObstacles::sort(std::span<const Vec3> places, double reach_m, double ahead_s) { (void)places, (void)reach_m, (void)ahead_s; }
std::span<const std::uint32_t> FlockObstacles::near(const Vec3& place) const { return (void)place, std::span<const std::uint32_t>(); }
}  // namespace vw
