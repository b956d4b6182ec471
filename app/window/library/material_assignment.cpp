#include "app/window/library/material_assignment.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/window/document/scene_edit.h"
#include "sim/scene/toml/text.h"

namespace vw {
namespace {

/// A figure (numeric property of a material) and the parameter that it sets.
struct FigureTarget {
  std::string_view figure, param;
};

/// A kind of node that takes the values of a material.
struct NodeTarget {
  MatterState state = MatterState::solid;
  std::vector<FigureTarget> figures;
  std::string_view color;                      ///< parameter of the colour; empty if there is none
  std::vector<std::string_view> other_params;  ///< parameters that depend on the material, but that no figure sets
};

const NodeTarget& solid_target() {
  static const NodeTarget target{MatterState::solid,
                                 {{"density", "density"},
                                  {"youngs_modulus", "youngs_modulus"},
                                  {"poissons_ratio", "poissons_ratio"},
                                  {"cte", "cte"},
                                  {"failure_stress", "failure_stress"}},
                                 "color",
                                 {"bond_damping", "mu_static", "mu_dynamic", "restitution"}};
  return target;
}

const NodeTarget& rigid_target() {
  static const NodeTarget target{
      MatterState::solid, {{"density", "density"}}, "color", {"mu_static", "mu_dynamic", "restitution"}};
  return target;
}

const NodeTarget& phase_target() {
  static const NodeTarget target{
      MatterState::liquid,
      {{"density", "density"}, {"dynamic_viscosity", "viscosity"}, {"surface_tension", "tension"}},
      "color",
      {}};
  return target;
}

const NodeTarget& world_target() {
  static const NodeTarget target{
      MatterState::gas, {{"density", "medium_density"}, {"dynamic_viscosity", "medium_viscosity"}}, "", {}};
  return target;
}

const ParamSpec* spec_named(const Node& node, std::string_view name) {
  const auto found = std::ranges::find(node.schema->params, name, &ParamSpec::name);
  return found == node.schema->params.end() ? nullptr : &*found;
}

/// Returns the target for the kind of a node, or null. A node with the parameters mass, density and repeat is a rigid
/// body.
const NodeTarget* target_of(const Node& node) {
  const std::string& kind = node.schema->kind;
  if (kind == "voxel_material") return &solid_target();
  if (kind == "phase") return &phase_target();
  if (spec_named(node, "medium_density") != nullptr) return &world_target();
  const bool is_body = spec_named(node, "mass") != nullptr && spec_named(node, "density") != nullptr &&
                       spec_named(node, "repeat") != nullptr;
  return is_body ? &rigid_target() : nullptr;
}

/// Limits a value to the range of a parameter.
double within(const ParamSpec& spec, double value) { return std::clamp(value, spec.bounds.min, spec.bounds.max); }

/// Adds the assignments and the notes of a material for `node`, whose path is `path`.
void add_values(MaterialAssignment& out, const Node& node, const std::string& path, const NodeTarget& target,
                const LibraryMaterial& material) {
  for (const FigureTarget& row : target.figures) {
    const ParamSpec& spec = *spec_named(node, row.param);
    const MaterialFigure* figure = material.find(row.figure);
    if (figure == nullptr) {
      out.unknown.push_back(spec.label);
      continue;
    }
    const double value = within(spec, figure->value);
    if (value != figure->value)
      out.limited.push_back(fmt::format("{} {:g} is outside the range of the parameter, which is set to {:g}.",
                                        figure->kind->label, figure->value, value));
    out.assignments.push_back({path + "." + spec.name, Value(value)});
  }
  // A mass of 0 makes the rigid body use its density. With another mass, the density would have no effect.
  if (&target == &rigid_target()) out.assignments.push_back({path + ".mass", Value(0.0)});
  if (!target.color.empty()) out.assignments.push_back({path + "." + std::string(target.color), Value(material.color)});
  for (const MaterialFigure& figure : material.figures)
    if (std::ranges::find(target.figures, figure.kind->key, &FigureTarget::figure) == target.figures.end())
      out.unused.push_back(figure.kind->label);
  for (const std::string_view name : target.other_params) out.unknown.push_back(spec_named(node, name)->label);
}

/// Sets the values of a material in a node that is not yet part of a scene.
void set_values(Node& node, const NodeTarget& target, const LibraryMaterial& material) {
  for (const FigureTarget& row : target.figures)
    if (const MaterialFigure* figure = material.find(row.figure))
      node.set(row.param, Value(within(*spec_named(node, row.param), figure->value)));
  if (!target.color.empty()) node.set(target.color, Value(material.color));
}

/// Whether the parameters of a node have the values of all figures of the material that apply to the node.
bool has_values(const Node& node, const NodeTarget& target, const LibraryMaterial& material) {
  if (target.state != material.state) return false;
  bool any = false;
  for (const FigureTarget& row : target.figures) {
    const MaterialFigure* figure = material.find(row.figure);
    if (figure == nullptr) continue;
    any = true;
    if (std::get<double>(node.value(row.param)) != within(*spec_named(node, row.param), figure->value)) return false;
  }
  return any && (&target != &rigid_target() || std::get<double>(node.value("mass")) == 0);
}

const Schema& only_kind_of(const Node& parent, std::string_view slot) {
  return *std::ranges::find(parent.schema->slots, slot, &Slot::name)->kinds.front();
}

/// Node name of the material, without a number at the end.
std::string scene_name_of(const LibraryMaterial& material) { return as_node_name(material.name, "material"); }

/// Returns a node with the values of the material and a name that is unused in the slot of `parent`.
NodeChange node_with_values(const Node& parent, const std::string& parent_path, std::string_view slot,
                            const NodeTarget& target, const LibraryMaterial& material) {
  NodeChange change{.parent = parent_path, .node = fresh_node(parent, slot, only_kind_of(parent, slot))};
  const std::string stem = scene_name_of(material);
  change.node.name = stem;
  for (int k = 2; parent.find(slot, change.node.name) != nullptr; ++k)
    change.node.name = stem + "-" + std::to_string(k);
  set_values(change.node, target, material);
  return change;
}

/// Returns the additions that a new material node needs before it. If the scene has no material, a voxel body without a
/// name of a material has the default material, but would get the first material that is added. A node with the values
/// of the default material then comes first. The body `assigned` is left out, because it gets the new material; it may
/// be null.
std::vector<NodeChange> default_material_before(const Node& scene, const Node* assigned) {
  const auto has_default = [&](const Node* system) { return system != assigned && has_first_material(*system); };
  std::vector<NodeChange> additions;
  const std::vector<const Node*> systems = scene.all("system");
  if (scene.all("material").empty() && std::ranges::any_of(systems, has_default))
    additions.push_back(fresh_child(scene, {}, "material", only_kind_of(scene, "material")));
  return additions;
}

/// Sets the notes (unused, unknown and limited values) for the new node `node`.
void add_notes(MaterialAssignment& out, const Node& node, const NodeTarget& target, const LibraryMaterial& material) {
  MaterialAssignment notes;
  add_values(notes, node, {}, target, material);
  out.unused = std::move(notes.unused);
  out.unknown = std::move(notes.unknown);
  out.limited = std::move(notes.limited);
}

Result<MaterialAssignment> assign_to_voxel_body(const Node& scene, const std::string& path, const Node& body,
                                                const LibraryMaterial& material) {
  if (std::get<std::string>(body.value("shape")) == "layers")
    return fail(path + ": the layers of this body list their materials; assign \"" + material.title +
                "\" to one of these materials");
  MaterialAssignment out;
  const auto materials = scene.all("material");
  const std::string stem = scene_name_of(material);
  const auto same = std::ranges::find_if(materials, [&](const Node* node) {
    const bool is_named = node->name == stem || node->name.starts_with(stem + "-");
    return is_named && target_of(*node) == &solid_target() && has_values(*node, solid_target(), material);
  });
  NodeChange added = node_with_values(scene, {}, "material", solid_target(), material);
  add_notes(out, added.node, solid_target(), material);
  out.assignments.push_back({path + ".material", Value(same == materials.end() ? added.node.name : (*same)->name)});
  if (same != materials.end()) return out;
  out.node_changes = default_material_before(scene, &body);
  out.node_changes.push_back(std::move(added));
  return out;
}

Result<MaterialAssignment> assign_to_fluid(const std::string& path, const Node& fluid,
                                           const LibraryMaterial& material) {
  const auto phases = fluid.all("phase");
  if (phases.size() > 1)
    return fail(path + ": this fluid has several phases; assign \"" + material.title + "\" to one of them");
  MaterialAssignment out;
  if (phases.size() == 1) {
    add_values(out, *phases.front(), path + ".phase." + phases.front()->name, phase_target(), material);
    return out;
  }
  out.node_changes.push_back(node_with_values(fluid, path, "phase", phase_target(), material));
  add_notes(out, out.node_changes.front().node, phase_target(), material);
  return out;
}

std::string_view takers_of(MatterState state) {
  switch (state) {
    case MatterState::solid: return "a voxel body, a material of the scene or a rigid body";
    case MatterState::liquid: return "a fluid or a phase of a fluid";
    case MatterState::gas: return "the world";
  }
  return "";
}

}  // namespace

bool takes_material(const Node& scene, std::string_view path, MatterState state) {
  const Node* node = find_node(scene, path);
  if (node == nullptr || node == &scene) return false;
  if (node->schema->kind == "voxel_body") return state == MatterState::solid;
  if (node->schema->kind == "fluid") return state == MatterState::liquid;
  const NodeTarget* target = target_of(*node);
  return target != nullptr && target->state == state;
}

Result<MaterialAssignment> assign_material(const Node& scene, const std::string& path,
                                           const LibraryMaterial& material) {
  if (!takes_material(scene, path, material.state))
    return fail(fmt::format("{}: \"{}\" is a {} and can be assigned only to {}", path, material.title,
                            name_of(material.state), takers_of(material.state)));
  const Node& node = *find_node(scene, path);
  if (node.schema->kind == "voxel_body") return assign_to_voxel_body(scene, path, node, material);
  if (node.schema->kind == "fluid") return assign_to_fluid(path, node, material);
  MaterialAssignment out;
  add_values(out, node, path, *target_of(node), material);
  return out;
}

std::vector<NodeChange> material_nodes(const Node& scene, const LibraryMaterial& material) {
  std::vector<NodeChange> additions = default_material_before(scene, nullptr);
  additions.push_back(node_with_values(scene, {}, "material", solid_target(), material));
  return additions;
}

const LibraryMaterial* matching_material(const MaterialLibrary& library, const Node& node) {
  const NodeTarget* target = target_of(node);
  if (target == nullptr) return nullptr;
  const auto found = std::ranges::find_if(
      library.materials, [&](const LibraryMaterial& material) { return has_values(node, *target, material); });
  return found == library.materials.end() ? nullptr : &*found;
}

std::string notes_of(const MaterialAssignment& assignment) {
  std::string notes;
  for (const std::string& sentence : assignment.limited) notes += sentence + " ";
  if (!assignment.unknown.empty())
    notes += fmt::format("The library has no value for: {}. ", fmt::join(assignment.unknown, ", "));
  if (!assignment.unused.empty())
    notes += fmt::format("The node has no parameter for: {}. ", fmt::join(assignment.unused, ", "));
  if (!notes.empty()) notes.pop_back();
  return notes;
}

}  // namespace vw
