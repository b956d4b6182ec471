// Principal axes of inertia of a body, computed from its surface mesh for display. Plain CPU data; no GL here.
#pragma once

#include <memory>
#include <unordered_map>

#include <glm/glm.hpp>

#include "sim/base/surface_mesh.h"

namespace vw {

/// Principal axes of a closed mesh of uniform density about its origin, as the columns of a right-handed rotation
/// matrix in the mesh's frame. For equal principal moments, the axes nearest to the frame's axes are chosen. The
/// columns are ordered such that each is nearest to the corresponding frame axis.
[[nodiscard]] glm::mat3 principal_axes(const SurfaceMesh& mesh);

/// Axes of the meshes. An entry is deleted after its mesh has been.
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
