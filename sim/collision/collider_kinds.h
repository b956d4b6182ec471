// Colliders as described in scenes: the parameters of each collider kind, its shape and its motion.
#pragma once

#include <map>
#include <string>

#include "sim/collision/collider.h"
#include "sim/collision/keyframes.h"

namespace vw {

/// Motion of a collider by keyframes, by an element that carries the collider, or by both. Constant velocities are
/// members of Collider. They are zero if the collider has keyframes.
struct ColliderMotion {
  KeyTrack keys;
  std::string carrier;  ///< Name of the system whose element carries the collider. Empty means no carrier.
  /// Index of the carrying element at the start, counted from 0. -1 means the element nearest to the collider.
  std::int64_t element = -1;
  int line = 0;  ///< Line of the collider's node in the scene file, for messages.
};
/// Reads the motion that a collider's node describes.
[[nodiscard]] Result<ColliderMotion> make_motion(const Node& self);

/// Pose of a collider at `time` [s] before the motion of its carrier is applied. Does not allocate.
[[nodiscard]] Pose pose_at(const Collider& collider, const ColliderMotion& motion, double time);
/// Pose at time `to` [s], the end of a step that begins at time `from`. If looping keyframes jump within the step, the
/// pose before the jump is returned. The jump therefore does not accelerate elements in contact.
[[nodiscard]] Pose pose_reached(const Collider& collider, const ColliderMotion& motion, double from, double to);

/// Cache of shapes by their parameters. A file is read once for all colliders that name it. If a parameter that does
/// not affect the shape changes, the file is not read again.
class ShapeStore {
 public:
  [[nodiscard]] const Shape* find(const std::string& key);
  void keep(const std::string& key, Shape shape, std::string note = {}) {
    shapes_[key] = {std::move(shape), std::move(note), true};
  }
  /// Removes shapes that were neither found nor stored since the last call.
  void forget_unused();
  [[nodiscard]] std::size_t size() const { return shapes_.size(); }
  [[nodiscard]] std::vector<std::string> notes() const;  ///< Notes about the files that were read, one sentence each.

 private:
  struct Row {
    Shape shape;
    std::string note;
    bool used = false;
  };
  std::map<std::string, Row> shapes_;
};

struct MovingCollider {
  Collider collider;  ///< Collider in its start pose.
  ColliderMotion motion;
};
/// Reads the collider and the motion that a node describes. Errors name the collider, the line of the node and the key.
[[nodiscard]] Result<MovingCollider> read_collider(const Node& self, ShapeStore& shapes);
/// Overload of make_collider() in collider.h that takes shapes from the cache `shapes`, and stores new shapes there.
[[nodiscard]] Result<Collider> make_collider(const Node& self, ShapeStore& shapes);

}  // namespace vw
