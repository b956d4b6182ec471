// What stands in the air, as fields see it: how far the nearest surface is. Implemented where colliders are known (sim/world).
#pragma once

#include <span>

#include "sim/base/math.h"

namespace vw {

/// The nearest surface to a place.
struct NearSurface {
  double distance_m = 0;         ///< negative inside
  Vec3 normal = Vec3::UnitY();   ///< out of the obstacle, unit
  Vec3 velocity = Vec3::Zero();  ///< of the surface there [m/s]
};

class Obstacles {
 public:
  virtual ~Obstacles() = default;
  /// Whether there is none at all.
  [[nodiscard]] virtual bool empty() const = 0;
  /// The nearest surface to each position [m] at `time` [s]; where none is within `reach_m`, a distance of reach_m or more and any normal.
  virtual void nearest(std::span<const Vec3> position, double time, double reach_m, std::span<NearSurface> out) const = 0;
};

}  // namespace vw
