#include "sim/world/analysis.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/collision/pose.h"
#include "sim/world/parts.h"
#include "sim/world/step/schedule.h"

namespace vw {
namespace {

bool is_voxel_body(const Node& node) { return node.schema == &voxel_body_schema(); }

}  // namespace

std::vector<std::string> voxel_body_names(const Node& scene) {
  std::vector<std::string> names;
  for (const Node* node : scene.all("system"))
    if (is_voxel_body(*node)) names.push_back(node->name);
  return names;
}

Result<std::string> choose_voxel_body(const Node& scene, std::string_view name) {
  const std::vector<std::string> names = voxel_body_names(scene);
  if (names.empty()) return fail("the scene has no voxel body");
  if (name.empty()) {
    if (names.size() == 1) return names[0];
    return fail(fmt::format("the scene has {} voxel bodies: choose one of {}", names.size(), fmt::join(names, ", ")));
  }
  if (std::find(names.begin(), names.end(), name) != names.end()) return std::string(name);
  Error error;
  error.what = fmt::format("the scene has no voxel body \"{}\": expected one of {}", name, fmt::join(names, ", "));
  error.hint = nearest_word(name, names);
  return fail(std::move(error));
}

Result<std::unique_ptr<VoxelBody>> build_voxel_body(const Node& scene, std::string_view name) {
  const Node* node = scene.find("system", name);
  if (node == nullptr || !is_voxel_body(*node)) return fail(fmt::format("the scene has no voxel body \"{}\"", name));
  auto system = create_voxel_body(*node, scene);
  if (!system) return Unexpected(system.error());
  return std::unique_ptr<VoxelBody>(static_cast<VoxelBody*>(system->release()));
}

double implicit_substep(const Node& scene, std::string_view name) {
  const Node* node = scene.find("system", name);
  if (node == nullptr || !is_voxel_body(*node)) return 0;
  const VoxelBodyParams body = voxel_body_params().read(node->values);
  const WorldParams world = read_world_params(scene);
  if (body.integrator == Integrator::explicit_symplectic) return 0;
  return world.dt_s / static_cast<double>(std::max<std::int64_t>(
                          1, substeps_for(world.dt_s, body.implicit_step_s, world.max_substeps)));
}

namespace {

/// All colliders except those that the system carries, in their poses at `time` [s].
Result<std::vector<Collider>> colliders_for(const System& system, const Node& scene, double time) {
  std::vector<Collider> all;
  ShapeStore shapes;
  for (const Node* node : scene.all("collider")) {
    auto read = read_collider(*node, shapes);
    if (!read) return Unexpected(read.error());
    if (read->motion.carrier == system.name()) continue;
    const Pose pose = pose_at(read->collider, read->motion, time);
    read->collider.position = pose.position;
    read->collider.orientation = pose.orientation;
    all.push_back(std::move(read->collider));
  }
  return all;
}

}  // namespace

Result<StaticSolution> settle(System& system, const Node& scene, double time, const StaticOptions& options) {
  EquilibriumSolver* solver = system.equilibrium_solver();
  if (solver == nullptr) return fail(fmt::format("the system {} has no static equilibrium", system.name()));
  const auto colliders = colliders_for(system, scene, time);
  if (!colliders) return Unexpected(colliders.error());
  return solver->solve_equilibrium(*colliders, read_world_params(scene).gravity, options);
}

Equilibrium describe_equilibrium(System& system, const StaticSolution& solution) {
  Equilibrium out;
  out.system = system.name();
  out.solution = solution;
  const EquilibriumSolver* solver = system.equilibrium_solver();
  const Elements& e = system.elements();
  out.voxels = e.size();
  double mass = 0;
  for (std::size_t v = 0; v < e.size(); ++v) {
    const Vec3 moved = e.position[v] - solver->rest_position(v);
    if (moved.squaredNorm() > out.displacement.squaredNorm()) out.displacement = moved, out.farthest = v;
    out.center_of_mass += e.mass[v] * e.position[v];
    mass += e.mass[v];
  }
  out.center_of_mass /= mass;
  return out;
}

Result<ModalAnalysis> modes_of(const VoxelBody& body, ModesAbout about, const ModalOptions& options) {
  const bool present = about == ModesAbout::present;
  const std::vector<Quat> start(body.elements().size(), rotation_of(body.params().rotation));
  const std::vector<Vec3> places = present ? std::vector<Vec3>() : body.rest_positions();
  ModalBody in;
  in.topology = &body.topology();
  in.constants = &body.constants();
  in.regions = &body.regions();
  in.position = present ? std::span<const Vec3>(body.elements().position) : places;
  in.orientation = present ? body.elements().orientation : start;
  in.half_edge = body.elements().radius;
  in.slack = body.memory().slack;
  in.stressed = present;
  return find_modes(in, options);
}

}  // namespace vw
