// Carries input events into Dear ImGui: our own feed instead of its GLFW back end, because that one samples buttons and so loses fast clicks
// (see app/window/input_queue.h), and because tests can drive the same feed without a display.
#pragma once

#include <vector>

#include <imgui.h>

#include "app/window/input_queue.h"

namespace vw::ui {

/// Names of the keys that ImGui itself needs, as GLFW's codes. Once after CreateContext.
void set_key_map(ImGuiIO& io);
/// Applies one frame's events; before NewFrame.
void feed_input(ImGuiIO& io, const std::vector<InputEvent>& events);

}  // namespace vw::ui
