// Makes the camera follow a system or an element (ViewParams::follow). The position is interpolated between the two
// snapshots of a frame.
#pragma once

#include <optional>
#include <string>

#include "render/camera.h"
#include "render/renderer.h"

namespace vw {

/// Returns the position of a system's centre of mass (`follow` = "system") or of an element (`follow` = "system.id"),
/// interpolated for this frame. Returns nothing if the system or element does not exist.
[[nodiscard]] std::optional<glm::vec3> followed_point(const Frame& frame, const std::string& follow);

class Follower {
 public:
  /// Moves eye and target by the displacement of the followed object since the previous call. If `follow` or the epoch
  /// has changed since then, the camera does not move. Returns false if the object is not found.
  bool move(Camera& camera, const Frame& frame, const std::string& follow);

 private:
  std::string name_;
  std::uint64_t epoch_ = 0;
  std::optional<glm::vec3> at_;
};

}  // namespace vw
