// Geometry of the gizmo: handles that move, rotate and scale a part with the mouse. A handle is picked on the screen. A
// drag converts the motion of the pointer into a PoseChange, with constraints to an axis or a plane, with snapping and
// with typed numbers. This file does not use the GUI.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/window/gizmo/node_pose.h"
#include "render/camera.h"

namespace vw {

enum class GizmoMode { move, rotate, scale };

/// Restriction of a drag to an axis or a plane.
struct GizmoConstraint {
  enum class Kind {
    free,   ///< move in the plane of the picture, rotate about the line of sight, scale all axes equally
    axis,   ///< move or scale along one axis, rotate about one axis
    plane,  ///< move or scale in the plane perpendicular to one axis (not for rotations)
  } kind = Kind::free;
  int axis = 0;  ///< 0, 1 or 2
  bool operator==(const GizmoConstraint&) const = default;
};

/// The picture that shows the gizmo. Pixels are counted from its upper left corner.
struct GizmoPicture {
  Camera camera;
  glm::vec2 size{1};                                         ///< [px]
  [[nodiscard]] glm::vec2 project(const Vec3& place) const;  ///< pixel of a place in front of the camera
  [[nodiscard]] bool is_visible(const Vec3& place) const;    ///< whether the place is in front of the camera
  [[nodiscard]] Ray ray(glm::vec2 pixel) const;
  [[nodiscard]] double metres_per_px(const Vec3& place) const;
};

/// Whether a point lies inside a polygon (even-odd rule).
[[nodiscard]] bool is_inside(glm::vec2 point, const std::vector<glm::vec2>& polygon);

/// Place [m] and axes of the gizmo in the world. The columns of `axes` are unit vectors.
struct GizmoFrame {
  Vec3 at = Vec3::Zero();
  Mat3 axes = Mat3::Identity();
};

/// Length of the gizmo's arms [px], for a font size of `em_px`.
[[nodiscard]] inline float arm_px(float em_px) { return 5.5F * em_px; }

/// A handle as polylines on the screen.
struct GizmoHandle {
  GizmoConstraint constraint;
  std::vector<glm::vec2> line;  ///< points [px]; a plane handle is a closed quadrilateral
  bool is_filled = false;       ///< whether the whole inside of `line` belongs to the handle
};
/// Handles of the gizmo in the given mode. Axes that point almost at the eye and planes that are seen almost edge-on
/// are left out. `arm` is arm_px().
[[nodiscard]] std::vector<GizmoHandle> gizmo_handles(GizmoMode mode, const GizmoFrame& frame,
                                                     const GizmoPicture& picture, float arm);
/// Handle under the pointer, or none. A filled handle is hit inside its outline. Other handles are hit within
/// `reach_px` of their lines. The filled free handle has priority, then planes.
[[nodiscard]] std::optional<GizmoConstraint> handle_at(const std::vector<GizmoHandle>& handles, glm::vec2 pointer,
                                                       float reach_px);

/// Step [m] to which displacements snap: 1, 2 or 5 times a power of ten, at least the size of 12 px at the gizmo.
[[nodiscard]] double snap_step_m(const GizmoFrame& frame, const GizmoPicture& picture);
constexpr double snap_angle_rad = pi / 12;  ///< 15 degrees
constexpr double snap_factor = 0.1;

/// A drag. It begins with a press of the mouse button or of a key.
class GizmoDrag {
 public:
  /// `pointer` is the place of the pointer at the start [px]. The picture must not change during the drag.
  GizmoDrag(GizmoMode mode, GizmoConstraint constraint, GizmoFrame frame, GizmoPicture picture, glm::vec2 pointer);

  [[nodiscard]] GizmoMode mode() const { return mode_; }
  [[nodiscard]] const GizmoConstraint& constraint() const { return constraint_; }
  [[nodiscard]] const GizmoFrame& frame() const { return frame_; }
  /// Restricts the drag to an axis or a plane. A second call with the same constraint removes the restriction.
  void constrain(GizmoConstraint constraint);
  void move_pointer(glm::vec2 pointer) { pointer_ = pointer; }
  void set_snaps(bool snaps) { snaps_ = snaps; }
  /// Appends a character of a number: a digit, a point, or a minus sign, which changes the sign. Other characters are
  /// ignored.
  void type(char character);
  void erase_character();
  [[nodiscard]] bool has_number() const { return !digits_.empty() || is_negative_; }

  /// Present result of the drag. A typed number replaces the pointer: it is the displacement [m] along the axis
  /// (without an axis, along x, or along y in the plane across x), the angle [degrees], or the factor.
  [[nodiscard]] PoseChange change() const;
  /// Sentence that describes the present result: "Move along x: 0.25 m".
  [[nodiscard]] std::string sentence() const;

 private:
  [[nodiscard]] std::optional<double> typed() const;
  [[nodiscard]] Vec3 dragged_m() const;
  [[nodiscard]] double turned_rad() const;
  [[nodiscard]] double scaled() const;
  [[nodiscard]] Vec3 axis() const { return frame_.axes.col(constraint_.axis); }
  [[nodiscard]] Vec3 rotation_axis() const;

  GizmoMode mode_;
  GizmoConstraint constraint_;
  GizmoFrame frame_;
  GizmoPicture picture_;
  glm::vec2 start_, pointer_;
  bool snaps_ = false, is_negative_ = false;
  std::string digits_;
};

}  // namespace vw
