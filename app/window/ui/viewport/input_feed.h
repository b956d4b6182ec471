// Passes input events to Dear ImGui. These functions replace ImGui's GLFW back end, which samples buttons and thus
// loses fast clicks (see app/window/input_queue.h). Tests can call these functions without a display.
#pragma once

#include <vector>

#include <imgui.h>

#include "app/window/input_queue.h"

namespace vw::ui {

/// Maps the keys that ImGui needs to GLFW key codes. Call this once after CreateContext.
void set_key_map(ImGuiIO& io);
/// Returns the code that the program uses for a key. GLFW names keys after their positions on a US keyboard, so that
/// GLFW_KEY_Z is the key "Y" of a German keyboard. Letters and signs are replaced by those of `label`, the name of the
/// key in the present layout (glfwGetKeyName(), may be null). Keys with other labels and the row of digits keep `key`.
[[nodiscard]] int key_with_label(int key, const char* label);
/// Applies the events of one frame. Call this before NewFrame.
void feed_input(ImGuiIO& io, const std::vector<InputEvent>& events);

}  // namespace vw::ui
