// Makes the camera follow a system or an element (ViewParams::follow), from the two snapshots of a frame.
#pragma once

#include <optional>
#include <string>

#include "render/camera.h"
#include "render/renderer.h"

namespace vw {

/// Interpolated position of "system" (its centre of mass) or "system.id" (an element) in this frame; nothing if it does
/// not exist.
[[nodiscard]] std::optional<glm::vec3> followed_point(const Frame& frame, const std::string& follow);

class Follower {
 public:
  /// Moves eye and target by the displacement of the followed object since the last call. If `follow` or the epoch has
  /// changed, the camera is left as it is. Returns false if the object is not found.
  bool move(Camera& camera, const Frame& frame, const std::string& follow);

 private:
  std::string name_;
  std::uint64_t epoch_ = 0;
  std::optional<glm::vec3> at_;
};

}  // namespace vw
