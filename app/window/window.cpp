#include "app/window/window.h"

#ifdef VOXWAKE_HAVE_WINDOW
#include "app/window/ui/desktop.h"
#endif

namespace vw {

Result<int> run_window(const WindowOptions& options) {
#ifdef VOXWAKE_HAVE_WINDOW
  return run_desktop(options);
#else
  (void)options;
  return fail("this build has no window (it was configured with VOXWAKE_WINDOW=OFF)");
#endif
}

}  // namespace vw
