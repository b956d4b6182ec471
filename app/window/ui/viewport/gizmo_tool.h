// The gizmo in the picture moves, rotates and scales the part of the scene whose node is selected in the tree. If
// several nodes are selected, it changes one part of each node, all about their common centre. While the world is
// paused, the gizmo edits the initial pose of a rigid or voxel body. While the world runs, the gizmo moves the body
// itself: a command sets the pose when the drag ends, or a spring pulls the body during the drag.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <imgui.h>

#include "app/window/gizmo/gizmo.h"
#include "app/window/gizmo/ground.h"
#include "app/window/gizmo/group_pose.h"

namespace vw::ui {

struct App;

class GizmoTool {
 public:
  GizmoMode mode = GizmoMode::move;
  bool uses_own_axes = false;  ///< whether handles follow the part's own axes instead of the axes of the world
  bool carries = false;        ///< whether a spring pulls running bodies, instead of a command that sets their pose

  /// Handles the mouse and the keys of a drag. Returns whether the gizmo uses the mouse in this frame. `hovered` is
  /// whether the pointer is over the picture and over no other widget.
  bool handle_input(App& app, const GizmoPicture& picture, ImVec2 corner, bool hovered);
  /// Draws the outline of the selected part and the handles over the picture, and the buttons of the gizmo.
  void draw(App& app, const GizmoPicture& picture, ImVec2 corner);

  /// Begins a drag that follows the pointer without a pressed button, until a click or Enter ends it.
  void begin_by_key(App& app, GizmoMode wanted);
  /// Selects the node of the parameter at the path `place`. The part whose place is this parameter becomes active.
  void select_part(App& app, const std::string& place);
  /// Whether the selected node has a part that the gizmo can move at present.
  [[nodiscard]] bool has_target(const App& app) const;
  /// Part of the selected node that can be moved only while the simulation is paused. Empty if the simulation is
  /// paused, or if the gizmo can move the node.
  [[nodiscard]] std::optional<PosedPart> part_to_pause_for(const App& app) const;
  /// Whether a drag is in progress, or has ended in this frame.
  [[nodiscard]] bool is_dragging() const;
  /// Ends a drag and restores the values from before the drag.
  void cancel(App& app);
  /// Lowers each selected part until the lowest point of its outline is at the top of the obstacles and elements below
  /// it (height_below()). A part with nothing below it does not move. All assignments are one undo step.
  void drop_to_ground(App& app);
  /// Parts that the gizmo moves together at present: the active part of the selected node, or one part of each selected
  /// node. Empty if nothing can be moved.
  [[nodiscard]] PosedGroup group(const App& app) const;
  /// Assigns places of the parts of group() as one undo step.
  void edit_places(App& app, const std::vector<Assignment>& assignments);

 private:
  struct Drag {
    GizmoDrag math;
    PosedGroup group;
    std::vector<std::string> paths;  ///< paths of the nodes
    bool is_copy = false;            ///< whether the drag places copies of the nodes, which are added when it ends
    bool follows_pointer = false;    ///< whether the drag was begun by a key
    glm::vec2 pointer{0};            ///< effective pointer [px], which moves more slowly while Shift is held down
    std::vector<Assignment> last = {};
    bool is_jointed = false;  ///< whether a joint connects the running body to the world
    bool is_carried = false;  ///< whether a spring pulls a running body in this drag
  };

  [[nodiscard]] std::vector<PosedPart> parts(const App& app) const;
  [[nodiscard]] const PosedPart* active_part(const std::vector<PosedPart>& all) const;
  [[nodiscard]] GizmoFrame frame_of(const PosedGroup& group) const;
  [[nodiscard]] bool can(GizmoMode wanted, const PosedGroup& group) const;
  enum class DragKind { by_handle, by_key, copy_by_handle };
  void begin(App& app, PosedGroup group, GizmoMode wanted, GizmoConstraint constraint, DragKind kind);
  void continue_drag(App& app, glm::vec2 moved);
  void read_keys(App& app);
  void apply(App& app, const std::vector<Assignment>& assignments);
  void finish(App& app);
  void add_copies(App& app);
  /// Name of the joint that connects the running body of the group to the world, so that only a spring can move it.
  /// Empty if there is none.
  [[nodiscard]] static std::string holding_joint(const App& app, const PosedGroup& group);
  /// Whether a drag of the group in the present mode can pull a body by a spring.
  [[nodiscard]] bool can_carry(const PosedGroup& group, bool is_jointed) const;
  void start_carrying(App& app);
  void move_running(App& app);
  void show_start(App& app);
  void draw_group(ImDrawList* list, const PosedGroup& group, const GizmoPicture& picture, ImVec2 corner) const;
  void draw_handles(ImDrawList* list, const PosedGroup& group, const GizmoPicture& picture, ImVec2 corner) const;
  void draw_buttons(App& app, ImVec2 corner);
  static void draw_pause_offer(App& app, const PosedPart& part, const GizmoPicture& picture, ImVec2 corner);
  void draw_sentence(const GizmoPicture& picture, ImVec2 corner) const;

  std::optional<Drag> drag_;
  std::string part_of_;   ///< path of the node to which `part_` refers
  std::size_t part_ = 0;  ///< index of the active part of the selected node
  std::optional<GizmoConstraint> hovered_;
  GizmoPicture picture_;
  MeshTrees trees_;       ///< search trees for drop_to_ground()
  glm::vec2 pointer_{0};  ///< pointer in the last frame [px]
  int ended_in_frame_ = -1;
  bool has_new_start_ = false;     ///< whether an initial pose was edited since show_start() reset the world
  std::uint64_t shown_epoch_ = 0;  ///< epoch of the last snapshot before such a reset
};

}  // namespace vw::ui
