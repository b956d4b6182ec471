// The picture in the middle of the window: the scene drawn to a texture (only when something changed), the camera and what the mouse does there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <imgui.h>

#include "render/follow.h"
#include "render/renderer.h"

namespace vw::ui {

struct App;

class Viewport {
 public:
  Camera camera;
  Selection selection;        ///< its element is a row of the newest snapshot; the identity behind it is kept here; or an obstacle
  bool frame_wanted = false;  ///< move the camera so that all is seen, at the next snapshot

  Viewport() = default;
  ~Viewport();
  Viewport(const Viewport&) = delete;
  Viewport& operator=(const Viewport&) = delete;

  /// Draws the picture into the current ImGui window's whole content and handles the mouse over it.
  void draw(App& app, ImVec2 size);
  /// The texture alone, as the last draw() has left camera and size; false where it has not drawn yet.
  bool redraw(App& app);
  /// Moves the camera onto everything, or onto the selection where there is one.
  void frame_all(App& app);
  /// The same of the scene's subject: not of strays, nor of birds and leaves about a tank.
  void frame_subject(App& app);
  void focus_selection(App& app);
  void select(App& app, const Pick& pick);
  void clear_selection(App& app);
  /// After a new snapshot: rows change when particles come and go.
  void follow_selection(App& app);
  /// Lasting identity of the selected element; -1: there is none.
  [[nodiscard]] std::int64_t selected_id() const { return selected_id_; }
  /// After another scene was opened.
  void forget_scene();
  /// Frees the GL objects; before the context goes.
  void release_gl();
  [[nodiscard]] ImVec2 corner() const { return corner_; }
  [[nodiscard]] ImVec2 size() const { return size_; }

 private:
  enum class Drag : std::uint8_t { none, orbit, pan, look, maybe_grab, grab };
  /// What the texture shows; drawn anew when it differs.
  struct Drawn {
    std::uint64_t sequence = 0, epoch = 0, document = 0, mode = 0;
    float blend = -1;
    glm::vec3 eye{0}, target{0};
    float fov = 0;
    int width = 0, height = 0;
    std::string system;
    std::int64_t element = -1;
    std::string obstacle;
    bool operator==(const Drawn&) const = default;
  };

  void resize_target(int width, int height);
  void draw_scene(App& app, int width, int height);
  void go_along(App& app);
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
  void fly(float seconds, float scale);
  [[nodiscard]] Ray mouse_ray() const;
  [[nodiscard]] Pick meant_by(const App& app, const std::optional<Pick>& pick) const;

  unsigned framebuffer_ = 0, color_ = 0, depth_ = 0, timer_ = 0;
  bool timing_ = false;         ///< a measurement is under way
  int width_ = 0, height_ = 0;  ///< of the target [px]
  ImVec2 corner_{0, 0}, size_{0, 0};
  Drawn drawn_;
  Drag drag_ = Drag::none;
  int drag_button_ = 0;
  Pick pressed_on_;    ///< element under the pointer when the button went down
  bool flew_ = false;  ///< the camera was moved by keys since the right button went down
  Pick grabbed_;
  glm::vec3 from_grabbed_{0};      ///< from where the pointer took hold to the element's middle, which the spring pulls at
  std::int64_t selected_id_ = -1;  ///< lasting identity of the selected element
  float dragged_px_ = 0;
  /// What the camera goes along with, and the way from it to the camera's target that is left.
  struct Followed {
    std::string name;
    std::uint64_t epoch = 0;
    glm::vec3 beside{0};
    double wall_s = 0;  ///< of the last picture
  } followed_;
  Follower follower_;
  float still_s_ = 0;              ///< how long the pointer has rested on the picture
  std::optional<float> solid_at_;  ///< distance of what it rests on [m], once looked up
};

}  // namespace vw::ui
