// A particle's path under constant acceleration and linear drag, exactly, and when it comes to a plane.
#pragma once

#include <optional>

#include "sim/base/math.h"

namespace vw {

struct Path {
  Vec3 x = Vec3::Zero(), v = Vec3::Zero();
  Vec3 acceleration = Vec3::Zero();  ///< without the drag
  double drag_time_s = 0;            ///< 0 = none
  Vec3 wind = Vec3::Zero();
  [[nodiscard]] Vec3 position(double t) const;
  [[nodiscard]] Vec3 velocity(double t) const;
  [[nodiscard]] Vec3 acceleration_at(const Vec3& velocity) const;
  /// No way within t is longer.
  [[nodiscard]] double longest_way(double t) const;
  /// The same path from time t on.
  [[nodiscard]] Path from(double t) const;
};

/// First time in (0, horizon] at which the path, seen from a frame that moves with `drift` [m/s], has come `gap` nearer to a plane of normal n. A gap
/// of 0: the time of its return, if it leaves and returns. nullopt: never.
[[nodiscard]] std::optional<double> time_to_plane(const Path& path, const Vec3& drift, const Vec3& n, double gap, double horizon);

}  // namespace vw
