// Colliders as described in scenes: the parameters of each kind's node, its shape and its motion.
#pragma once

#include <map>
#include <string>

#include "sim/collision/collider.h"
#include "sim/collision/keyframes.h"

namespace vw {

/// Motion of a collider in addition to its constant velocities: by keyframes, by an element that carries it, or by
/// both.
struct ColliderMotion {
  KeyTrack keys;
  std::string carrier;        ///< Name of the system that carries it; empty: none.
  std::int64_t element = -1;  ///< Element of the carrier at the start; -1: the nearest one.
  int line = 0;               ///< Line of its node, for messages.
};
/// The motion that a collider's node describes.
[[nodiscard]] Result<ColliderMotion> make_motion(const Node& self);

/// Pose of a collider at `time` [s], without its carrier. Does not allocate.
[[nodiscard]] Pose pose_at(const Collider& collider, const ColliderMotion& motion, double time);
/// Pose at `to` when moving continuously from `from` on. A jump between keyframes is not counted as motion, so it does
/// not throw anything off.
[[nodiscard]] Pose pose_reached(const Collider& collider, const ColliderMotion& motion, double from, double to);

/// Cache of shapes by their parameters. A file is read once for all colliders that name it, and is not read again when
/// another parameter of them changes.
class ShapeStore {
 public:
  [[nodiscard]] const Shape* find(const std::string& key);
  void keep(const std::string& key, Shape shape, std::string note = {}) {
    shapes_[key] = {std::move(shape), std::move(note), true};
  }
  /// Removes shapes that were neither found nor stored since the last call.
  void forget_unused();
  [[nodiscard]] std::size_t size() const { return shapes_.size(); }
  [[nodiscard]] std::vector<std::string> notes() const;  ///< Notes about the files, one sentence each.

 private:
  struct Row {
    Shape shape;
    std::string note;
    bool used = false;
  };
  std::map<std::string, Row> shapes_;
};

struct MovingCollider {
  Collider collider;  ///< In its start pose.
  ColliderMotion motion;
};
/// Everything that a collider's node describes. Errors name the collider, its line and the key.
[[nodiscard]] Result<MovingCollider> read_collider(const Node& self, ShapeStore& shapes);
/// As make_collider() in collider.h, but takes shapes from `shapes`, and stores new ones there.
[[nodiscard]] Result<Collider> make_collider(const Node& self, ShapeStore& shapes);

}  // namespace vw
