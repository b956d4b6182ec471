// Picks small elements near a click. A distant flock member is hard to hit, because it covers only a few pixels and
// moves.
#pragma once

#include <optional>

#include "render/camera.h"
#include "render/renderer.h"
#include "render/scene/cut.h"

namespace vw {

struct ClickPlace {
  /// Pointer position, measured from the upper left corner of the picture, and size of the picture [px].
  glm::vec2 at{0}, size{1};
  float reach_px = 8;  ///< maximum distance from the pointer to the centre of an element [px]
  /// Distance from the origin of the pointer's ray (Camera::ray()) to the nearest opaque object at the pointer [m]; 0
  /// if there is none.
  float end_m = 0;
};

/// Returns the flock member or particle whose centre is nearest to the pointer in the picture. Its centre lies within
/// `reach_px` of the pointer and not behind `end_m`. Elements that the cut plane hides and systems named in `hidden`
/// are ignored.
[[nodiscard]] std::optional<Pick> pick_near(const Snapshot& snapshot, const Camera& camera, const ClickPlace& click,
                                            const CutPlanes& cut = {}, std::span<const std::string> hidden = {});

}  // namespace vw
