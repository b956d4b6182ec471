// Layout of the window: menu at the top, transport bar at the bottom, sidebars left and right, the picture between
// them.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "app/window/ui/actions/actions.h"
#include "app/window/ui/app.h"
#include "app/window/ui/library/library_panel.h"
#include "app/window/ui/panels/modes_panel.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/opaque.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

constexpr ImGuiWindowFlags fixed = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoSavedSettings |
                                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoBackground;
constexpr ImGuiWindowFlags unscrolled = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;

/// Begins an ImGui window at a fixed place. The window has no background, so that the clear colour shows through.
void begin_fixed(const char* name, ImVec2 corner, ImVec2 size, ImGuiWindowFlags extra = 0) {
  ImGui::SetNextWindowPos(corner);
  ImGui::SetNextWindowSize(size);
  ImGui::Begin(name, nullptr, fixed | extra);
}

void begin_sidebar(const char* name, ImVec2 corner, ImVec2 size) {
  begin_fixed(name, corner, size);
  fill_window(palette::panel);
}

/// Draws the draggable edge of a sidebar. `sign` is +1 if dragging to the right widens the sidebar, else -1.
void splitter(const char* id, float x, float top, float bottom, float& width_em, float sign) {
  ImGui::SetNextWindowPos({x - em(0.2F), top});
  ImGui::SetNextWindowSize({em(0.4F), bottom - top});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, ImVec2{1, 1});
  // ImGui puts new windows with NoBringToFrontOnFocus behind all others, where the edge would not receive the mouse.
  ImGui::Begin(id, nullptr, (fixed & ~ImGuiWindowFlags_NoBringToFrontOnFocus) | ImGuiWindowFlags_NoScrollbar);
  ImGui::InvisibleButton("edge", {em(0.4F), bottom - top});
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    ImGui::GetWindowDrawList()->AddLine({x, top}, {x, bottom}, color(palette::accent_dim), em(0.12F));
  }
  if (ImGui::IsItemActive())
    width_em = std::clamp(width_em + sign * ImGui::GetIO().MouseDelta.x / ImGui::GetFontSize(), 14.0F, 44.0F);
  ImGui::End();
  ImGui::PopStyleVar(2);
}

struct SideTab {
  const char* label;
  Layout::Tab which;
  void (*draw)(App&);
};

std::vector<SideTab> side_tabs(const App& app) {
  const bool news = app.log.revision() != app.ui.layout.log_seen;
  std::vector<SideTab> tabs;
  if (!app.session.plots.empty()) tabs.push_back({"Plots", Layout::Tab::plots, draw_plots_panel});
  tabs.push_back({"View", Layout::Tab::view, draw_view_panel});
  tabs.push_back({"Air", Layout::Tab::air, draw_air_panel});
  tabs.push_back({"Rules", Layout::Tab::rules, draw_rules_panel});
  tabs.push_back({"Statistics", Layout::Tab::statistics,
                  [](App& all) { draw_statistics_panel(all.session, all.ui, all.times, all.view.renderer.get()); }});
  tabs.push_back({"Modes", Layout::Tab::modes, draw_modes_panel});
  tabs.push_back({"Capture", Layout::Tab::capture, draw_capture_panel});
  tabs.push_back(
      {news ? "Log \xC2\xB7###log" : "Log###log", Layout::Tab::log, [](App& all) { draw_log_panel(all.log, all.ui); }});
  return tabs;
}

/// Reduces the spacing of tabs in a narrow sidebar, so that their names are not truncated. If even the least spacing
/// does not fit, the tabs scroll, and a button lists all of them. Returns the flags of the tab bar.
ImGuiTabBarFlags push_tab_style(const std::vector<SideTab>& tabs) {
  const ImGuiStyle& style = ImGui::GetStyle();
  float names = 0;
  for (const SideTab& tab : tabs) names += ImGui::CalcTextSize(tab.label, nullptr, true).x + 1;
  const auto count = static_cast<float>(tabs.size());
  const float room = ImGui::GetContentRegionAvail().x - names,
              usual = count * (2 * style.FramePadding.x + style.ItemInnerSpacing.x);
  constexpr float least_share = 0.4F;  // with less spacing, the names run into each other
  const bool scrolls = room < least_share * usual;
  const float share = scrolls ? 0.7F : std::min(room / usual, 1.0F);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2{share * style.FramePadding.x, style.FramePadding.y});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemInnerSpacing,
                      ImVec2{share * style.ItemInnerSpacing.x, style.ItemInnerSpacing.y});
  return scrolls ? ImGuiTabBarFlags_FittingPolicyScroll | ImGuiTabBarFlags_TabListPopupButton : ImGuiTabBarFlags_None;
}

void draw_right_sidebar(App& app) {
  draw_docked_card(app);
  const std::vector<SideTab> tabs = side_tabs(app);
  const ImGuiTabBarFlags flags = push_tab_style(tabs);
  const bool bar = ImGui::BeginTabBar("tabs", flags);
  const SideTab* open = nullptr;
  for (const SideTab& tab : tabs) {
    if (!bar || !ImGui::BeginTabItem(tab.label, nullptr,
                                     app.ui.layout.open_tab == tab.which ? ImGuiTabItemFlags_SetSelected : 0))
      continue;
    open = &tab;
    ImGui::EndTabItem();
  }
  if (bar) ImGui::EndTabBar();
  ImGui::PopStyleVar(2);
  app.ui.layout.open_tab = Layout::Tab::none;
  const Layout::Tab shown = open == nullptr ? Layout::Tab::none : open->which;
  if (std::exchange(app.ui.layout.shown_tab, shown) != shown) subscribe(app);
  if (open == nullptr) return;
  ImGui::BeginChild(open->label);
  open->draw(app);
  ImGui::EndChild();
}

void draw_empty_picture(const Session& session, ImVec2 corner, ImVec2 size) {
  if (session.have_snapshot) return;
  const std::string text =
      session.loader.busy() || session.run != nullptr ? "Opening\xE2\x80\xA6" : "Drop a scene here, or press Ctrl+O";
  const ImVec2 extent = ImGui::CalcTextSize(text.c_str());
  ImGui::GetWindowDrawList()->AddText({corner.x + (size.x - extent.x) / 2, corner.y + (size.y - extent.y) / 2},
                                      color(palette::dim), text.c_str());
}

void draw_picture(App& app, ImVec2 corner, ImVec2 size) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
  begin_fixed("picture", corner, size, unscrolled);
  if (app.view.shows_voxel_editor()) {
    app.view.voxel_editor->draw_picture(app, size);
  } else {
    const Viewport& viewport = app.view.viewport;
    app.view.viewport.draw(app, size);
    draw_comparison_names(app, viewport.corner(), viewport.second_corner(), viewport.size().x);
    draw_picture_drop(app, corner, size);
    draw_empty_picture(app.session, corner, size);
    draw_try_banner(app, corner, size);
  }
  ImGui::End();
  ImGui::PopStyleVar();
}

void wait_for_gallery(App& app) {
  const bool waits = app.ui.gallery.is_open() && !app.view.recorder.active();
  if (waits) app.session.backwards.is_on = false;
  if (std::exchange(app.ui.layout.waits_for_gallery, waits) != waits && app.session.run != nullptr)
    app.session.run->set_paused(waits || !app.session.playing);
}

void draw_gallery(App& app) {
  using Kind = SceneGallery::Choice::Kind;
  // Frames are drawn a little longer than the thumbnails take, so that the last one appears.
  if (app.ui.gallery.is_drawing()) app.times.busy_until_s = std::max(app.times.busy_until_s, app.times.wall_s + 0.3);
  const auto choice = app.ui.gallery.draw(app.view.renderer != nullptr, app.ui.fonts.strong);
  const auto shown = app.ui.gallery.shows_at_start();
  if (shown && *shown != app.ui.preferences.shows_start_page())
    if (auto kept = app.ui.preferences.set_shows_start_page(*shown); !kept)
      app.log.warning("The setting is not kept for the next session: " + kept.error().message());
  if (!choice) return;
  if (choice->kind == Kind::open) request_open(app, choice->path);
  if (choice->kind == Kind::create) request_new(app, choice->path);
  if (choice->kind == Kind::browse) action("open").run(app);
}

void draw_dialogs(App& app) {
  draw_help_sheet(app.ui);
  draw_about(app.ui, app.view.gl_name);
  wait_for_gallery(app);
  draw_gallery(app);
  draw_unsaved_question(app);
  const FileBrowser::Outcome outcome = app.ui.browser.draw(app.ui.recent.paths());
  if (outcome.kind == FileBrowser::Outcome::Kind::open) request_open(app, outcome.path);
  if (outcome.kind == FileBrowser::Outcome::Kind::save) save_as(app, outcome.path);
  if (outcome.kind == FileBrowser::Outcome::Kind::save_state) save_state(app, outcome.path);
  if (outcome.kind == FileBrowser::Outcome::Kind::save_session) save_session(app, outcome.path);
  if (outcome.kind == FileBrowser::Outcome::Kind::load_state) request_load_state(app, outcome.path);
  if (outcome.kind == FileBrowser::Outcome::Kind::compare) compare_with_file(app, outcome.path);
  if (outcome.kind == FileBrowser::Outcome::Kind::import) ask_about_mesh(app, outcome.path);
  if (app.view.voxel_editor != nullptr) {
    if (outcome.kind == FileBrowser::Outcome::Kind::open_cells) app.view.voxel_editor->start_reading(app, outcome.path);
    if (outcome.kind == FileBrowser::Outcome::Kind::save_cells) save_cells(app, outcome.path);
  }
  if (outcome.kind == FileBrowser::Outcome::Kind::choose) take_source(app, outcome.path);
  draw_import_question(app);
  draw_recovery_question(app);
  draw_report_question(app);
}

/// Applies numbers and texts whose fields have disappeared while they were being typed. A click on another node of the
/// tree, for example, removes the fields of the selected node before they can apply the input. Call this function while
/// no widget is active.
void apply_typed(App& app) {
  const auto numbers = std::exchange(app.ui.typed_values, {});
  const auto texts = std::exchange(app.ui.text_buffers, {});
  if (app.session.document == nullptr) return;
  const auto present = [&](const std::string& path) { return app.session.document->value(path); };
  std::vector<Assignment> edits;
  for (const auto& [path, number] : numbers)
    if (present(path) != nullptr) edits.push_back({path, number});
  for (const auto& [path, text] : texts)
    if (const Value* value = present(path); value != nullptr && std::holds_alternative<std::string>(*value))
      edits.push_back({path, Value(text)});
  edit(app, edits);
}

/// Whether the next press of the left button would make a double click.
bool may_become_double_click() {
  const ImGuiIO& io = ImGui::GetIO();
  const double clicked_s = io.MouseClickedTime[0];  // 0 before the first click
  return clicked_s > 0 && ImGui::GetTime() - clicked_s < static_cast<double>(io.MouseDoubleClickTime);
}

}  // namespace

void draw_interface(App& app) {
  handle_shortcuts(app);
  // The Tab key hides and shows the sidebars. It moves to the next field only while text is being typed.
  ImGui::PushAllowKeyboardFocus(ImGui::GetIO().WantTextInput);
  draw_menu(app);
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float top = ImGui::GetFrameHeight(), bar = em(3.3F), strip = timeline_height(app),
              bottom = std::max(display.y - bar - strip, top + 1);
  // The picture keeps at least two fifths of the width.
  const float left_em = app.ui.layout.left ? app.ui.layout.left_em : 0,
              right_em = app.ui.layout.right ? app.ui.layout.right_em : 0;
  const float squeeze = std::min(1.0F, 0.6F * display.x / std::max(em(left_em + right_em), 1.0F));
  const float left = em(left_em) * squeeze, right = em(right_em) * squeeze;
  const float compare = comparison_bar_height(app);
  const ImVec2 corner{left, top + compare},
      size{std::max(display.x - left - right, 16.0F), std::max(bottom - top - compare, 16.0F)};
  app.ui.layout.legends_height = app.ui.layout.legends_width = 0;  // draw_legends() sets both
  draw_picture(app, corner, size);
  if (compare > 0) {
    begin_fixed("comparison", {left, top}, {size.x, compare}, unscrolled);
    fill_window(palette::panel);
    draw_comparison_bar(app);
    ImGui::End();
  }
  if (app.ui.layout.left) {
    begin_sidebar("scene", {0, top}, {left, bottom - top});
    const std::string selected = app.ui.layout.selected_path;
    app.view.shows_voxel_editor() ? app.view.voxel_editor->draw_panel(app) : draw_scene_panel(app);
    if (app.ui.layout.selected_path != selected) subscribe(app);
    ImGui::End();
    splitter("left edge", left, top, bottom, app.ui.layout.left_em, 1);
  }
  if (app.ui.layout.right) {
    begin_sidebar("side", {display.x - right, top}, {right, bottom - top});
    draw_right_sidebar(app);
    ImGui::End();
    splitter("right edge", display.x - right, top, bottom, app.ui.layout.right_em, -1);
  }
  if (strip > 0) {
    begin_fixed("timeline", {0, bottom}, {display.x, strip}, unscrolled);
    fill_window(palette::panel);
    draw_timeline(app);
    ImGui::End();
  } else if (std::exchange(app.ui.timeline.is_dragging, false) && app.session.run != nullptr) {
    app.session.run->set_paused(!app.session.playing);  // the timeline was hidden during a drag
  }
  begin_fixed("transport", {0, bottom + strip}, {display.x, bar}, unscrolled);
  draw_transport(app);
  ImGui::End();
  if (!app.ui.layout.right) draw_selection_card(app, corner, size);
  draw_library_window(app);
  draw_element_menu(app);
  draw_health_banner(app, corner, size);
  draw_generation(corner, size);
  draw_tour(app, corner, size);
  draw_dialogs(app);
  draw_toasts(app, corner, size);
  // A gesture ends when no widget is active. The next edit then starts a new undo step. The first click of a double
  // click on a bar sets a value, which belongs to the same undo step as the number that is typed then.
  const bool is_idle = !ImGui::IsAnyItemActive() && !app.view.viewport.gizmo.is_dragging();
  if (is_idle) apply_typed(app);
  if (app.session.document != nullptr && is_idle && !may_become_double_click()) app.session.document->end_gesture();
  if (is_idle) apply_waiting_at_start(app);
  ImGui::PopAllowKeyboardFocus();
}

}  // namespace vw::ui
