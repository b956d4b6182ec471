// Colliders as scenes describe them: what each kind's node declares, the shape that it means, and how it moves.
#pragma once

#include <map>
#include <string>

#include "sim/collision/collider.h"
#include "sim/collision/keyframes.h"

namespace vw {

/// How a collider gets from place to place, beside its constant velocities: by keys, on the back of something, or both.
struct ColliderMotion {
  KeyTrack keys;
  std::string carrier;        ///< name of the system that carries it; empty: none
  std::int64_t element = -1;  ///< of the carrier at the start; -1: the nearest
  int line = 0;               ///< of its node, for messages
};
/// The motion that a collider's node describes.
[[nodiscard]] Result<ColliderMotion> make_motion(const Node& self);

/// Pose of a collider at a time, without what carries it. Allocates nothing.
[[nodiscard]] Pose pose_at(const Collider& collider, const ColliderMotion& motion, double time);
/// The pose at `to` as it is reached by moving from `from` on: keys that jump do not throw anything.
[[nodiscard]] Pose pose_reached(const Collider& collider, const ColliderMotion& motion, double from, double to);

/// Shapes by what was asked for, so that a file is read once for all colliders that name it and not again when something else of them is edited.
class ShapeStore {
 public:
  [[nodiscard]] const Shape* find(const std::string& key);
  void keep(const std::string& key, Shape shape, std::string note = {}) { shapes_[key] = {std::move(shape), std::move(note), true}; }
  /// Lets go of what was neither found nor kept since the last call.
  void forget_unused();
  [[nodiscard]] std::size_t size() const { return shapes_.size(); }
  [[nodiscard]] std::vector<std::string> notes() const;  ///< what there is to say about the files, a sentence each

 private:
  struct Row {
    Shape shape;
    std::string note;
    bool used = false;
  };
  std::map<std::string, Row> shapes_;
};

struct MovingCollider {
  Collider collider;  ///< as it is at the start
  ColliderMotion motion;
};
/// All that a collider's node says; errors name the collider, its line and key.
[[nodiscard]] Result<MovingCollider> read_collider(const Node& self, ShapeStore& shapes);
/// make_collider with the shapes of files from `shapes`, or put there.
[[nodiscard]] Result<Collider> make_collider(const Node& self, ShapeStore& shapes);

}  // namespace vw
