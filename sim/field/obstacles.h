// Obstacles as seen by fields: distance to the nearest surface. Implemented in sim/world, where the colliders are
// known.
#pragma once

#include <span>

#include "sim/base/math.h"

namespace vw {

/// The surface point nearest to a position.
struct NearSurface {
  double distance_m = 0;         ///< Negative inside.
  Vec3 normal = Vec3::UnitY();   ///< Outward unit normal.
  Vec3 velocity = Vec3::Zero();  ///< Velocity of the surface at that point [m/s].
};

class Obstacles {
 public:
  virtual ~Obstacles() = default;
  /// Whether there are no obstacles.
  [[nodiscard]] virtual bool empty() const = 0;
  /// The nearest surface to each position [m] at `time` [s]. If no surface is within `reach_m`, the distance is reach_m
  /// or more and the normal is arbitrary.
  virtual void nearest(std::span<const Vec3> position, double time, double reach_m,
                       std::span<NearSurface> out) const = 0;
};

}  // namespace vw
