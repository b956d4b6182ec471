// Colliders that a scene describes: the parameters of each kind of collider, its shape and its motion.
#pragma once

#include <map>
#include <string>

#include "sim/collision/collider.h"
#include "sim/collision/keyframes.h"

namespace vw {

/// Motion of a collider along keyframes, with an element that carries the collider, or both. For motion at constant
/// velocity, see the velocities in Collider, which are zero if the collider has keyframes.
struct ColliderMotion {
  KeyTrack keys;
  std::string carrier;  ///< Name of the system whose element carries the collider. Empty means no carrier.
  /// Index of the carrier element at the start, counted from 0. -1 means the element nearest to the collider.
  std::int64_t element = -1;
  int line = 0;  ///< Line of the collider's node in the scene file, for messages.
};
/// Reads the motion that a collider's node describes.
[[nodiscard]] Result<ColliderMotion> make_motion(const Node& self);

/// Returns the pose of a collider at `time` [s] without the motion of its carrier. Does not allocate.
[[nodiscard]] Pose pose_at(const Collider& collider, const ColliderMotion& motion, double time);
/// Returns the pose at time `to` [s], the end of a step that begins at time `from`. If looping keyframes jump back to
/// their start within the step, returns the pose just before the jump, so that the jump gives elements in contact no
/// impulse.
[[nodiscard]] Pose pose_reached(const Collider& collider, const ColliderMotion& motion, double from, double to);

/// Cache of shapes by their parameters. Colliders that name the same file share one shape. An edit that does not affect
/// the shape does not cause the file to be read again.
class ShapeStore {
 public:
  [[nodiscard]] const Shape* find(const std::string& key);
  void keep(const std::string& key, Shape shape, std::string note = {}) {
    shapes_[key] = {std::move(shape), std::move(note), true};
  }
  /// Removes shapes that were neither found nor stored since the last call.
  void forget_unused();
  [[nodiscard]] std::size_t size() const { return shapes_.size(); }
  [[nodiscard]] std::vector<std::string> notes() const;  ///< One sentence for each file with a note.

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
/// Reads the collider and its motion from a node. An error names the collider, the line of the node, and the key.
[[nodiscard]] Result<MovingCollider> read_collider(const Node& self, ShapeStore& shapes);
/// Overload of make_collider() in collider.h that takes shapes from the cache `shapes` and stores new shapes there.
[[nodiscard]] Result<Collider> make_collider(const Node& self, ShapeStore& shapes);

}  // namespace vw
