// Writes a design in VoxCAD's format: VXA 1.1 that contains VXC 0.94. Numbers have the fewest digits that parse back to
// the same bits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/scene/codec.h"
#include "sim/scene/designs/voxel_design.h"

namespace vw {
namespace {

/// Writes nested elements, indented by two blanks for each level.
class XmlWriter {
 public:
  template <class T>
  void leaf(std::string_view name, const T& value) {
    text_ += fmt::format("{:{}}<{}>{}</{}>\n", "", indent(), name, value, name);
  }
  void leaf(std::string_view name, bool value) { leaf(name, value ? 1 : 0); }
  void open(std::string_view name, std::string_view attributes = {}) {
    text_ += fmt::format("{:{}}<{}{}{}>\n", "", indent(), name, attributes.empty() ? "" : " ", attributes);
    open_.emplace_back(name);
  }
  void close() {
    const std::string name = std::move(open_.back());
    open_.pop_back();
    text_ += fmt::format("{:{}}</{}>\n", "", indent(), name);
  }
  void vector(std::string_view name, const Vec3& v) {
    int i = 0;
    for (const char* axis : {"X", "Y", "Z"}) leaf(fmt::format("{}{}", name, axis), v[i++]);
  }
  std::string text() && { return std::move(text_); }

 private:
  [[nodiscard]] std::size_t indent() const { return 2 * open_.size(); }
  std::string text_ = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n";
  std::vector<std::string> open_;
};

void write_simulator(const VoxelDesign& design, XmlWriter& xml) {
  xml.open("Simulator");
  xml.open("Integration");
  xml.leaf("Integrator", 0);
  xml.leaf("DtFrac", 0.9);
  xml.close();
  xml.open("Damping");
  xml.leaf("BondDampingZ", design.bond_zeta);
  xml.leaf("ColDampingZ", design.contact_zeta);
  xml.leaf("SlowDampingZ", design.slow_zeta);
  xml.close();
  xml.open("Collisions");
  xml.leaf("SelfColEnabled", design.self_collision);
  xml.leaf("ColSystem", 3);
  xml.leaf("CollisionHorizon", 2);
  xml.close();
  xml.open("Features");
  xml.leaf("VolumeEffectsEnabled", design.volume_effects);
  xml.close();
  xml.open("StopCondition");
  xml.leaf("StopConditionType", design.stop_after_s > 0 ? 2 : design.stop_after_steps > 0 ? 1 : 0);
  xml.leaf("StopConditionValue", design.stop_after_s > 0 ? design.stop_after_s : design.stop_after_steps);
  xml.close();
  xml.close();
}

/// Returns a length `size` close to `to - from`, for which `from + size == to` holds exactly when the file is read. If
/// there is no such number, returns a number close to it.
double size_between(double from, double to) {
  double size = to - from;
  for (int i = 0; i < 8 && from + size != to; ++i) size = std::nextafter(size, from + size < to ? HUGE_VAL : -HUGE_VAL);
  return size;
}

void write_region(const DesignRegion& region, XmlWriter& xml) {
  xml.open("FRegion");
  xml.leaf("PrimType", region.shape == RegionShape::box ? 0 : region.shape == RegionShape::cylinder ? 1 : 2);
  const bool box = region.shape == RegionShape::box;
  const Vec3 corner = box ? region.min : region.center;
  int i = 0;
  for (const char* axis : {"X", "Y", "Z"}) xml.leaf(axis, corner[i++]);
  i = 0;
  for (const char* axis : {"dX", "dY", "dZ"}) {
    xml.leaf(axis, box                                     ? size_between(region.min[i], region.max[i])
                   : region.shape == RegionShape::cylinder ? region.axis[i]
                                                           : 0.0);
    ++i;
  }
  xml.leaf("Radius", box ? 0.0 : region.radius);
  xml.leaf("R", 0.4);
  xml.leaf("G", 0.6);
  xml.leaf("B", 0.4);
  xml.leaf("alpha", 1);
  xml.leaf("DofFixed", region.held);
  xml.vector("Force", region.force);
  xml.vector("Torque", region.torque);
  xml.vector("Displace", region.displacement);
  xml.vector("AngDisplace", region.rotation);
  xml.close();
}

void write_environment(const VoxelDesign& design, XmlWriter& xml) {
  xml.open("Environment");
  xml.open("Boundary_Conditions");
  xml.leaf("NumBCs", design.regions.size());
  for (const DesignRegion& region : design.regions) write_region(region, xml);
  xml.close();
  xml.open("Gravity");
  xml.leaf("GravEnabled", design.gravity_on);
  xml.leaf("GravAcc", design.gravity);
  xml.leaf("FloorEnabled", design.floor_on);
  xml.close();
  if (design.fluid_drag) {
    xml.leaf("FluidEnvironment", 1);
    xml.leaf("AggregateDragCoefficient", *design.fluid_drag);
  }
  xml.open("Thermal");
  xml.leaf("TempEnabled", design.temperature_on);
  xml.leaf("TempAmplitude", design.temperature_amplitude);
  xml.leaf("TempBase", 25);
  xml.leaf("VaryTempEnabled", design.temperature_varies);
  xml.leaf("TempPeriod", design.temperature_period_s);
  xml.close();
  xml.close();
}

void write_table(const DesignMaterial& material, XmlWriter& xml) {
  xml.open("SSData");
  xml.leaf("NumDataPts", material.strains.size() + 1);
  xml.open("StrainData");
  xml.leaf("Strain", 0);
  for (const double strain : material.strains) xml.leaf("Strain", strain);
  xml.close();
  xml.open("StressData");
  xml.leaf("Stress", 0);
  for (const double stress : material.stresses_pa) xml.leaf("Stress", stress);
  xml.close();
  xml.close();
}

/// Returns the value of MatModel: 0 linear, 1 linear with failure, 2 bilinear, 3 stress-strain data.
int model_number(const DesignMaterial& material) {
  if (material.model == StressModel::bilinear) return 2;
  if (material.model == StressModel::data) return 3;
  return material.failure_pa > 0 || material.failure_strain > 0 ? 1 : 0;
}

void write_material(const DesignMaterial& material, std::size_t id, XmlWriter& xml) {
  xml.open("Material", fmt::format("ID=\"{}\"", id));
  xml.leaf("MatType", 0);
  xml.leaf("Name", material.name);
  xml.open("Display");
  int channel = 0;
  for (const char* color : {"Red", "Green", "Blue"}) xml.leaf(color, material.display_rgb[channel++]);
  xml.leaf("Alpha", 1);
  xml.close();
  xml.open("Mechanical");
  xml.leaf("MatModel", model_number(material));
  if (material.model == StressModel::data) write_table(material, xml);
  xml.leaf("Elastic_Mod", material.youngs_pa);
  xml.leaf("Plastic_Mod", material.plastic_pa);
  xml.leaf("Yield_Stress", material.yield_pa);
  xml.leaf("FailModel", material.failure_pa == 0 && material.failure_strain > 0 ? 1 : 0);
  xml.leaf("Fail_Stress", material.failure_pa);
  xml.leaf("Fail_Strain", material.failure_strain);
  xml.leaf("Density", material.density);
  xml.leaf("Poissons_Ratio", material.poissons_ratio);
  xml.leaf("CTE", material.cte);
  xml.leaf("MaterialTempPhase", material.phase_rad);
  xml.leaf("uStatic", material.mu_static);
  xml.leaf("uDynamic", material.mu_dynamic);
  xml.close();
  xml.close();
}

/// File that contains an element: a design (.vxa), or a robot (.vxd), whose elements replace those of a design.
enum class Within : std::uint8_t { design, robot };

/// Returns the attributes of an element below VXC. In a robot, the path of the element in the design precedes `more`.
std::string attributes_of(Within file, const char* element, std::string_view more = {}) {
  if (file == Within::design) return std::string(more);
  return fmt::format("replace=\"VXA.VXC.{}\"{}{}", element, more.empty() ? "" : " ", more);
}

void write_lattice(const VoxelDesign& design, Within file, XmlWriter& xml) {
  xml.open("Lattice", attributes_of(file, "Lattice"));
  xml.leaf("Lattice_Dim", design.edge_m);
  for (const char* one : {"X_Dim_Adj", "Y_Dim_Adj", "Z_Dim_Adj"}) xml.leaf(one, 1);
  for (const char* none : {"X_Line_Offset", "Y_Line_Offset", "X_Layer_Offset", "Y_Layer_Offset"}) xml.leaf(none, 0);
  xml.close();
  xml.open("Voxel", attributes_of(file, "Voxel"));
  xml.leaf("Vox_Name", "BOX");
  for (const char* one : {"X_Squeeze", "Y_Squeeze", "Z_Squeeze"}) xml.leaf(one, 1);
  xml.close();
}

void write_numbers(const VoxelDesign& design, const std::vector<double>& numbers, const char* name, XmlWriter& xml) {
  if (numbers.empty()) return;
  xml.open(name);
  const auto area = static_cast<std::ptrdiff_t>(design.nx * design.ny);
  for (auto layer = numbers.begin(); layer != numbers.end(); layer += area)
    xml.leaf("Layer", fmt::format("<![CDATA[{}]]>", fmt::join(layer, layer + area, ",")));
  xml.close();
}

void write_structure(const VoxelDesign& design, Within file, XmlWriter& xml) {
  constexpr std::size_t most_digits = 9;
  const bool readable = design.materials.size() <= most_digits;
  const char* compression = readable ? "Compression=\"ASCII_READABLE\"" : "Compression=\"ZLIB\"";
  xml.open("Structure", attributes_of(file, "Structure", compression));
  xml.leaf("X_Voxels", design.nx);
  xml.leaf("Y_Voxels", design.ny);
  xml.leaf("Z_Voxels", design.nz);
  xml.open("Data");
  const std::size_t area = design.nx * design.ny;
  for (std::size_t layer = 0; layer < design.nz; ++layer) {
    std::string bytes;
    for (std::size_t i = 0; i < area; ++i)
      bytes += static_cast<char>(design.code[layer * area + i] + (readable ? '0' : 0));
    xml.leaf("Layer", fmt::format("<![CDATA[{}]]>", readable ? bytes : encode_base64(deflate_zlib(bytes))));
  }
  xml.close();
  write_numbers(design, design.phase_cycles, "PhaseOffset", xml);
  write_numbers(design, design.stiffness_pa, "Stiffness", xml);
  xml.close();
}

/// Writes the elements of VXC: voxel size, materials and cells.
void write_body(const VoxelDesign& design, Within file, XmlWriter& xml) {
  write_lattice(design, file, xml);
  xml.open("Palette", attributes_of(file, "Palette"));
  for (std::size_t i = 0; i < design.materials.size(); ++i) write_material(design.materials[i], i + 1, xml);
  xml.close();
  write_structure(design, file, xml);
}

}  // namespace

std::string design_to_vxa(const VoxelDesign& design) {
  XmlWriter xml;
  xml.open("VXA", "Version=\"1.1\"");
  write_simulator(design, xml);
  write_environment(design, xml);
  xml.open("VXC", "Version=\"0.94\"");
  write_body(design, Within::design, xml);
  xml.close();
  xml.close();
  return std::move(xml).text();
}

std::string design_to_vxd(const VoxelDesign& design) {
  XmlWriter xml;
  xml.open("VXD");
  write_body(design, Within::robot, xml);
  xml.close();
  return std::move(xml).text();
}

}  // namespace vw
