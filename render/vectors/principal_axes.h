// Principal axes of inertia of a body, computed from its surface mesh for display. This file contains CPU data only.
#pragma once

#include <memory>
#include <unordered_map>

#include <glm/glm.hpp>

#include "sim/base/surface_mesh.h"

namespace vw {

/// Principal axes of a closed mesh of uniform density about its origin. The columns of the returned right-handed
/// rotation matrix are the axes in the frame of the mesh. Each column is the principal axis nearest to the
/// corresponding frame axis. If principal moments are equal, the axes nearest to the frame axes are chosen.
[[nodiscard]] glm::mat3 principal_axes(const SurfaceMesh& mesh);

/// Principal axes of each mesh. An entry is deleted after its mesh has been deleted.
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
