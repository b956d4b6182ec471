// Help sheet (F1) with all mouse and keyboard controls.
#include <algorithm>
#include <array>

#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

struct Line {
  const char* keys;
  const char* what;
};

constexpr std::array<Line, 12> mouse{{{"Left drag on a body", "pull it with a spring"},
                                      {"Ctrl + left click on a body", "push it"},
                                      {"Click on a body", "select the element"},
                                      {"Right click in the picture", "open the context menu"},
                                      {"Left drag elsewhere", "orbit"},
                                      {"Alt + left drag", "orbit anywhere"},
                                      {"Middle drag, Shift + left drag", "pan"},
                                      {"Wheel", "zoom"},
                                      {"Right drag", "look around"},
                                      {"Right button + W A S D Q E", "fly; Shift is faster"},
                                      {"Ctrl + click on a slider", "type a value"},
                                      {"Right click on a row", "restore the default or the value in the file"}}};
constexpr std::array<Line, 12> time_keys{{{"Space", "play or pause"},
                                          {". or Right", "one step"},
                                          {"R", "reset"},
                                          {"[ ] or - +", "slower, faster"},
                                          {"Backspace", "speed 1"},
                                          {"V", "vector arrows"},
                                          {"C", "next colouring"},
                                          {"F", "frame the selection"},
                                          {"Shift + F", "start or stop following the selection"},
                                          {"Home", "frame the subject"},
                                          {"Shift + Home", "frame all"},
                                          {"Tab", "hide or show the sidebars"}}};
constexpr std::array<Line, 10> file_keys{{{"Ctrl + O", "open"},
                                          {"Ctrl + S", "save"},
                                          {"Ctrl + Shift + S", "save as"},
                                          {"Ctrl + Z", "undo"},
                                          {"Ctrl + Shift + Z, Ctrl + Y", "redo"},
                                          {"Delete", "remove the selected member or particle"},
                                          {"F2 or F12", "screenshot"},
                                          {"F9", "start or stop a video"},
                                          {"F1", "this sheet"},
                                          {"Esc", "close, stop following, clear the selection"}}};

template <std::size_t N>
void section(const char* title, const std::array<Line, N>& lines, ImFont* font) {
  heading(title, font);
  if (!ImGui::BeginTable(title, 2, ImGuiTableFlags_SizingStretchProp)) return;
  ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthStretch, 0.42F);
  ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch, 0.58F);
  for (const Line& line : lines) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextColored(palette::accent, "%s", line.keys);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(line.what);
  }
  ImGui::EndTable();
}

}  // namespace

void draw_help_sheet(App& app) {
  if (!app.layout.help) return;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({display.x / 2, display.y / 2}, ImGuiCond_Appearing, {0.5F, 0.5F});
  ImGui::SetNextWindowSize({std::min(em(60), display.x * 0.94F), 0}, ImGuiCond_Appearing);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, em(0.5F));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{em(1.2F), em(0.9F)});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4{0.125F, 0.145F, 0.176F, 0.985F});
  if (ImGui::Begin("Mouse and keys", &app.layout.help,
                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings)) {
    if (ImGui::BeginTable("columns", 2, ImGuiTableFlags_SizingStretchSame)) {
      ImGui::TableNextColumn();
      section("Mouse", mouse, app.fonts.strong);
      ImGui::TableNextColumn();
      section("Time and view", time_keys, app.fonts.strong);
      section("Files and edits", file_keys, app.fonts.strong);
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
