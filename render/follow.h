// The camera that goes along with a body or an element (ViewParams::follow). Flows in: the two snapshots of a picture; flows out: the camera moved.
#pragma once

#include <optional>
#include <string>

#include "render/camera.h"
#include "render/renderer.h"

namespace vw {

/// Where "system" (its centre of mass) or "system.id" (an element) is in this frame, blended as the picture is; nothing where it is not there.
[[nodiscard]] std::optional<glm::vec3> followed_point(const Frame& frame, const std::string& follow);

class Follower {
 public:
  /// Moves eye and target as far as what is followed has moved since the last call. Begins anew, and leaves the camera, where `follow` or the epoch
  /// is another one. False where nothing is found.
  bool move(Camera& camera, const Frame& frame, const std::string& follow);

 private:
  std::string name_;
  std::uint64_t epoch_ = 0;
  std::optional<glm::vec3> at_;
};

}  // namespace vw
