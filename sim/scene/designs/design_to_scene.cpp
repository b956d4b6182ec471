// Converts a VoxelDesign into a scene in this program's axes (y up) and conventions of damping and friction.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "sim/base/data/layer_text.h"
#include "sim/base/srgb.h"
#include "sim/scene/camera_range.h"
#include "sim/scene/designs/voxel_design.h"
#include "sim/scene/designs/xml_reader.h"
#include "sim/scene/toml/text.h"
#include "sim/system/voxel/lattice/lattice.h"
#include "sim/world/registry.h"

namespace vw {
namespace {

/// Sets a parameter of a node. The importer must already have checked the value, because its error messages use the
/// terms of the file.
void put(Node& node, std::string_view param, const Value& value) {
  const auto& params = node.schema->params;
  const auto spec = std::find_if(params.begin(), params.end(), [&](const ParamSpec& p) { return p.name == param; });
  assert(spec != params.end());
  auto checked = check_value(*spec, value);
  assert(checked && "the importer accepted a value that the declaration rejects");
  if (checked) node.values[static_cast<std::size_t>(spec - params.begin())] = std::move(*checked);
}

/// Rotates a vector by a quarter turn about x, from axes with z up to axes with y up: (x, y, z) becomes (x, z, -y).
Vec3 turned(const Vec3& v) { return {v.x(), v.z(), 0 - v.y()}; }  // 0 - y avoids -0 for y = 0

std::vector<std::string> unique_names(const std::vector<DesignMaterial>& materials) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const DesignMaterial& material : materials) {
    const std::string stem = as_node_name(material.name, "material");
    std::string name = stem;
    for (int i = 2; !taken.insert(name).second; ++i) name = fmt::format("{}_{}", stem, i);
    names.push_back(name);
  }
  return names;
}

void add_materials(const VoxelDesign& design, const std::vector<std::string>& names, Node& scene) {
  const bool squares = design.floor_on && floor_friction(design).squares;
  const auto friction = [&](double mu) {
    return squares ? std::min(mu, most_floor_friction) * std::min(mu, most_floor_friction) : mu;
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    const DesignMaterial& from = design.materials[i];
    Node& to = add_child(scene, "material", voxel_material_schema().kind, names[i]);
    put(to, "youngs_modulus", from.youngs_pa);
    put(to, "density", from.density);
    put(to, "poissons_ratio", design.volume_effects ? from.poissons_ratio : 0.0);
    put(to, "cte", from.cte);
    if (from.model != StressModel::linear)
      put(to, "model", std::string(from.model == StressModel::bilinear ? "bilinear" : "data"));
    put(to, "yield_stress", from.yield_pa);
    put(to, "plastic_modulus", from.plastic_pa);
    put(to, "strain_data", from.strains);
    put(to, "stress_data", from.stresses_pa);
    put(to, "failure_stress", from.failure_pa);
    put(to, "failure_strain", from.failure_strain);
    // Conversion of the damping ratio, for two voxels of mass m, a bond of stiffness k and the relative velocity v. In
    // the source, the ratio z refers to half the relative velocity and to the mass of one voxel. In this program, the
    // ratio z' refers to the relative velocity and to the reduced mass m / 2. The damping forces are equal if 2 z
    // sqrt(m k) v / 2 = 2 z' sqrt(m k / 2) v, that is, z' = z / sqrt 2.
    put(to, "bond_damping", from.bond_zeta.value_or(design.bond_zeta) / std::sqrt(2.0));
    put(to, "global_damping", from.slow_zeta.value_or(design.slow_zeta));
    put(to, "contact_damping", from.contact_zeta.value_or(design.contact_zeta));
    put(to, "mu_static", friction(from.mu_static));
    put(to, "mu_dynamic", friction(from.mu_dynamic));
    Vec3 color;
    for (int c = 0; c < 3; ++c) color[c] = linear_of_srgb(from.display_rgb[c]);
    put(to, "color", color);
  }
}

/// Calls visit(index of the cell in the file) for all cells in this program's order: x varies fastest, then z (the
/// file's y, reversed), then y (the file's z).
template <class F>
void for_each_cell(const VoxelDesign& design, F visit) {
  for (std::size_t y = 0; y < design.nz; ++y)
    for (std::size_t z = 0; z < design.ny; ++z)
      for (std::size_t x = 0; x < design.nx; ++x) visit(x + design.nx * ((design.ny - 1 - z) + design.ny * y), x, z, y);
}

TextList design_layer_texts(const VoxelDesign& design) {
  std::vector<std::uint16_t> codes;
  codes.reserve(design.cells());
  for_each_cell(design,
                [&](std::size_t cell, std::size_t, std::size_t, std::size_t) { codes.push_back(design.code[cell]); });
  return encode_layers(codes, {design.nx, design.nz, design.ny});
}

/// Returns the phase of each cell in cycles: the value in the file's phase layer plus the phase of the material, which
/// the file specifies in radians.
NumberList phases(const VoxelDesign& design) {
  NumberList out;
  bool any = false;
  for_each_cell(design, [&](std::size_t cell, std::size_t, std::size_t, std::size_t) {
    double phase = 0;
    if (design.code[cell] != 0) {
      phase = design.phase_cycles.empty() ? 0 : design.phase_cycles[cell];
      const double own = design.materials[design.code[cell] - 1U].phase_rad;
      if (own != 0) phase = std::clamp(phase + own / (2 * pi), -1e9, 1e9);
    }
    any = any || phase != 0;
    out.push_back(phase);
  });
  return any ? out : NumberList{};
}

NumberList stiffnesses(const VoxelDesign& design) {
  NumberList out;
  if (design.stiffness_pa.empty()) return out;
  for_each_cell(design, [&](std::size_t cell, std::size_t, std::size_t, std::size_t) {
    const std::uint16_t code = design.code[cell];
    const double own = design.stiffness_pa[cell];
    out.push_back(code == 0 ? 0 : own == 0 ? design.materials[code - 1U].youngs_pa : own);
  });
  return out;
}

/// Returns the names of the fixed degrees of freedom in this program's axes. The file's z axis is this program's y
/// axis, and the file's y axis is antiparallel to this program's z axis.
TextList freedom_names(unsigned held) {
  constexpr auto ours = std::to_array<std::pair<unsigned, const char*>>(
      {{1, "x"}, {4, "y"}, {2, "z"}, {8, "rx"}, {32, "ry"}, {16, "rz"}});
  TextList names;
  for (const auto& [bit, name] : ours)
    if ((held & bit) != 0) names.emplace_back(name);
  return names;
}

void add_region(const DesignRegion& from, const std::string& name, double ramp_s, Node& body) {
  Node& to = add_child(body, "region", "region", name);
  // The file's y axis is opposite to this program's z axis, so positions along z are measured from the other end.
  if (from.shape == RegionShape::box) {
    put(to, "min", Vec3(from.min.x(), from.min.z(), 1 - from.max.y()));
    put(to, "max", Vec3(from.max.x(), from.max.z(), 1 - from.min.y()));
  } else {
    put(to, "shape", std::string(from.shape == RegionShape::sphere ? "sphere" : "cylinder"));
    put(to, "center", Vec3(from.center.x(), from.center.z(), 1 - from.center.y()));
    put(to, "radius", from.radius);
  }
  if (from.shape == RegionShape::cylinder) put(to, "axis", turned(from.axis));
  put(to, "fixed", from.held != 0);
  if (from.held != 0 && from.held != held_everything) put(to, "freedoms", freedom_names(from.held));
  put(to, "force", turned(from.force));
  put(to, "torque", turned(from.torque));
  put(to, "displacement", turned(from.displacement));
  put(to, "rotation", turned(from.rotation));
  if (!from.displacement.isZero(0) || !from.rotation.isZero(0)) put(to, "ramp", ramp_s);
}

void add_regions(const VoxelDesign& design, Node& body) {
  const double ramp_s = ramp_seconds(design);
  int number = 0;
  for (const DesignRegion& region : design.regions)
    add_region(region, fmt::format("region_{}", ++number), ramp_s, body);
}

std::string description_of(const VoxelDesign& design) {
  std::vector<std::string> notes;
  if (std::string note = stop_note(design); !note.empty()) notes.push_back(std::move(note));
  const auto moved = [](const DesignRegion& region) {
    return !region.displacement.isZero(0) || !region.rotation.isZero(0);
  };
  if (std::any_of(design.regions.begin(), design.regions.end(), moved))
    notes.push_back(fmt::format(
        "The design displaces regions at once. In this scene, they reach their final position within {:.3g} s.",
        ramp_seconds(design)));
  return fmt::format("{}", fmt::join(notes, " "));
}

void add_temperature(const VoxelDesign& design, Node& body) {
  if (!design.temperature_on || design.temperature_amplitude == 0) return;
  // If the period is not positive, VoxCAD keeps the temperature at its base value.
  if (design.temperature_varies && design.temperature_period_s <= 0) return;
  put(body, "temperature_wave", std::string(design.temperature_varies ? "sine" : "constant"));
  put(body, "temperature_amplitude", design.temperature_amplitude);
  if (design.temperature_varies) put(body, "temperature_period", design.temperature_period_s);
}

void add_body(const VoxelDesign& design, const std::string& name, const std::vector<std::string>& palette,
              Node& scene) {
  Node& body = add_child(scene, "system", voxel_body_schema().kind, name);
  put(body, "shape", std::string("layers"));
  put(body, "size",
      Vec3(static_cast<double>(design.nx), static_cast<double>(design.nz), static_cast<double>(design.ny)));
  put(body, "voxel_size", design.edge_m);
  put(body, "palette", TextList(palette.begin(), palette.end()));
  put(body, "layers", design_layer_texts(design));
  put(body, "phase", phases(design));
  put(body, "youngs_modulus_per_cell", stiffnesses(design));
  put(body, "position", Vec3(0, 0, -static_cast<double>(design.ny) * design.edge_m));
  put(body, "self_contact", design.self_collision);
  if (design.fluid_drag) {  // evosoro's drag is a pressure on front faces, without friction or shelter
    put(body, "wind_friction", 0.0);
    put(body, "wind_shielding", 0.0);
  }
  add_temperature(design, body);
  add_regions(design, body);
}

void add_floor(const VoxelDesign& design, Node& scene) {
  Node& floor = add_child(scene, "collider", "plane", "ground");
  const FloorFriction friction = floor_friction(design);
  put(floor, "mu_static", friction.mu_static);
  put(floor, "mu_dynamic", friction.mu_dynamic);
  put(floor, "restitution", 0.0);
}

constexpr std::string_view stop_words = "Its file stops after ";

}  // namespace

double ramp_seconds(const VoxelDesign& design) {
  double slowest = std::numeric_limits<double>::max();
  for (const std::uint16_t code : design.code)
    if (code != 0) {
      const DesignMaterial& material = design.materials[code - 1U];
      slowest = std::min(slowest, std::sqrt(material.youngs_pa / material.density));
    }
  const double longest = design.edge_m * static_cast<double>(std::max({design.nx, design.ny, design.nz}));
  return std::clamp(10 * longest / slowest, 1e-3, 1.0);
}

FloorFriction floor_friction(const VoxelDesign& design) {
  const DesignMaterial* first = nullptr;
  for (const std::uint16_t code : design.code) {
    if (code == 0) continue;
    const DesignMaterial& material = design.materials[code - 1U];
    if (first == nullptr) first = &material;
    if (material.mu_static != first->mu_static || material.mu_dynamic != first->mu_dynamic) return {.squares = true};
  }
  if (first == nullptr) return {};
  return {.mu_static = std::min(first->mu_static, most_floor_friction),
          .mu_dynamic = std::min(first->mu_dynamic, most_floor_friction)};
}

std::string stop_note(const VoxelDesign& design) {
  if (design.stop_after_s > 0) return fmt::format("{}{} s.", stop_words, design.stop_after_s);
  return design.stop_after_steps > 0 ? fmt::format("{}{} of its own steps.", stop_words, design.stop_after_steps)
                                     : std::string();
}

void read_stop_note(std::string_view description, VoxelDesign& design) {
  const auto at = description.find(stop_words);
  if (at == std::string_view::npos) return;
  description.remove_prefix(at + stop_words.size());
  const auto value = read_number(description.substr(0, description.find(' ')));
  if (!value || !std::isfinite(*value)) return;
  description.remove_prefix(std::min(description.find(' '), description.size()));
  if (description.starts_with(" s.")) design.stop_after_s = *value;
  if (description.starts_with(" of its own steps.")) design.stop_after_steps = *value;
}

Node design_to_scene(const VoxelDesign& design, const std::string& body_name) {
  Node scene = make_node(scene_schema());
  put(scene, "title", design.title);
  put(scene, "description", description_of(design));
  put(*scene.only("world"), "gravity", Vec3(0, design.gravity_on ? design.gravity : 0.0, 0));
  if (design.fluid_drag) put(*scene.only("world"), "medium_density", 2 * *design.fluid_drag);

  const Vec3 extent = design.edge_m * Vec3(static_cast<double>(design.nx), static_cast<double>(design.nz),
                                           static_cast<double>(design.ny));
  const Vec3 centre(extent.x() / 2, extent.y() / 2, -extent.z() / 2);
  Node& view = *scene.only("view");
  put(view, "target", within_camera_range(centre));
  put(view, "follow", body_name);  // keeps the body in view while it walks
  put(view, "eye", within_camera_range(centre + 2.2 * extent.maxCoeff() * Vec3(0.6, 0.45, 0.8)));

  const std::vector<std::string> names = unique_names(design.materials);
  add_materials(design, names, scene);
  if (design.floor_on) add_floor(design, scene);
  add_body(design, body_name, names, scene);
  return scene;
}

}  // namespace vw
