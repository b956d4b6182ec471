// Dialog at the start after a crash: offers the scenes with unsaved edits and the sessions that ended processes have
// left behind.
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/widgets.h"
#include "sim/base/system/process.h"

namespace vw::ui {
namespace {

std::string name_of(const LeftCopy& copy) {
  if (copy.session) return "Session: " + (copy.session->title.empty() ? std::string("untitled") : copy.session->title);
  return copy.facts.path.empty() ? "untitled" : std::filesystem::path(copy.facts.path).stem().string();
}

std::string counted(std::uint64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string description_of(const LeftCopy& copy) {
  if (!copy.session) return copy.facts.path.empty() ? "A scene without a file" : copy.facts.path;
  std::uint64_t commands = 0;
  double longest_s = 0;
  for (const api::SessionFacts::Branch& branch : copy.session->branches) {
    commands += branch.commands;
    longest_s = std::max(longest_s, branch.end_s);
  }
  return fmt::format("{:.1f} s, {}, {}", longest_s, counted(commands, "command", "commands"),
                     counted(copy.session->branches.size(), "branch", "branches"));
}

std::string local_time(std::int64_t seconds_since_1970) {
  const std::tm parts = local_time_of(static_cast<std::time_t>(seconds_since_1970));
  return fmt::format("{}-{:02}-{:02} {:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour,
                     parts.tm_min);
}

/// Draws a row for each copy. After an answer, the list has changed, so the next frame draws the other rows.
void draw_copies(App& app) {
  std::vector<LeftCopy>& copies = app.ui.recovery.copies;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    ImGui::PushID(copies[i].file.c_str());
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(name_of(copies[i]).c_str());
    tooltip(description_of(copies[i]));
    ImGui::TableNextColumn();
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(palette::dim, "%s", local_time(copies[i].facts.saved_s).c_str());
    ImGui::TableNextColumn();
    const ImVec2 size{em(6), 0};
    const bool restores = primary_button("Restore", size);
    tooltip(copies[i].session ? "Opens the timeline as it was, with all branches"
                              : "Opens the scene with its unsaved edits. The file of the scene does not change until "
                                "you save");
    ImGui::SameLine();
    const bool discards = ImGui::Button("Discard", size);
    tooltip(copies[i].session ? "Deletes the recorded session"
                              : "Deletes the unsaved edits. The file of the scene does not change");
    ImGui::PopID();
    if (restores) request_restore(app, i);
    if (discards) {
      discard(std::move(copies[i]));
      copies.erase(copies.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (restores || discards) return;
  }
}

}  // namespace

void draw_recovery_question(App& app) {
  constexpr const char* id = "Restore unsaved work?###recovery";
  if (app.ui.recovery.copies.empty() || app.ui.pending.kind != Pending::Kind::none || !app.ui.import.mesh.empty())
    return;  // another dialog is open
  if (!ImGui::IsPopupOpen(id)) ImGui::OpenPopup(id);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{em(1.2F), em(0.9F)});
  if (ImGui::BeginPopupModal(id, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings)) {
    ImGui::TextUnformatted("Voxwake ended unexpectedly. This work can be restored.");
    ImGui::Dummy({0, em(0.2F)});
    if (ImGui::BeginTable("copies", 3, ImGuiTableFlags_SizingFixedFit)) {
      draw_copies(app);
      ImGui::EndTable();
    }
    ImGui::Dummy({0, em(0.4F)});
    const bool later = ImGui::Button("Later", {em(6), 0}) || is_dialog_left();
    tooltip("Keeps the files and asks again at the next start");
    if (later) app.ui.recovery.copies.clear();
    if (app.ui.recovery.copies.empty()) ImGui::CloseCurrentPopup();
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace vw::ui
