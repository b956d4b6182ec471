// Colours, spacing and fonts of the interface: a dark theme, scaled by the display's content scale.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <imgui.h>

namespace vw::ui {

namespace palette {
inline const ImVec4 window{0.082F, 0.094F, 0.114F, 1};
inline const ImVec4 panel{0.106F, 0.122F, 0.149F, 1};
inline const ImVec4 frame{0.157F, 0.180F, 0.220F, 1};
inline const ImVec4 frame_hot{0.200F, 0.231F, 0.282F, 1};
inline const ImVec4 line{0.184F, 0.208F, 0.251F, 1};
inline const ImVec4 text{0.870F, 0.894F, 0.925F, 1};
inline const ImVec4 dim{0.545F, 0.588F, 0.655F, 1};
inline const ImVec4 accent{0.290F, 0.725F, 0.678F, 1};
inline const ImVec4 accent_dim{0.176F, 0.400F, 0.388F, 1};
inline const ImVec4 good{0.478F, 0.784F, 0.447F, 1};
inline const ImVec4 warning{0.925F, 0.702F, 0.318F, 1};
inline const ImVec4 error{0.929F, 0.420F, 0.388F, 1};
inline const ImVec4 kinetic{0.361F, 0.678F, 0.969F, 1};
inline const ImVec4 potential{0.925F, 0.702F, 0.318F, 1};
inline const ImVec4 elastic{0.824F, 0.478F, 0.788F, 1};
}  // namespace palette

struct Fonts {
  ImFont* body = nullptr;
  ImFont* strong = nullptr;  ///< headings
  ImFont* large = nullptr;   ///< font of the real-time factor
};

/// Letters of another font that are added to the fonts of the interface.
struct AddedLetters {
  std::shared_ptr<const std::string> font;  ///< contents of the font file
  std::vector<ImWchar> ranges;              ///< first and last letter of each range, then 0
  float height_per_em = 1;                  ///< height of the font from ascent to descent [em]
};
/// Whether the fonts of the interface have this letter without AddedLetters.
[[nodiscard]] bool is_basic_letter(char32_t letter);

/// Scale of the interface in window units. `chosen` is the scale that the user has chosen, or 0 for the display's scale
/// `content`. `framebuffer` is the number of pixels per window unit.
[[nodiscard]] inline float interface_scale(double chosen, float content, float framebuffer) {
  const float pixels = chosen > 0 ? static_cast<float>(chosen) : std::clamp(content, 0.75F, 4.0F);
  return pixels / framebuffer;
}
/// Sets the style and loads the fonts. `scale` is the scale of the interface in window units (1 = 96 dpi), and
/// `framebuffer_scale` is the number of pixels per window unit. If none of the system fonts in theme.cpp is installed,
/// ImGui's own font is used. Requires a fresh style and an empty font atlas. `added` must live until the atlas is
/// built.
[[nodiscard]] Fonts apply_theme(float scale, float framebuffer_scale = 1, std::span<const AddedLetters> added = {});

/// Converts a length from em to window units. 1 em is the height of the current font.
[[nodiscard]] inline float em(float n) { return n * ImGui::GetFontSize(); }
[[nodiscard]] inline ImU32 color(const ImVec4& c, float alpha = 1) {
  return ImGui::ColorConvertFloat4ToU32({c.x, c.y, c.z, c.w * alpha});
}

}  // namespace vw::ui
