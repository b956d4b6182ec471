// Exact path of a particle under constant acceleration and linear drag, and the time at which it reaches a plane.
#pragma once

#include <optional>

#include "sim/base/math.h"

namespace vw {

struct Path {
  Vec3 x = Vec3::Zero(), v = Vec3::Zero();
  Vec3 acceleration = Vec3::Zero();  ///< Acceleration without drag [m/s^2].
  double drag_time_s = 0;            ///< Drag time constant [s]. 0 means no drag.
  Vec3 wind = Vec3::Zero();          ///< Wind velocity [m/s]. It is ignored without drag.
  [[nodiscard]] Vec3 position(double t) const;
  [[nodiscard]] Vec3 velocity(double t) const;
  [[nodiscard]] Vec3 acceleration_at(const Vec3& velocity) const;
  /// Returns an upper bound of the distance travelled within the time t [m].
  [[nodiscard]] double longest_way(double t) const;
  /// Returns the path that starts on this path at time t.
  [[nodiscard]] Path from(double t) const;
};

/// Returns the first time in (0, horizon] at which the distance to a plane of normal n has decreased by `gap` [m], in a
/// frame that moves with the velocity `drift` [m/s]. If `gap` is 0 and the path first leaves the plane, it is the time
/// of the return. Returns nullopt if there is no such time.
[[nodiscard]] std::optional<double> time_to_plane(const Path& path, const Vec3& drift, const Vec3& n, double gap,
                                                  double horizon);

}  // namespace vw
