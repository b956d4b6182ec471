// Files of the voxel editor: opening and saving designs, and filling with meshes.
#include <chrono>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "app/window/ui/app.h"
#include "app/window/ui/voxel_editor/voxel_editor.h"
#include "app/window/ui/widgets/widgets.h"
#include "sim/scene/file_kind.h"

namespace vw::ui {

namespace {

/// Calls `read` on a thread of its own. Returns a future for the result.
template <class Function>
auto start_reader(App& app, Function read) {
  auto promise = std::make_shared<std::promise<decltype(read())>>();
  auto future = promise->get_future();
  app.background.run([promise, read = std::move(read)] { promise->set_value(read()); });
  return future;
}

}  // namespace

void VoxelEditor::start_reading(App& app, const std::string& path) {
  file_ = {.path = path, .reading = {}, .mesh = {}};
  if (file_kind(path) != FileKind::mesh) {
    file_.reading = start_reader(app, [path] { return read_cells(path); });
    return;
  }
  MeshPlacement placement{fill_box(), std::get<double>(opened_.body.value("voxel_size"))};
  if (!settings_.fits_mesh) placement.scale = settings_.mesh_scale;
  file_.mesh = start_reader(app, [path, placement] { return mesh_cells(path, placement); });
}

void VoxelEditor::take_mesh(App& app, const Result<MeshCells>& mesh) {
  if (!mesh) return app.log.error(mesh.error().message());
  if (stroke_) cancel_stroke();
  for (const std::string& note : mesh->notes) app.log.warning(note);
  fill(app, mesh->cells);
}

void VoxelEditor::take_cells(App& app, Result<FileCells> cells) {
  if (!cells) return app.log.error(cells.error().message());
  if (stroke_) cancel_stroke();
  for (const std::string& note : cells->notes) app.log.warning(note);
  const std::string kept = adopt_materials(*cells, app.session.document->root(), opened_);
  if (!kept.empty()) app.log.info(file_.path + ": " + kept, Toast::yes);
  if (const auto done = edits_.replace_all(cells->grid); !done) return app.log.error(done.error().message());
  edits_.set_symmetry({});  // the mirror planes move to the middle of the new lattice
  for (std::size_t i = 0; i < 3; ++i)
    settings_.mirror_on_cells[i] = edits_.grid().box().size[static_cast<int>(i)] % 2 != 0;
  settings_.code = 1;
  section_ = {};
  layer_axis_ = -1;
  frame_lattice();
  const auto edge_m = std::get<double>(opened_.body.value("voxel_size"));
  if (std::abs(cells->voxel_size_m - edge_m) > 1e-9 * edge_m)
    app.log.info(fmt::format("{}: voxels of {:.4g} mm; the body keeps voxels of {:.4g} mm", file_.path,
                             1000 * cells->voxel_size_m, 1000 * edge_m),
                 Toast::yes);
}

void VoxelEditor::draw_files(App& app) {
  using namespace std::chrono_literals;
  const auto is_ready = [](const auto& file) { return file.valid() && file.wait_for(0s) == std::future_status::ready; };
  if (is_ready(file_.reading)) take_cells(app, file_.reading.get());
  if (is_ready(file_.mesh)) take_mesh(app, file_.mesh.get());
  const std::filesystem::path folder = std::filesystem::path(app.session.document->path()).parent_path();
  ImGui::BeginDisabled(is_reading());
  if (ImGui::Button("Open\xE2\x80\xA6")) app.ui.browser.open_for_opening_cells(folder.string(), design_endings());
  tooltip(
      "Replaces all cells by those of a design file, with its materials and painted values. Regions and the world of "
      "the file are ignored.");
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button("Save as\xE2\x80\xA6"))
    app.ui.browser.open_for_saving_cells((folder / (opened_.body.name + ".vxa")).string());
  tooltip("Writes the edited body to a design file (.vxa, .vxd, .vox or .binvox). The scene does not change.");
  if (!is_reading()) return;
  ImGui::SameLine();
  dim_text("Reading\xE2\x80\xA6");
  app.times.busy_until_s = app.times.wall_s + 0.3;  // draw frames until the cells are ready
}

void VoxelEditor::draw_mesh_fill(App& app) {
  ImGui::BeginDisabled(is_reading());
  if (ImGui::Button("Fill from mesh\xE2\x80\xA6"))
    app.ui.browser.open_for_opening_cells(std::filesystem::path(app.session.document->path()).parent_path().string(),
                                          mesh_endings());
  tooltip("Fills the cells inside a closed mesh with the chosen material. The mesh stands on the lowest layer.");
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::Checkbox("Fit", &settings_.fits_mesh);
  tooltip("Scales the mesh so that it fits into the box of the selection, or of the lattice");
  if (settings_.fits_mesh) return;
  ImGui::SetNextItemWidth(em(6));
  ImGui::InputDouble("Metres per file unit", &settings_.mesh_scale, 0, 0, "%.6g");
  tooltip("Length of a unit of the file in metres, for example 0.001 if the file is in millimetres");
}

void save_cells(App& app, const std::string& path) {
  const VoxelEditor& editor = *app.view.voxel_editor;
  const auto edited = editor.edited(app.session.document->root());
  if (!edited) return app.log.error(edited.error().message());
  write_design_file(app, *edited, slot_and_name(editor.path()).second, path);
}

}  // namespace vw::ui
