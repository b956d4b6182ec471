// Motion given by poses at certain times. Input: keys in the order of time. Output: the pose as a function of time,
// without state.
#pragma once

#include <vector>

#include "sim/base/node.h"
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
  /// Times must ascend. smooth: velocity and angular velocity are continuous; with `hold`, the motion starts and ends
  /// at rest. Rotations between keys take the shorter way. loop: after the last key the motion continues at the first
  /// one; if their poses differ, it jumps.
  KeyTrack(std::vector<Keyframe> keys, KeyPath path, KeyEnd end);

  [[nodiscard]] bool empty() const { return keys_.empty(); }
  [[nodiscard]] bool moves() const { return keys_.size() > 1; }
  /// Whether the pose changes within the time from `from` to `from + span`.
  [[nodiscard]] bool moves_within(double from, double span) const;
  [[nodiscard]] Pose at(double time) const;
  /// Pose at `to` when moving continuously from `from`, a short time before. A jump in between is not taken.
  [[nodiscard]] Pose reached(double from, double to) const;

 private:
  struct Rates {
    Vec3 velocity = Vec3::Zero();
    Vec3 turning = Vec3::Zero();  ///< In the key's own frame [rad/s].
  };
  [[nodiscard]] Rates slope(std::size_t piece) const;
  void find_rates();
  [[nodiscard]] double round_of(double time) const;
  [[nodiscard]] Pose within(double time) const;

  std::vector<Keyframe> keys_;
  std::vector<Rates> rates_;  ///< Rates at each key of a smooth path.
  KeyPath path_ = KeyPath::smooth;
  KeyEnd end_ = KeyEnd::hold;
  bool closed_ = false;  ///< The last pose equals the first.
};

/// Schema of the slot `key` of a collider: time, position, rotation.
[[nodiscard]] const Schema& keyframe_schema();
/// The keys of a node, ordered by time. The error names the invalid key.
[[nodiscard]] Result<std::vector<Keyframe>> read_keyframes(const Node& owner);

}  // namespace vw
