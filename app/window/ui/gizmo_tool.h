// The gizmo in the picture: moves, rotates and scales the part of the scene whose node is selected in the tree. It
// edits the start of a rigid or voxel body only while the world is paused; other parts change while the world runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <imgui.h>

#include "app/window/gizmo/gizmo.h"
#include "app/window/gizmo/ground.h"

namespace vw::ui {

struct App;

class GizmoTool {
 public:
  GizmoMode mode = GizmoMode::move;
  bool uses_own_axes = false;  ///< whether handles follow the part's own axes instead of the axes of the world

  /// Handles the mouse and the keys of a drag. Returns whether the gizmo uses the mouse in this frame. `hovered` is
  /// whether the pointer is over the picture and over no other widget.
  bool handle_input(App& app, const GizmoPicture& picture, ImVec2 corner, bool hovered);
  /// Draws the outline of the selected part and the handles over the picture, and the buttons of the gizmo.
  void draw(App& app, const GizmoPicture& picture, ImVec2 corner);

  /// Begins a drag that follows the pointer without a pressed button, until a click or Enter ends it.
  void begin_by_key(App& app, GizmoMode wanted);
  /// Whether the selected node has a part that the gizmo can move at present.
  [[nodiscard]] bool has_target(const App& app) const;
  /// Whether a drag is in progress, or has ended in this frame.
  [[nodiscard]] bool is_dragging() const;
  /// Ends a drag and restores the values from before it.
  void cancel(App& app);
  /// Moves the selected part down until the lower side of its outline is at the height 0 or at the top of an obstacle
  /// below it.
  void drop_to_ground(App& app);

 private:
  struct Drag {
    GizmoDrag math;
    PosedPart part;
    std::string path;              ///< path of the node
    bool follows_pointer = false;  ///< whether the drag was begun by a key
    glm::vec2 pointer{0};          ///< effective pointer [px], which moves more slowly while Shift is held down
    std::vector<Assignment> last = {};
  };

  [[nodiscard]] std::vector<PosedPart> parts(const App& app) const;
  [[nodiscard]] const PosedPart* active_part(const std::vector<PosedPart>& all) const;
  [[nodiscard]] GizmoFrame frame_of(const PosedPart& part) const;
  [[nodiscard]] bool can(GizmoMode wanted, const PosedPart& part) const;
  void begin(App& app, const PosedPart& part, GizmoMode wanted, GizmoConstraint constraint, bool by_key);
  void continue_drag(App& app, glm::vec2 moved);
  void read_keys(App& app);
  void apply(App& app, const std::vector<Assignment>& assignments);
  void finish(App& app);
  void show_start(App& app);
  void draw_handles(ImDrawList* list, const PosedPart& part, const GizmoPicture& picture, ImVec2 corner) const;
  void draw_buttons(App& app, ImVec2 corner);
  void draw_sentence(const GizmoPicture& picture, ImVec2 corner) const;

  std::optional<Drag> drag_;
  std::string part_of_;   ///< path of the node to which `part_` refers
  std::size_t part_ = 0;  ///< index of the active part of the selected node
  std::optional<GizmoConstraint> hovered_;
  GizmoPicture picture_;
  MeshTrees trees_;       ///< search trees for drop_to_ground()
  glm::vec2 pointer_{0};  ///< pointer in the last frame [px]
  int ended_in_frame_ = -1;
  bool has_new_start_ = false;     ///< whether the start of a body was edited since show_start() reset the world
  std::uint64_t shown_epoch_ = 0;  ///< epoch of the world whose reset last showed an edited start
};

}  // namespace vw::ui
