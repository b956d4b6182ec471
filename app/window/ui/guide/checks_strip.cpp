// Findings of the scene checks, below the parameters of the selected node: their number, and on request one sentence
// with buttons for each finding.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "app/window/ui/app.h"
#include "app/window/ui/node_selection.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

void select_finding(Layout& layout, const std::string& path) {
  layout.filter.clear();
  select_nodes(layout, {path});
  layout.reveal_selected = true;
}

/// Draws a small button on the present line or, if the line is full, on the next one.
bool wrapped_button(const std::string& label) {
  const float width = ImGui::CalcTextSize(label.c_str(), nullptr, true).x + 2 * ImGui::GetStyle().FramePadding.x;
  ImGui::SameLine();
  if (width > ImGui::GetContentRegionAvail().x) ImGui::NewLine();
  return ImGui::SmallButton(label.c_str());
}

/// Draws a finding. Returns the remedy whose button was pressed, or null.
const SceneRemedy* draw_finding(Layout& layout, const SceneFinding& finding) {
  const bool is_warning = finding.severity == CheckSeverity::warning;
  ImGui::PushStyleColor(ImGuiCol_Text, is_warning ? palette::warning : palette::text);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(finding.sentence.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  if (ImGui::SmallButton("Select")) select_finding(layout, finding.path);
  tooltip(finding.path);
  const SceneRemedy* chosen = nullptr;
  for (const SceneRemedy& remedy : finding.remedies)
    if (wrapped_button(remedy.label)) chosen = &remedy;
  ImGui::Dummy({0, em(0.2F)});
  return chosen;
}

}  // namespace

void update_checks(App& app) {
  const Document* document = app.session.document.get();
  if (document == nullptr) return;
  // While changes wait for a reset, the running world is not that of the document.
  const bool is_current = app.session.have_snapshot && !app.session.reset_needed();
  const Snapshot* now = is_current ? &app.session.run->newest() : nullptr;
  if (app.ui.checks.update(document->root(), document->revision(), now, app.times.wall_s))
    app.times.busy_until_s = std::max(app.times.busy_until_s, app.times.wall_s + 0.3);
}

void apply_remedy(App& app, const SceneRemedy& remedy) {
  if (app.session.document == nullptr) return;
  app.session.document->end_gesture();
  if (remedy.rules.empty()) {
    edit(app, remedy.assignments);
  } else {
    SceneAddition addition{.assignments = remedy.assignments};
    for (const Node& rule : remedy.rules) addition.node_changes.push_back({.node = rule});
    change_scene(app, std::move(addition));
  }
  app.session.document->end_gesture();
}

void draw_checks(App& app) {
  const std::vector<SceneFinding>& findings = app.ui.checks.findings();
  // The line is reserved also if there is no finding, so that the parameters above do not move.
  if (findings.empty()) return ImGui::Dummy({0, ImGui::GetFrameHeight()});
  Layout& layout = app.ui.layout;
  const bool warns = findings.front().severity == CheckSeverity::warning;
  const std::string label = fmt::format("{} check{}###checks", findings.size(), findings.size() == 1 ? "" : "s");
  ImGui::PushStyleColor(ImGuiCol_Text, warns ? palette::warning : palette::dim);
  ImGui::SetNextItemOpen(layout.checks_open);
  layout.checks_open = ImGui::CollapsingHeader(label.c_str());
  ImGui::PopStyleColor();
  tooltip("Results of the checks of this scene, with suggested changes");
  if (!layout.checks_open) return;
  const float room = 0.3F * ImGui::GetWindowHeight();
  const float height = std::max(layout.checks_height, em(5)) + em(0.3F);
  const bool is_seen = ImGui::BeginChild("findings", {0, std::min(height, std::max(room, em(4)))});
  const SceneRemedy* chosen = nullptr;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (const SceneRemedy* pressed = draw_finding(layout, findings[i]); pressed != nullptr) chosen = pressed;
    ImGui::PopID();
  }
  if (is_seen) layout.checks_height = ImGui::GetCursorPosY();
  ImGui::EndChild();
  if (chosen != nullptr) apply_remedy(app, *chosen);
}

}  // namespace vw::ui
