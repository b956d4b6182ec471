#include "sim/scene/checks/checked_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "sim/base/elementary/elementary.h"
#include "sim/collision/pose.h"
#include "sim/system/voxel/lattice/lattice.h"
#include "sim/world/registry.h"

namespace vw {

double checked_number(const Node& node, std::string_view param) { return std::get<double>(node.value(param)); }
Vec3 checked_vector(const Node& node, std::string_view param) { return std::get<Vec3>(node.value(param)); }
const std::string& checked_text(const Node& node, std::string_view param) {
  return std::get<std::string>(node.value(param));
}
bool has_parameter(const Node& node, std::string_view param) {
  return std::ranges::find(node.schema->params, param, &ParamSpec::name) != node.schema->params.end();
}
bool allows(const Node& node, std::string_view param, double value) {
  const auto spec = std::ranges::find(node.schema->params, param, &ParamSpec::name);
  return spec != node.schema->params.end() && value >= spec->bounds.min && value <= spec->bounds.max;
}
double rounded_down(double value) {
  const double unit = elementary::pow(10, std::floor(elementary::log10(value)) - 1);
  return std::floor(value / unit + 1e-9) * unit;
}
std::string system_path(const Node& system) { return "system." + system.name; }

namespace {

/// Returns half the edges of the bounding box of a rigid body [m], or zero for a mesh.
Vec3 half_of_shape(const Node& body) {
  const std::string& kind = body.schema->kind;
  if (kind == "box") return 0.5 * checked_vector(body, "size");
  if (kind == "mesh") return Vec3::Zero();
  const double r = checked_number(body, "radius");
  if (kind == "sphere") return {r, r, r};
  const double half = 0.5 * checked_number(body, "length");
  return {r, kind == "capsule" ? half + r : half, r};
}

double volume_of_shape(const Node& body) {
  const std::string& kind = body.schema->kind;
  const Vec3 half = half_of_shape(body);
  const double r = half.x(), ball = 4.0 / 3 * std::numbers::pi * r * r * r;
  if (kind == "box") return 8 * half.prod();
  if (kind == "sphere") return ball;
  if (kind == "cylinder") return std::numbers::pi * r * r * 2 * half.y();
  if (kind == "capsule") return ball + std::numbers::pi * r * r * 2 * (half.y() - r);
  return 0;
}

CheckedBody rigid_body_of(const Node& system, const Node& body) {
  CheckedBody made{.system = &system, .node = &body, .path = system_path(system) + ".body." + body.name};
  const double mass = checked_number(body, "mass"), volume = volume_of_shape(body);
  made.density_kgpm3 = mass == 0 ? checked_number(body, "density") : volume > 0 ? mass / volume : 0;
  made.half_m = half_of_shape(body);
  made.thinnest_m = 2 * made.half_m.minCoeff();
  made.has_place = made.thinnest_m > 0;
  made.center = checked_vector(body, "position");
  made.turn = rotation_of(checked_vector(body, "rotation"));
  return made;
}

/// Returns the number of cells along the shortest side of the bounding box of the voxels.
int thinnest_side(const VoxelLattice& lattice) {
  std::array<int, 3> low = lattice.cell.front(), high = low;
  for (const auto& cell : lattice.cell)
    for (std::size_t k = 0; k < 3; ++k) low[k] = std::min(low[k], cell[k]), high[k] = std::max(high[k], cell[k]);
  return 1 + std::min({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
}

/// Reads a voxel body. If its lattice cannot be decoded, density and position stay unknown.
CheckedBody voxel_body_of(const Node& system, const Node& scene) {
  CheckedBody made{.system = &system, .node = &system, .path = system_path(system)};
  const auto lattice = make_lattice(system, scene);
  if (!lattice || lattice->cell.empty()) return made;
  double density = 0;
  std::vector<bool> is_used(lattice->material_name.size(), false);  // a palette may list materials without voxels
  for (std::size_t i = 0; i < lattice->cell.size(); ++i) {
    is_used[lattice->material[i]] = true;
    const VoxelMaterial& material = lattice->materials[lattice->material[i]];
    const double own = lattice->youngs_override_of(i);
    density += material.density;
    made.stiffest_pa = std::max(made.stiffest_pa, own > 0 ? own : material.youngs_modulus);
    made.has_own_moduli = made.has_own_moduli || own > 0;
  }
  made.density_kgpm3 = density / static_cast<double>(lattice->cell.size());
  made.thinnest_m = lattice->edge_m * thinnest_side(*lattice);
  for (std::size_t m = 0; m < is_used.size(); ++m)
    if (const Node* material = scene.find("material", lattice->material_name[m]); is_used[m] && material != nullptr)
      made.materials.push_back(material);
  made.half_m = 0.5 * lattice->edge_m * Vec3(lattice->nx, lattice->ny, lattice->nz);
  made.center = checked_vector(system, "position") + made.half_m;
  made.turn = rotation_of(checked_vector(system, "rotation"));
  made.has_place = true;
  return made;
}

CheckedLiquid liquid_of(const Node& system) {
  CheckedLiquid made;
  made.system = &system;
  made.path = system_path(system);
  made.spacing_m = checked_number(system, "spacing");
  const auto phases = system.all("phase");
  for (std::size_t i = 0; i < phases.size(); ++i) {
    const double density = checked_number(*phases[i], "density");
    made.lightest_kgpm3 = i == 0 ? density : std::min(made.lightest_kgpm3, density);
    made.heaviest_kgpm3 = i == 0 ? density : std::max(made.heaviest_kgpm3, density);
  }
  const bool is_water = phases.size() < 2 && made.lightest_kgpm3 > 900 && made.lightest_kgpm3 < 1100;
  made.word = is_water ? "water" : "fluid";
  return made;
}

}  // namespace

CheckedScene::CheckedScene(const Node& root) : scene(root) {
  for (const Node* system : scene.all("system")) {
    const std::string& kind = system->schema->kind;
    if (kind == "fluid") liquids.push_back(liquid_of(*system));
    if (kind == "voxel_body") bodies.push_back(voxel_body_of(*system, scene));
    if (kind == "rigid")
      for (const Node* body : system->all("body")) bodies.push_back(rigid_body_of(*system, *body));
  }
}

CheckedPair CheckedScene::pair(const Node& a, const Node& b) const {
  CheckedPair found;
  const std::vector<NamedKind> sides{{a.name, a.schema->kind}, {b.name, b.schema->kind}};
  for (const InteractionKind& kind : interaction_kinds()) {
    const bool fits = (kind.kind_a == a.schema->kind && kind.kind_b == b.schema->kind) ||
                      (kind.kind_a == b.schema->kind && kind.kind_b == a.schema->kind);
    if (!fits || !kind.joins(Sides::two_systems)) continue;
    if (kind.presence == Presence::by_default) found.kind = kind.schema;
    for (const Node* rule : scene.all("interaction")) {
      if (rule->schema != kind.schema || joined_pairs(*rule, kind, sides).empty()) continue;
      const bool enabled = !has_parameter(*rule, "enabled") || std::get<bool>(rule->value("enabled"));
      if (enabled) found.joined = true;
      if (!enabled && found.disabled.empty()) found.disabled = rule->name;
    }
  }
  return found;
}

}  // namespace vw
