// The window itself: GLFW and OpenGL, the loop, frame pacing.
#pragma once

#include "app/window/window.h"

namespace vw {

/// Runs until the window closes. On the main thread.
[[nodiscard]] Result<int> run_desktop(const WindowOptions& options);

}  // namespace vw
