#include "app/window/ui/gizmo_tool.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <GLFW/glfw3.h>

#include "app/window/ui/app.h"
#include "app/window/ui/widgets/theme.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

using Kind = GizmoConstraint::Kind;

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

bool was_pressed(int key) { return ImGui::IsKeyPressed(key, false); }

}  // namespace

std::vector<PosedPart> GizmoTool::parts(const App& app) const {
  if (app.session.document == nullptr || app.session.run == nullptr) return {};
  std::vector<PosedPart> all = posed_parts(app.session.document->root(), app.ui.layout.selected_path);
  // The start of a body can be edited only while the world is paused.
  if (app.session.playing) std::erase_if(all, [](const PosedPart& part) { return !part.is_live; });
  return all;
}

const PosedPart* GizmoTool::active_part(const std::vector<PosedPart>& all) const {
  return all.empty() ? nullptr : &all[std::min(part_, all.size() - 1)];
}

bool GizmoTool::has_target(const App& app) const { return !parts(app).empty(); }

bool GizmoTool::is_dragging() const { return drag_.has_value() || ended_in_frame_ == ImGui::GetFrameCount(); }

GizmoFrame GizmoTool::frame_of(const PosedPart& part) const {
  const bool own = uses_own_axes || mode == GizmoMode::scale;  // edge lengths belong to the part's own axes
  return {part.at, own ? part.axes.toRotationMatrix() : Mat3(Mat3::Identity())};
}

bool GizmoTool::can(GizmoMode wanted, const PosedPart& part) const {
  return wanted == GizmoMode::move || (wanted == GizmoMode::rotate ? part.can_rotate() : part.can_scale());
}

void GizmoTool::begin(App& app, const PosedPart& part, GizmoMode wanted, GizmoConstraint constraint, bool by_key) {
  mode = wanted;
  if (part.place_axis >= 0) constraint = {Kind::axis, part.place_axis};
  app.session.document->end_gesture();
  drag_.emplace(Drag{GizmoDrag(wanted, constraint, frame_of(part), picture_, pointer_), part,
                     app.ui.layout.selected_path, by_key, pointer_});
}

void GizmoTool::begin_by_key(App& app, GizmoMode wanted) {
  const std::vector<PosedPart> all = parts(app);
  const PosedPart* part = active_part(all);
  if (part == nullptr || drag_) return;
  if (!can(wanted, *part))
    return app.log.info(
        std::string("The selected object cannot be ") + (wanted == GizmoMode::rotate ? "rotated" : "scaled"),
        Toast::yes);
  begin(app, *part, wanted, {}, true);
}

void GizmoTool::apply(App& app, const std::vector<Assignment>& assignments) {
  // An edit may change fewer parameters than the last one, for example after the axis has changed. The others return
  // to their values from before the drag.
  std::vector<Assignment> all;
  const auto add = [&](const PoseValue& value) {
    if (std::ranges::find(assignments, value.path, &Assignment::path) == assignments.end())
      all.push_back({value.path, value.value});
  };
  for (const auto* group : {&drag_->part.places, &drag_->part.rotations, &drag_->part.directions, &drag_->part.sizes})
    std::ranges::for_each(*group, add);
  for (const PosedPart::Length& length : drag_->part.lengths) add(length.parameter);
  all.insert(all.end(), assignments.begin(), assignments.end());
  const bool is_same = all.size() == drag_->last.size() &&
                       std::ranges::equal(all, drag_->last, [](const Assignment& a, const Assignment& b) {
                         return a.path == b.path && same_value(a.value, b.value);
                       });
  if (is_same) return;
  drag_->last = all;
  edit(app, all);
  has_new_start_ = has_new_start_ || !drag_->part.is_live;
}

void GizmoTool::show_start(App& app) {
  // At the first step, a reset shows the edited start. The next reset waits for the snapshot of the last one.
  const Snapshot& newest = app.session.run->newest();
  if (!has_new_start_ || app.session.playing || newest.step != 0 || newest.epoch == shown_epoch_) return;
  shown_epoch_ = newest.epoch;
  has_new_start_ = false;
  app.session.run->submit(Reset{});
  app.session.reset_needed = false;
}

void GizmoTool::finish(App& app) {
  if (!drag_) return;
  shown_epoch_ = static_cast<std::uint64_t>(-1);
  drag_.reset();
  ended_in_frame_ = ImGui::GetFrameCount();
  app.session.document->end_gesture();
}

void GizmoTool::cancel(App& app) {
  if (!drag_) return;
  apply(app, {});
  finish(app);
}

void GizmoTool::read_keys(App& app) {
  const ImGuiIO& io = ImGui::GetIO();
  GizmoDrag& math = drag_->math;
  const std::array<int, 3> keys{GLFW_KEY_X, GLFW_KEY_Y, GLFW_KEY_Z};
  for (int axis = 0; axis < 3; ++axis)
    if (was_pressed(keys[static_cast<std::size_t>(axis)]) && drag_->part.place_axis < 0)
      math.constrain({io.KeyShift ? Kind::plane : Kind::axis, axis});
  for (const ImWchar character : io.InputQueueCharacters)
    if (character < 128) math.type(static_cast<char>(character));
  if (ImGui::IsKeyPressed(GLFW_KEY_BACKSPACE, true)) math.erase_character();
  math.set_snaps(io.KeyCtrl);
  const std::array<std::pair<int, GizmoMode>, 3> modes{
      {{GLFW_KEY_G, GizmoMode::move}, {GLFW_KEY_R, GizmoMode::rotate}, {GLFW_KEY_S, GizmoMode::scale}}};
  for (const auto& [key, wanted] : modes)
    if (was_pressed(key) && drag_->follows_pointer && wanted != math.mode() && can(wanted, drag_->part)) {
      const PosedPart part = drag_->part;
      apply(app, {});
      drag_.reset();
      return begin(app, part, wanted, {}, true);
    }
}

void GizmoTool::continue_drag(App& app, glm::vec2 moved) {
  const ImGuiIO& io = ImGui::GetIO();
  if (was_pressed(GLFW_KEY_ESCAPE) || ImGui::IsMouseClicked(ImGuiMouseButton_Right)) return cancel(app);
  if (app.ui.layout.selected_path != drag_->path) return finish(app);
  read_keys(app);
  drag_->pointer += moved * (io.KeyShift ? 0.1F : 1.0F);
  drag_->math.move_pointer(drag_->pointer);
  apply(app, assignments_of(drag_->part, drag_->math.change()));
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
  const std::vector<PosedPart> all = parts(app);
  const PosedPart* part = active_part(all);
  if (part == nullptr || !hovered) return false;
  if (can(mode, *part))
    hovered_ = handle_at(gizmo_handles(mode, frame_of(*part), picture, arm_px(em(1))), pointer, em(0.45F));
  if (hovered_ && part->place_axis >= 0 && *hovered_ != GizmoConstraint{Kind::axis, part->place_axis}) hovered_.reset();
  if (hovered_) {
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) begin(app, *part, mode, *hovered_, false);
    return true;
  }
  // A click on the mark of another part of the node makes that part active.
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_near = picture.is_visible(all[i].at) && glm::distance(picture.project(all[i].at), pointer) < em(0.6F);
    if (&all[i] == part || !is_near) continue;
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) part_ = i;
    return true;
  }
  return false;
}

void GizmoTool::drop_to_ground(App& app) {
  const std::vector<PosedPart> all = parts(app);
  const PosedPart* part = active_part(all);
  if (part == nullptr || drag_) return;
  const auto floor = height_below(*app.session.snapshot(), trees_, *part);
  if (!floor) return app.log.info("There is no obstacle below the selected object", Toast::yes);
  app.session.document->end_gesture();
  edit(app, assignments_of(*part, {.translation = Vec3(0, *floor - lowest_height(*part), 0)}));
  has_new_start_ = has_new_start_ || !part->is_live;
  app.session.document->end_gesture();
}

void GizmoTool::draw_handles(ImDrawList* list, const PosedPart& part, const GizmoPicture& picture,
                             ImVec2 corner) const {
  if (!can(mode, part)) return;
  const GizmoConstraint* active = drag_ ? &drag_->math.constraint() : hovered_ ? &*hovered_ : nullptr;
  GizmoFrame frame = frame_of(part);
  for (const GizmoHandle& handle : gizmo_handles(mode, frame, picture, arm_px(em(1)))) {
    if (part.place_axis >= 0 && handle.constraint != GizmoConstraint{Kind::axis, part.place_axis}) continue;
    const bool is_hot = active != nullptr && *active == handle.constraint;
    if (drag_ && !is_hot) continue;
    const bool is_free = handle.constraint.kind == Kind::free;
    const ImVec4& base = is_free ? free_color : axis_colors[static_cast<std::size_t>(handle.constraint.axis)];
    const ImU32 tint = color(is_hot ? hot_color : base, is_free && !is_hot ? 0.7F : 1.0F);
    std::vector<ImVec2> points;
    for (const glm::vec2& pixel : handle.line) points.push_back(on_screen(pixel, corner));
    if (points.size() < 2) continue;
    if (handle.is_filled)
      list->AddConvexPolyFilled(points.data(), static_cast<int>(points.size()),
                                color(is_hot ? hot_color : base, 0.35F));
    list->AddPolyline(points.data(), static_cast<int>(points.size()), tint, 0, handle.is_filled ? 1.5F : 2.6F);
    if (handle.constraint.kind != Kind::axis || mode == GizmoMode::rotate) continue;
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
  const std::string text = drag_->math.sentence();
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
  const std::vector<PosedPart> all = parts(app);
  const PosedPart* part = active_part(all);
  if (part == nullptr) return;
  struct Button {
    const char* id;
    Icon icon;
    const char* hint;
    GizmoMode mode;
  };
  float y = corner.y + em(4);
  const auto place = [&] { ImGui::SetCursorScreenPos({corner.x + em(0.6F), y}), y += em(2.1F); };
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({corner.x + em(0.45F), y - em(0.15F)}, {corner.x + em(2.65F), y + em(10.5F)},
                      color(palette::window, 0.7F), em(0.4F));
  for (const Button& button : {Button{"move", Icon::move, "Move (G)", GizmoMode::move},
                               Button{"rotate", Icon::rotate, "Rotate (R)", GizmoMode::rotate},
                               Button{"scale", Icon::scale, "Scale (S)", GizmoMode::scale}}) {
    place();
    ImGui::BeginDisabled(!can(button.mode, *part));
    if (icon_button(button.id, button.icon, button.hint, {.on = mode == button.mode})) mode = button.mode;
    ImGui::EndDisabled();
  }
  place();
  if (icon_button("axes", Icon::axes,
                  uses_own_axes ? "Handles follow the object's own axes; click for the axes of the world"
                                : "Handles follow the axes of the world; click for the object's own axes",
                  {.on = uses_own_axes}))
    uses_own_axes = !uses_own_axes;
  place();
  if (icon_button("ground", Icon::to_ground, "Lower onto the ground or the obstacle below (End)")) drop_to_ground(app);
}

void GizmoTool::draw(App& app, const GizmoPicture& picture, ImVec2 corner) {
  const std::vector<PosedPart> all = parts(app);
  const PosedPart* part = active_part(all);
  if (part == nullptr) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect(corner, {corner.x + picture.size.x, corner.y + picture.size.y}, true);
  draw_outline(list, picture, corner, *part, color(palette::accent, 0.9F));
  for (const PosedPart& other : all)
    if (&other != part && picture.is_visible(other.at)) {
      draw_outline(list, picture, corner, other, color(palette::accent, 0.4F));
      list->AddCircleFilled(on_screen(picture.project(other.at), corner), em(0.35F), color(palette::accent));
    }
  if (drag_ && drag_->math.constraint().kind == Kind::axis) {  // a long line shows the axis
    const GizmoFrame& frame = drag_->math.frame();
    const Vec3 far = 400 * static_cast<double>(arm_px(em(1))) / 100 * picture.metres_per_px(frame.at) *
                     frame.axes.col(drag_->math.constraint().axis);
    draw_world_line(list, picture, corner, frame.at - far, frame.at + far,
                    color(axis_colors[static_cast<std::size_t>(drag_->math.constraint().axis)], 0.6F), 1.2F);
  }
  draw_handles(list, *part, picture, corner);
  if (drag_) draw_sentence(picture, corner);
  list->PopClipRect();
  if (!drag_) draw_buttons(app, corner);
}

}  // namespace vw::ui
