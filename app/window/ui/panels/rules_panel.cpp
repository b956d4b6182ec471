// Rules tab of the right sidebar. A matrix shows the rules of each pair of systems, with switches and forces. The
// details of the selected pair are below the matrix.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "app/window/document/scene_edit.h"
#include "app/window/labels/param_style.h"
#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/panels/param_rows.h"
#include "app/window/ui/widgets/plot.h"
#include "app/window/ui/widgets/widgets.h"
#include "sim/api/analysis/rule_matrix.h"

namespace vw::ui {
namespace {

/// Actions that the user requests while the tab is drawn. The actions are performed afterwards.
struct Wishes {
  std::vector<Assignment> edits;
  std::string toggle_forces;
  const Schema* add = nullptr;
  std::string a, b;  ///< names of the systems that the added rule couples
};

/// Returns the rule in the displayed snapshot that belongs to `node` and couples the systems `x` and `y`. Returns null
/// if the snapshot does not contain the rule yet.
const RuleSnapshot* shown_rule(const App& app, const std::string& node, const std::string& x, const std::string& y) {
  const Snapshot* now = app.session.snapshot();
  if (now == nullptr) return nullptr;
  const auto name = [&](std::size_t system) {
    return system < now->systems.size() ? now->systems[system].name : std::string();
  };
  const auto found = std::ranges::find_if(now->rules, [&](const RuleSnapshot& rule) {
    return rule.node == node && ((name(rule.a) == x && name(rule.b) == y) || (name(rule.a) == y && name(rule.b) == x));
  });
  return found == now->rules.end() ? nullptr : &*found;
}

std::string force_text(const RuleSnapshot& rule) {
  if (rule.force_a.empty() && rule.force_b.empty()) return "-";
  return rule.touching == 0 ? "no force" : si_number(rule.force_n) + "N";
}

const char* force_hint =
    "Sum of the forces of the rule, averaged over a world step. For a system with itself, it is the sum of the "
    "magnitudes of the forces";

void draw_switch(const std::string& node_name, const Node& node, Wishes& wishes) {
  const auto& params = node.schema->params;
  const bool has_switch = std::ranges::any_of(params, [](const ParamSpec& spec) { return spec.name == "enabled"; });
  bool on = is_switched_on(node);
  ImGui::BeginDisabled(!has_switch);
  if (ImGui::Checkbox("##on", &on)) wishes.edits.push_back({"interaction." + node_name + ".enabled", Value(on)});
  ImGui::EndDisabled();
  tooltip(node_label(node) + (on ? " is on" : " is off") +
          ". A rule for several pairs of systems has one switch for all pairs.");
}

void draw_forces_toggle(const App& app, const std::string& node, Wishes& wishes) {
  const bool shown = app.session.shows_forces(node);
  if (icon_button("forces", Icon::eye, "Draws the forces of the rule as arrows",
                  {.on = shown, .tint = shown ? &palette::accent : &palette::dim, .size_em = 1.4F}))
    wishes.toggle_forces = node;
}

std::string mark_of(const api::RuleCell& cell) {
  if (cell.by_itself) return "built in";
  return cell.possible.empty() ? "\xE2\x80\x93" : "possible";
}

/// Draws the rules of a pair, or the reason why there are none. Returns true if the pair was selected.
bool draw_cell(const App& app, const api::RuleCell& cell, const api::Participant& x, const api::Participant& y,
               bool chosen, Wishes& wishes) {
  const ImVec2 corner = ImGui::GetCursorScreenPos(), size{ImGui::GetContentRegionAvail().x, em(2.9F)};
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 end{corner.x + size.x, corner.y + size.y};
  const bool pressed = ImGui::InvisibleButton("cell", size);
  ImGui::SetItemAllowOverlap();  // lets the switches in the cell receive clicks
  const bool hot = ImGui::IsItemHovered();
  if (chosen || hot)
    list->AddRectFilled(corner, end, color(chosen ? palette::frame_hot : palette::frame, chosen ? 1 : 0.7F), em(0.3F));
  if (chosen) list->AddRect(corner, end, color(palette::accent), em(0.3F));
  if (cell.nodes.empty()) {
    tooltip(cell.says);
    const std::string mark = mark_of(cell);
    const ImVec2 text = ImGui::CalcTextSize(mark.c_str());
    list->AddText({corner.x + (size.x - text.x) / 2, corner.y + (size.y - text.y) / 2}, color(palette::dim),
                  mark.c_str());
    return pressed;
  }
  const std::string& name = cell.nodes.front();
  const Node& node = *app.session.document->root().find("interaction", name);
  ImGui::SetCursorScreenPos({corner.x + em(0.25F), corner.y + em(0.15F)});
  draw_switch(name, node, wishes);
  ImGui::SameLine(0, em(0.2F));
  draw_forces_toggle(app, name, wishes);
  const RuleSnapshot* rule = shown_rule(app, name, x.name, y.name);
  std::string text = !is_switched_on(node) ? "off" : rule == nullptr ? "-" : force_text(*rule);
  if (cell.nodes.size() > 1) text = fmt::format("{} rules", cell.nodes.size());
  list->AddText({corner.x + em(0.35F), corner.y + em(1.7F)}, color(palette::dim), text.c_str());
  return pressed;
}

void draw_matrix_row(App& app, const api::RuleMatrix& matrix, std::size_t row, Wishes& wishes) {
  const api::Participant& x = matrix.row(row);
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::TextUnformatted(x.name.c_str());
  if (row < matrix.systems.size()) dim_text(spelt_out(x.kind));
  for (std::size_t column = 0; column < matrix.columns(row); ++column) {
    ImGui::TableNextColumn();
    ImGui::PushID(static_cast<int>(row * matrix.systems.size() + column));
    const bool chosen = row == app.ui.layout.rule_row && column == app.ui.layout.rule_column;
    if (draw_cell(app, matrix.at(row, column), x, matrix.systems[column], chosen, wishes)) {
      app.ui.layout.rule_row = row;
      app.ui.layout.rule_column = column;
    }
    ImGui::PopID();
  }
}

constexpr float names_em = 5.5F;  // width of the column with the systems' names [em]

/// Width of the matrix columns. The width is chosen so that no column is partly visible and no cell text is truncated.
/// If the sidebar is too narrow for all columns, the matrix can be scrolled.
struct Columns {
  float width = 0;  ///< width of one column without padding
  bool all_fit = true;
};
Columns columns_for(std::size_t systems, float room) {
  const float padding = 2 * ImGui::GetStyle().CellPadding.x + 1;
  const float least = std::max(em(4), ImGui::CalcTextSize("built in").x + em(0.3F)) + padding;
  const float inner = room - em(names_em) - padding - ImGui::GetStyle().ScrollbarSize;
  const auto wanted = static_cast<float>(systems), fit = std::clamp(std::floor(inner / least), 1.0F, wanted);
  return {std::clamp(std::floor(inner / fit) - padding, least - padding, em(6)), fit == wanted};
}

void draw_matrix(App& app, const api::RuleMatrix& matrix, Wishes& wishes) {
  const std::size_t systems = matrix.systems.size();
  const ImGuiStyle& style = ImGui::GetStyle();
  const Columns columns = columns_for(systems, ImGui::GetContentRegionAvail().x);
  const float row_height = em(2.9F) + 2 * style.CellPadding.y + 1;
  const float height =
      row_height * static_cast<float>(matrix.rows()) + em(1.6F) + (columns.all_fit ? 0 : style.ScrollbarSize);
  constexpr ImGuiTableFlags flags =
      ImGuiTableFlags_BordersInner | ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY | ImGuiTableFlags_SizingFixedFit;
  if (!ImGui::BeginTable("matrix", static_cast<int>(systems) + 1, flags,
                         {0, std::min(height, 0.55F * ImGui::GetWindowHeight())}))
    return;
  ImGui::TableSetupScrollFreeze(1, 1);
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, em(names_em));
  for (const api::Participant& system : matrix.systems)
    ImGui::TableSetupColumn(system.name.c_str(), ImGuiTableColumnFlags_WidthFixed, columns.width);
  ImGui::TableHeadersRow();
  for (std::size_t row = 0; row < matrix.rows(); ++row) draw_matrix_row(app, matrix, row, wishes);
  ImGui::EndTable();
}

void draw_rule(App& app, const Node& node, const api::Participant& x, const api::Participant& y, ParamRows& rows,
               Wishes& wishes) {
  ImGui::PushID(node.name.c_str());
  heading(node_label(node).c_str(), app.ui.fonts.strong);
  dim_text(node.schema->doc);
  draw_forces_toggle(app, node.name, wishes);
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  if (const RuleSnapshot* rule = shown_rule(app, node.name, x.name, y.name); rule != nullptr && is_switched_on(node)) {
    ImGui::TextUnformatted(rule->touching == 0
                               ? force_text(*rule).c_str()
                               : fmt::format("{} on {} elements", force_text(*rule), rule->touching).c_str());
    tooltip(force_hint);
  } else {
    dim_text(is_switched_on(node) ? "not measured yet" : "off");
  }
  draw_rows(rows, node, "interaction." + node.name);
  ImGui::PopID();
}

/// If systems or fields were added, removed or moved since the panel was drawn, selects the same pair again.
void follow_pair(Layout& layout, const api::RuleMatrix& matrix) {
  const Layout::RulePair& drawn = layout.drawn_rules;
  const bool is_drawn = layout.rule_row == drawn.row && layout.rule_column == drawn.column;
  if (!is_drawn || drawn.row == Layout::no_row) return;
  std::size_t row = matrix.rows(), column = matrix.systems.size();
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    if (matrix.row(i).name == drawn.row_name && matrix.row(i).kind == drawn.row_kind) row = i;
  for (std::size_t i = 0; i < matrix.systems.size(); ++i)
    if (matrix.systems[i].name == drawn.column_name) column = i;
  if (row < matrix.rows() && column < matrix.systems.size()) {
    layout.rule_row = std::max(row, column);
    layout.rule_column = std::min(row, column);
  } else if (matrix.rows() != drawn.rows) {
    // A part of the pair was removed. If the number of rows is unchanged, the part was renamed, and the selection
    // stays.
    layout.rule_row = Layout::no_row;
  }
}

/// If the selected pair does not exist, for example after a change of scene, selects the first pair with a rule.
void keep_choice_inside(Layout& layout, const api::RuleMatrix& matrix) {
  if (layout.rule_row < matrix.rows() && layout.rule_column < matrix.columns(layout.rule_row)) return;
  layout.rule_row = layout.rule_column = 0;
  for (std::size_t row = 0; row < matrix.rows(); ++row)
    for (std::size_t column = 0; column < matrix.columns(row); ++column) {
      if (matrix.at(row, column).nodes.empty()) continue;
      layout.rule_row = row;
      layout.rule_column = column;
      return;
    }
}

void draw_possible(App& app, const api::RuleCell& cell, const api::Participant& x, const api::Participant& y,
                   Wishes& wishes) {
  for (const Schema* kind : cell.possible) {
    ImGui::Dummy({0, em(0.2F)});
    heading(label_of(*kind).c_str(), app.ui.fonts.strong);
    dim_text(kind->doc);
    ImGui::PushID(kind);
    if (ImGui::Button("Add to scene")) wishes.add = kind, wishes.a = x.name, wishes.b = y.name;
    tooltip("Adds the rule to the scene; the world continues");
    ImGui::PopID();
  }
}

void draw_pair(App& app, const api::RuleMatrix& matrix, Wishes& wishes) {
  const std::size_t row = app.ui.layout.rule_row, column = app.ui.layout.rule_column;
  const api::Participant &x = matrix.row(row), &y = matrix.systems[column];
  const api::RuleCell& cell = matrix.at(row, column);
  const std::string title = row == column ? x.name + " with itself" : y.name + " and " + x.name;
  ImGui::Dummy({0, em(0.3F)});
  ImGui::TextColored(palette::accent, "%s", title.c_str());
  if (!cell.says.empty()) dim_text(cell.says);
  ParamRows rows;
  rows.document = app.session.document.get();
  rows.text_buffers = &app.ui.text_buffers;
  rows.typed_values = &app.ui.typed_values;
  rows.choices = [&app](const std::string& path) { return names_for(app.session.document->root(), path); };
  rows.can_compare = app.session.have_snapshot;
  for (const std::string& name : cell.nodes)
    draw_rule(app, *app.session.document->root().find("interaction", name), x, y, rows, wishes);
  for (const Error& error : rows.errors) app.log.error(error.message());
  wishes.edits.insert(wishes.edits.end(), rows.edits.begin(), rows.edits.end());
  if (rows.comparison)
    compare_with_value(app, {rows.comparison->first.path, rows.comparison->first.value, rows.comparison->second});
  draw_possible(app, cell, x, y, wishes);
}

}  // namespace

void draw_rules_panel(App& app) {
  if (app.session.document == nullptr) return dim_text("No scene is open. Open one with Ctrl+O to see its rules.");
  heading("Interactions", app.ui.fonts.strong);
  constexpr std::size_t most = 60;  // maximum number of columns of an ImGui table
  const std::size_t systems = app.session.document->root().all("system").size();
  if (systems == 0) return dim_text("This scene has no systems. Add one with the + above the scene tree.");
  if (systems > most)
    return dim_text("The scene has too many systems for a matrix. The rules are in the tree on the left.");
  const api::RuleMatrix matrix = api::rule_matrix(app.session.document->root());
  Layout& layout = app.ui.layout;
  follow_pair(layout, matrix);
  keep_choice_inside(layout, matrix);
  Wishes wishes;
  draw_matrix(app, matrix, wishes);
  const api::Participant& selected = matrix.row(layout.rule_row);
  layout.drawn_rules = {.row = layout.rule_row,
                        .column = layout.rule_column,
                        .rows = matrix.rows(),
                        .row_name = selected.name,
                        .row_kind = selected.kind,
                        .column_name = matrix.systems[layout.rule_column].name};
  ImGui::BeginChild("pair");
  draw_pair(app, matrix, wishes);
  ImGui::EndChild();
  // Edits are applied after the rows are drawn, because the edits change the data of the rows.
  edit(app, wishes.edits);
  if (!wishes.toggle_forces.empty()) toggle_forces(app, wishes.toggle_forces);
  if (wishes.add != nullptr)
    change_scene(
        app, {.node_changes = {{.node = rule_between(app.session.document->root(), *wishes.add, wishes.a, wishes.b)}}});
}

}  // namespace vw::ui
