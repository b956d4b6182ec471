#include "app/window/ui/widgets/opaque.h"

#include <glad/gl.h>

namespace vw::ui {
namespace {

/// Clears the part of the window that a draw command covers. ImGui's renderer sets the scissor rectangle again for the
/// next command.
void clear_part(const ImDrawList*, const ImDrawCmd* command) {
  const ImDrawData& all = *ImGui::GetDrawData();
  const auto pixel = [](float x) { return static_cast<GLint>(x + 0.5F); };
  const float scale = all.FramebufferScale.x;
  const ImVec4& part = command->ClipRect;
  const GLint left = pixel((part.x - all.DisplayPos.x) * scale), right = pixel((part.z - all.DisplayPos.x) * scale);
  const GLint above = pixel((part.y - all.DisplayPos.y) * scale), below = pixel((part.w - all.DisplayPos.y) * scale);
  if (right <= left || below <= above) return;
  glScissor(left, pixel(all.DisplaySize.y * scale) - below, right - left, below - above);
  const auto& color = *static_cast<const ImVec4*>(command->UserCallbackData);
  glClearColor(color.x, color.y, color.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
}

void stop_blending(const ImDrawList*, const ImDrawCmd*) { glDisable(GL_BLEND); }
void go_on_blending(const ImDrawList*, const ImDrawCmd*) { glEnable(GL_BLEND); }

}  // namespace

void fill_window(const ImVec4& color) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  list->PushClipRect(low, {low.x + size.x, low.y + size.y});
  list->AddCallback(clear_part, const_cast<ImVec4*>(&color));  // NOLINT: read only
  list->PopClipRect();
}

void add_opaque_image(ImTextureID texture, ImVec2 low, ImVec2 high) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddCallback(stop_blending, nullptr);
  list->AddImage(texture, low, high, {0, 1}, {1, 0});
  list->AddCallback(go_on_blending, nullptr);
}

}  // namespace vw::ui
