#include "sim/system/flock/neighbours.h"

#include <limits>

namespace vw {

void Neighbours::look(const FlockColumns& members, std::span<const Sight> sights) { look_plainly(members, sights); }

void Neighbours::look_plainly(const FlockColumns& members, std::span<const Sight> sights) {
  const std::size_t n = members.position.size();
  seen_.assign(n, Seen{});
  for (std::size_t i = 0; i < n; ++i) {
    const Sight& sight = sights[members.species[i]];
    Seen& seen = seen_[i];
    seen.nearest_m = std::numeric_limits<float>::infinity();
    const Vec3f heading = members.heading[i].cast<float>();
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      const Vec3f offset = (members.position[j] - members.position[i]).cast<float>();
      if (!sees(sight, heading, offset)) continue;
      const std::uint32_t bit = 1U << members.species[j];
      const float r = offset.norm();
      if (((sight.flock_bits | sight.apart_bits) & bit) != 0) seen.nearest_m = std::min(seen.nearest_m, r);
      if ((sight.apart_bits & bit) != 0 && r < sight.spacing_m && r > 0) seen.push -= offset * (1 / r - 1 / sight.spacing_m);
      if (r == 0) ++seen.same_place;
      if ((sight.flock_bits & bit) == 0) continue;
      ++seen.count;
      seen.offset += offset;
      seen.motion += (members.speed[j] * members.heading[j] - members.speed[i] * members.heading[i]).cast<float>();
    }
  }
}

}  // namespace vw
