// The application window: GLFW and OpenGL, the event loop, frame pacing.
#pragma once

#include "app/window/window.h"

namespace vw {

/// Opens the window and handles its events until the window closes. Returns the exit code of the program. Call this
/// function on the main thread.
[[nodiscard]] Result<int> run_desktop(const WindowOptions& options);

}  // namespace vw
