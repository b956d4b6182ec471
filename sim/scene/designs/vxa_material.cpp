// Reads the palette of a VoxCAD file: names, colours, elastic and thermal constants, the four material models.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/scene/designs/vxa_parts.h"
#include "sim/scene/toml/text.h"

namespace vw {
namespace {

constexpr std::size_t most_data_points = 10000;

/// Returns the numbers in the children of `node`, such as <Strain>0.1</Strain>. Each number must be within `bounds`.
/// After an error, the result is empty.
NumberList read_list(XmlReader& xml, pugi::xml_node node, const std::string& key, Bounds bounds) {
  NumberList values;
  for (const pugi::xml_node leaf : node.children()) {
    if (leaf.type() != pugi::node_element) continue;
    const std::string text = text_of(leaf);
    const auto x = read_number(text);
    if (!x || !std::isfinite(*x) || *x < bounds.min || *x > bounds.max) {
      xml.refuse(leaf, key, std::string(trimmed(text)),
                 fmt::format("must be a number in [{:g}, {:g}]", bounds.min, bounds.max));
      return {};
    }
    if (values.size() == most_data_points) {
      xml.refuse(leaf, key, "too many numbers", fmt::format("must have at most {} numbers", most_data_points));
      return {};
    }
    values.push_back(*x);
  }
  return values;
}

/// Checks a stress-strain table. Strains must be in ascending order and above 0. A pair (0, 0) at the beginning is
/// redundant and is removed. An invalid table is an error, because no other material model may be used instead.
void check_table(XmlReader& xml, pugi::xml_node data, DesignMaterial& material) {
  NumberList &strains = material.strains, &stresses = material.stresses_pa;
  if (strains.size() != stresses.size())
    return xml.refuse(data, "SSData", fmt::format("{} strains and {} stresses", strains.size(), stresses.size()),
                      "must have as many strains as stresses");
  if (data.child("NumDataPts") && xml.number(data, "NumDataPts", 0) != static_cast<double>(strains.size()))
    return xml.refuse(data.child("NumDataPts"), "SSData.NumDataPts",
                      std::string(trimmed(text_of(data.child("NumDataPts")))),
                      fmt::format("must be the number of pairs, {}", strains.size()));
  if (!strains.empty() && strains.front() == 0 && stresses.front() == 0) {
    strains.erase(strains.begin());
    stresses.erase(stresses.begin());
  }
  if (strains.empty())
    return xml.refuse(data, "SSData", "no pair except (0, 0)",
                      "must have at least one pair with a strain and a stress above 0");
  for (std::size_t i = 0; i < strains.size(); ++i) {
    const double before = i == 0 ? 0.0 : strains[i - 1];
    if (!(strains[i] > before))
      return xml.refuse(data.child("StrainData"), "SSData.StrainData", fmt::format("{} after {}", strains[i], before),
                        "strains must increase, and the first must be above 0");
  }
  if (!(stresses.front() > 0))
    return xml.refuse(data.child("StressData"), "SSData.StressData",
                      fmt::format("{} at the strain {}", stresses.front(), strains.front()),
                      "must begin with a stress above 0, because the first pair determines the elastic modulus");
}

void read_xml_table(XmlReader& xml, pugi::xml_node mechanical, DesignMaterial& material) {
  const pugi::xml_node data = mechanical.child("SSData");
  if (!data) return xml.refuse(mechanical, "SSData", "none", "is required for MatModel 3");
  material.strains = read_list(xml, data.child("StrainData"), "SSData.StrainData", material_spec("strain_data").bounds);
  material.stresses_pa =
      read_list(xml, data.child("StressData"), "SSData.StressData", material_spec("stress_data").bounds);
  if (!xml.error()) check_table(xml, data, material);
  if (xml.error()) return;
  const double slope = material.stresses_pa.front() / material.strains.front();
  const Bounds bounds = material_spec("youngs_modulus").bounds;
  if (!(slope >= bounds.min && slope <= bounds.max))
    return xml.refuse(data, "SSData", fmt::format("initial slope {:g} Pa", slope),
                      fmt::format("must lie in [{:g}, {:g}] Pa", bounds.min, bounds.max));
  material.youngs_pa = slope;
  material.failure_strain = material.strains.back();  // in Voxelyze, the material fails at the last pair
}

void read_yield(XmlReader& xml, pugi::xml_node mechanical, DesignMaterial& material) {
  material.yield_pa = xml.checked(mechanical, "Yield_Stress", material_spec("yield_stress"), 0);
  material.plastic_pa = xml.checked(mechanical, "Plastic_Mod", material_spec("plastic_modulus"), 0);
  if (xml.error()) return;
  if (!(material.yield_pa > 0))
    return xml.refuse(mechanical.child("Yield_Stress") ? mechanical.child("Yield_Stress") : mechanical, "Yield_Stress",
                      fmt::format("{} Pa", material.yield_pa), "must be above 0 for MatModel 2");
  if (!(material.plastic_pa < material.youngs_pa))
    xml.refuse(mechanical.child("Plastic_Mod"), "Plastic_Mod", fmt::format("{} Pa", material.plastic_pa),
               fmt::format("must be below Elastic_Mod = {} Pa", material.youngs_pa));
}

/// Reads the failure limit: a stress if FailModel is 0, a strain if FailModel is 1. VoxCAD writes 0 for an empty field,
/// so 0 means no failure.
void read_failure(XmlReader& xml, pugi::xml_node mechanical, DesignMaterial& material) {
  if (xml.integer(mechanical, "FailModel", 0, 0, 1) == 0)
    material.failure_pa = xml.checked(mechanical, "Fail_Stress", material_spec("failure_stress"), 0);
  else
    material.failure_strain = xml.checked(mechanical, "Fail_Strain", material_spec("failure_strain"), 0);
}

void read_model(XmlReader& xml, pugi::xml_node mechanical, VoxelDesign& design, DesignMaterial& material) {
  const std::int64_t model = xml.integer(mechanical, "MatModel", 0, 0, 100);
  if (model == 2) material.model = StressModel::bilinear;
  if (model == 3) material.model = StressModel::data;
  if (model == 1 || model == 2) read_failure(xml, mechanical, material);
  if (model == 2) read_yield(xml, mechanical, material);
  if (model == 3) read_xml_table(xml, mechanical, material);
  if (model > 3) add_unsupported(design, "material models above 3 (MatModel)");
}

DesignMaterial read_xml_material(XmlReader& xml, pugi::xml_node node, VoxelDesign& design) {
  DesignMaterial material;
  material.name = std::string(trimmed(text_of(node.child("Name"))));
  if (material.name.empty()) material.name = fmt::format("material_{}", design.materials.size() + 1);
  const pugi::xml_node display = node.child("Display"), mechanical = node.child("Mechanical");
  int channel = 0;
  for (const char* color : {"Red", "Green", "Blue"})
    material.display_rgb[channel++] = std::clamp(xml.number(display, color, 0.5), 0.0, 1.0);
  material.youngs_pa = xml.checked(mechanical, "Elastic_Mod", material_spec("youngs_modulus"), 1e6);
  material.density = xml.checked(mechanical, "Density", material_spec("density"), 1000);
  material.poissons_ratio = xml.checked(mechanical, "Poissons_Ratio", material_spec("poissons_ratio"), 0);
  material.cte = xml.checked(mechanical, "CTE", material_spec("cte"), 0);
  material.phase_rad = std::clamp(xml.number(mechanical, "MaterialTempPhase", 0), -1e9, 1e9);
  material.mu_static = xml.checked(mechanical, "uStatic", material_spec("mu_static"), 0);
  material.mu_dynamic = xml.checked(mechanical, "uDynamic", material_spec("mu_dynamic"), 0);
  material.held = xml.flag(node, "Fixed", false) || xml.flag(mechanical, "Fixed", false);
  read_model(xml, mechanical, design, material);
  return material;
}

}  // namespace

void read_vxa_palette(XmlReader& xml, pugi::xml_node vxc, VoxelDesign& design) {
  for (const pugi::xml_node node : vxc.child("Palette").children("Material")) {
    if (xml.error()) return;
    if (design.materials.size() == most_design_materials)
      return xml.refuse(node, "Palette", "", fmt::format("may have at most {} materials", most_design_materials));
    design.materials.push_back(read_xml_material(xml, node, design));
  }
  if (design.materials.empty()) xml.refuse(vxc, "Palette", "no Material", "must have at least one Material");
}

}  // namespace vw
