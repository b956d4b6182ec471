// The parts of a VoxCAD file, one reader each. All report through the XmlReader's error.
#pragma once

#include "sim/scene/voxel_design.h"
#include "sim/scene/xml_reader.h"

namespace vw {

void read_vxa_structure(XmlReader& xml, pugi::xml_node vxc, VoxelDesign& design);
void read_vxa_palette(XmlReader& xml, pugi::xml_node vxc, VoxelDesign& design);
/// Boundary conditions, voxcraft's fixed materials and constant force fields; needs the structure.
void read_vxa_regions(XmlReader& xml, pugi::xml_node simulator, pugi::xml_node environment, VoxelDesign& design);
/// Features/BlendingEnabled: the stiffness a cell; needs palette and structure.
void read_vxa_blending(XmlReader& xml, pugi::xml_node features, VoxelDesign& design);
void read_vxa_environment(XmlReader& xml, pugi::xml_node environment, VoxelDesign& design);
void read_vxa_simulator(XmlReader& xml, pugi::xml_node simulator, VoxelDesign& design);
/// Names whatever a file switches on that no reader above takes over.
void name_unsupported(XmlReader& xml, pugi::xml_node simulator, pugi::xml_node environment, pugi::xml_node vxc, VoxelDesign& design);

/// The whole of an XML design that has been parsed: root VXA, VXC or DMF. `design` may bring what its file cannot say (title, unsupported phrases).
[[nodiscard]] Result<LoadedScene> read_xml_design(XmlReader& xml, VoxelDesign design, const std::string& file, const LoadOptions& options);

/// The declaration of a parameter, for its range. The name must exist.
[[nodiscard]] const ParamSpec& spec_of(const Schema& schema, std::string_view name);

}  // namespace vw
