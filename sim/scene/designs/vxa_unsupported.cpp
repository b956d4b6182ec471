// Lists the features of a VoxCAD file that this program does not support, as short phrases for a warning.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/scene/designs/vxa_parts.h"
#include "sim/scene/toml/text.h"

namespace vw {
namespace {

/// Type of the value of an XML leaf that enables a feature. If the leaf is missing or its value is 0, the feature is
/// disabled.
enum class Values { flag, number };  ///< flag: the value is 0 or 1; number: any number
struct Switch {
  const char* leaf;
  const char* phrase;
  Values values = Values::flag;
};

void name_switches(XmlReader& xml, pugi::xml_node parent, std::span<const Switch> switches, VoxelDesign& design) {
  for (const Switch& s : switches)
    if (s.values == Values::flag ? xml.flag(parent, s.leaf, false) : xml.number(parent, s.leaf, 0) != 0)
      add_unsupported(design, s.phrase);
}

constexpr auto feature_switches = std::to_array<Switch>({{"MaxVelLimitEnabled", "velocity limit (MaxVelLimitEnabled)"},
                                                         {"FluidDampEnabled", "fluid damping (FluidDampEnabled)"},
                                                         {"NeuralPlasticityEnabled", "neural plasticity"}});
constexpr auto environment_switches = std::to_array<Switch>(
    {{"StickyFloor", "sticky floor (StickyFloor)"}, {"GrowthAmplitude", "growth (GrowthAmplitude)", Values::number}});
constexpr auto material_switches =
    std::to_array<Switch>({{"isPaceMaker", "signals (isPaceMaker)"},
                           {"isTarget", "targets (isTarget)"},
                           {"Sticky", "sticky materials (Sticky)"},
                           {"Cilia", "cilia (Cilia)", Values::number},
                           {"RemoveFromSimulationAfterThisManySeconds",
                            "materials that vanish (RemoveFromSimulationAfterThisManySeconds)", Values::number},
                           {"TurnOnThermalExpansionAfterThisManySeconds",
                            "delayed actuation (TurnOnThermalExpansionAfterThisManySeconds)", Values::number}});

void name_simulator(XmlReader& xml, pugi::xml_node simulator, VoxelDesign& design) {
  name_switches(xml, simulator.child("Features"), feature_switches, design);
  if (xml.flag(simulator.child("EquilibriumMode"), "EquilibriumModeEnabled", false))
    add_unsupported(design, "equilibrium mode");
  if (xml.number(simulator.child("Damping"), "ColDampingZ", 1) > 1)
    add_unsupported(design, "contact damping above the critical value (ColDampingZ > 1, replaced by 1)");

  // EnableDetach is not reported, because bonds break in this program if their materials can fail.
  if (xml.flag(simulator.child("AttachDetach"), "EnableAttach", false))
    add_unsupported(design, "voxels that attach to each other (EnableAttach)");
  if (xml.flag(simulator, "EnableCilia", false)) add_unsupported(design, "cilia (EnableCilia)");
  if (xml.flag(simulator, "EnableSignals", false)) add_unsupported(design, "signals (EnableSignals)");
  // Without EnableExpansion, voxcraft applies only the negative half of the temperature wave. The default of
  // EnableExpansion is 0.
  const bool expands = xml.flag(simulator, "EnableExpansion", false);
  const bool is_actuated = design.temperature_on && design.temperature_varies && design.temperature_amplitude != 0;
  if (!expands && is_actuated && is_voxcraft(simulator, design))
    add_unsupported(design, "actuation by contraction only (EnableExpansion 0)");

  const pugi::xml_node stop = simulator.child("StopCondition");
  const std::int64_t type = xml.integer(stop, "StopConditionType", 0, 0, 100);
  if (type > 2) add_unsupported(design, fmt::format("stop condition {} (StopConditionType)", type));
  if (stop.child("StopConditionFormula").first_child() && design.stop_after_s <= 0)
    add_unsupported(design, "stop condition with a formula (StopConditionFormula)");
}

void name_environment(XmlReader& xml, pugi::xml_node environment, VoxelDesign& design) {
  name_switches(xml, environment, environment_switches, design);
}

void name_material(XmlReader& xml, pugi::xml_node material, VoxelDesign& design) {
  const pugi::xml_node mechanical = material.child("Mechanical");
  switch (xml.integer(material, "MatType", 0, 0, 100)) {
    case 0: break;
    case 1: add_unsupported(design, "nested structures (MatType 1)"); break;
    case 3: add_unsupported(design, "dithered materials (MatType 3)"); break;
    default: add_unsupported(design, "material types other than 0, 1 and 3 (MatType)"); break;
  }
  name_switches(xml, material, material_switches, design);
  name_switches(xml, mechanical, material_switches, design);
}

void name_lattice(XmlReader& xml, pugi::xml_node vxc, VoxelDesign& design) {
  const pugi::xml_node lattice = vxc.child("Lattice"), voxel = vxc.child("Voxel");
  for (const char* leaf : {"X_Dim_Adj", "Y_Dim_Adj", "Z_Dim_Adj"})
    if (xml.number(lattice, leaf, 1) != 1) add_unsupported(design, "voxels that are not cubes (Dim_Adj)");
  for (const char* leaf : {"X_Line_Offset", "Y_Line_Offset", "X_Layer_Offset", "Y_Layer_Offset"})
    if (xml.number(lattice, leaf, 0) != 0)
      add_unsupported(design, "shifted rows of the lattice (Line_Offset, Layer_Offset)");
  const std::string shape = text_of(voxel.child("Vox_Name"));
  if (!trimmed(shape).empty() && trimmed(shape) != "BOX")
    add_unsupported(design, "voxel shape " + one_line(trimmed(shape), 20));
  for (const char* leaf : {"X_Squeeze", "Y_Squeeze", "Z_Squeeze"})
    if (xml.number(voxel, leaf, 1) != 1) add_unsupported(design, "squeezed voxels (Squeeze)");
}

void name_structure(pugi::xml_node structure, VoxelDesign& design) {
  for (const pugi::xml_node block : structure.children()) {
    const std::string_view name = block.name();
    if (!block.child("Layer") || name == "Data" || name == "PhaseOffset" || name == "Stiffness") continue;
    add_unsupported(design, fmt::format("layers of {}", one_line(name, 40)));
  }
}

}  // namespace

void list_unsupported_features(XmlReader& xml, pugi::xml_node simulator, pugi::xml_node environment, pugi::xml_node vxc,
                               VoxelDesign& design) {
  name_simulator(xml, simulator, design);
  name_environment(xml, environment, design);
  for (const pugi::xml_node material : vxc.child("Palette").children("Material")) name_material(xml, material, design);
  name_lattice(xml, vxc, design);
  name_structure(vxc.child("Structure"), design);
}

void add_unsupported(VoxelDesign& design, std::string phrase) {
  constexpr std::size_t most = 40;
  auto& all = design.unsupported;
  if (all.size() < most && std::find(all.begin(), all.end(), phrase) == all.end()) all.push_back(std::move(phrase));
}

std::string unsupported_warning(const VoxelDesign& design, const std::string& file) {
  if (design.unsupported.empty()) return {};
  return fmt::format("{}: these features are not supported and are ignored or replaced: {}", one_line(file),
                     fmt::join(design.unsupported, ", "));
}

}  // namespace vw
