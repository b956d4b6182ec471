// Opens the state that a PNG picture or an MP4 video shows. Used by the window and by the command line.
#pragma once

#include <string>

#include "sim/api/moment.h"

namespace vw {

/// Reads the moment in the file, builds its world and repeats its session up to the picture. If the newest moment in a
/// video is damaged, an earlier one is used, and a note reports this. See api::open_moment() for options and notes.
[[nodiscard]] Result<api::ReopenedMoment> open_picture(const std::string& path, api::MomentOptions options = {});
/// Reads the scene at the start of the session, without building a world.
[[nodiscard]] Result<Node> scene_of_picture(const std::string& path);

}  // namespace vw
