// The axes about which a body turns by itself, from its surface alone: for pictures. Plain CPU data; no GL here.
#pragma once

#include <memory>
#include <unordered_map>

#include <glm/glm.hpp>

#include "sim/base/surface_mesh.h"

namespace vw {

/// Columns, right-handed, in the frame of a closed mesh of even density about its origin. Where turning about several axes is alike they are those
/// nearest to the frame's own; each column is the one nearest to its axis of the frame.
[[nodiscard]] glm::mat3 principal_axes(const SurfaceMesh& mesh);

/// Axes by mesh. Meshes that are gone take theirs with them.
class PrincipalAxes {
 public:
  [[nodiscard]] const glm::mat3& of(const std::shared_ptr<const SurfaceMesh>& mesh);

 private:
  struct Kept {
    std::weak_ptr<const SurfaceMesh> mesh;
    glm::mat3 axes{1};
  };
  std::unordered_map<const SurfaceMesh*, Kept> kept_;
};

}  // namespace vw
