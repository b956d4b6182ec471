// The parts of the window. Each function draws one part. A function that calls the actions in app.h receives the App.
// The other functions receive only the data that they show.
#pragma once

#include <string>

#include <imgui.h>

namespace vw {
class MessageLog;
class Renderer;
}  // namespace vw

namespace vw::ui {

struct App;
struct FrameTimes;
struct Interface;
struct Layout;
struct Session;

/// Draws the whole interface for this frame. Call this between NewFrame and Render.
void draw_interface(App& app);

void draw_menu(App& app);
/// Draws the menu that aligns and distributes the selected nodes. Call this within the menu bar.
void draw_arrange_menu(App& app);
void draw_transport(App& app);
/// Height of the timeline [window units]; 0 if it is hidden.
[[nodiscard]] float timeline_height(const App& app);
/// Draws the timeline. Requires a snapshot.
void draw_timeline(App& app);
/// Height of the bar above the picture while two runs are compared [window units]; otherwise 0.
[[nodiscard]] float comparison_bar_height(const App& app);
/// Draws the bar in the current ImGui window.
void draw_comparison_bar(App& app);
/// Draws the names of both runs, and the progress of B, over pictures of this width. `first` and `second` are the upper
/// left corners of the pictures of A and B. Draws nothing if no runs are compared.
void draw_comparison_names(const App& app, ImVec2 first, ImVec2 second, float width);
void draw_scene_panel(App& app);
/// Draws the number of findings of the scene checks, and on request the findings with buttons that select the node and
/// apply remedies. If there are no findings, leaves one line empty.
void draw_checks(App& app);
/// Draws the card of the tour's present step, or the offer of the tour.
void draw_tour(App& app, ImVec2 corner, ImVec2 size);
void draw_plots_panel(App& app);
void draw_view_panel(App& app);
void draw_air_panel(App& app);
void draw_rules_panel(App& app);
/// `renderer` may be null.
void draw_statistics_panel(const Session& session, Interface& ui, const FrameTimes& times, Renderer* renderer);
void draw_capture_panel(App& app);
void draw_log_panel(MessageLog& log, Interface& ui);
void draw_toasts(App& app, ImVec2 corner, ImVec2 size);
/// Vertical position of the lower end of the toasts. If the picture is too narrow for toasts and legends side by side,
/// the toasts end above the legends. They always have at least the upper two fifths of the picture.
[[nodiscard]] float toast_bottom(const Layout& layout, ImVec2 corner, ImVec2 size, float width);
void draw_health_banner(App& app, ImVec2 corner, ImVec2 size);
/// Draws the legends of the last picture and stores their extent in `layout`.
void draw_legends(const Renderer& renderer, Layout& layout, ImVec2 corner, ImVec2 size);
/// Shows the progress of fields that are being generated.
void draw_generation(ImVec2 corner, ImVec2 size);
/// Draws the card of the selected element over the picture. Call this if the right sidebar is hidden.
void draw_selection_card(App& app, ImVec2 corner, ImVec2 size);
/// Draws the card of the selected element in the current ImGui window. Draws nothing if no element is selected.
void draw_docked_card(App& app);
/// Makes draw_element_menu() open the context menu at the pointer. The menu belongs to the selected element or
/// obstacle, or to the view if nothing is selected.
void open_element_menu(App& app);
void draw_element_menu(App& app);
void draw_help_sheet(Interface& ui);
/// `graphics` describes the OpenGL driver.
void draw_about(Interface& ui, const std::string& graphics);
void draw_unsaved_question(App& app);
void draw_import_question(App& app);
void draw_recovery_question(App& app);
void draw_report_question(App& app);
/// Handles keyboard shortcuts. Call this before drawing the dialogs, so that the key that closes a dialog does not also
/// act as a shortcut.
void handle_shortcuts(App& app);

}  // namespace vw::ui
