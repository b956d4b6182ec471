// Converts VoxCAD, evosoro and voxcraft designs (.vxa, .vxc) to a scene. docs/voxcad.md describes each XML element.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sim/scene/designs/vxa_parts.h"
#include "sim/scene/file_kind.h"
#include "sim/scene/toml/text.h"
#include "sim/system/voxel/lattice/lattice.h"
#include "sim/world/registry.h"

namespace vw {
namespace {

const ParamSpec& body_spec(std::string_view name) { return spec_of(voxel_body_schema(), name); }

/// Returns the time c [s] if the formula is voxcraft's usual stop condition `t - c`. Returns 0 for any other formula.
double seconds_of_formula(pugi::xml_node formula) {
  const pugi::xml_node difference = formula.child("mtSUB");
  const pugi::xml_node left = difference.first_child(), right = left.next_sibling();
  if (!difference || right.next_sibling() || std::string_view(left.name()) != "mtVAR" || trimmed(text_of(left)) != "t")
    return 0;
  const auto seconds = std::string_view(right.name()) == "mtCONST" ? read_number(text_of(right)) : std::nullopt;
  return seconds && std::isfinite(*seconds) ? *seconds : 0;
}

void read_stop(XmlReader& xml, pugi::xml_node stop, VoxelDesign& design) {
  const std::int64_t type = xml.integer(stop, "StopConditionType", 0, 0, 100);
  const double value = xml.number(stop, "StopConditionValue", 0);
  if (type == 2) design.stop_after_s = value;
  if (type == 1) design.stop_after_steps = value;
  if (const pugi::xml_node formula = stop.child("StopConditionFormula"))
    design.stop_after_s = seconds_of_formula(formula);
}

struct Roots {
  pugi::xml_node vxa, vxc;
};

Roots find_roots(XmlReader& xml) {
  const pugi::xml_node root = xml.root();
  const std::string_view name = root.name();
  if (name == "VXC" || name == "DMF") return {{}, root};
  if (name != "VXA") {
    xml.refuse(root, "", fmt::format("<{}>", one_line(name, 40)),
               "must be <VXA>, <VXC> or <DMF>; the file is not a VoxCAD design");
    return {};
  }
  const pugi::xml_node vxc = root.child("VXC") ? root.child("VXC") : root.child("DMF");
  if (!vxc) xml.refuse(root, "VXC", "", "is missing; a design must have a VXC element with a Palette and a Structure");
  return {root, vxc};
}

/// Returns whether voxels of the body collide with each other. If the file does not specify this, self-collision is on
/// for voxcraft and off for VoxCAD.
bool self_collision(XmlReader& xml, pugi::xml_node simulator, const VoxelDesign& design) {
  if (is_voxcraft(simulator, design)) return xml.flag(simulator.child("AttachDetach"), "EnableCollision", true);
  return xml.flag(simulator.child("Collisions"), "SelfColEnabled", false);
}

}  // namespace

const ParamSpec& spec_of(const Schema& schema, std::string_view name) {
  const auto found =
      std::find_if(schema.params.begin(), schema.params.end(), [&](const ParamSpec& p) { return p.name == name; });
  return *found;
}

const ParamSpec& material_spec(std::string_view name) { return spec_of(voxel_material_schema(), name); }

const ParamSpec& region_spec(std::string_view name) {
  return spec_of(*voxel_body_schema().slots.front().kinds.front(), name);
}

bool is_voxcraft(pugi::xml_node simulator, const VoxelDesign& design) {
  bool voxcraft = design.from_voxcraft || !simulator.child("StopCondition").child("StopConditionFormula").empty();
  for (const char* own : {"AttachDetach", "RecordHistory", "ForceField", "FitnessFunction", "EnableCilia",
                          "EnableSignals", "EnableExpansion"})
    voxcraft = voxcraft || !simulator.child(own).empty();
  return voxcraft;
}

void read_vxa_environment(XmlReader& xml, pugi::xml_node environment, VoxelDesign& design) {
  if (!environment) return;  // a VXC without VXA has no environment; gravity and floor are on
  const pugi::xml_node gravity = environment.child("Gravity");
  design.gravity_on = xml.flag(gravity, "GravEnabled", false);
  design.floor_on = xml.flag(gravity, "FloorEnabled", false);
  design.gravity =
      xml.checked(gravity, "GravAcc", spec_of(*scene_schema().slots.front().kinds.front(), "gravity"), -9.81);

  // evosoro's swimmers are in a still medium with pressure on front faces, and without a floor.
  if (xml.flag(environment, "FluidEnvironment", false)) {
    ParamSpec half_density = spec_of(*scene_schema().slots.front().kinds.front(), "medium_density");
    half_density.bounds.max /= 2;
    const double drag = xml.checked(environment, "AggregateDragCoefficient", half_density, 0);
    if (drag > 0) design.fluid_drag = drag;
    design.floor_on = false;
  }

  const pugi::xml_node thermal = environment.child("Thermal");
  design.temperature_on = xml.flag(thermal, "TempEnabled", false);
  design.temperature_varies = xml.flag(thermal, "VaryTempEnabled", false);
  const ParamSpec& amplitude = body_spec("temperature_amplitude");
  const double base = xml.number(thermal, "TempBase", 25);
  // Older files contain the highest temperature instead of the amplitude.
  if (thermal.child("TempAmplitude"))
    design.temperature_amplitude = xml.checked(thermal, "TempAmplitude", amplitude, 0);
  else if (thermal.child("TempAmp"))
    design.temperature_amplitude = xml.checked(thermal, "TempAmp", amplitude, base) - base;
  if (design.temperature_amplitude < amplitude.bounds.min || design.temperature_amplitude > amplitude.bounds.max)
    xml.refuse(thermal.child("TempAmp"), "TempAmp", fmt::format("{:g} above TempBase", design.temperature_amplitude),
               fmt::format("the difference from TempBase must lie in [{:g}, {:g}] K", amplitude.bounds.min,
                           amplitude.bounds.max));
  design.temperature_period_s = xml.number(thermal, "TempPeriod", 0.1);
  if (design.temperature_on && design.temperature_varies && design.temperature_period_s > 0)
    design.temperature_period_s = xml.checked(thermal, "TempPeriod", body_spec("temperature_period"), 0.1);
}

void read_vxa_simulator(XmlReader& xml, pugi::xml_node simulator, VoxelDesign& design) {
  if (const pugi::xml_node damping = simulator.child("Damping")) {
    design.bond_zeta = xml.checked(damping, "BondDampingZ", material_spec("bond_damping"), 0.1);
    design.contact_zeta = std::clamp(xml.number(damping, "ColDampingZ", 1), 0.0, 1.0);
    design.slow_zeta = xml.checked(damping, "SlowDampingZ", material_spec("global_damping"), 1);
  }
  design.volume_effects = xml.flag(simulator.child("Features"), "VolumeEffectsEnabled", false);
  design.self_collision = self_collision(xml, simulator, design);
  read_stop(xml, simulator.child("StopCondition"), design);
}

Result<LoadedScene> read_xml_design(XmlReader& xml, VoxelDesign design, const std::string& file,
                                    const LoadOptions& options) {
  const Roots roots = xml.error() ? Roots{} : find_roots(xml);
  if (xml.error()) return fail(*xml.error());
  design.edge_m = xml.checked(roots.vxc.child("Lattice"), "Lattice_Dim", body_spec("voxel_size"), 0.001);
  read_vxa_palette(xml, roots.vxc, design);
  if (!xml.error()) read_vxa_structure(xml, roots.vxc, design);
  read_vxa_simulator(xml, roots.vxa.child("Simulator"), design);
  read_vxa_environment(xml, roots.vxa.child("Environment"), design);
  if (!xml.error()) read_vxa_blending(xml, roots.vxa.child("Simulator").child("Features"), design);
  if (!xml.error()) read_vxa_regions(xml, roots.vxa.child("Simulator"), roots.vxa.child("Environment"), design);
  list_unsupported_features(xml, roots.vxa.child("Simulator"), roots.vxa.child("Environment"), roots.vxc, design);
  if (xml.error()) return fail(*xml.error());
  if (std::all_of(design.code.begin(), design.code.end(), [](std::uint16_t code) { return code == 0; }))
    xml.refuse(roots.vxc.child("Structure"), "Structure", "no filled voxel", "must contain at least one voxel");
  if (xml.error()) return fail(*xml.error());
  return finish_design(std::move(design), file, options);
}

Result<LoadedScene> read_vxa(const std::string& bytes, const std::string& file, const LoadOptions& options) {
  XmlReader xml(bytes, file);
  return read_xml_design(xml, {}, file, options);
}

Result<LoadedScene> finish_design(VoxelDesign design, const std::string& file, const LoadOptions& options) {
  const double cells = static_cast<double>(std::max({design.nx, design.ny, design.nz})),
               most_cells = body_spec("size").bounds.max, depth_m = static_cast<double>(design.ny) * design.edge_m,
               most_m = body_spec("position").bounds.max;
  if (cells > most_cells)
    return wrong_file(
        file, fmt::format("has {:.0f} cells along an axis: a voxel body may have at most {:.0f}", cells, most_cells));
  if (depth_m > most_m)
    return wrong_file(file, fmt::format("is {:g} m deep: a voxel body may be at most {:g} m deep", depth_m, most_m));
  if (options.strict && !design.unsupported.empty())
    return wrong_file(file, fmt::format("these features are not supported: {}", fmt::join(design.unsupported, ", ")));
  std::string warning = unsupported_warning(design, file);
  std::string stem = std::filesystem::path(file).stem().string();
  // The ending .vxl.json contains two dots, and stem() removes only the part after the last dot.
  if (file_kind(file) == FileKind::voxelyze) stem = std::filesystem::path(stem).stem().string();
  design.floor_on = design.floor_on && options.own_floor;
  design.title = one_line(stem);
  LoadedScene scene{design_to_scene(design, as_node_name(stem, "body")), {}};
  if (!warning.empty()) scene.warnings.push_back(std::move(warning));
  return scene;
}

}  // namespace vw
