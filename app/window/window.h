// The desktop window with the entire user interface. The window runs on the main thread. The simulation runs on another
// thread (sim/api/live/live_run.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/error.h"

namespace vw {

struct WindowOptions {
  std::string scene;               ///< path of an existing scene, session, picture or video
  std::vector<std::string> sets;   ///< assignments of the form `path=value`, applied after loading
  bool offers_start_page = false;  ///< whether the start page appears, unless the user has switched it off
  int width = 1440, height = 900;
  bool fits_display = false;  ///< whether the window is made smaller if it exceeds the display
  bool start_paused = false;
  bool strict = false;
  std::string base;  ///< base file of a .vxd design; if empty, base.vxa in the folder of the design
  /// Wall time after which the window closes [s], for tests and measurements. If 0, the window stays open.
  double exit_after_s = 0;
  std::optional<double> at_s;  ///< if `scene` is a video: time in the video that is opened [s]
  /// If `scene` is a session, name or number of the branch whose end is opened. If empty, the moment that was shown
  /// last is opened.
  std::string branch;
  std::string compare_with;  ///< path of a scene, state, session or picture shown beside `scene`; may be empty
  bool no_moment = false;    ///< whether pictures and videos of this window store no moment (sim/api/moment.h)
  /// Path of a PNG file that is written when the window closes. It shows the window with the interface. May be empty.
  std::string screenshot_on_exit;
  /// Function that returns true once a signal has requested termination. May be null.
  bool (*interrupted)() = nullptr;
};
/// Opens the window and returns when the window closes. Returns the exit code, or an error if the window cannot be
/// opened, for example without a display or without OpenGL 4.5.
[[nodiscard]] Result<int> run_window(const WindowOptions& options);

}  // namespace vw
