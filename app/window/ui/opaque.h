// What hides all behind it, drawn without blending: where the processor draws, that costs a fraction.
#pragma once

#include <imgui.h>

namespace vw::ui {

/// Fills the current window, which has ImGuiWindowFlags_NoBackground; before anything else in it. The colour must outlive the frame.
void fill_window(const ImVec4& color);
/// A texture whose first row is the lowest.
void add_opaque_image(ImTextureID texture, ImVec2 low, ImVec2 high);

}  // namespace vw::ui
