// Passes input events to Dear ImGui. These functions replace ImGui's GLFW back end, which samples buttons and thus
// loses fast clicks (see app/window/input_queue.h). Tests can call these functions without a display.
#pragma once

#include <vector>

#include <imgui.h>

#include "app/window/input_queue.h"

namespace vw::ui {

/// Maps the keys that ImGui needs to GLFW key codes. Call this once after CreateContext.
void set_key_map(ImGuiIO& io);
/// Applies the events of one frame. Call this before NewFrame.
void feed_input(ImGuiIO& io, const std::vector<InputEvent>& events);

}  // namespace vw::ui
