// Imports a mesh file into a scene, as a rigid body or as a voxel body.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/base/data/node.h"

namespace vw {

struct MeshImport {
  bool voxels = false;      ///< whether the mesh becomes a voxel body (true) or a rigid body (false)
  double scale = 1;         ///< metres per unit of the file
  double voxel_size_m = 0;  ///< edge of a voxel [m]; 0 means a twentieth of the mesh's longest side
  /// Density of the body [kg/m^3]. If it is 0, a rigid body gets its default density, and a voxel body gets the scene's
  /// first material.
  double density = 0;
  /// Position of the centre of the mesh's underside [m]. If it is not set, the mesh keeps the file's coordinates.
  std::optional<Vec3> foot = {};
};

struct ImportedMesh {
  /// Nodes to add to the scene's root with add_nodes(): a system named after the file, and the nodes that it requires.
  std::vector<Node> nodes;
  std::vector<std::string> notes;  ///< problems of the mesh, one sentence each
};

/// Creates nodes for `scene`: the system, a material if the system needs its own, and the default interactions with
/// other systems. The scene is not modified. Returns an error of one sentence if the file is not a mesh, the mesh is
/// empty, or too many voxels would be needed.
[[nodiscard]] Result<ImportedMesh> import_mesh(const Node& scene, const std::string& path, const MeshImport& how);

/// Returns the extents of a mesh along x, y and z, in units of the file.
[[nodiscard]] Result<Vec3> mesh_size(const std::string& path);
/// Adds nodes to a scene. Their names must not yet be used in the scene.
void add_nodes(Node& scene, const std::vector<Node>& nodes);

}  // namespace vw
