// Help sheet (F1) with all mouse and keyboard controls.
#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/ui/actions/actions.h"
#include "app/window/ui/interface_state.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

struct Line {
  std::string_view keys, what;
};

constexpr Line mouse_lines[] = {{"Left drag on a body", "pull it with a spring"},
                                {"Ctrl + Alt + left click on a body", "push it"},
                                {"Click on a body", "select the element"},
                                {"Ctrl or Shift + left click", "add to the selection, or remove"},
                                {"Ctrl + left drag", "add the objects in a box to the selection"},
                                {"Ctrl + Shift + left drag", "add the objects in a lasso"},
                                {"Click on the view cube", "look from that side"},
                                {"Right click in the picture", "open the context menu"},
                                {"Alt + left drag on the gizmo", "move a copy"},
                                {"Left drag elsewhere", "orbit"},
                                {"Alt + left drag", "orbit anywhere"},
                                {"Middle drag, Shift + left drag", "pan"},
                                {"Wheel", "zoom"},
                                {"Right drag", "look around"},
                                {"Right button + W A S D Q E", "fly (faster with Shift)"},
                                {"Ctrl + click on a slider", "type a value"},
                                {"Right click on a row", "restore the default or the value in the file"}};
void section(const char* title, std::span<const Line> lines, ImFont* font) {
  heading(title, font);
  if (!ImGui::BeginTable(title, 2, ImGuiTableFlags_SizingStretchProp)) return;
  ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthStretch, 0.42F);
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch, 0.58F);
  for (const Line& line : lines) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextColored(palette::accent, "%s", std::string(line.keys).c_str());
    ImGui::TableNextColumn();
    ImGui::TextWrapped("%s", std::string(line.what).c_str());
  }
  ImGui::EndTable();
}

std::vector<Line> lines_of(ActionGroup group) {
  std::vector<Line> lines;
  for (const Action& one : actions())
    if (one.group == group) lines.push_back({one.keys, one.what});
  return lines;
}

}  // namespace

void draw_help_sheet(Interface& ui) {
  if (!ui.layout.help) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Appearing, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(em(60), display.x * 0.94F), 0}, ImGuiCond_Appearing);
  ImGui::SetNextWindowSizeConstraints({0, 0}, {display.x, 0.94F * display.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, em(0.5F));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{em(1.2F), em(0.9F)});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4{0.125F, 0.145F, 0.176F, 0.985F});
  if (ImGui::Begin("Mouse and keys", &ui.layout.help, ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
    if (ImGui::BeginTable("columns", 2, ImGuiTableFlags_SizingStretchSame)) {
      ImGui::TableNextColumn();
      section("Mouse", mouse_lines, ui.fonts.strong);
      ImGui::TableNextColumn();
      section("Time and view", lines_of(ActionGroup::time_and_view), ui.fonts.strong);
      section("Files and edits", lines_of(ActionGroup::files_and_edits), ui.fonts.strong);
      ImGui::EndTable();
    }
    dim_text(
        "Drop a scene (.toml), design (.vxa, .vxd, ...) or recording (.history) onto the window to open it. Drop a "
        "mesh to add it as a body.");
  }
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(2);
}

}  // namespace vw::ui
