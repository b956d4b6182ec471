#include "app/window/ui/viewport/viewport.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <GLFW/glfw3.h>
#include <glad/gl.h>

#include "app/window/document/body_names.h"
#include "app/window/mouse_tools.h"
#include "app/window/near_pick.h"
#include "app/window/ui/app.h"
#include "app/window/ui/node_selection.h"
#include "app/window/ui/panels/element_values.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/opaque.h"
#include "app/window/ui/widgets/widgets.h"
#include "render/scene/collider_drawing.h"
#include "render/vectors/vectors.h"

namespace vw::ui {
namespace {

constexpr float radians_per_px = 0.008F;
constexpr float grab_threshold_px = 3;

const SystemSnapshot* find_system(const Snapshot& snapshot, const std::string& name) {
  const auto found = std::ranges::find(snapshot.systems, name, &SystemSnapshot::name);
  return found == snapshot.systems.end() ? nullptr : &*found;
}

/// Newest snapshots of all runs that are shown: that of A and, in a comparison, that of B.
std::vector<const Snapshot*> shown_snapshots(const App& app) {
  std::vector<const Snapshot*> shown;
  if (const Snapshot* newest = app.session.snapshot(); newest != nullptr) shown.push_back(newest);
  if (!shown.empty() && shows_second_run(app)) shown.push_back(&app.session.comparison.b());
  return shown;
}

double gravity_of(const App& app) {
  const Value* gravity = app.session.document->value("world.gravity");
  return gravity == nullptr ? 9.81 : std::get<Vec3>(*gravity).norm();
}

/// Persistent id of the element in a row.
std::int64_t id_of(const SystemSnapshot& system, std::int64_t row) {
  const auto i = static_cast<std::size_t>(row);
  return i < system.id.size() ? static_cast<std::int64_t>(system.id[i]) : row;
}
/// Returns the row of the element with a persistent id, or -1 if there is no such element. `hint` is the element's
/// previous row.
std::int64_t row_of(const SystemSnapshot& system, std::int64_t id, std::int64_t hint) {
  const auto count = static_cast<std::int64_t>(system.position.size());
  if (hint >= 0 && hint < count && id_of(system, hint) == id) return hint;
  if (system.id.empty()) return -1;
  const auto found = std::find(system.id.begin(), system.id.end(), static_cast<std::uint32_t>(id));
  return found == system.id.end() ? -1 : found - system.id.begin();
}

/// Updates the row of an element that was picked in the previous snapshot. If the element no longer exists, the pick
/// becomes empty.
void follow_row(const api::LiveRun& run, Pick& pick) {
  const SystemSnapshot* before = find_system(run.previous(), pick.system);
  const SystemSnapshot* now = find_system(run.newest(), pick.system);
  if (before == nullptr || now == nullptr) return;
  pick.element = row_of(*now, id_of(*before, pick.element), pick.element);
  if (pick.element < 0) pick = {};
}

/// Returns the path of the scene node to select for an element: the node of the rigid body or, for other elements, the
/// node of the system.
std::string path_of(const App& app, const SystemSnapshot& system, std::int64_t element) {
  const std::string path = "system." + system.name;
  const Node* node = app.session.document->root().find("system", system.name);
  if (system.look_kind() != LookKind::rigid || node == nullptr) return path;
  const std::string body = body_node(system, static_cast<std::size_t>(element));
  return node->find("body", body) != nullptr ? path + ".body." + body : path;
}

/// Whether the document has a system of this name that the newest snapshot lacks. This occurs between a renaming and
/// the first snapshot after it.
bool is_expected(const App& app, const std::string& system) {
  const Snapshot& newest = app.session.run->newest();
  return app.session.document->root().find("system", system) != nullptr &&
         std::ranges::find(newest.systems, system, &SystemSnapshot::name) == newest.systems.end();
}

}  // namespace

Viewport::~Viewport() = default;

void Viewport::release_gl() {
  target_.release_gl();
  if (timer_ != 0) glDeleteQueries(1, &timer_);
  timing_ = false;
  timer_ = 0;
}

void Viewport::forget_scene() {
  selection = {};
  drag_ = Drag::none;
  followed_ = {};
  follower_ = {};
  drawn_ = {};  // the automatic camera goes on, also in a world that was made again after a change
}

/// Reports the GPU time of an earlier picture to the renderer once the timer query has a result. The function does not
/// wait for the result. The time does not include waiting for the display.
void Viewport::report_last_time(Renderer& renderer) {
  if (timer_ == 0) glGenQueries(1, &timer_);
  if (!timing_) return;
  GLint known = 0;
  glGetQueryObjectiv(timer_, GL_QUERY_RESULT_AVAILABLE, &known);
  if (known == 0) return;
  GLuint64 nanoseconds = 0;
  glGetQueryObjectui64v(timer_, GL_QUERY_RESULT, &nanoseconds);
  renderer.report_frame_ms(static_cast<float>(static_cast<double>(nanoseconds) * 1e-6));
  timing_ = false;
}

void Viewport::draw_scene(App& app, int width, int height) {
  const Snapshot& newest = app.session.run->newest();
  camera.fov_deg = static_cast<float>(app.session.view().fov_deg);
  follow_camera(app);
  move_auto_camera(app);
  const Snapshot* mode = mode_picture(app.session.modes);
  Drawn wanted{newest.sequence,
               newest.epoch,
               app.session.document->revision(),
               mode == nullptr ? 0 : app.session.modes.picture_count,
               app.session.blend,
               camera.eye,
               camera.target,
               camera.fov_deg,
               camera.is_orthographic,
               width,
               height,
               selection.system,
               selection.element,
               selection.obstacle,
               selected_nodes(app.ui.layout, app.session.document->root())};
  const ComparisonShow& comparison = app.session.comparison;
  const bool has_second = shows_second_run(app), is_together = has_second && comparison.is_together();
  if (has_second) {
    wanted.comparison = comparison.revision();
    wanted.is_ghost = comparison.arrangement == ComparisonShow::Arrangement::ghost;
  }
  if (is_together) wanted.sequence = 0, wanted.blend = 1;  // the pair is drawn, not the newest snapshot
  if (wanted == drawn_ && target_.exists()) return;
  mark_selected_nodes(app);
  target_.resize(width, height);
  report_last_time(*app.view.renderer);
  const bool timed = !timing_;
  if (timed) glBeginQuery(GL_TIME_ELAPSED, timer_);
  const ViewParams view = has_second ? app.view.comparison.shared_view(comparison, app.session.view(), app.times.wall_s)
                                     : app.session.view();
  app.view.renderer->draw(is_together ? Frame{nullptr, &comparison.a(), 1} : app.session.frame(), camera, view,
                          selection, width, height, target_.framebuffer(), LegendOverlay::none);
  if (has_second)
    if (auto good = app.view.comparison.draw(comparison, view, *app.view.renderer, camera, selection, width, height);
        !good) {
      app.log.error(good.error().message());
      end_comparison(app);
    }
  if (timed) glEndQuery(GL_TIME_ELAPSED);
  timing_ = true;
  drawn_ = wanted;
  if (mode == nullptr) keep_small_picture(app, is_together ? comparison.a().place : newest.place);
}

/// Copies the picture for the timeline, unless the timeline already has a picture of a moment nearby.
void Viewport::keep_small_picture(App& app, const TimelinePlace& shown) const {
  const auto cell = app.session.moment_pictures.take_cell(*app.session.run->timeline(), shown.branch, shown.elapsed_s);
  if (cell) app.view.moments.store(*cell, target_.framebuffer(), target_.width(), target_.height());
}

/// Moves the camera with the followed object, which keeps its position in the picture. When following begins and when
/// the world restarts, the object moves to the centre of the picture.
void Viewport::follow_camera(App& app) {
  constexpr double settling_s = 0.15;
  const std::string name = app.session.view().follow;
  const Frame frame = app.session.frame();
  if (!follower_.move(camera, frame, name)) {
    // The object existed but has disappeared.
    if (!name.empty() && followed_.name == name && !is_expected(app, name.substr(0, name.find('.')))) {
      app.session.document->set_silently("view.follow", Value(std::string()));
      app.log.info(name + " was removed, so the camera stopped following it", Toast::yes);
    }
    followed_.name.clear();
    return;
  }
  if (followed_.name != name || followed_.epoch != frame.newest->epoch)
    followed_ = {name, frame.newest->epoch, camera.target - followed_point(frame, name).value_or(camera.target),
                 app.times.wall_s};
  const auto left = static_cast<float>(std::exp(-std::max(app.times.wall_s - followed_.wall_s, 0.0) / settling_s));
  const glm::vec3 displacement = (left - 1) * followed_.beside;
  camera.eye += displacement;
  camera.target += displacement;
  followed_.beside *= left;
  followed_.wall_s = app.times.wall_s;
}

void Viewport::draw(App& app, ImVec2 size) {
  corner_ = ImGui::GetCursorScreenPos();
  whole_size_ = size_ = {std::max(size.x, 16.0F), std::max(size.y, 16.0F)};
  const bool is_split = app.session.comparison.is_active() &&
                        app.session.comparison.arrangement == ComparisonShow::Arrangement::side_by_side;
  if (is_split) size_.x = std::max(std::floor(0.5F * (size_.x - em(comparison_gap_em))), 8.0F);
  ImGui::InvisibleButton(
      "picture", whole_size_,
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
  ImGui::SetItemAllowOverlap();
  const bool is_over_any = ImGui::IsItemHovered();
  if (drag_ == Drag::none) over_second_ = is_split && ImGui::GetIO().MousePos.x >= corner_.x + size_.x;
  const bool hovered = is_over_any && !over_second_;
  if (!app.session.have_snapshot || app.session.document == nullptr) return;
  if (frame_wanted) frame_at_start(app);
  frame_compared_scene(app);
  const GizmoPicture picture{camera, {size_.x, size_.y}};
  const bool is_free = drag_ == Drag::none && !gizmo.is_dragging(), on_cube = is_free && handle_view_cube(app, hovered);
  const bool clicks_cube = on_cube && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
  if (drag_ != Drag::none || (!gizmo.handle_input(app, picture, corner_, hovered && !on_cube) && !clicks_cube))
    handle_mouse(app, is_over_any);
  if (app.view.renderer == nullptr) return;
  const ImVec2 dpi = ImGui::GetIO().DisplayFramebufferScale;
  draw_scene(app, static_cast<int>(size_.x * dpi.x), static_cast<int>(size_.y * dpi.y));
  add_pictures(app);
  if (app.times.first_picture_s < 0) app.times.first_picture_s = app.times.wall_s;
  if (app.session.view().legend) draw_legends(*app.view.renderer, app.ui.layout, corner_, size_);
  draw_follow_mark(app);
  view_cube_.draw(camera, corner_, size_);
  draw_region();
  gizmo.draw(app, {camera, {size_.x, size_.y}}, corner_);
  draw_air_reading(app, hovered);
  draw_mode_title(app.session.modes, corner_, size_);
}

bool Viewport::handle_view_cube(App& app, bool hovered) {
  view_cube_.update(camera, corner_, size_, hovered);
  if (const auto direction = view_cube_.clicked()) look_from(app, *direction);
  return view_cube_.is_hovered();
}

/// Adds the picture of A and, in a comparison, the picture of B beside it or over it.
void Viewport::add_pictures(App& app) const {
  const ImVec2 end{corner_.x + size_.x, corner_.y + size_.y};
  add_opaque_image(target_.texture(), corner_, end);
  if (!shows_second_run(app) || !app.view.comparison.exists()) return;
  const ImVec2 second = second_corner();
  if (app.session.comparison.arrangement == ComparisonShow::Arrangement::side_by_side)
    return add_opaque_image(app.view.comparison.texture(), second, {second.x + size_.x, end.y});
  ImGui::GetWindowDrawList()->AddImage(
      app.view.comparison.texture(), corner_, end, {0, 1}, {1, 0},
      color({1, 1, 1, 1}, static_cast<float>(0.01 * app.session.comparison.ghost_percent)));
}

/// Object under the pointer. Empty over the picture of run B, in which the mouse only moves the camera.
std::optional<Pick> Viewport::pick_under_pointer(const App& app) const {
  if (app.view.renderer == nullptr || over_second_) return {};
  return app.view.renderer->pick(*app.session.snapshot(), mouse_ray(), app.session.unpickable_names());
}

bool Viewport::redraw(App& app) {
  if (!target_.exists() || frame_wanted || !app.session.have_snapshot || app.session.document == nullptr ||
      app.view.renderer == nullptr)
    return false;
  draw_scene(app, target_.width(), target_.height());
  return true;
}

void Viewport::frame_all(App& app) {
  const std::vector<const Snapshot*> shown = shown_snapshots(app);
  if (shown.empty()) return;
  follow(app, {});
  Bounds3 box = scene_bounds(*shown.front());
  for (const Snapshot* other : shown) {
    const Bounds3 its = scene_bounds(*other);
    box = {glm::min(box.min, its.min), glm::max(box.max, its.max)};
  }
  camera.frame(box, size_.x / size_.y);
  auto_camera_.end();
  frame_wanted = false;
}

/// Frames the subject after a scene was opened. The view's `follow` stays in effect.
void Viewport::frame_at_start(App& app) {
  const std::vector<const Snapshot*> shown = shown_snapshots(app);
  if (shown.empty()) return;
  const ViewParams view = app.session.view();
  vw::frame_subjects(camera, shown, size_.x / size_.y);
  app.view.camera_move.reset();  // the move would end the automatic camera that begins here
  auto_camera_ = {};
  if (view.auto_follow && view.follow.empty()) auto_camera_.begin(camera);
  frame_wanted = false;
}

/// Frames both scenes when the first picture of a comparison with another scene is shown, because a camera that suits
/// one scene may not suit the other.
void Viewport::frame_compared_scene(App& app) {
  const ComparisonShow& comparison = app.session.comparison;
  if (!shows_second_run(app) || comparison.subject().session == nullptr) return;
  if (std::exchange(framed_comparison_, comparison.number()) == comparison.number()) return;
  if (app.session.view().follow.empty()) frame_at_start(app);
}

/// Moves the automatic camera. The motion depends on wall time, so that it is smooth at any speed of the simulation.
void Viewport::move_auto_camera(App& app) {
  constexpr double longest_s = 0.1;
  const double elapsed_s = std::min(app.times.wall_s - auto_camera_wall_s_, longest_s);
  auto_camera_wall_s_ = app.times.wall_s;
  const std::vector<const Snapshot*> shown = shown_snapshots(app);
  if (shown.empty() || !auto_camera_.is_active()) return;
  // A move to another place ends the automatic camera, which would otherwise stop the move before its first frame.
  if (!app.session.view().auto_follow || app.view.camera_move) return auto_camera_.end();
  if (auto_camera_.move(camera, shown, size_.x / size_.y, static_cast<float>(elapsed_s)))
    app.times.busy_until_s = std::max(app.times.busy_until_s, app.times.wall_s + 0.1);
}

void Viewport::frame_subject(App& app) {
  const Snapshot* snapshot = app.session.snapshot();
  if (snapshot == nullptr) return;
  follow(app, {});
  frame_at_start(app);
}

void Viewport::focus_selection(App& app) {
  const Snapshot* snapshot = app.session.snapshot();
  const SystemSnapshot* system = snapshot == nullptr ? nullptr : find_system(*snapshot, selection.system);
  if (snapshot != nullptr && !selection.obstacle.empty()) return focus_obstacle(app, *snapshot);
  if (system == nullptr || system->position.empty()) return frame_all(app);
  Bounds3 box{glm::vec3(1e30F), glm::vec3(-1e30F)};
  for (std::size_t i = 0; i < system->position.size(); ++i) {
    const glm::vec3 center = to_glm(system->position[i]), reach(i < system->size.size() ? system->size[i] : 0.0F);
    box.min = glm::min(box.min, center - reach);
    box.max = glm::max(box.max, center + reach);
  }
  follow(app, {});
  const glm::vec3 margin(box.radius() > 0 ? 0.25F * box.radius() : 1e-3F);
  camera.frame({box.min - margin, box.max + margin}, size_.x / size_.y);
}

void Viewport::focus_obstacle(App& app, const Snapshot& snapshot) {
  const auto collider = std::ranges::find(snapshot.colliders, selection.obstacle, &ColliderSnapshot::name);
  const SurfaceMesh* surface = collider == snapshot.colliders.end() ? nullptr : surface_of(*collider);
  if (surface == nullptr || surface->position.empty()) return frame_all(app);
  Bounds3 box{glm::vec3(1e30F), glm::vec3(-1e30F)};
  const glm::mat4 place = matrix_of(*collider);
  for (const Vec3f& p : surface->position) {
    const glm::vec3 at(place * glm::vec4(to_glm(p), 1));
    box.min = glm::min(box.min, at);
    box.max = glm::max(box.max, at);
  }
  follow(app, {});
  camera.frame(box, size_.x / size_.y);
}

void Viewport::select(App& app, const Pick& pick) {
  const SystemSnapshot* system =
      app.session.have_snapshot ? find_system(*app.session.snapshot(), pick.system) : nullptr;
  if (system == nullptr) return select_obstacle(app, pick.obstacle);
  selection = {pick.system, pick.element};
  selected_id_ = id_of(*system, pick.element);
  select_nodes(app.ui.layout, {path_of(app, *system, pick.element)});
  subscribe(app);
}

/// Selects an obstacle. Planes cannot be selected, so a click on the ground clears the selection.
void Viewport::select_obstacle(App& app, const std::string& name) {
  clear_selection(app);
  const Snapshot* now = app.session.snapshot();
  const auto is_it = [&](const ColliderSnapshot& c) {
    return c.name == name && c.kind != ColliderSnapshot::Kind::plane;
  };
  if (now == nullptr || name.empty() || std::ranges::none_of(now->colliders, is_it)) return select_nothing(app);
  selection.obstacle = name;
  if (app.session.document->root().find("collider", name) == nullptr) return;
  select_nodes(app.ui.layout, {"collider." + name});
  app.ui.layout.reveal_selected = true;
}

void Viewport::clear_selection(App& app) {
  if (selection.system.empty() && selection.obstacle.empty()) return;
  selection = {};
  selected_id_ = -1;
  subscribe(app);
}

void Viewport::follow_selection(App& app) {
  if (drag_ != Drag::none) follow_row(*app.session.run, pressed_on_);
  if (drag_ == Drag::maybe_grab) follow_row(*app.session.run, grabbed_);
  if (selection.system.empty()) return;
  const SystemSnapshot* system = find_system(*app.session.snapshot(), selection.system);
  if (system == nullptr && is_expected(app, selection.system)) return;
  selection.element = system == nullptr ? -1 : row_of(*system, selected_id_, selection.element);
  if (selection.element < 0) clear_selection(app);  // the element no longer exists
}

Ray Viewport::mouse_ray() const {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return camera.ray(mouse.x - corner_.x, mouse.y - corner_.y, static_cast<int>(size_.x), static_cast<int>(size_.y));
}

double Viewport::picture_height_at(const Vec3& place) const {
  const GizmoPicture picture{camera, {size_.x, size_.y}};
  return picture.metres_per_px(place) * static_cast<double>(size_.y);
}

void Viewport::handle_mouse(App& app, bool hovered) {
  const ImGuiIO& io = ImGui::GetIO();
  if (hovered && io.MouseWheel != 0) {
    camera.zoom(std::pow(0.88F, io.MouseWheel));
    ++camera_drags_;
  }
  if (drag_ == Drag::none && hovered)
    begin_drag(app);
  else if (drag_ != Drag::none)
    continue_drag(app);
}

/// Returns the object that a click selects. `pick` is the object under the pointer. If `pick` is an obstacle, a fluid
/// or nothing, the function returns the nearest particle or member within 0.6 em of the pointer instead, if there is
/// one.
Pick Viewport::meant_by(const App& app, const std::optional<Pick>& pick) const {
  if (over_second_) return {};
  const SystemSnapshot* system = pick ? find_system(*app.session.snapshot(), pick->system) : nullptr;
  if (system != nullptr && system->look_kind() != LookKind::fluid) return *pick;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const ClickPlace click{.at = {mouse.x - corner_.x, mouse.y - corner_.y},
                         .size = {size_.x, size_.y},
                         .reach_px = em(0.6F),
                         .end_m = pick && system == nullptr ? pick->distance : 0};
  const auto near =
      pick_near(*app.session.snapshot(), camera, click, cut_of(app.session.view()), app.session.unpickable_names());
  return near ? *near : pick.value_or(Pick{});
}

std::string Viewport::node_under_pointer(const App& app) const {
  if (!app.session.have_snapshot) return {};
  return node_of(app, meant_by(app, pick_under_pointer(app)));
}

std::string Viewport::node_of(const App& app, const Pick& pick) const {
  if (const SystemSnapshot* system = find_system(*app.session.snapshot(), pick.system))
    return path_of(app, *system, pick.element);
  const std::string path = pick.obstacle.empty() ? std::string() : "collider." + pick.obstacle;
  return find_node(app.session.document->root(), path) == nullptr ? std::string() : path;
}

void Viewport::begin_drag(App& app) {
  const ImGuiIO& io = ImGui::GetIO();
  dragged_px_ = 0;
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Middle)) {
    drag_ = Drag::pan;
    drag_button_ = ImGuiMouseButton_Middle;
  } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Right)) {
    drag_ = Drag::look;
    drag_button_ = ImGuiMouseButton_Right;
    flew_ = false;
    const auto pick = pick_under_pointer(app);
    pressed_on_ = meant_by(app, pick);
    clicked_place_.reset();
    if (pick) clicked_place_ = to_eigen(pick->point);
  } else if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    drag_button_ = ImGuiMouseButton_Left;
    const auto pick = pick_under_pointer(app);
    const bool on_body = pick && !pick->system.empty();
    pressed_on_ = meant_by(app, pick);
    if (io.KeyCtrl && io.KeyAlt && on_body) return push(app, *pick);
    if (io.KeyCtrl && !over_second_) {
      drag_ = io.KeyShift ? Drag::lasso : Drag::box;
      region_.assign(1, {io.MousePos.x - corner_.x, io.MousePos.y - corner_.y});
      return;
    }
    // Fluid particles cannot be grabbed, and water may fill the picture. A drag on a fluid therefore orbits the camera.
    const SystemSnapshot* system = on_body ? find_system(*app.session.snapshot(), pick->system) : nullptr;
    const bool can_pull = system != nullptr && system->look_kind() != LookKind::fluid && !io.KeyAlt;
    drag_ = io.KeyShift ? Drag::pan : can_pull ? Drag::maybe_grab : Drag::orbit;
    if (on_body) {
      grabbed_ = *pick;
      const auto row = static_cast<std::size_t>(pick->element);
      // `pointed_at` lies on the pointer's ray. It differs from pick->point if the element is seen refracted through
      // water.
      const auto pointed_at = drag_target(camera, mouse_ray(), pick->point);
      from_grabbed_ = pointed_at && system != nullptr && row < system->position.size()
                          ? to_glm(system->position[row]) - *pointed_at
                          : glm::vec3(0);
    }
  }
}

void Viewport::continue_drag(App& app) {
  const ImGuiIO& io = ImGui::GetIO();
  if (!ImGui::IsMouseDown(drag_button_)) return end_drag(app);
  const ImVec2 delta = io.MouseDelta;
  dragged_px_ += std::abs(delta.x) + std::abs(delta.y);
  switch (drag_) {
    case Drag::orbit: orbit(app, -delta.x * radians_per_px, delta.y * radians_per_px); break;
    case Drag::pan:
      if (dragged_px_ > 0) follow(app, {});
      camera.pan(delta.x, delta.y, static_cast<int>(size_.x), static_cast<int>(size_.y));
      break;
    case Drag::look:
      if (dragged_px_ > 0) follow(app, {});
      camera.look(-delta.x * radians_per_px * 0.5F, -delta.y * radians_per_px * 0.5F);
      fly(io.DeltaTime, scene_bounds(*app.session.snapshot()).radius());
      break;
    case Drag::maybe_grab:
      if (dragged_px_ > grab_threshold_px) start_grab(app);
      break;
    case Drag::grab:
      if (delta.x != 0 || delta.y != 0) move_grab(app);
      break;
    case Drag::box:
    case Drag::lasso:
      if (drag_ == Drag::box) region_.resize(1);
      if (delta.x != 0 || delta.y != 0 || drag_ == Drag::box)
        region_.emplace_back(io.MousePos.x - corner_.x, io.MousePos.y - corner_.y);
      break;
    case Drag::none: break;
  }
}

/// Orbits the camera about its target. If the scene has a plane collider, the camera stays above y = 0.
void Viewport::orbit(const App& app, float yaw_rad, float pitch_rad) {
  const auto& colliders = app.session.snapshot()->colliders;
  const bool ground = std::any_of(colliders.begin(), colliders.end(),
                                  [](const ColliderSnapshot& c) { return c.kind == ColliderSnapshot::Kind::plane; });
  const Camera before = camera;
  camera.orbit(yaw_rad, pitch_rad);
  const float lowest = 0.02F * glm::length(camera.eye - camera.target);
  if (!ground || camera.eye.y > lowest || camera.eye.y >= before.eye.y) return;
  camera = before;
  camera.orbit(yaw_rad, 0);
}

/// Ends a drag. A press and release without motion is a click. A left click selects the object under the pointer; with
/// Ctrl or Shift, it adds the object to the selected nodes or removes it. A right click selects the object and opens
/// its context menu.
void Viewport::end_drag(App& app) {
  if (over_second_ && dragged_px_ <= grab_threshold_px) drag_ = Drag::none;  // a click there has no effect
  const bool is_click = dragged_px_ <= grab_threshold_px, is_region = drag_ == Drag::box || drag_ == Drag::lasso;
  const bool is_shift_click = drag_ == Drag::pan && drag_button_ == ImGuiMouseButton_Left;
  if (is_click && (drag_ == Drag::orbit || drag_ == Drag::maybe_grab)) select(app, pressed_on_);
  if (is_click && (is_region || is_shift_click)) toggle(app, pressed_on_);
  if (!is_click && is_region) select_region(app);
  if (dragged_px_ <= grab_threshold_px && drag_ == Drag::look && !flew_) {
    // If the object is one of several selected objects, a right click on it does not deselect the others.
    std::vector<std::string> nodes = selected_nodes(app.ui.layout, app.session.document->root());
    const bool keeps_nodes = nodes.size() > 1 && contains(nodes, node_of(app, pressed_on_));
    select(app, pressed_on_);
    if (keeps_nodes) select_nodes(app.ui.layout, std::move(nodes));
    open_element_menu(app);
  }
  if (drag_ == Drag::grab && app.session.run != nullptr) app.session.run->submit(Release{});
  const bool moves_camera = drag_ == Drag::orbit || drag_ == Drag::pan || drag_ == Drag::look;
  if (moves_camera && (dragged_px_ > grab_threshold_px || flew_)) ++camera_drags_;
  drag_ = Drag::none;
}

void Viewport::start_grab(App& app) {
  const SystemSnapshot* system = find_system(*app.session.snapshot(), grabbed_.system);
  if (system == nullptr) return;
  const double stiffness = grab_stiffness(handle_of(*system, grabbed_.element), gravity_of(app));
  const auto row = static_cast<std::size_t>(grabbed_.element);
  const glm::vec3 start = row < system->position.size() ? to_glm(system->position[row]) : grabbed_.point;
  app.session.run->submit(Grab{grabbed_.system, grabbed_.element, to_eigen(start), stiffness});
  drag_ = Drag::grab;
  ++grabs_;
  move_grab(app);
}

void Viewport::move_grab(App& app) {
  if (const auto target = drag_target(camera, mouse_ray(), grabbed_.point))
    app.session.run->submit(MoveGrab{to_eigen(*target + from_grabbed_)});
}

void Viewport::push(App& app, const Pick& pick) {
  const SystemSnapshot* system = find_system(*app.session.snapshot(), pick.system);
  if (system == nullptr) return;
  const double scene_radius = static_cast<double>(scene_bounds(*app.session.snapshot()).radius());
  app.session.run->submit(
      push_along(*system, pick.element, to_eigen(mouse_ray().direction).normalized(), scene_radius));
}

void Viewport::fly(float seconds, float scale) {
  const auto down = [](int key) { return ImGui::IsKeyDown(key) ? 1.0F : 0.0F; };
  const glm::vec3 direction{down(GLFW_KEY_D) - down(GLFW_KEY_A), down(GLFW_KEY_E) - down(GLFW_KEY_Q),
                            down(GLFW_KEY_W) - down(GLFW_KEY_S)};
  if (direction == glm::vec3(0)) return;
  flew_ = true;
  const float speed = (scale > 0 ? scale : 1e-2F) * (ImGui::GetIO().KeyShift ? 3.0F : 1.0F);
  camera.fly(speed * seconds * glm::normalize(direction));
}

}  // namespace vw::ui
