// What stands in the wind: a world's colliders where they are at a time. Bodies of systems are not in it: they feel the wind, and do not turn it.
#pragma once

#include "sim/field/obstacles.h"
#include "sim/world/collider_set.h"

namespace vw {

/// Keeps nothing of its own: colliders may be edited, or others put in their place, between questions. From several threads at once.
class FieldObstacles final : public Obstacles {
 public:
  /// `colliders` outlives it, and stays where it is.
  explicit FieldObstacles(const ColliderSet& colliders) : colliders_(&colliders) {}
  [[nodiscard]] bool empty() const override { return colliders_->size() == 0; }
  /// Where obstacles overlap, the deepest one. A place that is not finite is near nothing.
  void nearest(std::span<const Vec3> position, double time, double reach_m, std::span<NearSurface> out) const override;

 private:
  const ColliderSet* colliders_;
};

}  // namespace vw
