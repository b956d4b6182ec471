// A mesh file as a body of a scene: rigid, or filled with voxels.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/node.h"

namespace vw {

struct MeshImport {
  bool voxels = false;            ///< else a rigid body
  double scale = 1;               ///< metres for a unit of the file
  double voxel_size_m = 0;        ///< edge of a voxel; 0: a twentieth of the mesh's longest side
  double density = 0;             ///< [kg/m^3]; 0: that of a body or material as it is by default, of a voxel body the scene's first material
  std::optional<Vec3> foot = {};  ///< where the middle of its underside comes to [m]; none: it stays where the file has it
};

struct ImportedMesh {
  std::vector<Node> nodes;         ///< for the scene's root (add_nodes()): a system named after the file, and what it brings along
  std::vector<std::string> notes;  ///< what was amiss with the mesh, a sentence each
};

/// Nodes for `scene`: the system, its material where it needs one of its own, and rules that join it with other systems without being asked. The
/// scene is not touched. Errors: one sentence on what is no mesh, holds nothing, or takes too many voxels.
[[nodiscard]] Result<ImportedMesh> import_mesh(const Node& scene, const std::string& path, const MeshImport& how);

/// How large a mesh is along x, y and z, in units of its file.
[[nodiscard]] Result<Vec3> mesh_size(const std::string& path);
/// Puts nodes into a scene whose names are free there.
void add_nodes(Node& scene, const std::vector<Node>& nodes);

}  // namespace vw
