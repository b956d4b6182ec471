// The fluid system. It splits substeps that are too long into parts, and connects particles, inflows, drains, guests
// and display.
#include "sim/system/fluid/fluid.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>

#include <fmt/format.h>

#include "sim/collision/collider_kinds.h"
#include "sim/system/fluid/bodies/guest_motion.h"
#include "sim/system/fluid/flows/fill.h"
#include "sim/system/fluid/flows/fill_relax.h"
#include "sim/system/fluid/flows/flow.h"
#include "sim/system/fluid/fluid_cost.h"
#include "sim/system/fluid/fluid_notes.h"
#include "sim/system/fluid/fluid_solver.h"
#include "sim/system/fluid/measures/fluid_picture.h"
#include "sim/system/fluid/measures/fluid_probe.h"
#include "sim/system/fluid/measures/gauge.h"
#include "sim/system/fluid/pressure/pressure_step_limit.h"
#include "sim/system/fluid/pressure/wcsph.h"
#include "sim/system/fluid/walls/walls_force.h"
#include "sim/system/point_elements.h"

namespace vw {
namespace {

/// A substep is split into parts if it is more than `cfl_slack` times as long as the CFL condition allows, or more than
/// `sound_slack` times as long as the longest stable step.
constexpr double cfl_slack = 1.25, sound_slack = 1.1;
/// Largest number of parts in a step. If a step needs more, it would take too long, and the world stops with an error.
constexpr double most_parts = 1000;
/// Mean relative density above rest at which a fluid among moving obstacles counts as having no space left. A fill with
/// doubled particles relaxes to a lower value.
constexpr double no_room = 0.2;
constexpr const char* too_large_wall = "the surface of a collider in the domain needs more than 2 million samples";
/// Upper limit of dt / sqrt(d / g), with the substep dt, the spacing d and the gravity g. In a substep of this length,
/// a particle falls from rest by 0.02 spacings. The limit is needed because pressures follow from the compression in a
/// single substep. In deep water, the limit of pressure_step_limit.h is lower.
constexpr double most_fall = 0.2;

/// Whether an obstacle moves. The motion of obstacles is prescribed, so the fluid cannot push them away.
bool is_pressed(const std::vector<Collider>& colliders) {
  return std::any_of(colliders.begin(), colliders.end(), [](const Collider& c) {
    return c.velocity != Vec3::Zero() || c.angular_velocity != Vec3::Zero();
  });
}

constexpr TotalWarning left_domain_warning{
    .noun = "particle",
    .sentence = "left the domain, which removes particles. Raise domain_size or close the tank to keep them"};
constexpr TotalWarning not_placed_warning{
    .noun = "particle",
    .sentence =
        "left out of the fills, because an obstacle, a body or another fill occupies the space. This is usual "
        "if bodies start in liquid",
    .is_passive = true};
constexpr TotalWarning slowed_warning{
    .noun = "particle",
    .sentence =
        "moved at a limited speed, because the full pressure would eject fluid. This is usual where liquid is "
        "squeezed"};

class Fluid final : public FluidSystem {
 public:
  explicit Fluid(const Node& self) : FluidSystem(self.name) {}

  [[nodiscard]] const Schema& schema() const override { return fluid_schema(); }
  Result<void> configure(const Node& self, const Node& scene) override;
  Result<void> populate(const Node& self, const Node& scene);

  [[nodiscard]] double spacing() const override { return params_.spacing_m; }
  [[nodiscard]] double gravity_scale() const override { return params_.gravity_scale; }
  /// Warnings about fills, parameters and obstacles.
  [[nodiscard]] std::vector<std::string> notes(const Setup& setup) const override;
  [[nodiscard]] Period period() const override {
    Period period{domain_.box.min(), Vec3::Zero()};
    for (int a = 0; a < 3; ++a)
      if (domain_.periodic[static_cast<std::size_t>(a)]) period.length[a] = domain_.length(a);
    return period;
  }
  [[nodiscard]] bool settles_slowly() const override;
  void relax_at_start() override;
  [[nodiscard]] Guest& add_guest() override;
  void solve(double t, double dt) override;
  [[nodiscard]] double highest_pressure() const override { return rows_.peak; }
  std::size_t make_room(const std::function<bool(const Vec3&)>& inside) override;
  [[nodiscard]] double density_at(const Vec3& point) const override {
    return rest_density_at(rows_, params_, phases_, point);
  }
  [[nodiscard]] Sample sample(const Vec3& point) const override { return sample_fluid(rows_, params_, point); }
  [[nodiscard]] double surface_height(double x, double z) const override {
    return surface_height_of(rows_, params_, x, z);
  }

  [[nodiscard]] double stable_dt(double coupled_stiffness_npm) const override;
  [[nodiscard]] StepBound step_bound(double coupled_stiffness_npm) const override {
    return fluid_step_bound(movers({}), params_, stable_dt(coupled_stiffness_npm));
  }
  [[nodiscard]] double step_cost(const StepContext& context, std::int64_t substeps) const override {
    return fluid_cost(movers(context.colliders), walls_that_move(context.colliders), most_way(), context.dt, substeps,
                      most_parts);
  }
  [[nodiscard]] CostCause cost_cause(const StepContext& context, std::int64_t substeps) const override {
    return fluid_cost_cause(movers(context.colliders), walls_that_move(context.colliders),
                            step_cost(context, substeps));
  }
  [[nodiscard]] double longest_dt_of_guests() const override {
    return params_.method == FluidMethod::wcsph ? stable_dt(0) : std::numeric_limits<double>::infinity();
  }
  void begin_step(const StepContext& context) override;
  void substep(const StepContext& context, double t, double dt) override;
  [[nodiscard]] Elements& elements() override { return rows_.elements; }
  [[nodiscard]] const Elements& elements() const override { return rows_.elements; }

  void visit_state(StateVisitor& visit) override;
  [[nodiscard]] std::string state_problem() const override;
  void state_restored() override;

  [[nodiscard]] Diagnostics diagnostics(const StepContext& context) const override {
    return point_sums(elements(), params_.gravity_scale * context.gravity);
  }
  [[nodiscard]] std::optional<HealthIssue> check_health() const override {
    return issue_ ? issue_ : fluid_health(elements());
  }
  [[nodiscard]] std::span<const ChannelInfo> channels() const override { return fluid_channels(); }
  void channel(std::size_t index, std::vector<float>& out) const override { fluid_channel(view(), index, out); }
  [[nodiscard]] std::span<const ChannelInfo> vector_channels() const override { return fluid_vectors(); }
  void vector_channel(std::size_t index, std::vector<Vec3f>& out) const override {
    (void)index;
    fluid_vector(view(), out);
  }
  void totals(std::vector<Total>& out) const override;
  void snapshot(SystemSnapshot& out) const override {
    fluid_spheres(rows_, phases_, out);
    const Vec3 length = period().length;
    for (int a = 0; a < 3; ++a) out.period[a] = static_cast<float>(length[a]);
  }

 private:
  [[nodiscard]] FluidView view() const { return {rows_, phases_, space_is_current_ ? &solver_ : nullptr, time_}; }
  void run(std::span<const Collider> colliders, double t, double dt);
  [[nodiscard]] std::size_t mark_outside();
  void remove_leavers(double t, double dt);
  [[nodiscard]] bool has_too_large_a_wall(std::span<const Collider> colliders) const {
    return std::any_of(colliders.begin(), colliders.end(), [&](const Collider& collider) {
      return takes_too_many_samples(collider, params_.spacing_m, domain_.box);
    });
  }
  [[nodiscard]] double parts_of(double left) const;
  /// Longest displacement of a particle in one part of a substep [m].
  [[nodiscard]] double most_way() const { return cfl_slack * params_.cfl * params_.spacing_m; }
  [[nodiscard]] FluidMovers movers(std::span<const Collider> colliders) const {
    return {rows_, inflows_, inflow_names_, colliders, at_work_, time_};
  }
  [[nodiscard]] MovingWalls walls_that_move(std::span<const Collider> colliders) const {
    return moving_walls(colliders, params_.spacing_m, domain_.box);
  }
  [[nodiscard]] FluidStep step_among(std::span<const Collider> colliders, double dt);
  [[nodiscard]] double stable_step_at(double speed) const;
  void weigh(const std::vector<FluidPhase>& phases);
  void fit_spacing(const FillBalance& balance);

  FluidParams params_;
  FluidDomain domain_;
  std::vector<FluidPhase> phases_;
  std::vector<Inflow> inflows_;
  std::vector<std::string> inflow_names_;
  std::vector<Drain> drains_;
  /// Spacing that the scene requests, and spacing fitted to the fills (0 before the fit) [m].
  double asked_spacing_m_ = 0, fitted_spacing_m_ = 0;
  /// Largest relative difference between the volume of the particles of a fill and the volume of the fill.
  double fill_error_ = 0;
  std::size_t obstacles_ = 0;  ///< Number of obstacles in the scene that are not planes, for which load totals exist.

  // State.
  FluidRows rows_;
  FlowState flow_;
  std::uint64_t parts_ever_ = 0, slowed_ever_ = 0, guarded_ever_ = 0, not_placed_ = 0;
  double time_ = 0;              ///< Time up to which the fluid has moved [s].
  Vec3 gravity_ = Vec3::Zero();  ///< Gravity in the last step, before the first step that of the scene [m/s^2].

  // Data of the current step.
  std::vector<Collider> colliders_;  ///< Colliders at the start of the step.
  double step_start_ = 0, step_s_ = 1;
  AirAbove air_;
  Vec3 wind_ = Vec3::Zero();  ///< Impulse of the wind in this step [N s].
  std::deque<Guest> guests_;  ///< Guests. A deque, because rules keep references to guests while others are added.
  std::size_t guest_count_ = 0;
  bool solved_ = false;

  // Scratch and output.
  Gauges gauges_;
  FluidSolver solver_;
  std::vector<Guest> at_work_;
  /// Impulses on the samples of each guest in the finished parts of the substep.
  std::vector<std::vector<Vec3>> given_;
  std::vector<Vec3> given_turn_;  ///< Moments on each guest in the finished parts of the substep.
  std::vector<Collider> posed_;
  std::vector<Vec3> nozzle_speed_;
  std::vector<std::uint8_t> marked_;
  FluidReport report_;
  int parts_ = 0;
  double extra_parts_ = 0;  ///< Number of parts of the current step in excess of one per substep.
  bool space_is_current_ = false;
  std::optional<HealthIssue> issue_;
};

// ---- Construction ---------------------------------------------------------------------------------------------------

Unexpected inside(const Node& self, const char* slot, const Node& child, Error error) {
  error.key = "system." + self.name + "." + slot + "." + child.name + (error.key.empty() ? "" : ".") + error.key;
  return fail(std::move(error));
}

Result<void> check_counts(const Node& self) {
  constexpr std::size_t most = 250;
  for (const char* slot : {"phase", "inflow"})
    if (const std::size_t count = self.all(slot).size(); count > most)
      return wrong_value(self.line, "system." + self.name + "." + slot, fmt::format("{} tables", count),
                         fmt::format("must be at most {}", most));
  return {};
}

Result<void> check_period(const Node& self, const FluidParams& params, const FluidDomain& domain) {
  const double least = 8 * params.spacing_m;
  for (int a = 0; a < 3; ++a)
    if (domain.periodic[static_cast<std::size_t>(a)] && domain.length(a) < least)
      return wrong_value(self.line, "system." + self.name + ".domain_size", to_text(Value(params.domain_size)),
                         fmt::format("must be at least 8 spacings ({:g} m) along periodic axes", least));
  return {};
}

Result<void> Fluid::configure(const Node& self, const Node& scene) {
  if (auto good = check_counts(self); !good) return good;
  FluidParams params = fluid_params().read(self.values);
  asked_spacing_m_ = params.spacing_m;
  if (fitted_spacing_m_ > 0) params.spacing_m = fitted_spacing_m_;
  const FluidDomain domain = fluid_domain(params);
  if (auto good = check_period(self, params, domain); !good) return good;
  std::vector<FluidPhase> phases = fluid_phases(self);
  std::vector<Inflow> inflows;
  for (const Node* node : self.all("inflow")) {
    auto made = make_inflow(*node, phases, params.spacing_m);
    if (!made) return inside(self, "inflow", *node, made.error());
    inflows.push_back(std::move(*made));
  }
  drains_.clear();
  for (const Node* node : self.all("drain")) drains_.push_back(make_drain(*node));
  params_ = params;
  domain_ = domain;
  const auto colliders = scene.all("collider");
  obstacles_ = static_cast<std::size_t>(std::count_if(colliders.begin(), colliders.end(),
                                                      [](const Node* node) { return node->schema->kind != "plane"; }));
  inflows_ = std::move(inflows);
  inflow_names_.clear();
  for (const Node* node : self.all("inflow")) inflow_names_.push_back(node->name);
  weigh(phases);
  phases_ = std::move(phases);
  params_.kernel = kernel_in_use(params_, phases_, gravity_);
  gauges_.configure(self);
  flow_.travelled.resize(inflows_.size(), std::numeric_limits<double>::max());
  flow_.owed.resize(drains_.size(), 0);
  return {};
}

/// If rest densities have changed, scales the masses and pressures of existing particles.
void Fluid::weigh(const std::vector<FluidPhase>& phases) {
  if (phases.size() != phases_.size()) return;
  std::vector<double> ratio(phases.size());
  for (std::size_t p = 0; p < phases.size(); ++p) ratio[p] = phases[p].density_kgpm3 / phases_[p].density_kgpm3;
  if (std::all_of(ratio.begin(), ratio.end(), [](double r) { return r == 1; })) return;
  const double volume = params_.spacing_m * params_.spacing_m * params_.spacing_m;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const std::uint8_t p = rows_.phase[i];
    rows_.elements.mass[i] = volume * phases[p].density_kgpm3;
    rows_.kappa[i] *= static_cast<float>(ratio[p]);
    rows_.pressure[i] *= static_cast<float>(ratio[p]);
  }
}

Result<std::vector<Collider>> colliders_at_start(const Node& scene) {
  ShapeStore shapes;
  std::vector<Collider> colliders;
  for (const Node* node : scene.all("collider")) {
    auto made = make_collider(*node, shapes);
    if (!made) return Unexpected(made.error());
    colliders.push_back(std::move(*made));
  }
  return colliders;
}

/// Fits the spacing to the volume of the fills. FillBalance limits the change of the spacing.
void Fluid::fit_spacing(const FillBalance& balance) {
  fitted_spacing_m_ = params_.spacing_m = balance.fitted(params_.spacing_m);
  fill_error_ = balance.error(params_.spacing_m);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    rows_.elements.radius[i] = 0.5 * params_.spacing_m;
    rows_.elements.mass[i] =
        phases_[rows_.phase[i]].density_kgpm3 * params_.spacing_m * params_.spacing_m * params_.spacing_m;
  }
}

std::vector<std::string> Fluid::notes(const Setup& setup) const {
  (void)setup;
  constexpr double notable = 0.01;
  std::vector<std::string> all;
  if (std::abs(params_.spacing_m / asked_spacing_m_ - 1) > notable)
    all.push_back(
        fmt::format("{}: the particle spacing is {:.4g} m instead of {:g} m, so that the fills keep their volume. Use "
                    "fill sizes that are multiples "
                    "of the spacing",
                    name(), params_.spacing_m, asked_spacing_m_));
  if (std::abs(fill_error_) > notable)
    all.push_back(
        fmt::format("{}: a fill holds {:.1f} % {} fluid than its volume, because it is only a few spacings thick. Use "
                    "a smaller spacing",
                    name(), 100 * std::abs(fill_error_), fill_error_ > 0 ? "more" : "less"));
  note_stiffness(name(), params_, phases_, params_.gravity_scale * gravity_, rows_, all);
  note_large_walls(name(), posed_, params_.spacing_m, domain_.box, all);
  return all;
}

Result<void> Fluid::populate(const Node& self, const Node& scene) {
  const auto colliders = colliders_at_start(scene);
  if (!colliders) return Unexpected(colliders.error());
  const auto capacity = static_cast<std::size_t>(params_.capacity);
  if (const Node* world = scene.only("world"); world != nullptr) gravity_ = std::get<Vec3>(world->value("gravity"));
  params_.kernel = kernel_in_use(params_, phases_, gravity_);
  const std::vector<const Node*> nodes = self.all("fill");
  std::vector<Fill> fills;
  for (const Node* node : nodes) {
    auto fill = make_fill(*node, phases_);
    if (!fill) return inside(self, "fill", *node, fill.error());
    fills.push_back(std::move(*fill));
  }
  fitted_spacing_m_ = params_.spacing_m = fitted_spacing(fills, params_.spacing_m);
  FillBalance balance;
  for (std::size_t f = 0; f < fills.size(); ++f) {
    const Node* node = nodes[f];
    const Fill* fill = &fills[f];
    const auto sites = fill_sites(*fill, params_.spacing_m, capacity - rows_.size());
    if (sites.empty())
      return wrong_value(node->line, "system." + self.name + ".fill." + node->name, "no particle",
                         "must be at least one spacing thick, and its mesh must be closed");
    if (rows_.size() + sites.size() > capacity)
      return wrong_value(node->line, "system." + self.name + ".fill." + node->name,
                         fmt::format("more than {} particles", capacity - rows_.size()),
                         "must fit into the fluid's capacity: raise spacing or capacity");
    if (std::none_of(sites.begin(), sites.end(), [&](const Vec3& site) { return domain_.holds(site); }))
      return wrong_value(node->line, "system." + self.name + ".fill." + node->name, "no particle in the fluid's domain",
                         "must overlap the domain, domain_size around domain_center");
    const std::size_t left_out = place_fill(*fill, sites, params_.spacing_m, phases_, *colliders, rows_);
    not_placed_ += left_out;
    balance.add(fill_volume(*fill), sites.size(), left_out);
  }
  fit_spacing(balance);
  std::string failed;
  if (auto good = gauges_.attach(self, *colliders, params_.spacing_m, failed); !good) {
    Error error = good.error();
    error.key = "system." + self.name + ".gauge." + failed + "." + error.key;
    return fail(std::move(error));
  }
  if (has_too_large_a_wall(*colliders))
    return wrong_value(self.line, "system." + self.name + ".spacing", to_text(Value(params_.spacing_m)),
                       fmt::format("must be larger: {}", too_large_wall));
  if (mark_outside() > 0) rows_.remove(marked_);
  posed_ = *colliders;
  stir_liquids(rows_, params_.spacing_m, *colliders);
  (void)relax_fills(solver_, rows_, step_among(*colliders, params_.max_dt_s));
  set_hydrostatic_pressures(rows_, params_.gravity_scale * gravity_, params_.spacing_m);
  return {};
}

// ---- One substep ----------------------------------------------------------------------------------------------------

/// Longest stable step [s] if the fastest particle moves at `speed` [m/s]: the smallest of the limits by gravity,
/// pressure, explicit forces and sound.
double Fluid::stable_step_at(double speed) const {
  std::vector<PhaseForces> forces(phases_.begin(), phases_.end());
  double lightest = phases_[0].density_kgpm3;
  for (const FluidPhase& phase : phases_) lightest = std::min(lightest, phase.density_kgpm3);
  const SphScale scale{params_.kernel, params_.spacing_m};
  double dt = stable_force_step(params_, forces, scale, lightest);
  if (const double fall = std::abs(params_.gravity_scale) * gravity_.norm(); fall > 0)
    dt = std::min(dt, most_fall * std::sqrt(params_.spacing_m / fall));
  if (params_.method == FluidMethod::wcsph)
    return std::min(dt, stable_step(scale, {params_.stiffness_pa, params_.stiffness_exponent}, lightest, speed));
  return std::min(dt, pressure_step_limit(rows_, params_.spacing_m));
}

double Fluid::stable_dt(double coupled_stiffness_npm) const {
  (void)coupled_stiffness_npm;  // Rules act through guests and impulses, not by springs on particles.
  double speed = fastest_of(rows_.elements.velocity);
  for (const Inflow& inflow : inflows_)
    if (inflow.open_at(time_)) speed = std::max(speed, inflow.speed_mps);
  if (!std::isfinite(speed)) return params_.max_dt_s;
  const double dt = std::min(params_.max_dt_s, stable_step_at(speed));
  return speed > 0 ? std::min(dt, params_.cfl * params_.spacing_m / speed) : dt;
}

/// Number of equal parts into which the remaining time `left` [s] of a substep is split.
double Fluid::parts_of(double left) const {
  const double speed =
      fastest_way(movers(posed_)) + (params_.gravity_scale * gravity_).norm() * std::min(left, params_.max_dt_s);
  const double parts = std::max(speed * left / most_way(), left / (sound_slack * stable_step_at(speed)));
  return std::max(1.0, std::ceil(parts));
}

FluidStep Fluid::step_among(std::span<const Collider> colliders, double dt) {
  nozzle_speed_.clear();
  for (const Inflow& inflow : inflows_) nozzle_speed_.push_back(inflow.velocity());
  return {params_, phases_, domain_, colliders, at_work_, nozzle_speed_, params_.gravity_scale * gravity_, dt, air_};
}

/// Marks and counts particles outside the domain. Does not mark particles whose position is not finite, because the
/// health check reports them.
std::size_t Fluid::mark_outside() {
  marked_.assign(rows_.size(), 0);
  std::size_t left = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (const Vec3& x = rows_.elements.position[i]; x.allFinite() && !domain_.holds(x)) marked_[i] = 1, ++left;
  flow_.left += left;
  return left;
}

void Fluid::remove_leavers(double t, double dt) {
  const std::size_t left = mark_outside();
  if (left + mark_drained(drains_, params_.spacing_m, t, dt, flow_, rows_, marked_) > 0) rows_.remove(marked_);
}

void Fluid::run(std::span<const Collider> colliders, double t, double dt) {
  posed_.assign(colliders.begin(), colliders.end());
  at_work_.resize(guest_count_);
  given_.resize(guest_count_);
  given_turn_.assign(guest_count_, Vec3::Zero());
  for (std::size_t g = 0; g < guest_count_; ++g) {
    std::swap(at_work_[g], guests_[g]);
    given_[g].assign(at_work_[g].place.size(), Vec3::Zero());
  }
  parts_ = 0;
  report_ = {};
  space_is_current_ = false;
  if (has_too_large_a_wall(posed_))
    issue_ = HealthIssue{too_large_wall, -1, "make that collider or domain_size smaller, or raise spacing"};
  for (double done = 0; done < dt * (1 - 1e-9) && !issue_; ++parts_) {
    remove_leavers(t + done, dt - done);
    bring_in(inflows_, phases_, params_.spacing_m, t + done, static_cast<std::size_t>(params_.capacity), flow_, rows_);
    const double parts = parts_of(dt - done);
    if (extra_parts_ + parts > most_parts) {
      const FluidMover mover = fastest_mover(movers(posed_));
      issue_ = HealthIssue{fmt::format("{} moves at {:.3g} m/s", mover.name, mover.speed_mps), -1,
                           fmt::format("the step would take more than {:g} substeps: lower that speed or the forces "
                                       "that cause it, or raise spacing",
                                       most_parts)};
      break;
    }
    const double part = (dt - done) / parts;
    extra_parts_ += done > 0 ? 1 : 0;
    if (!solver_.advance(rows_, step_among(posed_, part), report_)) {
      issue_ =
          HealthIssue{"too many particles are at one position", -1, "fills, inflows or obstacles press them together"};
      break;
    }
    if (report_.mean_excess > no_room && is_pressed(posed_)) {
      issue_ = HealthIssue{fmt::format("the mean density is {:.2f} times the rest density", 1 + report_.mean_excess),
                           -1, "moving obstacles leave too little volume for the fluid"};
      break;
    }
    gauges_.read(solver_.space(), solver_.wall_owners(), posed_, part);
    lead_out(inflows_, params_.spacing_m, t + done, part, flow_, rows_);
    for (std::size_t g = 0; g < guest_count_; ++g) {
      for (std::size_t s = 0; s < given_[g].size(); ++s) given_[g][s] += at_work_[g].impulse[s];
      given_turn_[g] += turn_of(at_work_[g]);
    }
    for (Guest& guest : at_work_) move_on(guest, part);
    for (Collider& collider : posed_) collider = at_time(collider, part);
    done += part;
    time_ = t + done;
  }
  for (std::size_t g = 0; g < guest_count_; ++g) {
    std::swap(at_work_[g], guests_[g]);
    guests_[g].impulse.assign(given_[g].begin(), given_[g].end());
    guests_[g].turn = given_turn_[g];
  }
  at_work_.clear();
  parts_ever_ += static_cast<std::uint64_t>(parts_);
  wind_ += report_.wind;
  slowed_ever_ += report_.capped;
  guarded_ever_ += report_.guarded;
  space_is_current_ = !issue_;
}

bool Fluid::settles_slowly() const {
  return std::any_of(phases_.begin(), phases_.end(), [&](const FluidPhase& phase) {
    return creeps(phase.viscosity_pas / phase.density_kgpm3, params_.spacing_m, params_.gravity_scale * gravity_);
  });
}

void Fluid::relax_at_start() {
  if (settles_slowly()) {
    at_work_.assign(guests_.begin(), guests_.begin() + static_cast<std::ptrdiff_t>(guest_count_));
    for (Guest& guest : at_work_) hold_still(guest);
    (void)settle_fills(solver_, rows_, step_among(posed_, params_.max_dt_s));
    at_work_.clear();
  }
  guest_count_ = 0;
}

Guest& Fluid::add_guest() {
  if (guests_.size() == guest_count_) guests_.emplace_back();
  Guest& guest = guests_[guest_count_++];
  Guest clean;
  clean.place.swap(guest.place), clean.velocity.swap(guest.velocity), clean.share.swap(guest.share),
      clean.impulse.swap(guest.impulse), clean.wet.swap(guest.wet), clean.part.swap(guest.part),
      clean.part_mass_kg.swap(guest.part_mass_kg);
  guest = std::move(clean);
  guest.place.clear(), guest.velocity.clear(), guest.share.clear(), guest.impulse.clear(), guest.wet.clear();
  guest.part.clear(), guest.part_mass_kg.clear();
  return guest;
}

std::size_t Fluid::make_room(const std::function<bool(const Vec3&)>& inside) {
  marked_.assign(rows_.size(), 0);
  std::size_t count = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (inside(rows_.elements.position[i])) marked_[i] = 1, ++count;
  if (count > 0) {
    rows_.remove(marked_);
    space_is_current_ = false;
  }
  not_placed_ += count;
  return count;
}

void Fluid::begin_step(const StepContext& context) {
  colliders_.assign(context.colliders.begin(), context.colliders.end());
  step_start_ = time_ = context.time;
  step_s_ = context.dt;
  gauges_.begin_step();
  air_ = {context.fields, context.time};
  wind_.setZero();
  gravity_ = context.gravity;
  params_.kernel = kernel_in_use(params_, phases_, gravity_);
  issue_.reset();
  extra_parts_ = 0;
  solved_ = false;
  guest_count_ = 0;
  elements().met.clear();
}

void Fluid::solve(double t, double dt) {
  if (solved_) return;
  solved_ = true;
  std::vector<Collider> now = colliders_;
  for (Collider& collider : now) collider = at_time(collider, t - step_start_);
  run(now, t, dt);
}

void Fluid::substep(const StepContext& context, double t, double dt) {
  if (!solved_) run(context.colliders, t, dt);
  solved_ = false;
  guest_count_ = 0;
}

// ---- State and output -----------------------------------------------------------------------------------------------

void Fluid::visit_state(StateVisitor& visit) {
  rows_.visit_state(visit);
  visit("travelled", flow_.travelled, state_finite);
  visit("owed", flow_.owed, state_positive);
  visit("came_in", flow_.came_in);
  visit("drained", flow_.drained);
  visit("left", flow_.left);
  visit("time", time_, state_clock);
  visit("gravity", gravity_, {-1e6, 1e6});
  visit("parts", parts_ever_);
  visit("slowed", slowed_ever_);
  visit("guarded", guarded_ever_);
  visit("not_placed", not_placed_);
  gauges_.visit_state(visit);
}

std::string Fluid::state_problem() const {
  if (flow_.travelled.size() != inflows_.size() || flow_.owed.size() != drains_.size())
    return "the state has another number of inflows or drains than the scene";
  const auto bad = [](double x) { return !(x >= 0); };
  if (!gravity_.allFinite() || !std::isfinite(time_)) return "the time or gravity in the state is not finite";
  if (std::any_of(flow_.travelled.begin(), flow_.travelled.end(), bad) ||
      std::any_of(flow_.owed.begin(), flow_.owed.end(), bad))
    return "the state of an inflow or a drain is negative or not a number";
  if (std::string problem = gauges_.state_problem(); !problem.empty()) return problem;
  return rows_.problem(phases_.size(), inflows_.size());
}

void Fluid::state_restored() {
  rows_.density.assign(rows_.size(), 1);
  space_is_current_ = false;
  issue_.reset();
}

void Fluid::totals(std::vector<Total>& out) const {
  out.clear();
  out.push_back({"particles", "", static_cast<double>(rows_.size())});
  out.push_back({"density_error", "", report_.mean_excess});
  out.push_back({"iterations", "", static_cast<double>(report_.iterations)});
  out.push_back({"divergence_iterations", "", static_cast<double>(report_.rate_iterations)});
  out.push_back({"substeps_ever", "", static_cast<double>(parts_ever_)});
  out.push_back({"came_in", "", static_cast<double>(flow_.came_in)});
  out.push_back({"drained", "", static_cast<double>(flow_.drained)});
  out.push_back({"left_domain", "", static_cast<double>(flow_.left), &left_domain_warning});
  out.push_back({"not_placed", "", static_cast<double>(not_placed_), &not_placed_warning});
  out.push_back({"fill_error", "", fill_error_});
  out.push_back({"spacing", "m", params_.spacing_m});
  out.push_back({"slowed", "", static_cast<double>(slowed_ever_), &slowed_warning});
  out.push_back({"guarded", "", static_cast<double>(guarded_ever_)});
  out.push_back({"wind_x", "N", wind_.x() / step_s_});
  out.push_back({"wind_y", "N", wind_.y() / step_s_});
  out.push_back({"wind_z", "N", wind_.z() / step_s_});
  gauges_.add_totals(out);
  if (obstacles_ == 0) return;
  const SphWorkspace* space = space_is_current_ ? &solver_.space() : nullptr;
  add_load_totals(space, solver_.wall_owners(), posed_, obstacles_, out);
}

}  // namespace

const Schema& fluid_schema() {
  static const Schema schema{
      "fluid",
      "Water and other liquids, simulated by smoothed particle hydrodynamics (SPH).",
      fluid_params().specs(),
      {{.name = "phase",
        .kinds = {&fluid_phase_schema()},
        .doc = "Liquids of the fluid. A fluid without phases is water."},
       {.name = "fill", .kinds = fill_schemas(), .doc = "Shapes that are full of fluid at the start."},
       {.name = "inflow", .kinds = inflow_schemas(), .doc = "Openings through which fluid flows in."},
       {.name = "drain", .kinds = drain_schemas(), .doc = "Regions in which fluid is removed."},
       {.name = "gauge", .kinds = {&gauge_schema()}, .doc = "Pressure gauges on obstacles."}}};
  return schema;
}

Result<std::unique_ptr<System>> create_fluid(const Node& self, const Node& scene) {
  auto system = std::make_unique<Fluid>(self);
  if (auto good = system->configure(self, scene); !good) return Unexpected(good.error());
  if (auto good = system->populate(self, scene); !good) return Unexpected(good.error());
  // Configures again, because inflows depend on the spacing that the fills require.
  if (auto good = system->configure(self, scene); !good) return Unexpected(good.error());
  return std::unique_ptr<System>(std::move(system));
}

}  // namespace vw
