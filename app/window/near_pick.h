// Who is meant by a click beside somebody small: a member far off is a few pixels, and it moves.
#pragma once

#include <optional>

#include "render/camera.h"
#include "render/cut.h"
#include "render/renderer.h"

namespace vw {

struct ClickPlace {
  glm::vec2 at{0}, size{1};  ///< of the pointer from the picture's upper left corner, and of the picture [px]
  float reach_px = 8;
  float end_m = 0;  ///< how far one sees there; 0: without end
};

/// The member or particle whose middle lies nearest to the pointer in the picture, within reach and not behind what ends the sight.
/// What is cut away or `hidden` by name does not count.
[[nodiscard]] std::optional<Pick> pick_near(const Snapshot& snapshot, const Camera& camera, const ClickPlace& click, const CutPlane& cut = {},
                                            std::span<const std::string> hidden = {});

}  // namespace vw
