// The parts of the window, each a function that draws itself from the app and calls its actions.
#pragma once

#include <imgui.h>

namespace vw::ui {

struct App;
struct Layout;

/// The whole interface for this frame: between NewFrame and Render.
void draw_interface(App& app);

void draw_menu(App& app);
void draw_transport(App& app);
void draw_scene_panel(App& app);
void draw_plots_panel(App& app);
void draw_view_panel(App& app);
void draw_air_panel(App& app);
void draw_rules_panel(App& app);
void draw_statistics_panel(App& app);
void draw_capture_panel(App& app);
void draw_log_panel(App& app);
void draw_toasts(App& app, ImVec2 corner, ImVec2 size);
/// Lower end of the toasts: above the legends where the picture is too narrow for both beside each other, but not above its upper two fifths.
[[nodiscard]] float toast_bottom(const Layout& layout, ImVec2 corner, ImVec2 size, float width);
void draw_health_banner(App& app, ImVec2 corner, ImVec2 size);
void draw_legends(App& app, ImVec2 corner, ImVec2 size);
/// How far fields are that are being made just now; nothing while there are none.
void draw_generation(ImVec2 corner, ImVec2 size);
/// Draws the card of the selected element over the picture, for when the right sidebar is hidden.
void draw_selection_card(App& app, ImVec2 corner, ImVec2 size);
/// Draws the card of the selected element in the current ImGui window. Draws nothing if no element is selected.
void draw_docked_card(App& app);
/// Opens the context menu at the pointer in this frame: of the selected element, or of the view if no element is selected.
void open_element_menu(App& app);
void draw_element_menu(App& app);
void draw_help_sheet(App& app);
void draw_about(App& app);
void draw_unsaved_question(App& app);
void draw_import_question(App& app);
/// Keyboard shortcuts; before the panels, so that a panel never sees a key that was one.
void handle_shortcuts(App& app);

}  // namespace vw::ui
