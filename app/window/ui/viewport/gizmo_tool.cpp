#include "app/window/ui/viewport/gizmo_tool.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>

#include <GLFW/glfw3.h>

#include "app/window/document/node_hints.h"
#include "app/window/gizmo/running_body.h"
#include "app/window/mouse_tools.h"
#include "app/window/ui/app.h"
#include "app/window/ui/node_selection.h"
#include "app/window/ui/widgets/theme.h"
#include "app/window/ui/widgets/widgets.h"
#include "render/vectors/vectors.h"

namespace vw::ui {
namespace {

using ConstraintKind = GizmoConstraint::Kind;

const std::array<ImVec4, 3> axis_colors{ImVec4{0.95F, 0.36F, 0.36F, 1}, ImVec4{0.52F, 0.82F, 0.35F, 1},
                                        ImVec4{0.36F, 0.60F, 0.97F, 1}};
const ImVec4 free_color{0.92F, 0.93F, 0.95F, 1};
const ImVec4 hot_color{1.0F, 0.85F, 0.35F, 1};

ImVec2 on_screen(glm::vec2 pixel, ImVec2 corner) { return {corner.x + pixel.x, corner.y + pixel.y}; }

/// Draws a line in the world, if both of its ends are in front of the camera.
void draw_world_line(ImDrawList* list, const GizmoPicture& picture, ImVec2 corner, const Vec3& a, const Vec3& b,
                     ImU32 tint, float width) {
  if (!picture.is_visible(a) || !picture.is_visible(b)) return;
  list->AddLine(on_screen(picture.project(a), corner), on_screen(picture.project(b), corner), tint, width);
}

void draw_outline(ImDrawList* list, const GizmoPicture& picture, ImVec2 corner, const PosedPart& part, ImU32 tint) {
  for (const auto& [a, b] : outline_of(part)) draw_world_line(list, picture, corner, a, b, tint, 1.4F);
}

/// Parts of a node that can be moved at present.
std::vector<PosedPart> movable_parts(const App& app, const std::string& path) {
  if (app.session.document == nullptr || app.session.run == nullptr) return {};
  std::vector<PosedPart> all = posed_parts(app.session.document->root(), path);
  if (!app.session.playing) return all;
  // While the world runs, the gizmo moves the body itself. Other parts that take effect only at a reset are left out.
  if (app.session.have_snapshot && !all.empty() && !all.front().is_live)
    if (auto body = running_part(app.session.document->root(), *app.session.snapshot(), path)) return {*body};
  std::erase_if(all, [](const PosedPart& part) { return !part.is_live; });
  return all;
}

bool is_running(const PosedPart& part) { return !part.elements.empty(); }
bool has_running(const PosedGroup& group) { return std::ranges::any_of(group.parts, is_running); }

/// Whether a part of the group is the initial pose of a body, which takes effect only at a reset.
bool has_start(const PosedGroup& group) {
  return std::ranges::any_of(group.parts, [](const PosedPart& part) { return !part.is_live && !is_running(part); });
}

/// If the group can move only along one axis of the world, the number of this axis, otherwise -1.
int only_axis(const PosedGroup& group) { return group.parts.size() == 1 ? group.parts.front().place_axis : -1; }

/// Paths of the nodes whose parts move together.
std::vector<std::string> moved_nodes(const App& app) {
  return topmost_selected_nodes(app.ui.layout, app.session.document->root());
}

/// Stores the present camera in the scene while the handles of its target are shown, so that they stay at the target
/// when the user moves the camera in another way.
void keep_shown_target(App& app) {
  const Camera& camera = app.view.viewport.camera;
  const Value* stored = app.session.document->value("view.target");
  if (stored == nullptr || to_glm(std::get<Vec3>(*stored).cast<float>()) == camera.target) return;
  app.session.document->set_silently("view.eye", Value(to_eigen(camera.eye)));
  app.session.document->set_silently("view.target", Value(to_eigen(camera.target)));
}

bool was_pressed(int key) { return ImGui::IsKeyPressed(key, false); }

/// Whether the mouse does something over a handle that only the picture uses: a click with another button than the left
/// one, or a turn of the wheel.
bool is_for_picture() {
  return !ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
         (ImGui::IsMouseClicked(ImGuiMouseButton_Right) || ImGui::IsMouseClicked(ImGuiMouseButton_Middle) ||
          ImGui::GetIO().MouseWheel != 0);
}

}  // namespace

std::vector<PosedPart> GizmoTool::parts(const App& app) const {
  return movable_parts(app, app.ui.layout.selected_path);
}

void GizmoTool::select_part(App& app, const std::string& place) {
  if (drag_ || app.session.document == nullptr) return;
  part_of_ = place.substr(0, place.rfind('.'));
  select_nodes(app.ui.layout, {part_of_});
  const std::vector<PosedPart> all = parts(app);
  const auto found = std::ranges::find(all, place, [](const PosedPart& part) { return part.places.front().path; });
  part_ = found == all.end() ? 0 : static_cast<std::size_t>(found - all.begin());
}

const PosedPart* GizmoTool::active_part(const std::vector<PosedPart>& all) const {
  return all.empty() ? nullptr : &all[std::min(part_, all.size() - 1)];
}

PosedGroup GizmoTool::group(const App& app) const {
  if (app.session.document == nullptr) return {};
  std::vector<PosedPart> chosen;
  for (const std::string& path : moved_nodes(app)) {
    const std::vector<PosedPart> all = movable_parts(app, path);
    const PosedPart* part = path == app.ui.layout.selected_path ? active_part(all) : all.empty() ? nullptr : &all[0];
    if (part != nullptr) chosen.push_back(*part);
  }
  return group_of(std::move(chosen));
}

std::optional<PosedPart> GizmoTool::part_to_pause_for(const App& app) const {
  if (!app.session.playing || app.session.document == nullptr || app.session.run == nullptr || has_target(app))
    return std::nullopt;
  std::vector<PosedPart> all = posed_parts(app.session.document->root(), app.ui.layout.selected_path);
  if (all.empty()) return std::nullopt;
  return std::move(all.front());
}

bool GizmoTool::has_target(const App& app) const { return !group(app).parts.empty(); }

bool GizmoTool::is_dragging() const { return drag_.has_value() || ended_in_frame_ == ImGui::GetFrameCount(); }

GizmoFrame GizmoTool::frame_of(const PosedGroup& group) const {
  const PosedPart& active = group.parts.front();
  const bool is_single = group.parts.size() == 1;
  // Edge lengths of a single part belong to its own axes, so scaling always uses these axes.
  const bool own = uses_own_axes || (is_single && mode == GizmoMode::scale);
  return {is_single ? active.at : group.center(), own ? active.axes.toRotationMatrix() : Mat3(Mat3::Identity())};
}

bool GizmoTool::can(GizmoMode wanted, const PosedGroup& group) const {
  if (group.parts.size() != 1) return !group.parts.empty();
  const PosedPart& part = group.parts.front();
  return wanted == GizmoMode::move || (wanted == GizmoMode::rotate ? part.can_rotate() : part.can_scale());
}

void GizmoTool::begin(App& app, PosedGroup group, GizmoMode wanted, GizmoConstraint constraint, DragKind kind) {
  mode = wanted;
  if (const int axis = only_axis(group); axis >= 0) constraint = {ConstraintKind::axis, axis};
  app.session.document->end_gesture();
  const std::string joint = holding_joint(app, group);
  if (!joint.empty() && !can_carry(group, true))
    return app.log.info(
        "The joint " + joint +
            " connects the body to the world. Pause to edit its start pose, or choose Move, with which a "
            "spring pulls the body",
        Toast::yes);
  const GizmoFrame frame = frame_of(group);
  drag_.emplace(Drag{GizmoDrag(wanted, constraint, frame, picture_, pointer_), std::move(group), moved_nodes(app),
                     kind == DragKind::copy_by_handle, kind == DragKind::by_key, pointer_});
  drag_->is_jointed = !joint.empty();
  if (drag_->is_jointed)
    app.log.info(
        "The joint " + joint + " connects the body to the world, so a spring pulls it. Pause to edit its start pose",
        Toast::yes);
  if (!drag_->is_copy && can_carry(drag_->group, drag_->is_jointed)) start_carrying(app);
}

std::string GizmoTool::holding_joint(const App& app, const PosedGroup& group) {
  for (const PosedPart& part : group.parts) {
    const std::string& place = part.places.front().path;
    if (!is_running(part)) continue;
    if (std::string joint = joint_to_world(app.session.document->root(), place.substr(0, place.rfind('.')));
        !joint.empty())
      return joint;
  }
  return {};
}

bool GizmoTool::can_carry(const PosedGroup& group, bool is_jointed) const {
  return (carries || is_jointed) && mode == GizmoMode::move && group.parts.size() == 1 &&
         group.parts.front().elements.size() == 1;
}

/// Attaches the spring that pulls the body of the drag.
void GizmoTool::start_carrying(App& app) {
  const PosedPart& part = drag_->group.parts.front();
  const PosedPart::Element& element = part.elements.front();
  const auto& systems = app.session.snapshot()->systems;
  const auto system = std::ranges::find(systems, part.system, &SystemSnapshot::name);
  if (system == systems.end()) return;
  const double gravity = std::get<Vec3>(*app.session.document->value("world.gravity")).norm();
  app.session.run->submit(
      Grab{part.system, element.row, element.position, grab_stiffness(handle_of(*system, element.row), gravity)});
  drag_->is_carried = true;
}

/// Moves the bodies of the drag: the target of the spring during the drag, or the bodies themselves at its end.
void GizmoTool::move_running(App& app) {
  const auto poses = poses_after(drag_->group, drag_->math.change(), drag_->math.frame());
  if (drag_->is_carried) return app.session.run->submit(MoveGrab{poses.front().position});
  for (const SetPose& pose : poses) app.session.run->submit(pose);
}

namespace {

/// Stores a move of running bodies, so that undo takes it back.
void note_move(App& app, const std::string& path, std::vector<SetPose> before, std::vector<SetPose> after) {
  app.session.document->end_gesture();
  const Snapshot& newest = app.session.run->newest();
  app.session.body_moves.add(
      {path, std::move(before), std::move(after), app.session.document->undo_depth(), newest.epoch, newest.place});
}

}  // namespace

void GizmoTool::begin_by_key(App& app, GizmoMode wanted) {
  PosedGroup moved = group(app);
  if (moved.parts.empty() || drag_) return;
  if (!can(wanted, moved))
    return app.log.info(
        std::string("The selected object cannot be ") + (wanted == GizmoMode::rotate ? "rotated" : "scaled"),
        Toast::yes);
  begin(app, std::move(moved), wanted, {}, DragKind::by_key);
}

void GizmoTool::apply(App& app, const std::vector<Assignment>& assignments) {
  if (drag_->is_copy) {
    drag_->last = assignments;
    return;
  }
  // An edit may change fewer parameters than the last one, for example after the axis has changed. The other
  // parameters return to their values from before the drag.
  std::vector<Assignment> all;
  const auto add = [&](const PoseValue& value) {
    if (std::ranges::find(assignments, value.path, &Assignment::path) == assignments.end())
      all.push_back({value.path, value.value});
  };
  for (const PosedPart& part : drag_->group.parts) {
    if (is_running(part)) continue;
    for (const auto* values : {&part.places, &part.rotations, &part.directions, &part.sizes})
      std::ranges::for_each(*values, add);
    for (const PosedPart::Length& length : part.lengths) add(length.parameter);
  }
  all.insert(all.end(), assignments.begin(), assignments.end());
  const bool is_same = all.size() == drag_->last.size() &&
                       std::ranges::equal(all, drag_->last, [](const Assignment& a, const Assignment& b) {
                         return a.path == b.path && same_value(a.value, b.value);
                       });
  if (is_same) return;
  drag_->last = all;
  if (all.empty()) return;
  edit(app, all);
  // The target of the camera that draws the picture follows the parameter.
  for (const Assignment& one : all)
    if (one.path == "view.target") app.view.viewport.camera.target = to_glm(std::get<Vec3>(one.value).cast<float>());
  has_new_start_ = has_new_start_ || has_start(drag_->group);
}

void GizmoTool::show_start(App& app) {
  // If the world is still at its start, a reset shows the edited initial pose. The next reset waits until the snapshot
  // of the previous one has arrived.
  const Snapshot& newest = app.session.run->newest();
  if (!has_new_start_ || app.session.playing || newest.step != 0 || newest.epoch == shown_epoch_) return;
  shown_epoch_ = newest.epoch;
  has_new_start_ = false;
  app.session.run->submit(Reset{});
  app.session.waiting.clear();
}

void GizmoTool::finish(App& app) {
  if (!drag_) return;
  shown_epoch_ = static_cast<std::uint64_t>(-1);
  if (drag_->is_copy)
    add_copies(app);
  else if (drag_->is_carried)
    app.session.run->submit(Release{});
  else if (has_running(drag_->group))
    move_running(app);
  // A pose of a jointed body cannot be restored.
  if (!drag_->is_copy && has_running(drag_->group) && !drag_->is_jointed)
    note_move(app, drag_->paths.front(), poses_after(drag_->group, {}, drag_->math.frame()),
              poses_after(drag_->group, drag_->math.change(), drag_->math.frame()));
  drag_.reset();
  ended_in_frame_ = ImGui::GetFrameCount();
  app.session.document->end_gesture();
}

/// Adds copies of the nodes that the drag has moved, at the places of the drag.
void GizmoTool::add_copies(App& app) {
  std::vector<std::string> paths = drag_->paths;
  std::erase_if(paths, [&](const std::string& path) {
    return std::ranges::none_of(drag_->last, [&](const Assignment& one) { return one.path.starts_with(path + "."); });
  });
  if (paths.empty()) return;
  change_scene(app, {.node_changes = copies_of(app.session.document->root(), paths, drag_->last), .selects_all = true});
}

void GizmoTool::cancel(App& app) {
  if (!drag_) return;
  apply(app, {});
  // Bodies of the running world stay where they are.
  std::erase_if(drag_->group.parts, is_running);
  finish(app);
}

void GizmoTool::read_keys(App& app) {
  const ImGuiIO& io = ImGui::GetIO();
  GizmoDrag& math = drag_->math;
  const std::array<int, 3> keys{GLFW_KEY_X, GLFW_KEY_Y, GLFW_KEY_Z};
  for (int axis = 0; axis < 3; ++axis)
    if (was_pressed(keys[static_cast<std::size_t>(axis)]) && only_axis(drag_->group) < 0)
      math.constrain({io.KeyShift ? ConstraintKind::plane : ConstraintKind::axis, axis});
  for (const ImWchar character : io.InputQueueCharacters)
    if (character < 128) math.type(static_cast<char>(character));
  if (ImGui::IsKeyPressed(GLFW_KEY_BACKSPACE, true)) math.erase_character();
  math.set_snaps(io.KeyCtrl);
  const std::array<std::pair<int, GizmoMode>, 3> modes{
      {{GLFW_KEY_G, GizmoMode::move}, {GLFW_KEY_R, GizmoMode::rotate}, {GLFW_KEY_S, GizmoMode::scale}}};
  for (const auto& [key, wanted] : modes)
    if (was_pressed(key) && drag_->follows_pointer && wanted != math.mode() && can(wanted, drag_->group)) {
      PosedGroup moved = drag_->group;
      apply(app, {});
      if (drag_->is_carried) app.session.run->submit(Release{});
      drag_.reset();
      return begin(app, std::move(moved), wanted, {}, DragKind::by_key);
    }
}

void GizmoTool::continue_drag(App& app, glm::vec2 moved) {
  const ImGuiIO& io = ImGui::GetIO();
  if (was_pressed(GLFW_KEY_ESCAPE) || ImGui::IsMouseClicked(ImGuiMouseButton_Right)) return cancel(app);
  if (moved_nodes(app) != drag_->paths) return finish(app);
  read_keys(app);
  drag_->pointer += moved * (io.KeyShift ? 0.1F : 1.0F);
  drag_->math.move_pointer(drag_->pointer);
  apply(app, assignments_of(drag_->group, drag_->math.change(), drag_->math.frame()));
  if (drag_->is_carried) move_running(app);
  const bool ends = drag_->follows_pointer ? ImGui::IsMouseClicked(ImGuiMouseButton_Left)
                                           : !ImGui::IsMouseDown(ImGuiMouseButton_Left);
  if (ends || was_pressed(GLFW_KEY_ENTER) || was_pressed(GLFW_KEY_KP_ENTER)) finish(app);
}

bool GizmoTool::handle_input(App& app, const GizmoPicture& picture, ImVec2 corner, bool hovered) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool is_known = ImGui::IsMousePosValid();
  const glm::vec2 pointer = is_known ? glm::vec2{mouse.x - corner.x, mouse.y - corner.y} : pointer_;
  const glm::vec2 moved = pointer - pointer_;
  pointer_ = pointer;
  picture_ = picture;
  if (part_of_ != app.ui.layout.selected_path) {
    part_of_ = app.ui.layout.selected_path;
    part_ = 0;
  }
  show_start(app);
  if (drag_) {
    continue_drag(app, moved);
    return true;
  }
  hovered_.reset();
  if (app.ui.layout.selected_path == "view")
    if (const auto all = parts(app); !all.empty() && active_part(all)->places.front().path == "view.target")
      keep_shown_target(app);
  PosedGroup targets = group(app);
  if (targets.parts.empty() || !hovered) return false;
  if (can(mode, targets))
    hovered_ = handle_at(gizmo_handles(mode, frame_of(targets), picture, arm_px(em(1))), pointer, em(0.45F));
  const int axis = only_axis(targets);
  if (hovered_ && axis >= 0 && *hovered_ != GizmoConstraint{ConstraintKind::axis, axis}) hovered_.reset();
  if (hovered_) {
    const auto can_copy = [&](const std::string& path) { return is_one_of_many(app.session.document->root(), path); };
    const bool is_copy =
        ImGui::GetIO().KeyAlt && !has_running(targets) && std::ranges::all_of(moved_nodes(app), can_copy);
    if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return !is_for_picture();
    if (ImGui::GetIO().KeyAlt && has_running(targets))
      app.log.info("Pause to place a copy of a body", Toast::yes);  // the drag would move the body itself
    else
      begin(app, std::move(targets), mode, *hovered_, is_copy ? DragKind::copy_by_handle : DragKind::by_handle);
    return true;
  }
  const std::vector<PosedPart> all = parts(app);
  const PosedPart* part = active_part(all);
  // A click on the mark of another part of the node makes that part active.
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_near = picture.is_visible(all[i].at) && glm::distance(picture.project(all[i].at), pointer) < em(0.6F);
    if (&all[i] == part || !is_near) continue;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) part_ = i;
    return !is_for_picture();
  }
  return false;
}

void GizmoTool::drop_to_ground(App& app) {
  PosedGroup moved = group(app);
  // A world that was made again has no snapshot before its first frame.
  if (moved.parts.empty() || drag_ || !app.session.have_snapshot) return;
  // Lower parts come first, so that the drops of all parts below a part are known.
  std::ranges::stable_sort(moved.parts, {}, lowest_height);
  std::map<std::string, double> drops;  // drop of each node [m], by path
  const auto drop_of = [&](const Pick& pick) {
    const auto found = drops.find(app.view.viewport.node_of(app, pick));
    return found == drops.end() ? 0 : found->second;
  };
  std::vector<Assignment> lowered;
  std::vector<SetPose> before, set;
  for (const PosedPart& part : moved.parts) {
    const auto floor = height_below(*app.session.snapshot(), trees_, part, drop_of);
    if (!floor) continue;
    const std::string& place = part.places.front().path;
    const double drop = drops[place.substr(0, place.rfind('.'))] = lowest_height(part) - *floor;
    const PoseChange down{.translation = Vec3(0, -drop, 0)};
    std::ranges::move(assignments_of(part, down), std::back_inserter(lowered));
    std::ranges::move(poses_after(group_of({part}), {}, {part.at}), std::back_inserter(before));
    std::ranges::move(poses_after(group_of({part}), down, {part.at}), std::back_inserter(set));
  }
  if (drops.empty()) return app.log.info("There is no obstacle below the selected object", Toast::yes);
  for (const SetPose& pose : set) app.session.run->submit(pose);
  if (!set.empty()) note_move(app, drops.begin()->first, std::move(before), std::move(set));
  if (!lowered.empty()) edit_places(app, lowered);
}

void GizmoTool::edit_places(App& app, const std::vector<Assignment>& assignments) {
  app.session.document->end_gesture();
  edit(app, assignments);
  has_new_start_ = has_new_start_ || has_start(group(app));
  app.session.document->end_gesture();
}

void GizmoTool::draw_handles(ImDrawList* list, const PosedGroup& group, const GizmoPicture& picture,
                             ImVec2 corner) const {
  if (!can(mode, group)) return;
  const GizmoConstraint* active = drag_ ? &drag_->math.constraint() : hovered_ ? &*hovered_ : nullptr;
  GizmoFrame frame = frame_of(group);
  if (drag_ && (drag_->is_copy || (has_running(drag_->group) && !drag_->is_carried)))
    frame.at = moved_point(drag_->math.frame().at, drag_->math.change(), drag_->math.frame());
  const int only = only_axis(group);
  for (const GizmoHandle& handle : gizmo_handles(mode, frame, picture, arm_px(em(1)))) {
    if (only >= 0 && handle.constraint != GizmoConstraint{ConstraintKind::axis, only}) continue;
    const bool is_hot = active != nullptr && *active == handle.constraint;
    if (drag_ && !is_hot) continue;
    const bool is_free = handle.constraint.kind == ConstraintKind::free;
    const ImVec4& base = is_free ? free_color : axis_colors[static_cast<std::size_t>(handle.constraint.axis)];
    const ImU32 tint = color(is_hot ? hot_color : base, is_free && !is_hot ? 0.7F : 1.0F);
    std::vector<ImVec2> points;
    for (const glm::vec2& pixel : handle.line) points.push_back(on_screen(pixel, corner));
    if (points.size() < 2) continue;
    if (handle.is_filled)
      list->AddConvexPolyFilled(points.data(), static_cast<int>(points.size()),
                                color(is_hot ? hot_color : base, 0.35F));
    list->AddPolyline(points.data(), static_cast<int>(points.size()), tint, 0, handle.is_filled ? 1.5F : 2.6F);
    if (handle.constraint.kind != ConstraintKind::axis || mode == GizmoMode::rotate) continue;
    const ImVec2 tip = points.back(), tail = points.front();
    const float length = std::max(std::hypot(tip.x - tail.x, tip.y - tail.y), 1.0F);
    const ImVec2 along{(tip.x - tail.x) / length, (tip.y - tail.y) / length};
    const float head = em(0.45F);
    if (mode == GizmoMode::scale)
      list->AddRectFilled({tip.x - head * 0.7F, tip.y - head * 0.7F}, {tip.x + head * 0.7F, tip.y + head * 0.7F}, tint);
    else
      list->AddTriangleFilled({tip.x + along.x * head * 1.8F, tip.y + along.y * head * 1.8F},
                              {tip.x - along.y * head * 0.8F, tip.y + along.x * head * 0.8F},
                              {tip.x + along.y * head * 0.8F, tip.y - along.x * head * 0.8F}, tint);
  }
}

void GizmoTool::draw_sentence(const GizmoPicture& picture, ImVec2 corner) const {
  const std::string text = (drag_->is_copy ? "Copy. " : "") + drag_->math.sentence();
  const char* help =
      "X Y Z: axis   Shift + X Y Z: plane   Ctrl: snap   digits: exact number   Enter: finish   Esc: cancel";
  const ImVec2 first = ImGui::CalcTextSize(text.c_str()), second = ImGui::CalcTextSize(help);
  const float width = std::max(first.x, second.x) + em(1.6F);
  const ImVec2 at{corner.x + (picture.size.x - width) / 2, corner.y + picture.size.y - em(4.2F)};
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, {at.x + width, at.y + em(3.2F)}, color(palette::window, 0.85F), em(0.4F));
  list->AddText({at.x + (width - first.x) / 2, at.y + em(0.4F)}, color(hot_color), text.c_str());
  list->AddText({at.x + (width - second.x) / 2, at.y + em(1.8F)}, color(palette::dim), help);
}

void GizmoTool::draw_buttons(App& app, ImVec2 corner) {
  const PosedGroup moved = group(app);
  if (moved.parts.empty()) return;
  struct Button {
    const char* id;
    Icon icon;
    const char* hint;
    GizmoMode mode;
  };
  float y = corner.y + em(4);
  const auto place = [&] { ImGui::SetCursorScreenPos({corner.x + em(0.6F), y}), y += em(2.1F); };
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({corner.x + em(0.45F), y - em(0.15F)},
                      {corner.x + em(2.65F), y + em(has_running(moved) ? 12.6F : 10.5F)}, color(palette::window, 0.7F),
                      em(0.4F));
  for (const Button& button : {Button{"move", Icon::move, "Move (G)", GizmoMode::move},
                               Button{"rotate", Icon::rotate, "Rotate (R)", GizmoMode::rotate},
                               Button{"scale", Icon::scale, "Scale (S)", GizmoMode::scale}}) {
    place();
    ImGui::BeginDisabled(!can(button.mode, moved));
    if (icon_button(button.id, button.icon, button.hint, {.on = mode == button.mode})) mode = button.mode;
    ImGui::EndDisabled();
  }
  place();
  if (icon_button("axes", Icon::axes,
                  uses_own_axes ? "Handles follow the object's own axes. Click for the axes of the world"
                                : "Handles follow the axes of the world. Click for the object's own axes",
                  {.on = uses_own_axes}))
    uses_own_axes = !uses_own_axes;
  if (has_running(moved)) {
    place();
    if (icon_button(
            "carry", Icon::spring,
            carries ? "During a drag, a spring moves the body. Click to set the position at the end of the drag instead"
                    : "The position of the body is set at the end of a drag. Click to move it by a spring instead",
            {.on = carries}))
      carries = !carries;
  }
  place();
  if (icon_button("ground", Icon::to_ground, "Lower onto the ground or the obstacle below (End)")) drop_to_ground(app);
}

/// Draws the outlines of the parts. During a drag of copies or of running bodies, also draws their outlines at the new
/// poses.
void GizmoTool::draw_group(ImDrawList* list, const PosedGroup& group, const GizmoPicture& picture,
                           ImVec2 corner) const {
  for (const PosedPart& part : group.parts) {
    draw_outline(list, picture, corner, part, color(palette::accent, 0.9F));
    if (!drag_ || (!drag_->is_copy && !is_running(part))) continue;
    const PoseChange change = drag_->math.change();
    const auto from = std::ranges::find(drag_->group.parts, part.places.front().path,
                                        [](const PosedPart& one) { return one.places.front().path; });
    for (const auto& [a, b] : outline_of(from == drag_->group.parts.end() ? part : *from))
      draw_world_line(list, picture, corner, moved_point(a, change, drag_->math.frame()),
                      moved_point(b, change, drag_->math.frame()), color(hot_color, 0.9F), 1.4F);
  }
}

void GizmoTool::draw_pause_offer(App& app, const PosedPart& part, const GizmoPicture& picture, ImVec2 corner) {
  if (!picture.is_visible(part.at)) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect(corner, {corner.x + picture.size.x, corner.y + picture.size.y}, true);
  draw_outline(list, picture, corner, part, color(palette::accent, 0.4F));
  const char *text = "This object can be moved only while paused", *label = "Pause";
  const ImVec2 size = ImGui::CalcTextSize(text);
  const float width = size.x + ImGui::CalcTextSize(label).x + em(2.2F), height = size.y + em(0.6F);
  const ImVec2 middle = on_screen(picture.project(part.at), corner);
  const ImVec2 at{std::clamp(middle.x + em(0.8F), corner.x, std::max(corner.x, corner.x + picture.size.x - width)),
                  std::clamp(middle.y + em(0.6F), corner.y, std::max(corner.y, corner.y + picture.size.y - height))};
  list->AddCircleFilled(middle, em(0.3F), color(palette::accent, 0.7F));
  list->AddRectFilled(at, {at.x + width, at.y + height}, color(palette::window, 0.85F), em(0.3F));
  list->AddText({at.x + em(0.5F), at.y + em(0.3F)}, color(palette::text), text);
  list->PopClipRect();
  ImGui::SetCursorScreenPos({at.x + size.x + em(1), at.y + em(0.3F)});
  if (ImGui::SmallButton(label)) set_playing(app, false);
  tooltip("Pauses the simulation and shows the handles. Changes of this node take effect at the next reset");
}

void GizmoTool::draw(App& app, const GizmoPicture& picture, ImVec2 corner) {
  const PosedGroup moved = group(app);
  if (moved.parts.empty()) {
    if (const auto part = part_to_pause_for(app)) draw_pause_offer(app, *part, picture, corner);
    return;
  }
  const std::vector<PosedPart> all = parts(app);
  const PosedPart* part = active_part(all);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect(corner, {corner.x + picture.size.x, corner.y + picture.size.y}, true);
  draw_group(list, moved, picture, corner);
  for (const PosedPart& other : all)
    if (&other != part && picture.is_visible(other.at)) {
      draw_outline(list, picture, corner, other, color(palette::accent, 0.4F));
      list->AddCircleFilled(on_screen(picture.project(other.at), corner), em(0.35F), color(palette::accent));
    }
  if (drag_ && drag_->math.constraint().kind == ConstraintKind::axis) {  // a long line shows the axis
    const GizmoFrame& frame = drag_->math.frame();
    const Vec3 far = 400 * static_cast<double>(arm_px(em(1))) / 100 * picture.metres_per_px(frame.at) *
                     frame.axes.col(drag_->math.constraint().axis);
    draw_world_line(list, picture, corner, frame.at - far, frame.at + far,
                    color(axis_colors[static_cast<std::size_t>(drag_->math.constraint().axis)], 0.6F), 1.2F);
  }
  draw_handles(list, moved, picture, corner);
  if (drag_) draw_sentence(picture, corner);
  // The handles are at the initial pose, from which the body may have moved away. A label states this.
  const Vec3 at = frame_of(moved).at;
  if (has_start(moved) && app.session.have_snapshot && app.session.snapshot()->step > 0 && picture.is_visible(at)) {
    const ImVec2 middle = on_screen(picture.project(at), corner);
    const char* text = "Start pose";
    const ImVec2 place{middle.x + em(1), middle.y + em(0.8F)}, size = ImGui::CalcTextSize(text);
    list->AddRectFilled({place.x - em(0.3F), place.y}, {place.x + size.x + em(0.3F), place.y + size.y},
                        color(palette::window, 0.7F), em(0.2F));
    list->AddText(place, color(palette::text), text);
  }
  list->PopClipRect();
  if (!drag_) draw_buttons(app, corner);
}

}  // namespace vw::ui
