#include "sim/system/flock/steering/steering.h"

#include <algorithm>
#include <cmath>

#include "sim/base/random.h"

namespace vw {
namespace {

/// Largest factor by which the mean velocity of neighbours with different headings is scaled up.
constexpr double quickened = 1.5;

}  // namespace

Vec3 share_out(Motives& motives, Budget budget, double most) {
  Vec3 sum = Vec3::Zero();
  if (budget == Budget::weighted) {
    for (const Vec3& one : motives) sum += one;
    const double size = sum.norm();
    if (size <= most) return sum;
    for (Vec3& one : motives) one *= most / size;
    return cut_to(sum, most);
  }
  double left = most;
  for (Vec3& one : motives) {
    const double squared = one.squaredNorm();
    if (squared == 0) continue;
    if (left == 0) {
      one.setZero();
      continue;
    }
    const double size = std::sqrt(squared);
    if (size > left) one *= left / size;
    left = std::max(0.0, left - size);
    sum += one;
  }
  return cut_to(sum, most);
}

Vec3 own_direction(std::uint32_t id) { return random_direction({0x666c6f636bULL, 1}, id); }

Vec3 change_to(const SpeciesParams& species, const Vec3& wanted, const Vec3& motion) {
  const double full = std::max(species.cruise_speed_mps, 1e-3);
  return cut_to(species.max_acceleration_mps2 / full * (wanted - motion), species.max_acceleration_mps2);
}

void neighbour_motives(const SpeciesParams& species, const Seen& seen, const Vec3& motion, std::uint32_t id, double dt,
                       Motives& out) {
  const double most = species.max_acceleration_mps2;
  Vec3 push = seen.push.cast<double>();
  if (seen.same_place > 0) push += own_direction(id);
  out[static_cast<std::size_t>(Motive::separation)] = species.separation * most * cut_to(push, 1);
  if (seen.count == 0) return;
  const double share = 1.0 / seen.count, full = std::max(species.cruise_speed_mps, 1e-3);
  const double gain = std::min(species.alignment * most / full, 0.5 / dt);
  // If the neighbours have different headings, their mean velocity is shorter than the individual velocities, and a
  // member that adopted the mean would brake. Therefore the mean is scaled up to the member's own speed. The factor is
  // limited, so that members slow down if headings differ strongly. Otherwise groups would move apart faster than a
  // common heading spreads.
  Vec3 mean = motion + share * seen.motion.cast<double>();
  const double own_squared = motion.squaredNorm(), mean_squared = mean.squaredNorm();
  if (mean_squared < own_squared) mean *= std::min(quickened, std::sqrt(own_squared / mean_squared));
  out[static_cast<std::size_t>(Motive::alignment)] = cut_to(gain * (mean - motion), species.alignment * most);
  out[static_cast<std::size_t>(Motive::cohesion)] =
      species.cohesion * most * share / species.reach_m * seen.offset.cast<double>();
}

}  // namespace vw
