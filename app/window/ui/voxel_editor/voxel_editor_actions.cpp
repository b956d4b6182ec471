// Opening and closing the voxel editor, and applying its result to the scene.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "app/window/ui/app.h"
#include "app/window/ui/voxel_editor/voxel_editor.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {

void edit_voxels(App& app, const std::string& path) {
  if (app.session.document == nullptr) return;
  auto opened = VoxelEditor::open(app.session.document->root(), path, app.view.viewport.camera);
  if (!opened) return app.log.error(opened.error().message());
  close_voxel_editor(app);
  set_playing(app, false);
  app.view.voxel_editor = std::move(*opened);
  app.ui.layout.left = true;
}

namespace {

/// Whether a body has the cells, the painted values and the muscles of another body.
bool has_same_cells(const Node& body, const Node& wanted) {
  const auto is_different = [&](const char* key) { return !same_value(body.value(key), wanted.value(key)); };
  const auto keys = {
      "shape", "size", "palette", "layers", "phase", "temperature_amplitude_scale", "youngs_modulus_per_cell"};
  if (std::ranges::any_of(keys, is_different)) return false;
  const std::vector<const Node*> muscles = wanted.all("muscle");
  return std::ranges::all_of(muscles, [&](const Node* muscle) {
    const Node* present = body.find("muscle", muscle->name);
    return present != nullptr && same_value(present->value("cells"), muscle->value("cells"));
  });
}

/// Whether the edit that was applied has been undone since, for example during a trial, or has failed.
bool is_undone(const App& app) {
  const VoxelEditor& editor = *app.view.voxel_editor;
  const Node& scene = app.session.document->root();
  const Node* body = find_node(scene, editor.path());
  const bool is_pending = app.session.loader.is_for_open_scene();  // the edit may not have been checked yet
  if (body == nullptr || is_pending || !editor.was_applied()) return false;
  const auto edited = editor.edited(scene);
  const Node* wanted = edited ? find_node(*edited, editor.path()) : nullptr;
  return wanted != nullptr && !has_same_cells(*body, *wanted);
}

}  // namespace

bool apply_voxels(App& app) {
  VoxelEditor& editor = *app.view.voxel_editor;
  if (!editor.is_changed() && !is_undone(app)) return true;
  auto changes = editor.changes(app.session.document->root());
  if (!changes) return app.log.error(changes.error().message()), false;
  change_scene(app, {.node_changes = std::move(*changes)});
  editor.mark_applied();
  return true;
}

bool has_unapplied_cells(const App& app) {
  return app.view.voxel_editor != nullptr && app.view.voxel_editor->is_changed();
}

bool has_cells_to_keep(const App& app) {
  if (app.view.voxel_editor == nullptr) return false;
  const bool is_pending = app.session.loader.is_for_open_scene() || !app.session.next_changes.empty();
  return has_unapplied_cells(app) || (is_pending && app.view.voxel_editor->was_applied());
}

std::optional<Node> scene_with_cells(const App& app, const Node& scene) {
  if (!has_cells_to_keep(app) || find_node(scene, app.view.voxel_editor->path()) == nullptr) return {};
  auto edited = app.view.voxel_editor->edited(scene);
  if (!edited) return {};  // no voxel is left
  return std::move(*edited);
}

void try_voxels(App& app) {
  if (!apply_voxels(app)) return;
  app.view.tries_voxels = true;
  set_playing(app, true);
}

void close_applied_editor(App& app) {
  const bool is_pending = app.session.loader.is_for_open_scene() || !app.session.next_changes.empty();
  if (is_pending || !std::exchange(app.view.closes_voxel_editor, false) || app.view.voxel_editor == nullptr) return;
  VoxelEditor& editor = *app.view.voxel_editor;
  if (!editor.is_changed() && is_undone(app)) editor.mark_refused();
  if (!editor.is_changed()) close_voxel_editor(app);
}

void close_voxel_editor(App& app) {
  app.view.tries_voxels = app.view.closes_voxel_editor = false;
  if (app.view.voxel_editor == nullptr) return;
  app.session.lowest_frequency.forget();
  if (app.view.renderer != nullptr) app.view.voxel_editor->release_gl();
  app.view.voxel_editor.reset();
}

void draw_try_banner(App& app, ImVec2 corner, ImVec2 size) {
  if (app.view.voxel_editor == nullptr || !app.view.tries_voxels) return;
  const char* label = "Back to the voxel editor";
  const float width = ImGui::CalcTextSize(label).x + em(2);
  ImGui::SetCursorScreenPos({corner.x + (size.x - width) / 2, corner.y + em(0.8F)});
  if (!primary_button(label, {width, 0})) return;
  if (is_undone(app)) app.view.voxel_editor->mark_refused();  // Cancel then asks whether to discard the cells
  app.view.tries_voxels = false;
  set_playing(app, false);
  reset(app);
}

}  // namespace vw::ui
