// A motion given by poses at times. In: keys in the order of time. Out: a pose as a function of time, nothing to remember.
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
  /// Times must ascend. smooth: velocity and angular velocity are continuous, and with `hold` it starts and ends at rest. Turns from key to key take
  /// the shorter way. loop: the first key follows on the last; where they differ it jumps there.
  KeyTrack(std::vector<Keyframe> keys, KeyPath path, KeyEnd end);

  [[nodiscard]] bool empty() const { return keys_.empty(); }
  [[nodiscard]] bool moves() const { return keys_.size() > 1; }
  /// Whether anything happens from that time on within `span`.
  [[nodiscard]] bool moves_within(double from, double span) const;
  [[nodiscard]] Pose at(double time) const;
  /// Where it has come to at `to` since `from` (a short while before) by moving: a jump in between is not taken.
  [[nodiscard]] Pose reached(double from, double to) const;

 private:
  struct Rates {
    Vec3 velocity = Vec3::Zero();
    Vec3 turning = Vec3::Zero();  ///< in the key's own frame [rad/s]
  };
  [[nodiscard]] Rates slope(std::size_t piece) const;
  void find_rates();
  [[nodiscard]] double round_of(double time) const;
  [[nodiscard]] Pose within(double time) const;

  std::vector<Keyframe> keys_;
  std::vector<Rates> rates_;  ///< at each key, of a smooth path
  KeyPath path_ = KeyPath::smooth;
  KeyEnd end_ = KeyEnd::hold;
  bool closed_ = false;  ///< the last pose is the first
};

/// Slot `key` of a collider: time, position, rotation.
[[nodiscard]] const Schema& keyframe_schema();
/// The keys of a node by time. The error says which key is not like the others.
[[nodiscard]] Result<std::vector<Keyframe>> read_keyframes(const Node& owner);

}  // namespace vw
