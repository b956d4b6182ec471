// VoxCAD, evosoro and voxcraft designs (.vxa, .vxc) to a scene. What each leaf means: docs/voxcad.md.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "sim/scene/text.h"
#include "sim/scene/vxa_parts.h"
#include "sim/system/voxel/lattice.h"
#include "sim/world/registry.h"

namespace vw {
namespace {

const ParamSpec& spec_of(const Schema& schema, std::string_view name) {
  const auto found = std::find_if(schema.params.begin(), schema.params.end(), [&](const ParamSpec& p) { return p.name == name; });
  return *found;
}

const ParamSpec& material_spec(std::string_view name) { return spec_of(voxel_material_schema(), name); }
const ParamSpec& body_spec(std::string_view name) { return spec_of(voxel_body_schema(), name); }

/// First slope of a stress-strain table, for materials that give no modulus.
double first_slope(XmlReader& xml, pugi::xml_node mechanical, double fallback) {
  const pugi::xml_node data = mechanical.child("SSData");
  if (!data || mechanical.child("Elastic_Mod")) return fallback;
  auto strain = data.child("StrainData").first_child(), stress = data.child("StressData").first_child();
  for (; strain && stress; strain = strain.next_sibling(), stress = stress.next_sibling()) {
    const auto x = read_number(text_of(strain)), y = read_number(text_of(stress));
    if (!x || !y || !std::isfinite(*x) || !std::isfinite(*y)) return xml.refuse(data, "SSData", "", "must hold finite numbers"), fallback;
    if (*x > 0 && *y > 0) return std::clamp(*y / *x, material_spec("youngs_modulus").bounds.min, material_spec("youngs_modulus").bounds.max);
  }
  return fallback;
}

DesignMaterial read_material(XmlReader& xml, pugi::xml_node node, std::size_t index) {
  DesignMaterial material;
  material.name = std::string(trimmed(text_of(node.child("Name"))));
  if (material.name.empty()) material.name = fmt::format("material_{}", index);
  const pugi::xml_node display = node.child("Display"), mechanical = node.child("Mechanical");
  int channel = 0;
  for (const char* color : {"Red", "Green", "Blue"}) material.display_rgb[channel++] = std::clamp(xml.number(display, color, 0.5), 0.0, 1.0);
  material.youngs_pa = xml.checked(mechanical, "Elastic_Mod", material_spec("youngs_modulus"), first_slope(xml, mechanical, 1e6));
  material.density = xml.checked(mechanical, "Density", material_spec("density"), 1000);
  material.poissons_ratio = xml.checked(mechanical, "Poissons_Ratio", material_spec("poissons_ratio"), 0);
  material.cte = xml.checked(mechanical, "CTE", material_spec("cte"), 0);
  material.phase_rad = std::clamp(xml.number(mechanical, "MaterialTempPhase", 0), -1e9, 1e9);
  material.mu_static = xml.checked(mechanical, "uStatic", material_spec("mu_static"), 0);
  material.mu_dynamic = xml.checked(mechanical, "uDynamic", material_spec("mu_dynamic"), 0);
  return material;
}

/// One FRegion; what is not a box that is held or pushed is named elsewhere and left out here.
void read_region(XmlReader& xml, pugi::xml_node node, VoxelDesign& design) {
  if (xml.integer(node, "PrimType", 0, 0, 3) != 0) return;
  DesignRegion region;
  const char* corner[] = {"X", "Y", "Z"};
  const char* size[] = {"dX", "dY", "dZ"};
  const char* force[] = {"ForceX", "ForceY", "ForceZ"};
  const ParamSpec& force_spec = spec_of(*voxel_body_schema().slots.front().kinds.front(), "force");
  for (int i = 0; i < 3; ++i) {
    const double from = xml.number(node, corner[i], 0), to = from + xml.number(node, size[i], 0);
    // Beyond the workspace there is nothing to touch.
    region.min[i] = std::clamp(std::min(from, to), -1.0, 2.0);
    region.max[i] = std::clamp(std::max(from, to), -1.0, 2.0);
    region.force[i] = xml.checked(node, force[i], force_spec, 0);
  }
  constexpr std::int64_t translations = 7;  // x, y, z of the six bits
  const std::int64_t held = xml.integer(node, "DofFixed", xml.flag(node, "Fixed", false) ? 63 : 0, 0, 63);
  region.fixed = (held & translations) == translations;
  if (region.fixed || !region.force.isZero(0)) design.regions.push_back(region);
}

void read_regions_of(XmlReader& xml, pugi::xml_node block, VoxelDesign& design) {
  constexpr std::size_t most = 1000;
  for (const pugi::xml_node node : block.children("FRegion")) {
    if (xml.error()) return;
    read_region(xml, node, design);
    if (design.regions.size() > most) return xml.refuse(node, "FRegion", "", fmt::format("a design may have at most {} regions", most));
  }
}

/// `t - c`, voxcraft's usual stop condition; 0 when the formula is another.
double seconds_of_formula(pugi::xml_node formula) {
  const pugi::xml_node difference = formula.child("mtSUB");
  const pugi::xml_node left = difference.first_child(), right = left.next_sibling();
  if (!difference || right.next_sibling() || std::string_view(left.name()) != "mtVAR" || trimmed(text_of(left)) != "t") return 0;
  const auto seconds = std::string_view(right.name()) == "mtCONST" ? read_number(text_of(right)) : std::nullopt;
  return seconds && std::isfinite(*seconds) ? *seconds : 0;
}

void read_stop(XmlReader& xml, pugi::xml_node stop, VoxelDesign& design) {
  const std::int64_t type = xml.integer(stop, "StopConditionType", 0, 0, 100);
  const double value = xml.number(stop, "StopConditionValue", 0);
  if (type == 2) design.stop_after_s = value;
  if (type == 1) design.notes.push_back(fmt::format("Its file stops after {:g} of its own steps.", value));
  if (const pugi::xml_node formula = stop.child("StopConditionFormula")) design.stop_after_s = seconds_of_formula(formula);
  if (design.stop_after_s > 0) design.notes.push_back(fmt::format("Its file stops after {:g} s.", design.stop_after_s));
}

struct Roots {
  pugi::xml_node vxa, vxc;
};

Roots find_roots(XmlReader& xml) {
  const pugi::xml_node root = xml.root();
  const std::string_view name = root.name();
  if (name == "VXC" || name == "DMF") return {{}, root};
  if (name != "VXA") {
    xml.refuse(root, "", fmt::format("<{}>", one_line(name, 40)), "must be <VXA>, <VXC> or <DMF>: no VoxCAD design");
    return {};
  }
  const pugi::xml_node vxc = root.child("VXC") ? root.child("VXC") : root.child("DMF");
  if (!vxc) xml.refuse(root, "VXC", "", "is missing; a design has a VXC with Palette and Structure");
  return {root, vxc};
}

}  // namespace

void read_vxa_palette(XmlReader& xml, pugi::xml_node vxc, VoxelDesign& design) {
  constexpr std::size_t most = 1000;
  for (const pugi::xml_node node : vxc.child("Palette").children("Material")) {
    if (xml.error()) return;
    if (design.materials.size() == most) return xml.refuse(node, "Palette", "", fmt::format("may have at most {} materials", most));
    design.materials.push_back(read_material(xml, node, design.materials.size() + 1));
  }
  if (design.materials.empty()) xml.refuse(vxc, "Palette", "no Material", "must have at least one");
}

void read_vxa_environment(XmlReader& xml, pugi::xml_node environment, VoxelDesign& design) {
  if (!environment) return;  // a bare VXC: gravity and floor are on
  for (const char* block : {"Boundary_Conditions", "Fixed_Regions", "Forced_Regions"}) read_regions_of(xml, environment.child(block), design);

  const pugi::xml_node gravity = environment.child("Gravity");
  design.gravity_on = xml.flag(gravity, "GravEnabled", false);
  design.floor_on = xml.flag(gravity, "FloorEnabled", false);
  design.gravity = xml.checked(gravity, "GravAcc", spec_of(*scene_schema().slots.front().kinds.front(), "gravity"), -9.81);

  const pugi::xml_node thermal = environment.child("Thermal");
  design.temperature_on = xml.flag(thermal, "TempEnabled", false);
  design.temperature_varies = xml.flag(thermal, "VaryTempEnabled", false);
  const ParamSpec& amplitude = body_spec("temperature_amplitude");
  const double base = xml.number(thermal, "TempBase", 25);
  // Older files give the highest temperature itself.
  if (thermal.child("TempAmplitude"))
    design.temperature_amplitude = xml.checked(thermal, "TempAmplitude", amplitude, 0);
  else if (thermal.child("TempAmp"))
    design.temperature_amplitude = xml.checked(thermal, "TempAmp", amplitude, base) - base;
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
  read_stop(xml, simulator.child("StopCondition"), design);
}

Result<LoadedScene> read_vxa(const std::string& bytes, const std::string& file, const LoadOptions& options) {
  XmlReader xml(bytes, file);
  VoxelDesign design;
  const Roots roots = xml.error() ? Roots{} : find_roots(xml);
  if (xml.error()) return fail(*xml.error());
  const std::filesystem::path path(file);
  design.title = one_line(path.stem().string());
  design.edge_m = xml.checked(roots.vxc.child("Lattice"), "Lattice_Dim", body_spec("voxel_size"), 0.001);
  read_vxa_palette(xml, roots.vxc, design);
  if (!xml.error()) read_vxa_structure(xml, roots.vxc, design);
  read_vxa_simulator(xml, roots.vxa.child("Simulator"), design);
  read_vxa_environment(xml, roots.vxa.child("Environment"), design);
  name_unsupported(xml, roots.vxa.child("Simulator"), roots.vxa.child("Environment"), roots.vxc, design);
  if (xml.error()) return fail(*xml.error());
  if (std::all_of(design.code.begin(), design.code.end(), [](std::uint16_t code) { return code == 0; }))
    xml.refuse(roots.vxc.child("Structure"), "Structure", "no filled voxel", "must have at least one");
  if (xml.error()) return fail(*xml.error());

  LoadedScene scene{design_to_scene(design, as_node_name(path.stem().string(), "body")), {}};
  std::string warning = unsupported_warning(design, file);
  if (options.strict && !design.unsupported.empty()) {
    Error error;
    error.file = file;
    error.what = warning.substr(file.size() + 2);
    return fail(std::move(error));
  }
  if (!warning.empty()) scene.warnings.push_back(std::move(warning));
  return scene;
}

}  // namespace vw
