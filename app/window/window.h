// The desktop window with its entire user interface. It runs on the main thread; the simulation runs on its own thread
// (sim/world/simulation.h).
#pragma once

#include <string>
#include <vector>

#include "sim/base/error.h"

namespace vw {

struct WindowOptions {
  std::string scene;              ///< path of an existing scene
  std::vector<std::string> sets;  ///< assignments `path=value`, applied after loading
  int width = 1440, height = 900;
  bool start_paused = false;
  bool strict = false;
  std::string base;                 ///< base file of a .vxd design; empty: base.vxa in the same folder
  double exit_after_s = 0;          ///< wall time [s]; 0: run until closed (for tests and measurements)
  std::string screenshot_on_exit;   ///< PNG of the window with its interface; empty: none
  bool (*interrupted)() = nullptr;  ///< returns true once a signal has requested termination; may be null
};
/// Opens the window and returns when it closes. Returns the exit code, or an error if no window can be opened (no
/// display, no OpenGL 4.5).
[[nodiscard]] Result<int> run_window(const WindowOptions& options);

/// True if there is a display for a window.
[[nodiscard]] bool have_display();

}  // namespace vw
