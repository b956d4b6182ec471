#include "app/window/ui/widgets/theme.h"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/base/system/fonts.h"

namespace vw::ui {
namespace {

constexpr float body_px = 15, large_px = 24;

/// Glyph ranges: Latin 1 (which contains the units' superscripts), dashes and the ellipsis. The ranges are small, so
/// that the first frame is fast.
constexpr ImWchar basic_ranges[] = {0x0020, 0x00FF, 0x2013, 0x2014, 0x2026, 0x2026, 0};
/// Height of Roboto from ascent to descent [em]. Added letters are loaded with the same em.
constexpr float height_per_em = 1.17F;

ImFont* load_font(const std::vector<std::string>& candidates, float pixels) {
  for (const std::string& path : candidates) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) continue;
    if (ImFont* font = ImGui::GetIO().Fonts->AddFontFromFileTTF(path.c_str(), pixels, nullptr, basic_ranges))
      return font;
  }
  ImFontConfig config;
  config.SizePixels = std::round(pixels * 0.9F);
  return ImGui::GetIO().Fonts->AddFontDefault(&config);
}

/// Adds letters to the font that was loaded last.
void add_letters(std::span<const AddedLetters> added, float pixels) {
  for (const AddedLetters& letters : added) {
    ImFontConfig config;
    config.MergeMode = true;
    config.FontDataOwnedByAtlas = false;                    // the atlas copies the bytes
    auto* bytes = const_cast<char*>(letters.font->data());  // NOLINT: read only
    ImGui::GetIO().Fonts->AddFontFromMemoryTTF(bytes, static_cast<int>(letters.font->size()),
                                               std::round(pixels * letters.height_per_em / height_per_em), &config,
                                               letters.ranges.data());
  }
}

void set_sizes(ImGuiStyle& style) {
  style.WindowPadding = {10, 8};
  style.FramePadding = {7, 4};
  style.ItemSpacing = {8, 5};
  style.ItemInnerSpacing = {6, 4};
  style.CellPadding = {4, 2};
  style.IndentSpacing = 14;
  style.ScrollbarSize = 11;
  style.GrabMinSize = 9;
  style.WindowBorderSize = 0;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 0;
  style.TabBorderSize = 0;
  style.WindowRounding = 0;
  style.ChildRounding = 4;
  style.FrameRounding = 4;
  style.PopupRounding = 6;
  style.ScrollbarRounding = 6;
  style.GrabRounding = 4;
  style.TabRounding = 4;
  style.WindowTitleAlign = {0.02F, 0.5F};
  style.WindowMenuButtonPosition = ImGuiDir_None;
}

void set_colors(ImGuiStyle& style) {
  const auto set = [&style](ImGuiCol at, const ImVec4& c, float alpha = 1) {
    style.Colors[at] = {c.x, c.y, c.z, c.w * alpha};
  };
  using namespace palette;
  set(ImGuiCol_Text, text);
  set(ImGuiCol_TextDisabled, dim);
  set(ImGuiCol_WindowBg, panel);
  set(ImGuiCol_ChildBg, panel, 0);
  set(ImGuiCol_PopupBg, {0.125F, 0.145F, 0.176F, 0.985F});
  set(ImGuiCol_Border, line);
  set(ImGuiCol_FrameBg, frame);
  set(ImGuiCol_FrameBgHovered, frame_hot);
  set(ImGuiCol_FrameBgActive, frame_hot);
  set(ImGuiCol_TitleBg, window);
  set(ImGuiCol_TitleBgActive, window);
  set(ImGuiCol_TitleBgCollapsed, window);
  set(ImGuiCol_MenuBarBg, window);
  set(ImGuiCol_ScrollbarBg, panel, 0);
  set(ImGuiCol_ScrollbarGrab, frame_hot);
  set(ImGuiCol_ScrollbarGrabHovered, dim, 0.7F);
  set(ImGuiCol_ScrollbarGrabActive, dim);
  set(ImGuiCol_CheckMark, accent);
  set(ImGuiCol_SliderGrab, accent);
  set(ImGuiCol_SliderGrabActive, text);
  set(ImGuiCol_Button, frame);
  set(ImGuiCol_ButtonHovered, frame_hot);
  set(ImGuiCol_ButtonActive, accent_dim);
  set(ImGuiCol_Header, accent_dim, 0.75F);
  set(ImGuiCol_HeaderHovered, frame_hot);
  set(ImGuiCol_HeaderActive, accent_dim);
  set(ImGuiCol_Separator, line);
  set(ImGuiCol_SeparatorHovered, accent_dim);
  set(ImGuiCol_SeparatorActive, accent);
  set(ImGuiCol_ResizeGrip, line, 0);
  set(ImGuiCol_ResizeGripHovered, accent_dim);
  set(ImGuiCol_ResizeGripActive, accent);
  set(ImGuiCol_Tab, panel, 0);
  set(ImGuiCol_TabHovered, frame_hot);
  set(ImGuiCol_TabActive, frame);
  set(ImGuiCol_TabUnfocused, panel, 0);
  set(ImGuiCol_TabUnfocusedActive, frame);
  set(ImGuiCol_TextSelectedBg, accent_dim);
  set(ImGuiCol_DragDropTarget, accent);
  set(ImGuiCol_NavHighlight, accent);
  set(ImGuiCol_ModalWindowDimBg, {0, 0, 0, 0.45F});
  set(ImGuiCol_TableRowBgAlt, frame, 0.25F);
}

}  // namespace

bool is_basic_letter(char32_t letter) {
  for (std::size_t i = 0; basic_ranges[i] != 0; i += 2)
    if (letter >= basic_ranges[i] && letter <= basic_ranges[i + 1]) return true;
  return letter < basic_ranges[0];  // control characters have no glyph
}

Fonts apply_theme(float scale, float framebuffer_scale, std::span<const AddedLetters> added) {
  ImGuiStyle& style = ImGui::GetStyle();
  ImGui::StyleColorsDark();
  set_sizes(style);
  set_colors(style);
  style.ScaleAllSizes(scale);
  ImGui::GetIO().FontGlobalScale = 1 / framebuffer_scale;
  const float pixels = scale * framebuffer_scale;
  const std::vector<std::string> bold = sans_serif_fonts(FontWeight::bold);
  Fonts fonts;
  fonts.body = load_font(sans_serif_fonts(FontWeight::regular), std::round(body_px * pixels));
  add_letters(added, body_px * pixels);
  fonts.strong = load_font(bold, std::round(body_px * pixels));
  add_letters(added, body_px * pixels);
  fonts.large = load_font(bold, std::round(large_px * pixels));
  return fonts;
}

}  // namespace vw::ui
