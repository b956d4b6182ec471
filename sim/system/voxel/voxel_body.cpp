// VoxelBody owns the state of a voxel body and calls the solvers in order.
#include "sim/system/voxel/voxel_body.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/elementary/elementary.h"
#include "sim/collision/pose.h"
#include "sim/system/voxel/analysis/statics.h"
#include "sim/system/voxel/implicit/implicit_contact.h"
#include "sim/system/voxel/lattice/pieces.h"
#include "sim/system/voxel/lattice/region_notes.h"

namespace vw {
namespace {

Result<void> refresh_materials(const Node& scene, VoxelLattice& lattice) {
  std::vector<VoxelMaterial> fresh = lattice.materials;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    const Node* node = scene.find("material", lattice.material_name[i]);
    // A scene without materials uses the default material, which has no node in the scene.
    if (node == nullptr && lattice.material_name[i] == "default") continue;
    if (node == nullptr)
      return fail(fmt::format("material \"{}\" is no longer in the scene", lattice.material_name[i]));
    if (auto good = check_material(*node); !good) return good;
    fresh[i] = voxel_material_params().read(node->values);
  }
  lattice.materials = std::move(fresh);
  return {};
}

/// Visits the impulse arrays. A saved state has an impulse for each voxel, even if `elements` has no impulses.
void visit_impulses(Elements& elements, StateVisitor& visit) {
  const bool none = elements.impulse.empty();
  elements.room_for_impulses();
  visit("impulse", elements.impulse);
  visit("angular_impulse", elements.angular_impulse);
  const auto is_zero = [](const Vec3& v) { return v.isZero(0); };
  const bool fits = elements.impulse.size() == elements.size() && elements.angular_impulse.size() == elements.size();
  if (!none || !fits || !std::all_of(elements.impulse.begin(), elements.impulse.end(), is_zero) ||
      !std::all_of(elements.angular_impulse.begin(), elements.angular_impulse.end(), is_zero))
    return;
  elements.impulse = {};
  elements.angular_impulse = {};
}

}  // namespace

VoxelBody::VoxelBody(std::string name, VoxelLattice lattice, const VoxelBodyParams& params,
                     const std::vector<VoxelRegion>& regions, std::vector<VoxelMuscle> muscles, bool has_colliders)
    : System(std::move(name)),
      params_(params),
      lattice_(std::move(lattice)),
      topology_(make_topology(lattice_)),
      phases_(make_phases(lattice_)),
      start_corner_(params.position),
      start_turn_(rotation_of(params.rotation)),
      has_colliders_(has_colliders) {
  const std::size_t n = topology_.voxel_count();
  elements_.mass.resize(n);
  elements_.radius.assign(n, 0.5 * lattice_.edge_m);
  elements_.open_faces = topology_.exposed;
  take_regions(resolve_regions(lattice_, regions));
  muscles_.set(std::move(muscles), n);
  contacts_.resize(n);
  in_pieces_ = is_in_pieces();
  take_materials();
  place(params);
}

Vec3 VoxelBody::rest_position(std::size_t voxel) const {
  const double s = lattice_.edge_m;
  const Vec3 half_extent = 0.5 * s * Vec3(lattice_.nx, lattice_.ny, lattice_.nz);
  const auto& cell = lattice_.cell[voxel];
  const Vec3 local = s * (Vec3(cell[0], cell[1], cell[2]) + Vec3::Constant(0.5));
  return start_corner_ + half_extent + start_turn_ * (local - half_extent);
}

std::vector<Vec3> VoxelBody::rest_positions() const {
  std::vector<Vec3> all(topology_.voxel_count());
  for (std::size_t v = 0; v < all.size(); ++v) all[v] = rest_position(v);
  return all;
}

void VoxelBody::take_regions(ResolvedRegions regions) {
  regions_ = std::move(regions);
  elements_.held = regions_.fixed;
  held_from_ = regions_.held.empty() ? std::vector<Vec3>() : rest_positions();
}

/// Sets the poses, velocities and half edges at time 0.
void VoxelBody::place(const VoxelBodyParams& params) {
  const std::size_t n = topology_.voxel_count();
  Vec3 center = Vec3::Zero();
  double mass = 0;
  elements_.position = rest_positions();
  for (std::size_t v = 0; v < n; ++v) {
    center += elements_.mass[v] * elements_.position[v];
    mass += elements_.mass[v];
  }
  center /= mass;
  elements_.orientation.assign(n, start_turn_);
  elements_.velocity.reserve(n);
  elements_.angular_velocity.reserve(n);
  for (std::size_t v = 0; v < n; ++v) {
    const bool held = regions_.fixed[v] != 0;
    const Vec3 spin = held ? Vec3(Vec3::Zero()) : params.angular_velocity;
    elements_.velocity.push_back(held ? Vec3(Vec3::Zero())
                                      : Vec3(params.velocity + spin.cross(elements_.position[v] - center)));
    elements_.angular_velocity.push_back(spin);
  }
  set_half_edges({program(), 0}, phases_, muscles_, constants_, elements_.radius, {0, n});
}

/// Updates all quantities that depend on the materials.
void VoxelBody::take_materials() {
  LatticeConstants fresh = make_constants(lattice_, topology_);
  fresh.sizes_vary = fresh.sizes_vary || !muscles_.empty();
  if (!same_dynamics(fresh, constants_)) spectrum_.reset();
  constants_ = std::move(fresh);
  const std::size_t n = topology_.voxel_count();
  for (std::size_t v = 0; v < n; ++v) elements_.mass[v] = constants_.of(v).mass;
  Vec3 force = Vec3::Zero();
  double mass = 0;
  for (const Vec3& f : regions_.force) force += f;
  for (const double m : elements_.mass) mass += m;
  region_acceleration_ = force / mass;
  take_laws();
  engine_.invalidate();
}

/// Updates the laws of the bonds. Allocates memory_.slack and memory_.flowed if some bond can yield or break.
void VoxelBody::take_laws() {
  laws_ = make_laws(lattice_, topology_);
  if (laws_.rows.empty() || !memory_.slack.empty()) return;
  memory_.slack.assign(3 * topology_.voxel_count(), 0.0);
  memory_.flowed.assign(3 * topology_.voxel_count(), 0.0);
}

bool VoxelBody::is_in_pieces() const {
  if (std::any_of(memory_.broken.begin(), memory_.broken.end(), [](std::uint8_t broken) { return broken != 0; }))
    return true;
  Pieces pieces;
  pieces.update(topology_, regions_.fixed);
  return pieces.count() > 1;
}

/// Updates the open faces after bonds broke, and invalidates all data that depend on the bonds.
void VoxelBody::on_bonds_broken() {
  elements_.open_faces = topology_.exposed;
  skin_ = nullptr;
  ++cracks_;
  spectrum_.reset();
  engine_.invalidate();
  watch_.forget();
}

Result<void> VoxelBody::configure(const Node& self, const Node& scene) {
  if (auto done = refresh_materials(scene, lattice_); !done) return done;
  const bool touched_itself = touches_itself();
  params_ = voxel_body_params().read(self.values);
  if (touches_itself() != touched_itself) spectrum_.reset();
  const auto declared = read_regions(self);
  if (!declared) return Unexpected(declared.error());
  auto muscles = read_muscles(self, lattice_);
  if (!muscles) return Unexpected(muscles.error());
  muscles_.set(std::move(*muscles), topology_.voxel_count());
  ResolvedRegions regions = resolve_regions(lattice_, *declared);
  const bool colliders = !scene.all("collider").empty();
  if (regions.fixed != regions_.fixed || colliders != has_colliders_) spectrum_.reset();
  const ResolvedRegions former = std::move(regions_);
  take_regions(std::move(regions));
  return_to_rest(former);
  has_colliders_ = colliders;
  take_materials();
  if (!constants_.sizes_vary) std::fill(elements_.radius.begin(), elements_.radius.end(), 0.5 * lattice_.edge_m);
  return {};
}

bool VoxelBody::set_live(std::string_view parameter, double value) {
  constexpr std::string_view before = "muscle.", after = ".strain";
  if (!parameter.starts_with(before) || !parameter.ends_with(after)) return false;
  return muscles_.set_target(parameter.substr(before.size(), parameter.size() - before.size() - after.size()), value);
}

const SpectralBounds& VoxelBody::spectrum() const {
  ContactSprings springs;
  if (has_colliders_) springs = {1, 1};
  if (touches_itself()) springs = {self_contact_springs, std::max(springs.damping, self_contact_dampers)};
  if (!spectrum_) spectrum_ = spectral_bounds(topology_, constants_, regions_.fixed, springs);
  return *spectrum_;
}

/// Computes the bound from spectrum(), which refers to the rest shape, and corrects the bound for stretched bonds. If a
/// bond is stretched by a factor f, the lever arms of the bond's spring and damper grow by f. Stiffness and damping
/// against rotation grow by f^2.
double VoxelBody::stable_dt_at_current_shape(double coupled_stiffness_npm) const {
  constexpr double beyond_sense = 20;  // stretch ratio above which find_issue() reports an error
  // A muscle that expands suddenly makes a free body overshoot by the whole expansion.
  constexpr double muscle_overshoot = 2;
  const double arm = std::min(
      std::max(largest_stretch_ratio(view()), max_stretch_estimate(program(), phases_, constants_, elements_.size()) +
                                                  muscle_overshoot * muscles_.largest_growth()),
      beyond_sense);
  SpectralBounds bounds = spectrum();
  bounds.stiffness *= arm * arm;
  bounds.damping *= arm * arm;
  return largest_stable_dt(bounds, coupled_stiffness_npm);
}

/// Returns the parameter `safety`, or a default if the parameter is 0. Without damping, the energy error of the fastest
/// modes does not decay. The error stays within 2 % at 0.3 times the stable substep and reaches 15 % at 0.9 times the
/// stable substep.
double VoxelBody::safety() const {
  constexpr double damped_safety = 0.9, undamped_safety = 0.3;
  if (params_.safety > 0) return params_.safety;
  return constants_.damped ? damped_safety : undamped_safety;
}

/// With the implicit integrator, returns the parameter `implicit_step`. With the explicit integrator, returns the
/// smaller of two bounds. The first is the bound for the rest shape times the safety factor, which allows for stretch
/// that develops within one step. The second is the bound for the current shape. It is smaller if the body is already
/// stretched. With the safety factor 0.9, this is the case for a stretch above 9 %.
double VoxelBody::stable_dt(double coupled_stiffness_npm) const {
  if (params_.integrator == Integrator::implicit_euler) return params_.implicit_step_s;
  constexpr double least_margin = 0.98;
  return std::min(safety() * largest_stable_dt(spectrum(), coupled_stiffness_npm),
                  least_margin * stable_dt_at_current_shape(coupled_stiffness_npm));
}

StepBound VoxelBody::step_bound(double coupled_stiffness_npm) const {
  if (params_.integrator == Integrator::implicit_euler) return {"implicit_step", "raise implicit_step"};
  return System::step_bound(coupled_stiffness_npm);
}

void VoxelBody::begin_step(const StepContext& context) {
  kinetic_before_ = kinetic_energy(view());
  elements_.met.clear();
  overbent_before_ = overbent_;
  muscles_.begin_step(context.time, context.dt);
  stable_before_ = params_.integrator == Integrator::explicit_symplectic ? stable_dt_at_current_shape(0)
                                                                         : std::numeric_limits<double>::infinity();
  wind_.forget();
  if (!params_.wind || context.fields == nullptr || !context.fields->is_felt()) return;
  air_density_ = context.fields->density_or(params_.air_density);
  wind_.look(*context.fields, context.time, topology_.exposed, elements_, params_.wind_shielding);
}

/// Enables contact between the pieces of a broken body from the next step on. The contact is not enabled earlier,
/// because it increases the stiffness and the substeps of the present step cannot be shortened any more.
void VoxelBody::end_step(const StepContext&) {
  muscles_.end_step();
  if (in_pieces_ || memory_.broken.empty()) return;
  in_pieces_ = is_in_pieces();
  spectrum_.reset();
}

void VoxelBody::substeps(const StepContext& context, double t, double dt, std::int64_t count) {
  last_dt_ = dt;
  has_self_pairs_ = touches_itself();
  time_ = t + static_cast<double>(count - 1) * dt;
  if (params_.integrator == Integrator::implicit_euler) {
    for (std::int64_t i = 0; i < count; ++i) advance_implicit(context, t + static_cast<double>(i) * dt, dt);
    return;
  }
  EngineInput in;
  in.topology = &topology_;
  in.constants = &constants_;
  in.laws = &laws_;
  in.memory = &memory_;
  in.regions = &regions_;
  in.rest_position = held_from_;
  in.rest_orientation = rotation_of(params_.rotation);
  in.program = program();
  in.phases = &phases_;
  in.muscles = &muscles_;
  in.colliders = context.colliders;
  in.wind = wind_view();
  in.gravity = context.gravity;
  in.load = context.gravity + region_acceleration_;
  in.voxels_across = std::max({lattice_.nx, lattice_.ny, lattice_.nz});
  in.precision = params_.precision;
  in.self_contact = touches_itself();
  in.contacts = contacts_;
  const bool cracked = engine_.run(in, elements_, t, dt, count);
  overbent_ += engine_.overbent();
  if (cracked) on_bonds_broken();
}

/// Estimates the cost of `substeps` substeps. The unit of cost is the work for one voxel or bond in an explicit
/// substep. An implicit substep costs about 1000 units per voxel, because it takes several Newton iterations with
/// dozens of matrix products each, and the matrix has 7 blocks per voxel.
double VoxelBody::step_cost(const StepContext& context, std::int64_t substeps) const {
  (void)context;
  const bool implicit = params_.integrator == Integrator::implicit_euler;
  const double each = implicit ? 1000 * static_cast<double>(elements_.size())
                               : static_cast<double>(elements_.size() + topology_.bonds.size());
  return static_cast<double>(substeps) * each;
}

CostCause VoxelBody::cost_cause(const StepContext& context, std::int64_t substeps) const {
  const bool implicit = params_.integrator == Integrator::implicit_euler;
  return {fmt::format("{} substeps of {:.2g} s per step for {} voxels{}", substeps,
                      context.dt / static_cast<double>(substeps), elements_.size(),
                      implicit ? "" : ", because of their ratio of stiffness to mass"),
          implicit
              ? "raise implicit_step, or use fewer voxels"
              : "lower youngs_modulus, raise density, use fewer or larger voxels, or set integrator = \"implicit\""};
}

/// Applies yielding and failure at the present shape.
void VoxelBody::wear_bonds() {
  const Wear worn = wear_.apply(laws_, elements_, topology_, constants_, memory_);
  overbent_ += static_cast<std::uint64_t>(worn.overbent);
  if (worn.cracked) on_bonds_broken();
}

/// Advances by one substep of the implicit integrator. The substep is divided into smaller ones if a single step could
/// miss contacts at walls or within the body.
void VoxelBody::advance_implicit(const StepContext& context, double t, double dt) {
  constexpr double most_parts = 256;
  const double least = dt / most_parts;
  double done = advance_part(context, context.colliders, t, dt, least);
  for (implicit_parts_ = 1; done < (1 - 1e-9) * dt; ++implicit_parts_) {
    colliders_.clear();
    for (const Collider& collider : context.colliders) colliders_.push_back(at_time(collider, done));
    done += advance_part(context, colliders_, t + done, dt - done, least);
  }
}

double VoxelBody::advance_part(const StepContext& context, std::span<const Collider> colliders, double t, double dt,
                               double least) {
  // Residual displacement, in voxel edges, below which a step counts as converged. If contact forces are small, the
  // residual may consist of rounding errors, which a shorter step would not reduce.
  constexpr double near_enough = 1e-4;
  wear_bonds();
  find_near_colliders(colliders, elements_, context.gravity, dt, near_);
  double h = longest_step_at_walls(colliders, near_, topology_, elements_, dt);
  const auto whole_parts = [&] { h = dt / std::ceil(dt / std::max(h, std::min(least, dt)) - 1e-9); };
  if (!touches_itself() && memory_.broken.empty()) {
    whole_parts();
    implicit_report_ = step_implicitly(context, colliders, t, h);
    return h;
  }
  const double foreseen = watch_.look(topology_, elements_, constants_.edge_m, dt, least);
  if (foreseen > 0) h = std::min(h, foreseen);
  whole_parts();
  watch_.keep(elements_, contacts_);
  while (true) {
    implicit_report_ = step_implicitly(context, colliders, t, h);
    const bool close = implicit_report_.converged || !implicit_.met_itself() ||
                       implicit_report_.residual_displacement_m < near_enough * constants_.edge_m;
    const bool good = watch_.saw_all(elements_) && close;
    if (good || !(foreseen > 0) || 0.5 * h < least) return h;
    watch_.give_back(elements_, contacts_);
    h *= 0.5;
  }
}

/// Advances the body by one implicit step, with the temperature and the muscle strains at the end of the step and the
/// air velocity at the start of the world step. Wind forces rotate with the faces on which they act. These forces are
/// therefore evaluated for the predicted orientation at the end of the step. With the orientation at the start of the
/// step, the wind would keep accelerating the rotation of a turning body.
ImplicitStepper::Report VoxelBody::step_implicitly(const StepContext& context, std::span<const Collider> colliders,
                                                   double t, double dt) {
  const std::size_t n = elements_.size();
  if (constants_.sizes_vary)
    set_half_edges({program(), t + dt}, phases_, muscles_, constants_, elements_.radius, {0, n});
  push_.clear();
  if (const WindView wind = wind_view(); !wind.rows.empty()) {
    push_.assign(n, Vec3::Zero());
    for (std::size_t row = 0; row < wind.rows.size(); ++row) {
      const std::size_t v = wind.rows[row].voxel;
      const Quat ahead = rotation_of(dt * elements_.angular_velocity[v]) * elements_.orientation[v];
      push_[v] = wind_force(wind, row, elements_.velocity[v], ahead, elements_.radius[v], elements_.mass[v], dt);
    }
  }
  ImplicitBody body;
  body.topology = &topology_;
  body.constants = &constants_;
  body.regions = &regions_;
  body.rest_position = held_from_;
  rest_orientation_.assign(n, rotation_of(params_.rotation));
  body.rest_orientation = rest_orientation_;
  body.colliders = colliders;
  body.near = near_;
  body.contacts = contacts_;
  if (touches_itself() || !memory_.broken.empty()) body.pairs = watch_.pairs();
  body.force = push_;
  body.slack = memory_.slack;
  body.gravity = context.gravity;
  body.tolerance = params_.implicit_tolerance;
  body.iterations = static_cast<int>(params_.implicit_iterations);
  return implicit_.step(body, elements_, t, dt);
}

void VoxelBody::visit_state(StateVisitor& visit) {
  visit("position", elements_.position, state_motion);
  visit("velocity", elements_.velocity, state_motion);
  visit("orientation", elements_.orientation);
  visit("angular_velocity", elements_.angular_velocity, state_motion);
  // Voxels of the smallest allowed size that shrink to least_size have a half edge of 5e-11 m.
  visit("half_edge", elements_.radius, {1e-11, 1e9});
  visit_impulses(elements_, visit);
  visit("contact", contacts_);
  visit.rows("bond row");
  visit("slack", memory_.slack);
  visit("flowed", memory_.flowed);
  visit.rows("bond");
  visit("broken", memory_.broken, state_flag);
  visit("overbent", overbent_);
  visit("time", time_, state_clock);
  muscles_.visit_state(visit);
}

std::string VoxelBody::state_problem() const {
  const std::size_t n = topology_.voxel_count();
  const auto whole = [&](const auto&... arrays) { return ((arrays.size() == n) && ...); };
  if (!whole(elements_.position, elements_.orientation, elements_.angular_velocity, contacts_) ||
      elements_.impulse.size() != elements_.angular_impulse.size())
    return fmt::format("the arrays do not have one row for each of the {} voxels", n);
  for (const Quat& q : elements_.orientation)
    if (!(std::abs(q.norm() - 1) < 1e-6)) return "an orientation is not a unit quaternion";
  const auto fits = [](std::size_t size, std::size_t rows) { return size == 0 || size == rows; };
  if (!fits(memory_.slack.size(), 3 * n) || memory_.flowed.size() != memory_.slack.size() ||
      !fits(memory_.broken.size(), topology_.bonds.size()))
    return fmt::format("the stored state of bonds does not match the {} bonds of the body", topology_.bonds.size());
  if (!muscles_.has_sound_state())
    return fmt::format("the stored strains do not match the {} muscles of the body", muscles_.all().size());
  return {};
}

/// Rebuilds the topology and all derived data from the list of broken bonds.
void VoxelBody::state_restored() {
  topology_ = make_topology(lattice_);
  for (std::size_t bond = 0; bond < memory_.broken.size(); ++bond)
    if (memory_.broken[bond] != 0) break_bond(topology_, bond);
  refresh_volume_stiffness(topology_, constants_);
  take_laws();
  on_bonds_broken();
  in_pieces_ = is_in_pieces();
  has_self_pairs_ = false;
  muscles_.state_restored();
  // The state may be that of a former body whose voxels were heated.
  if (!constants_.sizes_vary) std::fill(elements_.radius.begin(), elements_.radius.end(), 0.5 * lattice_.edge_m);
}

void VoxelBody::surroundings_changed(std::span<const std::size_t> now) {
  for (ContactState& contact : contacts_) contact = renumbered(contact, now);
}

std::vector<std::int64_t> VoxelBody::continue_from(System& former,
                                                   const std::map<std::string, std::string>& former_names) {
  copy_state(former, static_cast<System&>(*this));
  return_to_rest(static_cast<VoxelBody&>(former).regions_);
  muscles_.continue_from(static_cast<VoxelBody&>(former).muscles_, former_names);
  state_restored();
  for (std::size_t v = 0; v < regions_.fixed.size(); ++v)
    if (regions_.fixed[v] != 0) elements_.velocity[v].setZero(), elements_.angular_velocity[v].setZero();
  return {};
}

bool VoxelBody::keep_state() {
  const bool implicit = params_.integrator == Integrator::implicit_euler;
  engine_.keep_motion();
  kept_.keep(state(), {implicit, constants_.sizes_vary});
  returned_.clear();
  muscles_.keep_state();
  return true;
}

void VoxelBody::return_to_kept_state() {
  engine_.return_to_kept_motion(elements_);
  kept_.give_back(state());
  for (auto row = returned_.rbegin(); row != returned_.rend(); ++row) {
    elements_.position[row->voxel] = row->position, elements_.velocity[row->voxel] = row->velocity;
    elements_.angular_velocity[row->voxel] = row->angular_velocity;
    elements_.orientation[row->voxel] = row->orientation;
  }
  muscles_.return_to_kept_state();
}

std::vector<std::string> VoxelBody::notes(const Setup& setup) const {
  std::vector<std::string> all;
  const double least = least_strain(program(), phases_, constants_, elements_.size());
  if (1 + least < least_size)
    all.push_back(
        fmt::format("{}: the temperature would cause a strain of {:.3g}, but voxels keep at least {:g} of their size. "
                    "Lower cte or temperature_amplitude",
                    name(), least, least_size));
  note_empty_regions(name(), lattice_, setup.self, all);
  return all;
}

double VoxelBody::elastic_energy_bound() const {
  double sum = 0;
  const double volume = elementary::pow(constants_.edge_m, 3);
  for (std::size_t v = 0; v < elements_.size(); ++v) sum += 0.5 * constants_.of(v).youngs * volume;
  return sum;
}

Result<StaticSolution> VoxelBody::solve_equilibrium(std::span<const Collider> colliders, const Vec3& gravity,
                                                    const StaticOptions& options) {
  const std::vector<Quat> start(elements_.size(), rotation_of(params_.rotation));
  const std::vector<Vec3> places = rest_positions();
  StaticBody in;
  in.topology = &topology_;
  in.constants = &constants_;
  in.regions = &regions_;
  in.colliders = colliders;
  in.gravity = gravity;
  in.slack = memory_.slack;
  in.rest_position = places;
  in.rest_orientation = start;
  return solve_static(in, options, elements_);
}

std::optional<HealthIssue> VoxelBody::check_health() const {
  std::optional<HealthIssue> issue = find_issue(view(), kinetic_before_);
  // A body that explodes slowly may break all of its bonds before any value exceeds the limits of find_issue().
  if (!issue && last_dt_ > stable_before_ && overbent_ > overbent_before_)
    issue = HealthIssue{
        fmt::format("number of bonds that bent by more than half a turn in one step: {}", overbent_ - overbent_before_),
        -1, ""};
  if (!issue) return issue;
  // The stable substep at the start of the step is used, because an exploding body may break bonds, which increases the
  // stable substep.
  const double stable = stable_before_;
  if (last_dt_ > stable)
    issue->why = fmt::format(
        "the time step is too large for the stiffness: the substep is {:.3g} s, but the longest stable one is {:.3g} s",
        last_dt_, stable);
  else
    issue->why = fmt::format(
        "the substep of {:.3g} s is short enough for the stiffness, so a load, a collision or a temperature is too "
        "large",
        last_dt_);
  return issue;
}

VoxelView VoxelBody::voxel_view() const {
  return {elements_.position,         elements_.orientation, elements_.velocity,
          elements_.angular_velocity, elements_.radius,      {}};
}

BondView VoxelBody::bond_view() const {
  return {topology_.bonds, &constants_.bond_constants_of, constants_.bonds, topology_.axis_bonds, memory_.slack};
}

BodyView VoxelBody::view() const { return {&topology_, &constants_, &elements_, bond_view(), voxel_view()}; }

Result<std::unique_ptr<System>> create_voxel_body(const Node& self, const Node& scene) {
  auto lattice = make_lattice(self, scene);
  if (!lattice) return Unexpected(lattice.error());
  const auto regions = read_regions(self);
  if (!regions) return Unexpected(regions.error());
  auto muscles = read_muscles(self, *lattice);
  if (!muscles) return Unexpected(muscles.error());
  return std::make_unique<VoxelBody>(self.name, std::move(*lattice), voxel_body_params().read(self.values), *regions,
                                     std::move(*muscles), !scene.all("collider").empty());
}

}  // namespace vw
