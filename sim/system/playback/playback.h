// Playback of a recorded run: voxels that move as a file prescribes, independent of all forces. Input: a .history file
// of voxcraft. Output: elements for interactions that depend on positions, and display data. No physics is simulated:
// any step is stable, no interaction moves the voxels, and the system reports neither mass nor energy.
#pragma once

#include <memory>

#include "sim/system/system.h"

namespace vw {

/// Schema of `[[system]] kind = "playback"`.
[[nodiscard]] const Schema& playback_schema();
[[nodiscard]] Result<std::unique_ptr<System>> create_playback(const Node& self, const Node& scene);

}  // namespace vw
