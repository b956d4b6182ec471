// A recorded run, played back: voxels that go where a file says, whatever acts on them. Flows in: a .history of voxcraft. Flows out: elements for
// rules that care where something is, pictures. No physics: any step is stable, no rule moves it, it holds neither mass nor energy.
#pragma once

#include <memory>

#include "sim/system/system.h"

namespace vw {

/// Schema of `[[system]] kind = "playback"`.
[[nodiscard]] const Schema& playback_schema();
[[nodiscard]] Result<std::unique_ptr<System>> create_playback(const Node& self, const Node& scene);

}  // namespace vw
