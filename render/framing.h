// Places the camera so that the subject of a scene (sim/snapshot/extent.h) fills a given share of the picture, and
// follows the subject when it leaves the picture. The viewing direction does not change, and the horizon stays level.
// No function in this file requires OpenGL.
#pragma once

#include <optional>
#include <span>

#include "render/camera.h"
#include "render/renderer.h"
#include "sim/snapshot/extent.h"

namespace vw {

/// Share of the picture's width or height that a framed subject fills, whichever is larger.
inline constexpr float subject_share = 2.0F / 3;

/// A rectangle in the picture. Its coordinates run from -1 (left, bottom) to 1 (right, top).
struct PictureArea {
  glm::vec2 min{0}, max{0};
  /// The larger of the shares of the picture's width and height that the rectangle covers.
  [[nodiscard]] float longest_share() const { return 0.5F * std::max(max.x - min.x, max.y - min.y); }
  [[nodiscard]] glm::vec2 center() const { return 0.5F * (min + max); }
};

/// Bounding rectangle of the points in a picture of this aspect ratio (width divided by height). Returns nothing if
/// there are no points or if a point is not in front of the eye.
[[nodiscard]] std::optional<PictureArea> area_in_picture(const SubjectPoints& points, const Camera& camera,
                                                         float aspect);

/// Moves the camera without turning it, so that the points are in the middle of the picture and fill `share` of its
/// width or height. The camera's target moves to the depth of the middle of the points. Without points, the camera does
/// not move.
void frame_points(Camera& camera, const SubjectPoints& points, float aspect, float share = subject_share);
/// Frames the subject of the snapshot or, if there is none, the box of scene_bounds().
void frame_subject(Camera& camera, const Snapshot& snapshot, float aspect);
/// Frames the subjects of all the snapshots at once, such as those of two runs that one camera shows. Requires at least
/// one snapshot. Without a subject, the function frames the box of scene_bounds() of the first snapshot.
void frame_subjects(Camera& camera, std::span<const Snapshot* const> snapshots, float aspect);
/// Frames the subjects of all the snapshots for a still picture, from at most 1.5 times the present distance between
/// eye and target. The limit keeps bodies visible if particles around them have spread far.
void frame_still(Camera& camera, std::span<const Snapshot* const> snapshots, float aspect);

/// Camera that follows the subject (ViewParams::auto_follow). While the subject is well inside the picture, the camera
/// does not move. When the subject comes near the border, or its middle moves away from the middle of the picture, the
/// camera moves like a critically damped spring to the place from which frame_subject() shows the subject. The distance
/// between eye and target stays between its initial value and three times this value. A few particles of an emitter
/// thus do not fill the picture, and an object that moves far away leaves the picture.
class AutoCamera {
 public:
  /// Makes the camera follow the subject from its present place on.
  void begin(const Camera& camera);
  void end() { is_active_ = false; }
  [[nodiscard]] bool is_active() const { return is_active_; }
  /// Whether the camera is active and at the place where this object has put it.
  [[nodiscard]] bool holds(const Camera& camera) const {
    return is_active_ && camera.eye == eye_ && camera.target == target_;
  }
  /// Moves the camera for a picture of the newest snapshot, `seconds` after the previous one. If another part of the
  /// program has moved the camera since the last call, the camera stops following. Returns whether the camera has
  /// moved.
  bool move(Camera& camera, const Snapshot& newest, float aspect, float seconds);
  /// Moves the camera for pictures of several runs, so that the subjects of all runs stay in the picture.
  bool move(Camera& camera, std::span<const Snapshot* const> newest, float aspect, float seconds);

 private:
  bool is_active_ = false, is_moving_ = false;
  float least_distance_ = 0;                  ///< initial distance between eye and target [m]
  glm::vec3 eye_{0}, target_{0};              ///< place after the last move
  glm::vec3 eye_speed_{0}, target_speed_{0};  ///< [m/s]
  SubjectPoints points_;
};

}  // namespace vw
