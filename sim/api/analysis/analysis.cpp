#include "sim/api/analysis/analysis.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/collision/pose.h"
#include "sim/system/voxel/implicit/implicit.h"
#include "sim/system/voxel/voxel_body.h"
#include "sim/world/parts.h"
#include "sim/world/step/schedule.h"
#include "sim/world/world.h"

namespace vw::api {
namespace {

bool is_voxel_body(const Node& node) { return node.schema == &voxel_body_schema(); }

Result<std::unique_ptr<VoxelBody>> build_body(const Node& scene, std::string_view name) {
  const Node* node = scene.find("system", name);
  if (node == nullptr || !is_voxel_body(*node)) return fail(fmt::format("the scene has no voxel body \"{}\"", name));
  auto system = create_voxel_body(*node, scene);
  if (!system) return Unexpected(system.error());
  return std::unique_ptr<VoxelBody>(static_cast<VoxelBody*>(system->release()));
}

/// Returns all colliders except those that the system carries, in their poses at `time` [s].
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

/// Moves the system to its equilibrium under the scene's gravity, with the scene's colliders in their poses at `time`
/// [s]. Carried colliders have their initial poses.
Result<StaticSolution> solve(System& system, const Node& scene, double time, const StaticOptions& options) {
  EquilibriumSolver* solver = system.equilibrium_solver();
  if (solver == nullptr)
    return fail(fmt::format("system {} is not a voxel body, so its equilibrium cannot be computed", system.name()));
  const auto colliders = colliders_for(system, scene, time);
  if (!colliders) return Unexpected(colliders.error());
  return solver->solve_equilibrium(*colliders, read_world_params(scene).gravity, options);
}

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

Result<Equilibrium> settle(Run& run, const std::string& system, const StaticOptions& options) {
  World& world = run.world();
  System* found = world.find_system(system);
  if (found == nullptr) return fail(fmt::format("the scene has no system \"{}\"", system));
  const auto begun = std::chrono::steady_clock::now();
  const auto solution = solve(*found, world.scene(), world.time(), options);
  if (!solution) return Unexpected(solution.error());
  Equilibrium equilibrium = describe_equilibrium(*found, *solution);
  equilibrium.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  return equilibrium;
}

// ---- Modes ----------------------------------------------------------------------------------------------------------

BodyAnalysis::BodyAnalysis(Node scene, std::unique_ptr<VoxelBody> body)
    : scene_(std::move(scene)), body_(std::move(body)) {}
BodyAnalysis::~BodyAnalysis() = default;
BodyAnalysis::BodyAnalysis(BodyAnalysis&& other) noexcept = default;
BodyAnalysis& BodyAnalysis::operator=(BodyAnalysis&& other) noexcept = default;

Result<BodyAnalysis> BodyAnalysis::create(const Node& scene, const std::string& body) {
  auto built = build_body(scene, body);
  if (!built) return Unexpected(built.error());
  return BodyAnalysis(scene, std::move(*built));
}

Result<StaticSolution> BodyAnalysis::settle(const StaticOptions& options) {
  auto solution = solve(*body_, scene_, 0, options);
  settled_ = settled_ || solution.has_value();
  return solution;
}

Result<ModalAnalysis> BodyAnalysis::modes(const ModalOptions& options) const {
  const VoxelBody& body = *body_;
  const std::vector<Quat> start(body.elements().size(), rotation_of(body.params().rotation));
  const std::vector<Vec3> places = settled_ ? std::vector<Vec3>() : body.rest_positions();
  ModalBody in;
  in.topology = &body.topology();
  in.constants = &body.constants();
  in.regions = &body.regions();
  in.position = settled_ ? std::span<const Vec3>(body.elements().position) : places;
  in.orientation = settled_ ? body.elements().orientation : start;
  in.half_edge = body.elements().radius;
  in.slack = body.memory().slack;
  in.stressed = settled_;
  return find_modes(in, options);
}

std::vector<Vec3> BodyAnalysis::positions() const {
  return settled_ ? std::as_const(*body_).elements().position : body_->rest_positions();
}
const std::vector<Quat>& BodyAnalysis::orientations() const { return std::as_const(*body_).elements().orientation; }
double BodyAnalysis::voxel_edge_m() const { return body_->lattice().edge_m; }

double implicit_substep(const Node& scene, std::string_view body) {
  const Node* node = scene.find("system", body);
  if (node == nullptr || !is_voxel_body(*node)) return 0;
  const VoxelBodyParams params = voxel_body_params().read(node->values);
  const WorldParams world = read_world_params(scene);
  if (params.integrator == Integrator::explicit_symplectic) return 0;
  return world.dt_s / static_cast<double>(std::max<std::int64_t>(
                          1, substeps_for(world.dt_s, params.implicit_step_s, world.max_substeps)));
}

double numerical_damping(double hertz, double step_s) { return numerical_damping_ratio(2 * pi * hertz, step_s); }

}  // namespace vw::api
