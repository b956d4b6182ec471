// What a mesh becomes that is taken into the open scene: a rigid body or voxels, how large, how heavy.
#include <filesystem>

#include <fmt/format.h>

#include "app/window/ui/app.h"
#include "app/window/ui/panels.h"
#include "app/window/ui/widgets.h"

namespace vw::ui {
namespace {

/// Below the camera's target, or above all that is there: a body that starts within another would be thrown out.
Vec3 free_place(const App& app) {
  const glm::vec3 target = app.viewport.camera.target;
  double top = 0;
  if (const Snapshot* now = app.snapshot())
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

void draw_choices(MeshImport& how) {
  if (ImGui::RadioButton("Rigid body", !how.voxels)) how.voxels = false;
  ImGui::SameLine();
  if (ImGui::RadioButton("Voxels", how.voxels)) how.voxels = true;
  draw_number("m for a unit of the file", how.scale, 1e-9, 1e9, "%.6g", "0.001 where the file counts millimetres");
  if (how.voxels) draw_number("Edge of a voxel [m]", how.voxel_size_m, 1e-6, 1e3, "%.6g", "0: a twentieth of the mesh's longest side");
  draw_number("Density [kg/m\xC2\xB3]", how.density, 1e-2, 1e5, "%.6g", "0: as usual");
}

}  // namespace

void draw_import_question(App& app) {
  constexpr const char* id = "Import a mesh###import";
  if (app.import.mesh.empty() || app.browser.is_open()) return;
  if (!ImGui::IsPopupOpen(id)) ImGui::OpenPopup(id);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{em(1.2F), em(0.9F)});
  if (ImGui::BeginPopupModal(id, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings)) {
    ImGui::TextUnformatted(std::filesystem::path(app.import.mesh).filename().string().c_str());
    draw_choices(app.import.how);
    dim_text("The scene starts anew, with the body above all others.");
    ImGui::Dummy({0, em(0.4F)});
    const ImVec2 size{em(7.5F), 0};
    const bool take = primary_button("Import", size);
    ImGui::SameLine();
    const bool leave = ImGui::Button("Cancel", size) || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false);
    if (take) {
      app.import.how.foot = free_place(app);
      add_to_scene(app, app.import);
    }
    if (take || leave) {
      app.import.mesh.clear();
      ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace vw::ui
