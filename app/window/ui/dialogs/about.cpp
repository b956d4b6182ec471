// Help > About: description of the program, its platform and its licence.
#include <algorithm>

#include "app/window/labels/program_facts.h"
#include "app/window/ui/interface_state.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

void draw_fact(const char* name, const std::string& value) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextColored(palette::dim, "%s", name);
  ImGui::TableNextColumn();
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(value.c_str());
  ImGui::PopTextWrapPos();
}

void draw_facts(const ProgramFacts& facts) {
  if (!ImGui::BeginTable("facts", 2)) return;
  ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed, em(8));
  ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
  for (const auto& [name, value] : facts.rows) draw_fact(name.c_str(), value);
  draw_fact("Licence", facts.licence);
  ImGui::EndTable();
}

}  // namespace

void draw_about(Interface& ui, const std::string& graphics) {
  if (!ui.layout.about) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float width = std::min(em(44), display.x * 0.92F);
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, 0.9F * display.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, em(0.5F));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{em(1.2F), em(0.9F)});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4{0.125F, 0.145F, 0.176F, 0.985F});
  constexpr ImGuiWindowFlags flags = ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize;
  if (ImGui::Begin("About Voxwake", &ui.layout.about, flags)) {
    const ProgramFacts facts = program_facts(graphics);
    if (ui.fonts.large != nullptr) ImGui::PushFont(ui.fonts.large);
    ImGui::TextUnformatted("Voxwake");
    if (ui.fonts.large != nullptr) ImGui::PopFont();
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(facts.purpose.c_str());
    ImGui::PopTextWrapPos();
    ImGui::Dummy({0, em(0.3F)});
    draw_facts(facts);
    ImGui::Dummy({0, em(0.3F)});
    if (ImGui::Button("Copy", {em(7), 0})) ImGui::SetClipboardText(to_text(facts).c_str());
    ImGui::SameLine();
    if (primary_button("Close", {em(7), 0})) ui.layout.about = false;
  }
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
}

}  // namespace vw::ui
