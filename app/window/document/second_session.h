// Opens the file with which the displayed run is compared.
#pragma once

#include <string>

#include "sim/api/live/following_run.h"

namespace vw {

/// Opens a scene, a saved state, a session, or the moment of a picture or video, and returns its session. For a session
/// file, the result follows the branch that was shown last. `path` may be the name of a packaged scene. Call this
/// function on a background thread, because repeating a session may take long.
[[nodiscard]] Result<api::FollowedSession> load_second_session(const std::string& path);

}  // namespace vw
