// The dialog "Save changes?". It is shown if opening another scene or closing the window would discard unsaved edits,
// or cells that the voxel editor has not applied to the scene.
#include <fmt/format.h>

#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/voxel_editor/voxel_editor.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

/// Discards the postponed action.
void cancel_pending(App& app) {
  if (app.ui.pending.kind == Pending::Kind::restore) app.ui.recovery.restored.reset();  // the file of the copy stays
  app.ui.pending = {};
}

/// Draws the answers to the question about cells. If the user discards them, the next frame asks about unsaved edits
/// or, without such edits, performs the postponed action.
void draw_answers_about_cells(App& app) {
  const bool continues =
      primary_button("Continue editing") || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false);
  ImGui::SameLine();
  const bool discards = ImGui::Button("Discard changes");
  if (!continues && !discards) return;
  ImGui::CloseCurrentPopup();
  if (continues) return cancel_pending(app);
  close_voxel_editor(app);
}

void draw_answers(App& app) {
  const ImVec2 size{em(7.5F), 0};
  // Enter in the search of the start page opens this dialog. The same key press must not answer the question.
  const bool is_entered = !ImGui::IsWindowAppearing() && ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Enter), false);
  // While a change is being checked, a saved file would lack this change.
  const bool is_checking = app.session.loader.is_for_open_scene();
  ImGui::BeginDisabled(is_checking);
  const bool saves = primary_button("Save", size) || (is_entered && !is_checking);
  ImGui::EndDisabled();
  if (saves) {
    ImGui::CloseCurrentPopup();
    save(app);  // performs the postponed action once the file is written, possibly after a file dialog
    return;
  }
  ImGui::SameLine();
  if (ImGui::Button("Don't save", size)) {
    ImGui::CloseCurrentPopup();
    resume_pending(app);
    return;
  }
  ImGui::SameLine();
  if (ImGui::Button("Cancel", size) || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape), false)) {
    ImGui::CloseCurrentPopup();
    cancel_pending(app);
  }
}

void draw_question(App& app) {
  const bool asks_about_cells = has_unapplied_cells(app), is_checking = app.session.loader.is_for_open_scene();
  if (!asks_about_cells && !is_checking && !app.session.document->modified()) {
    ImGui::CloseCurrentPopup();  // the cells were discarded, or the change that was being checked has failed
    return resume_pending(app);
  }
  if (asks_about_cells) {
    ImGui::TextUnformatted("The voxel editor has changes of cells that are not applied to the scene.");
    dim_text("If you discard them, they are lost.");
  } else {
    ImGui::TextUnformatted(fmt::format("{} has unsaved edits.", app.session.scene_name()).c_str());
    dim_text(app.ui.pending.kind == Pending::Kind::quit
                 ? "If you do not save, the edits are lost when the window closes."
                 : "If you do not save, the edits are lost when another scene opens.");
    if (is_checking) dim_text("A change of the scene is still being checked.");
  }
  ImGui::Dummy({0, em(0.4F)});
  asks_about_cells ? draw_answers_about_cells(app) : draw_answers(app);
}

}  // namespace

void draw_unsaved_question(App& app) {
  constexpr const char* id = "Save changes?###unsaved";
  if (app.ui.pending.kind == Pending::Kind::none || app.ui.browser.is_open()) return;
  if (!ImGui::IsPopupOpen(id)) ImGui::OpenPopup(id);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Appearing, {0.5F, 0.5F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{em(1.2F), em(0.9F)});
  if (ImGui::BeginPopupModal(id, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings)) {
    draw_question(app);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace vw::ui
