// The glue: owns the arrays, runs the kernels in order.
#include "sim/system/voxel/voxel_body.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/parallel.h"
#include "sim/system/voxel/skin.h"
#include "sim/system/voxel/wind.h"

namespace vw {
namespace {

// Elements a chunk: some 50 us of work, so that small bodies run in place and the bits never depend on the machine.
constexpr std::size_t bond_grain = 1024;
constexpr std::size_t voxel_grain = 1024;

Result<void> refresh_materials(const Node& scene, VoxelLattice& lattice) {
  std::vector<VoxelMaterial> fresh = lattice.materials;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    const Node* node = scene.find("material", lattice.material_name[i]);
    if (node == nullptr && lattice.material_name[i] == "default") continue;  // of a scene without materials
    if (node == nullptr) return fail(fmt::format("material \"{}\" is no longer in the scene", lattice.material_name[i]));
    fresh[i] = voxel_material_params().read(node->values);
  }
  lattice.materials = std::move(fresh);
  return {};
}

Quat rotation_of(const Vec3& rotation_vector) {
  const double angle = rotation_vector.norm();
  return angle > 0 ? Quat(Eigen::AngleAxisd(angle, rotation_vector / angle)) : Quat::Identity();
}

}  // namespace

VoxelBody::VoxelBody(std::string name, VoxelLattice lattice, const VoxelBodyParams& params, const std::vector<VoxelRegion>& regions,
                     bool has_colliders)
    : System(std::move(name)),
      params_(params),
      lattice_(std::move(lattice)),
      topology_(make_topology(lattice_)),
      phases_(make_phases(lattice_)),
      regions_(resolve_regions(lattice_, regions)),
      has_colliders_(has_colliders),
      skin_(make_skin(lattice_, topology_)) {
  const std::size_t n = topology_.voxel_count();
  elements_.mass.resize(n);
  elements_.radius.assign(n, 0.5 * lattice_.edge_m);
  elements_.open_faces = topology_.exposed;
  elements_.held = regions_.fixed;
  elements_.impulse.assign(n, Vec3::Zero());
  elements_.angular_impulse.assign(n, Vec3::Zero());
  contacts_.resize(n);
  loads_.resize(topology_.bonds.size());
  force_.assign(n, Vec3::Zero());
  moment_.assign(n, Vec3::Zero());
  take_materials();
  place(params);
}

/// Poses and velocities at the start.
void VoxelBody::place(const VoxelBodyParams& params) {
  const std::size_t n = topology_.voxel_count();
  const double s = lattice_.edge_m;
  const Vec3 half_extent = 0.5 * s * Vec3(lattice_.nx, lattice_.ny, lattice_.nz);
  const Quat turn = rotation_of(params.rotation);
  Vec3 center = Vec3::Zero();
  double mass = 0;
  for (std::size_t v = 0; v < n; ++v) {
    const auto& cell = lattice_.cell[v];
    const Vec3 local = s * (Vec3(cell[0], cell[1], cell[2]) + Vec3::Constant(0.5));
    elements_.position.push_back(params.position + half_extent + turn * (local - half_extent));
    center += elements_.mass[v] * elements_.position[v];
    mass += elements_.mass[v];
  }
  center /= mass;
  elements_.orientation.assign(n, turn);
  for (std::size_t v = 0; v < n; ++v) {
    const bool held = regions_.fixed[v] != 0;
    const Vec3 spin = held ? Vec3(Vec3::Zero()) : params.angular_velocity;
    elements_.velocity.push_back(held ? Vec3(Vec3::Zero()) : Vec3(params.velocity + spin.cross(elements_.position[v] - center)));
    elements_.angular_velocity.push_back(spin);
  }
  rest_position_ = elements_.position;
  heat_voxels({program(), 0}, phases_, constants_, elements_.radius, {0, n});
}

/// Everything that follows from the materials.
void VoxelBody::take_materials() {
  LatticeConstants fresh = make_constants(lattice_, topology_);
  if (!same_dynamics(fresh, constants_)) spectrum_.reset();
  constants_ = std::move(fresh);
  const std::size_t n = topology_.voxel_count();
  for (std::size_t v = 0; v < n; ++v) elements_.mass[v] = constants_.of(v).mass;
  const bool poisson = !constants_.volume_stiffness.empty();
  strain_.assign(poisson ? topology_.bonds.size() : 0, 0.0);
  volume_tension_.assign(poisson ? n : 0, 0.0);
  Vec3 force = Vec3::Zero();
  double mass = 0;
  for (const Vec3& f : regions_.force) force += f;
  for (const double m : elements_.mass) mass += m;
  region_pull_ = force / mass;
}

Result<void> VoxelBody::configure(const Node& self, const Node& scene) {
  if (auto done = refresh_materials(scene, lattice_); !done) return done;
  params_ = voxel_body_params().read(self.values);
  const auto declared = read_regions(self);
  if (!declared) return Unexpected(declared.error());
  ResolvedRegions regions = resolve_regions(lattice_, *declared);
  const bool colliders = !scene.all("collider").empty();
  if (regions.fixed != regions_.fixed || colliders != has_colliders_) spectrum_.reset();
  regions_ = std::move(regions);
  elements_.held = regions_.fixed;
  has_colliders_ = colliders;
  take_materials();
  if (!constants_.thermal) std::fill(elements_.radius.begin(), elements_.radius.end(), 0.5 * lattice_.edge_m);
  return {};
}

const SpectralBounds& VoxelBody::spectrum() const {
  if (!spectrum_) spectrum_ = spectral_bounds(topology_, constants_, regions_.fixed, has_colliders_);
  return *spectrum_;
}

double VoxelBody::stable_dt(double coupled_stiffness_npm) const { return params_.safety * largest_stable_dt(spectrum(), coupled_stiffness_npm); }

void VoxelBody::begin_step(const StepContext& context) {
  kinetic_before_ = kinetic_energy(view());
  find_near_colliders(context.colliders, elements_, context.gravity, context.dt, near_);
  air_.clear();
  if (!params_.wind || context.fields == nullptr || context.fields->empty()) return;
  air_.resize(elements_.size());
  context.fields->velocity(elements_.position, context.time, air_);
}

void VoxelBody::substep(const StepContext& context, double t, double dt) {
  last_dt_ = dt;
  evaluate_bonds(t);
  advance_voxels(context, dt);
}

/// Rest lengths of this moment, then the loads of all bonds.
void VoxelBody::evaluate_bonds(double t) {
  time_ = t;
  const BondView bonds = bond_view();
  if (constants_.thermal) {
    const TemperatureMoment moment(program(), t);
    parallel_for(elements_.size(), 4 * voxel_grain,
                 [&](Range range, std::size_t) { heat_voxels(moment, phases_, constants_, elements_.radius, range); });
  }
  if (!strain_.empty()) {
    const VoxelView voxels = voxel_view();
    parallel_for(topology_.bonds.size(), bond_grain,
                 [&](Range range, std::size_t) { bond_strains(bonds, voxels, constants_.edge_m, strain_, range); });
    parallel_for(elements_.size(), 4 * voxel_grain,
                 [&](Range range, std::size_t) { sum_volume_tension(topology_, strain_, constants_.volume_stiffness, volume_tension_, range); });
  }
  const VoxelView voxels = voxel_view();
  parallel_for(topology_.bonds.size(), bond_grain, [&](Range range, std::size_t) { bond_forces(bonds, voxels, constants_.damped, loads_, range); });
}

/// Sums what acts on each voxel and moves it.
void VoxelBody::advance_voxels(const StepContext& context, double dt) {
  const VoxelLoads sums{force_, moment_};
  const WindParams wind{params_.wind_drag, params_.wind_friction, params_.air_density};
  const double voxels_across = std::max({lattice_.nx, lattice_.ny, lattice_.nz});
  const ContactInput contact{context.colliders, near_, &topology_, &constants_, &elements_, regions_.fixed, dt, context.gravity + region_pull_,
                             voxels_across};
  parallel_for(elements_.size(), voxel_grain, [&](Range range, std::size_t) {
    gather_bond_loads(topology_, loads_, sums, range);
    add_body_forces(constants_, elements_, context.gravity, regions_.force, sums, range);
    if (!air_.empty()) wind_forces(wind, topology_, elements_, air_, dt, force_, range);
    contact_forces(contact, force_, contacts_, range);
    kick(constants_, sums, regions_.fixed, dt, elements_, range);
    drift(dt, elements_, range);
  });
}

void VoxelBody::visit_state(StateVisitor& visit) {
  visit("position", elements_.position);
  visit("velocity", elements_.velocity);
  visit("orientation", elements_.orientation);
  visit("angular_velocity", elements_.angular_velocity);
  visit("half_edge", elements_.radius);
  visit("impulse", elements_.impulse);
  visit("angular_impulse", elements_.angular_impulse);
  visit("contact", contacts_);
  visit("time", time_);
}

std::string VoxelBody::state_problem() const {
  const std::size_t n = topology_.voxel_count();
  const auto whole = [&](const auto&... arrays) { return ((arrays.size() == n) && ...); };
  if (!whole(elements_.position, elements_.orientation, elements_.angular_velocity, elements_.angular_impulse, contacts_))
    return fmt::format("its arrays do not have a row for each of the {} voxels", n);
  for (const Quat& q : elements_.orientation)
    if (!(std::abs(q.norm() - 1) < 1e-6)) return "an orientation is no rotation";
  return {};
}

std::optional<HealthIssue> VoxelBody::check_health() const {
  std::optional<HealthIssue> issue = find_issue(view(), kinetic_before_);
  if (!issue) return issue;
  const double stable = largest_stable_dt(spectrum(), 0);
  issue->why =
      last_dt_ > stable
          ? fmt::format("time step too large for this stiffness: substep {:.3g} s, stable {:.3g} s", last_dt_, stable)
          : fmt::format("substep {:.3g} s is within the stable {:.3g} s: a load, a collision or a temperature is too large for this stiffness",
                        last_dt_, stable);
  return issue;
}

VoxelView VoxelBody::voxel_view() const {
  return {elements_.position, elements_.orientation, elements_.velocity, elements_.angular_velocity, elements_.radius, volume_tension_};
}

BondView VoxelBody::bond_view() const { return {topology_.bonds, constants_.bond_constants_of, constants_.bonds, topology_.axis_bonds}; }

BodyView VoxelBody::view() const { return {&topology_, &constants_, &elements_, bond_view(), voxel_view()}; }

Result<std::unique_ptr<System>> create_voxel_body(const Node& self, const Node& scene) {
  auto lattice = make_lattice(self, scene);
  if (!lattice) return Unexpected(lattice.error());
  const auto regions = read_regions(self);
  if (!regions) return Unexpected(regions.error());
  return std::make_unique<VoxelBody>(self.name, std::move(*lattice), voxel_body_params().read(self.values), *regions,
                                     !scene.all("collider").empty());
}

}  // namespace vw
