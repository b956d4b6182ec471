// The application window: GLFW and OpenGL, the event loop, frame pacing.
#pragma once

#include "app/window/window.h"

namespace vw {

/// Runs until the window closes. Must be called on the main thread.
[[nodiscard]] Result<int> run_desktop(const WindowOptions& options);

}  // namespace vw
