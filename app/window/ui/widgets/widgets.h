// Small widgets shared by the panels: drawn icons (no icon font is needed), toggles, dim text, tooltips.
#pragma once

#include <cstdint>
#include <string>

#include <imgui.h>

#include "sim/base/data/parameter.h"

namespace vw::ui {

enum class Icon : std::uint8_t {
  play,
  pause,
  step,
  step_back,
  reset,
  record,
  stop,
  camera,
  undo,
  redo,
  folder,
  close,
  frame_all,
  vectors,
  help,
  eye,
  eye_closed,
  lock,
  unlocked,
  plus,
  plot,
  save,
  copy,
  keep,
  follow,
  trail,
  bin,
  move,
  rotate,
  scale,
  axes,
  to_ground,
  spring
};

struct IconStyle {
  bool on = false;               ///< whether the button is drawn as pressed
  const ImVec4* tint = nullptr;  ///< colour of the icon; null for the default colour
  float size_em = 1.9F;
};
/// Draws a square button with an icon. Returns true if the button was pressed.
bool icon_button(const char* id, Icon icon, const char* tooltip, const IconStyle& style = {});
void draw_icon(ImDrawList* list, Icon icon, ImVec2 center, float radius, ImU32 tint);

/// True if the pointer has rested on the last item for a moment while the left button is not pressed.
[[nodiscard]] bool rested_upon();
/// Shows a tooltip of the last item after a short delay.
void tooltip(const char* text);
void tooltip(const std::string& text);
void dim_text(const std::string& text);
/// Truncates a text to the given width, with an ellipsis if it does not fit.
[[nodiscard]] std::string shortened(std::string text, float width);
/// Draws a heading with a thin line to its right.
void heading(const char* text, ImFont* font);
/// Begins a table of statistics rows. If the function returns true, end the table with ImGui::EndTable().
[[nodiscard]] bool begin_stats(const char* id);
/// Draws a statistics row with a label and a value.
void stat_row(const char* label, const std::string& value, const char* hint = nullptr);
/// Draws a slider as a bar that fills up to the value, so that the number remains legible. `type` is
/// ImGuiDataType_Double or ImGuiDataType_S64. Returns true if the value was changed.
bool bar_slider(const char* id, ImGuiDataType type, void* value, const void* min, const void* max, const char* format,
                Scale scale);
/// Begins a combo box with the present item width. If the text does not fit, the box has no arrow, and a tooltip shows
/// the whole text. If the function returns true, end the combo box with ImGui::EndCombo().
[[nodiscard]] bool begin_combo(const char* id, const std::string& text);
/// Draws a button in the accent colour. Returns true if the button was pressed.
bool primary_button(const char* label, ImVec2 size = {0, 0});
/// Whether the user has pressed Esc in the dialog that is being drawn. The result is false in the first frame of the
/// dialog, because the same key press may have closed the dialog before it.
[[nodiscard]] bool is_dialog_left();

}  // namespace vw::ui
