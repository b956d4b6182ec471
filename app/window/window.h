// The desktop window: everything a user sees and touches. Runs on the main thread; the simulation runs on its own (sim/world/simulation.h).
#pragma once

#include <string>
#include <vector>

#include "sim/base/error.h"

namespace vw {

struct WindowOptions {
  std::string scene;              ///< path; must already be known to exist
  std::vector<std::string> sets;  ///< `path=value`, applied after loading
  int width = 1440, height = 900;
  bool start_paused = false;
  bool strict = false;
  std::string base;                 ///< of a .vxd; empty: base.vxa beside it
  double exit_after_s = 0;          ///< wall seconds; 0 = until closed (for tests and measurements)
  std::string screenshot_on_exit;   ///< PNG of the window with its UI, or empty
  bool (*interrupted)() = nullptr;  ///< true once a signal has asked the program to end; null: never
};
/// Opens the window and returns when it closes: the exit code, or why there can be no window (no display, no OpenGL 4.5).
[[nodiscard]] Result<int> run_window(const WindowOptions& options);

/// True when a display is there to open a window on.
[[nodiscard]] bool have_display();

}  // namespace vw
