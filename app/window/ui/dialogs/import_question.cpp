// Dialog for importing a mesh into the open scene: as a rigid body or as voxels, its size and its mass.
#include <chrono>
#include <filesystem>

#include <fmt/format.h>

#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

/// Returns a free position for the centre of a new body's underside, because a body that starts inside another body
/// would be ejected. The position lies above or below the camera's target. Its height is the top of the highest
/// element, or 0 if all elements are lower.
Vec3 free_place(const App& app) {
  const glm::vec3 target = app.view.viewport.camera.target;
  double top = 0;
  if (const Snapshot* now = app.session.snapshot())
    for (const SystemSnapshot& system : now->systems)
      for (std::size_t i = 0; i < system.position.size(); ++i) {
        const float size = i < system.size.size() ? system.size[i] : 0.0F;
        top = std::max(top, static_cast<double>(system.position[i].y() + size));
      }
  return {static_cast<double>(target.x), top, static_cast<double>(target.z)};
}

void draw_number(const char* label, double& value, double least, double most, const char* format, const char* hint) {
  ImGui::SetNextItemWidth(em(9));
  ImGui::InputDouble(label, &value, 0, 0, format);
  if (ImGui::IsItemDeactivatedAfterEdit()) value = value == 0 ? 0 : std::clamp(value, least, most);
  tooltip(hint);
}

/// Draws the size of the resulting body. Returns false while the size is not known, or if the file is not a mesh.
bool draw_size(MeshQuestion& question) {
  using namespace std::chrono_literals;
  if (question.measured.valid() && question.measured.wait_for(0s) == std::future_status::ready)
    question.size.emplace(question.measured.get());
  if (!question.size) {
    dim_text("Reading\xE2\x80\xA6");
    return false;
  }
  if (!*question.size) {
    ImGui::PushTextWrapPos(em(24));
    ImGui::TextColored(palette::error, "%s", question.size->error().message().c_str());
    ImGui::PopTextWrapPos();
    return false;
  }
  const Vec3 size = question.how.scale * **question.size;
  dim_text(fmt::format("{:.3g} x {:.3g} x {:.3g} m", size.x(), size.y(), size.z()));
  return true;
}

void draw_choices(MeshImport& how) {
  if (ImGui::RadioButton("Rigid body", !how.voxels)) how.voxels = false;
  ImGui::SameLine();
  if (ImGui::RadioButton("Voxel body", how.voxels)) how.voxels = true;
  draw_number("Metres per file unit", how.scale, 1e-9, 1e9, "%.6g",
              "Length of a unit of the file in metres, for example 0.001 if the file is in millimetres");
  if (how.voxels)
    draw_number("Voxel size [m]", how.voxel_size_m, 1e-6, 1e3, "%.6g",
                "Edge length of a voxel. 0 means a twentieth of the longest side of the mesh");
  draw_number("Density [kg/m\xC2\xB3]", how.density, 1e-2, 1e5, "%.6g",
              how.voxels ? "Density of the body. 0 means that the body gets the first material of the scene"
                         : "Density of the body. 0 means the default density");
}

}  // namespace

void ask_about_mesh(App& app, const std::string& path) {
  if (!app.ui.import.mesh.empty() && app.ui.import.mesh != path)
    app.log.warning(app.ui.import.mesh + " was not added, because one mesh is added at a time; drop the file again");
  auto promise = std::make_shared<std::promise<Result<Vec3>>>();
  app.ui.import = {.mesh = path, .how = {}, .measured = promise->get_future(), .size = {}};
  app.background.run([promise, path] { promise->set_value(mesh_size(path)); });
}

void draw_import_question(App& app) {
  constexpr const char* id = "Import mesh###import";
  // Two dialogs that are open at once would close each other in every frame. The question about unsaved edits comes
  // first.
  if (app.ui.import.mesh.empty() || app.ui.browser.is_open() || app.ui.pending.kind != Pending::Kind::none) return;
  if (!ImGui::IsPopupOpen(id)) ImGui::OpenPopup(id);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{em(1.2F), em(0.9F)});
  if (ImGui::BeginPopupModal(id, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings)) {
    ImGui::TextUnformatted(std::filesystem::path(app.ui.import.mesh).filename().string().c_str());
    const bool is_mesh = draw_size(app.ui.import);
    if (!app.ui.import.size) app.times.busy_until_s = app.times.wall_s + 0.3;  // draw frames until the size is known
    draw_choices(app.ui.import.how);
    dim_text("The new body appears above all others.");
    ImGui::Dummy({0, em(0.4F)});
    const ImVec2 size{em(7.5F), 0};
    ImGui::BeginDisabled(!is_mesh);
    const bool take = primary_button("Import", size);
    ImGui::EndDisabled();
    ImGui::SameLine();
    const bool leave = ImGui::Button("Cancel", size) || is_dialog_left();
    if (take) {
      app.ui.import.how.foot = free_place(app);
      change_scene(app, {.mesh = app.ui.import.mesh, .how = app.ui.import.how});
    }
    if (take || leave) {
      app.ui.import.mesh.clear();
      ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace vw::ui
