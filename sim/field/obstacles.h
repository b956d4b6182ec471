// Obstacles in the air, which fields query for the distance to the nearest surface. The implementation is in sim/world,
// because it needs the colliders.
#pragma once

#include <span>

#include "sim/base/math.h"

namespace vw {

/// Surface point nearest to a position.
struct NearSurface {
  double distance_m = 0;         ///< Distance [m], negative inside.
  Vec3 normal = Vec3::UnitY();   ///< Outward unit normal.
  Vec3 velocity = Vec3::Zero();  ///< Velocity of the surface at that point [m/s].
};

class Obstacles {
 public:
  virtual ~Obstacles() = default;
  /// Returns whether there are no obstacles.
  [[nodiscard]] virtual bool empty() const = 0;
  /// Finds the surface nearest to each position [m] at `time` [s]. If no surface is within `reach_m`, the distance in
  /// the result is at least `reach_m`, and the normal is arbitrary.
  virtual void nearest(std::span<const Vec3> position, double time, double reach_m,
                       std::span<NearSurface> out) const = 0;
};

}  // namespace vw
