#include "app/window/ui/voxel_editor/voxel_editor.h"

#include <algorithm>
#include <cmath>

#include <GLFW/glfw3.h>
#include <imgui_internal.h>

#include "app/window/ui/app.h"

namespace vw::ui {
namespace {

constexpr float orbit_radians_per_px = 0.008F;

Vec3 exact(const glm::vec3& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

bool key_pressed(int key, bool repeats = false) { return ImGui::IsKeyPressed(key, repeats); }

}  // namespace

VoxelEditor::VoxelEditor(OpenedVoxelBody opened, std::string path)
    : opened_(std::move(opened)), path_(std::move(path)), edits_(opened_.grid) {}

Result<std::unique_ptr<VoxelEditor>> VoxelEditor::open(const Node& scene, const std::string& path, const Camera& view) {
  const Node* body = find_node(scene, path);
  if (body == nullptr) return fail(path + ": there is no such voxel body");
  auto opened = open_voxel_body(*body, scene);
  if (!opened) return Unexpected(opened.error());
  std::unique_ptr<VoxelEditor> editor(new VoxelEditor(std::move(*opened), path));
  editor->camera_ = view;
  editor->frame_lattice();
  return editor;
}

void VoxelEditor::frame_lattice() {
  const VoxelBox& box = edits_.grid().box();
  camera_.frame({lattice_point(box.lower) - 1.0F, lattice_point(box.upper()) + 1.0F}, 1.4F);
}

OpenedVoxelBody VoxelEditor::opened_in(const Node& scene) const {
  OpenedVoxelBody opened = opened_;
  const Node* body = find_node(scene, path_);
  if (was_applied() && body != nullptr) take_scene_edits(*body, applied_box_, opened);
  return opened;
}

bool VoxelEditor::is_changed() const { return edits_.revision() != applied_revision_; }

Ray VoxelEditor::ray_at(glm::vec2 pointer) const {
  return camera_.ray(pointer.x, pointer.y, static_cast<int>(size_.x), static_cast<int>(size_.y));
}

VoxelVisibility VoxelEditor::visibility() const {
  VoxelVisibility visible;
  const VoxelBox& box = edits_.grid().box();
  if (std::ranges::any_of(section_, [](int n) { return n > 0; })) {
    VoxelBox section = box;
    for (int axis = 0; axis < 3; ++axis) {
      const auto side = static_cast<std::size_t>(2 * axis);
      // The lattice may have become smaller. At least one layer stays visible.
      const int low = std::min(section_[side], box.size[axis] - 1);
      section.lower[axis] += low;
      section.size[axis] = std::max(1, box.size[axis] - low - section_[side + 1]);
    }
    visible.section = section;
  }
  if (layer_axis_ >= 0) visible.layer = VoxelVisibility::Layer{layer_axis_, layer_, 1};
  return visible;
}

/// While Ctrl is held down, brushes remove voxels.
BrushMode VoxelEditor::mode_now() const { return ImGui::GetIO().KeyCtrl ? BrushMode::remove : settings_.mode; }

std::optional<VoxelEditor::Aim> VoxelEditor::aim(const VoxelGrid& grid, glm::vec2 pointer) const {
  const Ray ray = ray_at(pointer);
  const Vec3 origin = exact(ray.origin), direction = exact(ray.direction);
  const bool adds = mode_now() == BrushMode::add && settings_.tool != VoxelTool::eyedropper &&
                    settings_.tool != VoxelTool::extrude && settings_.tool != VoxelTool::select &&
                    settings_.tool != VoxelTool::fill && !settings_.paints_values;
  if (layer_axis_ >= 0) {  // in the layer view, the pointer draws on the layer
    const auto cell = pick_in_layer(layer_axis_, layer_, origin, direction);
    if (!cell) return std::nullopt;
    if (!adds && grid.code(*cell) == 0 && settings_.tool != VoxelTool::select) return std::nullopt;
    const CellFace face = static_cast<CellFace>(2 * layer_axis_ + 1);
    return Aim{*cell, VoxelHit{*cell, face, *cell, 0}};
  }
  if (const auto hit = pick_voxel(grid, visibility().visible_box(grid), origin, direction))
    return Aim{adds ? hit->adjacent : hit->cell, hit};
  if (!adds && settings_.tool != VoxelTool::select) return std::nullopt;
  // Find the cell on the floor of the lattice, on which the first voxels are drawn.
  const VoxelBox& box = grid.box();
  if (direction.y() >= -1e-6) return std::nullopt;
  const double distance = (box.lower.y() - origin.y()) / direction.y();
  const Vec3 place = origin + distance * direction;
  const double x = std::floor(place.x()), z = std::floor(place.z());
  const VoxelBox reach = extended(box, 1);
  const bool is_near = x >= reach.lower.x() && x < reach.upper().x() && z >= reach.lower.z() && z < reach.upper().z();
  if (distance < 0 || !is_near) return std::nullopt;
  return Aim{VoxelCell(static_cast<int>(x), box.lower.y(), static_cast<int>(z)), std::nullopt};
}

void VoxelEditor::report(App& app, const Result<std::size_t>& outcome) {
  if (!outcome) app.log.error(outcome.error().message());
}

void VoxelEditor::apply_cells(App& app, const Result<CellSet>& cells) {
  if (!cells) return app.log.error(cells.error().message());
  if (settings_.tool == VoxelTool::select) {
    const ImGuiIO& io = ImGui::GetIO();
    edits_.select(*cells, io.KeyShift ? SelectMode::add : io.KeyCtrl ? SelectMode::remove : SelectMode::replace);
  } else if (settings_.paints_values) {
    report(app, edits_.paint_value(*cells, settings_.layer, settings_.value));
  } else {
    report(app, edits_.apply(*cells, mode_now(), settings_.code));
  }
}

template <class Operation>
void VoxelEditor::preview(Operation operation) {
  if (stroke_->has_preview) edits_.undo();
  const std::uint64_t before = edits_.revision();
  operation();
  stroke_->has_preview = edits_.revision() != before;
}

void VoxelEditor::begin_stroke(App& app, const Aim& at) {
  if (ImGui::GetIO().KeyAlt || settings_.tool == VoxelTool::eyedropper) {
    const VoxelSample sample = sample_of(edits_.grid(), at.hit ? at.hit->cell : at.cell);
    if (sample.code > 0) settings_.code = sample.code;
    if (settings_.paints_values) settings_.value = sample.paint(settings_.layer);
    return;
  }
  if (settings_.tool == VoxelTool::fill) {
    if (settings_.paints_values) return apply_cells(app, connected_cells(edits_.grid(), at.cell, CellMatch::same_code));
    const std::uint16_t code = mode_now() == BrushMode::remove ? std::uint16_t{0} : settings_.code;
    return report(app, edits_.flood_fill(at.cell, code));
  }
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  stroke_.emplace(
      Stroke{edits_.grid(), at.cell, at.cell, at.hit.value_or(VoxelHit{}), {mouse.x - corner_.x, mouse.y - corner_.y}});
  stroke_->revision_before = edits_.revision();
  if (settings_.tool != VoxelTool::brush) return continue_stroke(app);
  edits_.begin_step(settings_.paints_values ? "Paint" : "Draw");
  apply_cells(app, ball_cells(at.cell, settings_.radius));
}

void VoxelEditor::continue_stroke(App& app) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const glm::vec2 pointer{mouse.x - corner_.x, mouse.y - corner_.y};
  if (settings_.tool == VoxelTool::extrude) {
    // The number of layers follows the motion of the pointer along the normal of the face.
    const glm::mat4 onto = camera_.projection(size_.x / size_.y) * camera_.view();
    const auto pixel = [&](const glm::vec3& place) {
      const glm::vec4 clip = onto * glm::vec4(place, 1);
      return glm::vec2{0.5F * (1 + clip.x / clip.w) * size_.x, 0.5F * (1 - clip.y / clip.w) * size_.y};
    };
    const glm::vec3 middle = lattice_point(stroke_->hit.cell) + 0.5F;
    const glm::vec2 along = pixel(middle + lattice_point(normal_of(stroke_->hit.face))) - pixel(middle);
    const float length2 = std::max(glm::dot(along, along), 4.0F);
    const int layers = static_cast<int>(std::lround(glm::dot(pointer - stroke_->pressed, along) / length2));
    if (layers == stroke_->layers) return;
    stroke_->layers = layers;
    return preview([&] {
      if (layers != 0) report(app, edits_.extrude(stroke_->hit.cell, stroke_->hit.face, layers));
    });
  }
  const auto at = aim(stroke_->before, pointer);
  if (!at) return;
  if (settings_.tool == VoxelTool::brush) {
    if (at->cell == stroke_->last) return;
    const auto line = line_cells(stroke_->last, at->cell);
    if (!line) return;
    CellSet cells;
    for (const CellSpan& span : line->spans())
      for (int x = span.begin; x < span.end; ++x)
        if (const auto ball = ball_cells({x, span.y, span.z}, settings_.radius)) cells = cells.united(*ball);
    stroke_->last = at->cell;
    return apply_cells(app, cells);
  }
  if (stroke_->has_preview && at->cell == stroke_->last) return;
  stroke_->last = at->cell;
  preview([&] {
    const VoxelCell &a = stroke_->start, &b = at->cell;
    switch (settings_.tool) {
      case VoxelTool::line: apply_cells(app, line_cells(a, b)); break;
      case VoxelTool::ball: apply_cells(app, ball_cells(a, (b - a).cast<double>().norm())); break;
      default: apply_cells(app, box_cells(a, b)); break;
    }
  });
}

void VoxelEditor::end_stroke() {
  if (stroke_ && settings_.tool == VoxelTool::brush) edits_.end_step();
  stroke_.reset();
}

void VoxelEditor::cancel_stroke() {
  const bool is_brush = settings_.tool == VoxelTool::brush;
  if (is_brush) edits_.end_step();
  // A brush that changed no cell has left no step in the history.
  if (is_brush ? edits_.revision() != stroke_->revision_before : stroke_->has_preview) edits_.undo();
  stroke_.reset();
}

void VoxelEditor::handle_mouse(App& app, bool hovered) {
  const ImGuiIO& io = ImGui::GetIO();
  const glm::vec2 pointer{io.MousePos.x - corner_.x, io.MousePos.y - corner_.y};
  if (hovered && io.MouseWheel != 0) camera_.zoom(std::pow(0.88F, io.MouseWheel));
  if (stroke_) {
    if (ImGui::IsMouseDown(ImGuiMouseButton_Left)) return continue_stroke(app);
    return end_stroke();
  }
  if (camera_button_ >= 0) {
    if (!ImGui::IsMouseDown(camera_button_)) {
      camera_button_ = -1;
    } else if (orbits_) {
      camera_.orbit(-io.MouseDelta.x * orbit_radians_per_px, io.MouseDelta.y * orbit_radians_per_px);
    } else {
      camera_.pan(io.MouseDelta.x, io.MouseDelta.y, static_cast<int>(size_.x), static_cast<int>(size_.y));
    }
    return;
  }
  view_cube_.update(camera_, corner_, size_, hovered);
  if (const auto direction = view_cube_.clicked())
    camera_.eye = camera_.target + camera_.target_distance() * *direction;
  const bool aims = hovered && !view_cube_.is_hovered();
  aim_ = aims ? aim(edits_.grid(), pointer) : std::nullopt;
  if (!aims) return;
  for (const int button : {ImGuiMouseButton_Left, ImGuiMouseButton_Right, ImGuiMouseButton_Middle}) {
    if (!ImGui::IsMouseClicked(button)) continue;
    if (button == ImGuiMouseButton_Left && aim_) return begin_stroke(app, *aim_);
    camera_button_ = button;
    orbits_ = button != ImGuiMouseButton_Middle && !io.KeyShift;
  }
}

void VoxelEditor::copy(App& app, bool cuts) {
  auto selected = edits_.copy_selection();
  if (!selected) return app.log.info("Select voxels first", Toast::yes);
  clipboard_ = std::move(selected);
  if (cuts) report(app, edits_.delete_selection());
}

void VoxelEditor::paste(App& app) {
  if (!clipboard_) return;
  const VoxelCell at = aim_ ? aim_->cell : clipboard_->box().lower;
  report(app, edits_.paste(*clipboard_, at));
}

void VoxelEditor::handle_keys(App& app) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantTextInput || app.ui.browser.is_open() || ImGui::GetTopMostPopupModal() != nullptr) return;
  if (key_pressed(GLFW_KEY_ESCAPE)) {
    if (stroke_) return cancel_stroke();
    if (!edits_.selection().is_empty()) return edits_.select_none();
  }
  if (stroke_) return;
  if (io.KeyCtrl) {
    if (key_pressed(GLFW_KEY_Z, true)) io.KeyShift ? edits_.redo() : edits_.undo();
    if (key_pressed(GLFW_KEY_Y, true)) edits_.redo();
    if (key_pressed(GLFW_KEY_C)) copy(app, false);
    if (key_pressed(GLFW_KEY_X)) copy(app, true);
    if (key_pressed(GLFW_KEY_V)) paste(app);
    if (key_pressed(GLFW_KEY_A)) edits_.select_all();
    return;
  }
  if (key_pressed(GLFW_KEY_DELETE)) report(app, edits_.delete_selection());
  constexpr std::array<std::pair<int, VoxelTool>, 8> keys{{{GLFW_KEY_B, VoxelTool::brush},
                                                           {GLFW_KEY_L, VoxelTool::line},
                                                           {GLFW_KEY_X, VoxelTool::box},
                                                           {GLFW_KEY_O, VoxelTool::ball},
                                                           {GLFW_KEY_F, VoxelTool::fill},
                                                           {GLFW_KEY_E, VoxelTool::extrude},
                                                           {GLFW_KEY_M, VoxelTool::select},
                                                           {GLFW_KEY_I, VoxelTool::eyedropper}}};
  for (const auto& [key, tool] : keys)
    if (key_pressed(key)) settings_.tool = tool;
  if (key_pressed(GLFW_KEY_A)) settings_.mode = BrushMode::add;
  if (key_pressed(GLFW_KEY_D)) settings_.mode = BrushMode::remove;
  if (key_pressed(GLFW_KEY_P)) settings_.mode = BrushMode::paint;
  for (int digit = 1; digit <= 9; ++digit)
    if (key_pressed(GLFW_KEY_0 + digit) && digit <= static_cast<int>(edits_.grid().palette().size()))
      settings_.code = static_cast<std::uint16_t>(digit);
  if (edits_.selection().is_empty()) return;
  VoxelCell step = VoxelCell::Zero();
  if (key_pressed(GLFW_KEY_LEFT, true)) step.x() = -1;
  if (key_pressed(GLFW_KEY_RIGHT, true)) step.x() = 1;
  if (key_pressed(GLFW_KEY_UP, true)) step.z() = -1;
  if (key_pressed(GLFW_KEY_DOWN, true)) step.z() = 1;
  if (key_pressed(GLFW_KEY_PAGE_UP, true)) step.y() = 1;
  if (key_pressed(GLFW_KEY_PAGE_DOWN, true)) step.y() = -1;
  if (!step.isZero()) report(app, edits_.move_selection(step));
}

void VoxelEditor::update_symmetry() {
  const VoxelBox& box = edits_.grid().box();
  VoxelSymmetry symmetry;
  for (int axis = 0; axis < 3; ++axis) {
    const auto i = static_cast<std::size_t>(axis);
    if (!settings_.mirror[i]) continue;
    // The plane does not move when the grid grows.
    const auto& present = edits_.symmetry().twice_plane[i];
    const int middle = 2 * box.lower[axis] + box.size[axis];
    int plane = present.value_or(middle);
    // The steps are opposite, so that the plane returns to its place if the user changes the kind twice.
    if ((plane % 2 != 0) != settings_.mirror_on_cells[i]) plane += settings_.mirror_on_cells[i] ? 1 : -1;
    symmetry.twice_plane[i] = plane;
  }
  edits_.set_symmetry(symmetry);
}

}  // namespace vw::ui
