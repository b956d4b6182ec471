// The picture in the middle of the window, with its camera and mouse controls. The scene is rendered to a texture,
// which is redrawn only if something has changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <imgui.h>

#include "app/window/ui/viewport/gizmo_tool.h"
#include "app/window/ui/viewport/view_cube_widget.h"
#include "app/window/ui/widgets/picture_target.h"
#include "render/follow.h"
#include "render/framing.h"
#include "render/renderer.h"

namespace vw::ui {

struct App;

class Viewport {
 public:
  Camera camera;
  Selection selection;  ///< selected element, as a row of the newest snapshot, or selected obstacle
  GizmoTool gizmo;
  bool frame_wanted = false;  ///< whether to frame the subject at the next snapshot, as after opening a scene

  Viewport() = default;
  ~Viewport();
  Viewport(const Viewport&) = delete;
  Viewport& operator=(const Viewport&) = delete;

  /// Draws the picture into the entire content area of the current ImGui window and handles the mouse over it.
  void draw(App& app, ImVec2 size);
  /// Redraws only the texture, with the size of the last draw(). Returns false if nothing has been drawn yet.
  bool redraw(App& app);
  /// Moves the camera so that the whole scene is visible. In a comparison, the scenes of both runs are visible.
  void frame_all(App& app);
  /// Frames the scene's subject, ignoring stray elements and surroundings such as birds and leaves around a tank. The
  /// camera then follows the subject if the view has an automatic camera. In a comparison, the subject is that of both
  /// runs.
  void frame_subject(App& app);
  /// Whether the camera is automatic: the user has not moved it since the scene was opened or framed.
  [[nodiscard]] bool has_auto_camera() const { return auto_camera_.holds(camera); }
  void end_auto_camera() { auto_camera_.end(); }
  /// Frames the selected system or obstacle. If nothing is selected, frames the whole scene.
  void focus_selection(App& app);
  void select(App& app, const Pick& pick);
  void clear_selection(App& app);
  /// Adds the node of the object to the selected nodes (node_selection.h), or removes it from them.
  void toggle(App& app, const Pick& pick);
  /// Clears the selection. If several nodes are selected, deselects all of them.
  void select_nothing(App& app);
  /// Updates the row of the selection after a new snapshot: rows change when particles are added or removed.
  void follow_selection(App& app);
  /// Persistent id of the selected element; -1 if there is none.
  [[nodiscard]] std::int64_t selected_id() const { return selected_id_; }
  /// Resets the viewport after another scene was opened.
  void forget_scene();
  /// Frees the GL objects. Call this before the context is destroyed.
  void release_gl();
  /// Point of the scene under the last right click [m]. Empty if there was no object under the pointer.
  [[nodiscard]] const std::optional<Vec3>& clicked_place() const { return clicked_place_; }
  /// Path of the scene node of a picked object. Empty if there is none.
  [[nodiscard]] std::string node_of(const App& app, const Pick& pick) const;
  /// Path of the scene node of the object under the pointer, such as "system.crates.body.box". Empty if there is none.
  [[nodiscard]] std::string node_under_pointer(const App& app) const;
  /// Height of the picture at the depth of a point [m].
  [[nodiscard]] double picture_height_at(const Vec3& place) const;
  /// Number of times that the mouse has moved the camera, and number of times that it has dragged an element.
  [[nodiscard]] std::uint64_t camera_drags() const { return camera_drags_; }
  [[nodiscard]] std::uint64_t grabs() const { return grabs_; }
  [[nodiscard]] ImVec2 corner() const { return corner_; }
  [[nodiscard]] ImVec2 size() const { return size_; }
  /// Size of all that was drawn: of both pictures if two runs are shown side by side.
  [[nodiscard]] ImVec2 whole_size() const { return whole_size_; }
  /// Upper left corner of the picture of run B if two runs are shown side by side.
  [[nodiscard]] ImVec2 second_corner() const { return {corner_.x + whole_size_.x - size_.x, corner_.y}; }

 private:
  enum class Drag : std::uint8_t { none, orbit, pan, look, maybe_grab, grab, box, lasso };
  /// State that the texture shows. If the present state differs, the texture is redrawn.
  struct Drawn {
    std::uint64_t sequence = 0, epoch = 0, document = 0, mode = 0;
    float blend = -1;
    glm::vec3 eye{0}, target{0};
    float fov = 0;
    bool is_orthographic = false;
    int width = 0, height = 0;
    std::string system;
    std::int64_t element = -1;
    std::string obstacle;
    std::vector<std::string> nodes;  ///< paths of the selected nodes
    std::uint64_t comparison = 0;
    bool is_ghost = false;
    bool operator==(const Drawn&) const = default;
  };

  void draw_scene(App& app, int width, int height);
  void add_pictures(App& app) const;
  void keep_small_picture(App& app, const TimelinePlace& shown) const;
  [[nodiscard]] std::optional<Pick> pick_under_pointer(const App& app) const;
  void follow_camera(App& app);
  void move_auto_camera(App& app);
  void frame_at_start(App& app);
  void frame_compared_scene(App& app);
  void draw_follow_mark(const App& app);
  void report_last_time(Renderer& renderer);
  void handle_mouse(App& app, bool hovered);
  void draw_air_reading(App& app, bool hovered);
  void begin_drag(App& app);
  void continue_drag(App& app);
  void orbit(const App& app, float yaw_rad, float pitch_rad);
  void end_drag(App& app);
  void start_grab(App& app);
  void move_grab(App& app);
  void push(App& app, const Pick& pick);
  void focus_obstacle(App& app, const Snapshot& snapshot);
  void select_obstacle(App& app, const std::string& name);
  void select_region(App& app);
  /// Handles a click on the view cube. Returns whether the pointer is on the cube.
  bool handle_view_cube(App& app, bool hovered);
  void draw_region() const;
  void mark_selected_nodes(const App& app);
  void fly(float seconds, float scale);
  [[nodiscard]] Ray mouse_ray() const;
  [[nodiscard]] Pick meant_by(const App& app, const std::optional<Pick>& pick) const;

  PictureTarget target_;
  unsigned timer_ = 0;
  bool timing_ = false;  ///< whether a time measurement is in progress
  ImVec2 corner_{0, 0}, size_{0, 0}, whole_size_{0, 0};
  bool over_second_ = false;  ///< whether the pointer is, or the drag began, on the picture of run B
  Drawn drawn_;
  Drag drag_ = Drag::none;
  int drag_button_ = 0;
  Pick pressed_on_;  ///< object under the pointer when the button was pressed
  std::optional<Vec3> clicked_place_;
  bool flew_ = false;  ///< whether keys have moved the camera since the right button was pressed
  Pick grabbed_;
  /// Vector from the point under the pointer to the grabbed element's centre, where the spring acts [m].
  glm::vec3 from_grabbed_{0};
  std::int64_t selected_id_ = -1;  ///< persistent id of the selected element
  float dragged_px_ = 0;
  /// Points of the region to be selected [px]: two corners of the box, or all points of the lasso.
  std::vector<glm::vec2> region_;
  ViewCubeWidget view_cube_;
  std::uint64_t camera_drags_ = 0, grabs_ = 0;
  /// Followed object. `beside` is the vector from the object to the camera's target and decays to zero.
  struct Followed {
    std::string name;
    std::uint64_t epoch = 0;
    glm::vec3 beside{0};
    double wall_s = 0;  ///< wall time of the last picture [s]
  } followed_;
  Follower follower_;
  AutoCamera auto_camera_;
  std::uint64_t framed_comparison_ = 0;  ///< number of the last comparison with another scene that was framed
  double auto_camera_wall_s_ = 0;        ///< wall time of the last move of `auto_camera_` [s]
  float still_s_ = 0;                    ///< time for which the pointer has rested on the picture [s]
  /// Distance from the camera to the object under the resting pointer [m]. No value before the object is determined.
  std::optional<float> solid_at_;
};

}  // namespace vw::ui
