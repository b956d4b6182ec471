// Drawing of opaque areas without blending, which is much cheaper with software rendering.
#pragma once

#include <imgui.h>

namespace vw::ui {

/// Fills the background of the current window, which must have ImGuiWindowFlags_NoBackground. Call this before drawing
/// anything else in that window. The colour must outlive the frame.
void fill_window(const ImVec4& color);
/// Draws a texture whose first row is at the bottom of the image.
void add_opaque_image(ImTextureID texture, ImVec2 low, ImVec2 high);

}  // namespace vw::ui
