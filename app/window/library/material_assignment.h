// Assigns a material of the library (sim/scene/materials) to a node of the scene. This file does not use the GUI.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/data/node_change.h"
#include "sim/scene/materials/material_library.h"

namespace vw {

/// Changes of a scene that give a node the values of a material. A figure is a numeric property of the material.
struct MaterialAssignment {
  /// New nodes: a material for a voxel body, a phase for a fluid without one. The last one has the values.
  std::vector<NodeChange> node_changes;
  std::vector<Assignment> assignments;  ///< applied after `node_changes`
  std::vector<std::string> unused;      ///< labels of the figures for which the node has no parameter
  std::vector<std::string> unknown;     ///< labels of parameters of the node for which the material has no figure
  std::vector<std::string> limited;     ///< one sentence for each figure outside the range of its parameter
};

/// Whether a material of this state can be assigned to the node at `path`. Solids can be assigned to material nodes,
/// voxel bodies and rigid bodies, liquids to fluids and their phases, and gases to the world.
[[nodiscard]] bool takes_material(const Node& scene, std::string_view path, MatterState state);
/// Returns the changes that assign the material to the node at `path`. A voxel body gets a material node with the name
/// of the library entry. If the scene has a node of this name with the same values, the body uses that node. An error
/// says which nodes accept the material.
[[nodiscard]] Result<MaterialAssignment> assign_material(const Node& scene, const std::string& path,
                                                         const LibraryMaterial& material);
/// Returns the addition of a material node with the values of a solid, under an unused name. If the scene has no
/// material and a voxel body names none, the addition of the default material precedes it, so that this body keeps its
/// material.
[[nodiscard]] std::vector<NodeChange> material_nodes(const Node& scene, const LibraryMaterial& material);
/// Returns the first material of the library whose figures equal the values of `node`. The colour is not compared. Null
/// if there is none. `node` is a material, a phase, a rigid body or the world.
[[nodiscard]] const LibraryMaterial* matching_material(const MaterialLibrary& library, const Node& node);
/// Returns the notes of an assignment as sentences for the user, or an empty text.
[[nodiscard]] std::string notes_of(const MaterialAssignment& assignment);

}  // namespace vw
