// Readers for the elements of a VoxCAD file. All readers report errors through the XmlReader.
#pragma once

#include "sim/scene/designs/voxel_design.h"
#include "sim/scene/designs/xml_reader.h"

namespace vw {

void read_vxa_structure(XmlReader& xml, pugi::xml_node vxc, VoxelDesign& design);
void read_vxa_palette(XmlReader& xml, pugi::xml_node vxc, VoxelDesign& design);
/// Reads boundary conditions, voxcraft's fixed materials and uniform force fields. The structure must already have been
/// read.
void read_vxa_regions(XmlReader& xml, pugi::xml_node simulator, pugi::xml_node environment, VoxelDesign& design);
/// Reads blended materials (Features/BlendingEnabled) and computes the stiffness of each cell. The palette and the
/// structure must already have been read.
void read_vxa_blending(XmlReader& xml, pugi::xml_node features, VoxelDesign& design);
void read_vxa_environment(XmlReader& xml, pugi::xml_node environment, VoxelDesign& design);
void read_vxa_simulator(XmlReader& xml, pugi::xml_node simulator, VoxelDesign& design);
/// Returns whether voxcraft wrote the file. Its files are recognised by elements that only voxcraft writes.
[[nodiscard]] bool is_voxcraft(pugi::xml_node simulator, const VoxelDesign& design);
/// Lists every feature that the file enables but this program does not support.
void list_unsupported_features(XmlReader& xml, pugi::xml_node simulator, pugi::xml_node environment, pugi::xml_node vxc,
                               VoxelDesign& design);

/// Reads a parsed XML design whose root is VXA, VXC or DMF. `design` may already contain a title and unsupported
/// phrases from other sources.
[[nodiscard]] Result<LoadedScene> read_xml_design(XmlReader& xml, VoxelDesign design, const std::string& file,
                                                  const LoadOptions& options);

/// Returns the declaration of the parameter `name`, which contains its range. The schema must declare this parameter.
[[nodiscard]] const ParamSpec& spec_of(const Schema& schema, std::string_view name);
[[nodiscard]] const ParamSpec& material_spec(std::string_view name);
[[nodiscard]] const ParamSpec& region_spec(std::string_view name);

/// Maximum number of materials that a design may have.
inline constexpr std::size_t most_design_materials = 1000;

}  // namespace vw
