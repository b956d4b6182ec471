// The fluid system: particles, inflows, drains, guests (coupled bodies, guest.h) and display. fluid_setup.cpp builds a
// fluid from the scene, fluid.cpp runs it, and fluid_changes.cpp continues it after its child nodes were added, removed
// or renamed during a run. Other files use the interface FluidSystem (fluid.h).
#pragma once

#include <algorithm>
#include <deque>
#include <optional>

#include "sim/system/fluid/flows/fill.h"
#include "sim/system/fluid/flows/flow.h"
#include "sim/system/fluid/fluid.h"
#include "sim/system/fluid/fluid_cost.h"
#include "sim/system/fluid/fluid_solver.h"
#include "sim/system/fluid/measures/fluid_picture.h"
#include "sim/system/fluid/measures/fluid_probe.h"
#include "sim/system/fluid/measures/gauge.h"
#include "sim/system/point_elements.h"

namespace vw {

class Fluid final : public FluidSystem {
 public:
  explicit Fluid(const Node& self) : FluidSystem(self.name) {}

  [[nodiscard]] const Schema& schema() const override { return fluid_schema(); }
  Result<void> configure(const Node& self, const Node& scene) override;
  Result<void> populate(const Node& self, const Node& scene);

  [[nodiscard]] double spacing() const override { return params_.spacing_m; }
  [[nodiscard]] double gravity_scale() const override { return params_.gravity_scale; }
  /// Returns warnings about fills, parameters and obstacles.
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
  std::size_t make_room(const std::function<bool(const Vec3&)>& inside, std::span<const std::uint8_t> rows) override;
  [[nodiscard]] double highest_rest_density() const override {
    double highest = 0;
    for (const FluidPhase& phase : phases_) highest = std::max(highest, phase.density_kgpm3);
    return highest;
  }
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
  [[nodiscard]] double longest_dt_of_guests(double adhesion_npm) const override;
  void begin_step(const StepContext& context) override;
  void substep(const StepContext& context, double t, double dt) override;
  [[nodiscard]] Elements& elements() override { return rows_.elements; }
  [[nodiscard]] const Elements& elements() const override { return rows_.elements; }

  void visit_state(StateVisitor& visit) override;
  [[nodiscard]] std::string state_problem() const override;
  void state_restored() override;
  void surroundings_changed(std::span<const std::size_t> now) override {
    (void)now;  // The next substep places the walls of all colliders again.
    state_restored();
  }
  /// The remaining particles keep their motion. The particles of removed fills and of removed phases are removed.
  std::vector<std::int64_t> continue_from(System& former,
                                          const std::map<std::string, std::string>& former_names) override;
  /// Places the particles of new fills at sites that are free of obstacles and of other particles.
  void enter(std::span<const Collider> colliders, double time) override;

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
  /// A substep is split into parts if it is more than `cfl_slack` times as long as the CFL condition allows, or more
  /// than `sound_slack` times as long as the longest stable step.
  static constexpr double cfl_slack = 1.25, sound_slack = 1.1;
  /// Limit for the parts of the current substep plus the extra parts (`extra_parts_`) of the step so far. If a step
  /// needs more, it would take too long, and the world stops with an error.
  static constexpr double most_parts = 1000;
  static constexpr const char* too_large_wall =
      "the surface of a collider in the domain needs more than 2 million sample points";

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
  [[nodiscard]] HealthIssue too_many_parts() const;
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
  [[nodiscard]] double restored_spacing() const;
  /// Changes the spacing of a fluid that has been built, and the inflows that depend on it.
  void take_spacing(double spacing_m);
  /// Index of a child of the former fluid's node for each child of this fluid's node in a slot, or -1 if it is new.
  using FormerChildren = std::vector<std::ptrdiff_t>;
  void take_phases(const Fluid& former, const FormerChildren& phases);
  void take_flows(const Fluid& former, const FormerChildren& inflows, const FormerChildren& drains);
  void take_fills(const Fluid& former, const FormerChildren& fills);
  [[nodiscard]] const std::vector<std::uint32_t>& fill_ids() const {
    return live_fill_ids_.empty() ? initial_fill_ids_ : live_fill_ids_;
  }

  Node self_;  ///< Node of the fluid, with its children.
  FluidParams params_;
  FluidDomain domain_;
  std::vector<FluidPhase> phases_;
  std::vector<Inflow> inflows_;
  std::vector<std::string> inflow_names_;
  std::vector<Drain> drains_;
  /// Spacing that the scene requests, and spacing fitted to the fills (0 before the fit) [m].
  double asked_spacing_m_ = 0, fitted_spacing_m_ = 0;
  double initial_spacing_m_ = 0;                 ///< Spacing fitted to all fills of the node [m].
  std::vector<std::uint32_t> initial_fill_ids_;  ///< For each fill: id of its first particle and one past its last id.
  std::vector<std::size_t> new_fills_;           ///< Fills whose particles enter() places.
  /// Largest relative difference between the volume of the particles of a fill and the volume of the fill. Positive if
  /// the particles have the larger volume.
  double fill_error_ = 0;
  std::size_t obstacles_ = 0;  ///< Number of colliders other than planes. Totals report the loads on them.

  // State.
  FluidRows rows_;
  FlowState flow_;
  std::uint64_t parts_ever_ = 0, slowed_ever_ = 0, guarded_ever_ = 0, not_placed_ = 0;
  double time_ = 0;              ///< Time up to which the fluid has moved [s].
  Vec3 gravity_ = Vec3::Zero();  ///< Gravity of the last step or, before the first step, of the scene [m/s^2].
  /// The spacing and the fill ids, if they do not follow from the node because fills were added or removed during the
  /// run. Otherwise empty, and not part of the state.
  std::vector<double> live_spacing_m_;
  std::vector<std::uint32_t> live_fill_ids_;

  // Data of the current step.
  std::vector<Collider> colliders_;  ///< Colliders at the start of the step.
  double step_start_ = 0, step_s_ = 1;
  AirAbove air_;
  Vec3 wind_ = Vec3::Zero();  ///< Impulse of the wind in this step [N s].
  std::deque<Guest> guests_;  ///< A deque keeps the references of rules valid while more guests are added.
  std::size_t guest_count_ = 0;
  bool solved_ = false;

  // Scratch and output.
  Gauges gauges_;
  FluidSolver solver_;
  std::vector<Guest> at_work_;
  /// Impulses on the samples of each guest in the finished parts of the substep [N s].
  std::vector<std::vector<Vec3>> given_;
  std::vector<Vec3> given_turn_;  ///< Angular impulse on each guest in the finished parts of the substep [N m s].
  std::vector<Collider> posed_;
  std::vector<Vec3> nozzle_speed_;
  std::vector<std::uint8_t> marked_;
  FluidReport report_;
  int parts_ = 0;
  double extra_parts_ = 0;  ///< Number of parts in the current step minus the number of substeps.
  bool space_is_current_ = false;
  std::optional<HealthIssue> issue_;
};

}  // namespace vw
