// A world's colliders as obstacles in the wind, in their poses at a given time. Bodies of systems are not obstacles:
// the wind acts on them, but they do not deflect it.
#pragma once

#include "sim/field/obstacles.h"
#include "sim/world/step/collider_set.h"

namespace vw {

/// Obstacles that refer to a ColliderSet. The object owns no data, so colliders may be edited or replaced between
/// queries. Queries may run on several threads at once.
class FieldObstacles final : public Obstacles {
 public:
  /// `colliders` must outlive this object and stay at its address.
  explicit FieldObstacles(const ColliderSet& colliders) : colliders_(&colliders) {}
  [[nodiscard]] bool empty() const override { return colliders_->size() == 0; }
  /// Finds the nearest surfaces (see Obstacles::nearest). Where obstacles overlap, the surface of the obstacle that
  /// contains the position most deeply is returned. No surface is found for a position that is not finite.
  void nearest(std::span<const Vec3> position, double time, double reach_m, std::span<NearSurface> out) const override;

 private:
  const ColliderSet* colliders_;
};

}  // namespace vw
