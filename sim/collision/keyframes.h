// Motion that is defined by poses at certain times. A KeyTrack receives keys in ascending order of time and returns the
// pose at any time. Queries do not change it.
#pragma once

#include <vector>

#include "sim/base/data/node.h"
#include "sim/collision/pose.h"

namespace vw {

struct Keyframe {
  double time_s = 0;
  Pose pose;
};

enum class KeyPath { smooth, linear };
enum class KeyEnd { loop, hold };

class KeyTrack {
 public:
  KeyTrack() = default;
  /// The keys must be in ascending order of time. With KeyPath::smooth, velocity and angular velocity are continuous
  /// between the first and the last key. With KeyPath::smooth and KeyEnd::hold, the motion also starts and ends at
  /// rest. With KeyEnd::loop, the motion restarts at the first key when it reaches the last key. The pose then jumps if
  /// the poses of these keys differ. Rotations take the shorter arc between keys.
  KeyTrack(std::vector<Keyframe> keys, KeyPath path, KeyEnd end);

  [[nodiscard]] bool empty() const { return keys_.empty(); }
  [[nodiscard]] bool moves() const { return keys_.size() > 1; }
  /// Returns whether the pose may change between the times `from` and `from + span`.
  [[nodiscard]] bool moves_within(double from, double span) const;
  [[nodiscard]] Pose at(double time) const;
  /// Returns the pose at time `to` [s]. `from` is a time shortly before `to`. If a looping track restarts between these
  /// times and its first and last poses differ, returns the pose before the jump, which is that of the last key.
  [[nodiscard]] Pose reached(double from, double to) const;

 private:
  struct Rates {
    Vec3 velocity = Vec3::Zero();
    Vec3 turning = Vec3::Zero();  ///< Angular velocity in the frame of the key [rad/s].
  };
  [[nodiscard]] Rates slope(std::size_t piece) const;
  void find_rates();
  [[nodiscard]] double round_of(double time) const;
  [[nodiscard]] Pose within(double time) const;

  std::vector<Keyframe> keys_;
  std::vector<Rates> rates_;  ///< Rates at each key of a smooth path.
  KeyPath path_ = KeyPath::smooth;
  KeyEnd end_ = KeyEnd::hold;
  bool closed_ = false;  ///< Whether the last pose equals the first.
};

/// Returns the schema of the slot `key` of a collider, with time, position and rotation.
[[nodiscard]] const Schema& keyframe_schema();
/// Returns the keys of a node, ordered by time. An error names the key that is invalid.
[[nodiscard]] Result<std::vector<Keyframe>> read_keyframes(const Node& owner);

}  // namespace vw
