// Small pieces that the panels share: drawn icons (no icon font needed), toggles, dim text, tooltips.
#pragma once

#include <cstdint>
#include <string>

#include <imgui.h>

namespace vw::ui {

enum class Icon : std::uint8_t {
  play,
  pause,
  step,
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
  plus,
  plot,
  save,
  copy,
  keep,
  follow,
  trail,
  bin
};

/// Square button with a drawn icon; `on` shows it pressed in.
bool icon_button(const char* id, Icon icon, const char* tooltip, bool on = false, const ImVec4* tint = nullptr, float size_em = 1.9F);
void draw_icon(ImDrawList* list, Icon icon, ImVec2 center, float radius, ImU32 tint);

/// True when the pointer has rested on the last item for a moment, with no button down.
[[nodiscard]] bool rested_upon();
/// Tooltip of the last item, shown after a short wait.
void tooltip(const char* text);
void tooltip(const std::string& text);
void dim_text(const std::string& text);
/// As much of a text as fits into a width, with an ellipsis where it does not fit whole.
[[nodiscard]] std::string shortened(std::string text, float width);
/// Heading with a thin line to its right.
void heading(const char* text, ImFont* font);
/// A table of statistics rows; ImGui::EndTable() ends it when this is true.
[[nodiscard]] bool begin_stats(const char* id);
/// Label and value of a two-column statistics row.
void stat_row(const char* label, const std::string& value, const char* hint = nullptr);
/// A slider drawn as a bar that fills up to the value, so that the number stays readable; `type` is ImGuiDataType_Double or _S64.
bool bar_slider(const char* id, ImGuiDataType type, void* value, const void* min, const void* max, const char* format, bool logarithmic);
/// A button in the accent colour.
bool primary_button(const char* label, ImVec2 size = {0, 0});

}  // namespace vw::ui
