// A member near a side of the home is turned inwards. The acceleration increases towards the side.
#include "sim/system/flock/steering/home.h"

#include <algorithm>
#include <cmath>

#include "sim/system/flock/steering/steering.h"

namespace vw {

Vec3 home_pull(const FlockParams& flock, const SpeciesParams& species, const Vec3& position, const Vec3& velocity) {
  Vec3 aim = velocity;
  bool turns = false;
  for (Eigen::Index a = 0; a < 3; ++a) {
    if (!(flock.home_size_m[a] > 0)) continue;
    const double half = 0.5 * flock.home_size_m[a], margin = std::min(flock.home_margin_m, half);
    const double off = position[a] - flock.home_center[a], beyond = std::abs(off) - (half - margin);
    if (!(beyond > 0)) continue;
    turns = true;
    const double side = off < 0 ? -1 : 1;
    // The inward target speed is zero at the inner edge of the margin and the cruising speed at the side of the home.
    // Far outside, the target speed increases to the largest speed of the species.
    const double share = margin > 0 ? beyond / margin : 2;
    const double inward =
        std::min(species.cruise_speed_mps * share, share > 2 ? species.max_speed_mps : species.cruise_speed_mps);
    const double wanted = -side * inward;
    if (side * (velocity[a] - wanted) > 0) aim[a] += std::min(share, 1.0) * (wanted - velocity[a]);
  }
  return turns ? change_to(species, aim, velocity) : Vec3(Vec3::Zero());
}

}  // namespace vw
