// Implements the particle system: one substep with fields and obstacles. Births and deaths are in population.h, and the
// display data in particle_picture.h.
#include "sim/system/particles/particles.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/parallel/parallel.h"
#include "sim/collision/pose.h"
#include "sim/field/drag/sphere_drag.h"
#include "sim/system/former_name.h"
#include "sim/system/particles/motion.h"
#include "sim/system/particles/particle_params.h"
#include "sim/system/particles/particle_picture.h"
#include "sim/system/particles/particle_watch.h"
#include "sim/system/particles/population.h"
#include "sim/system/point_elements.h"
#include "sim/system/turning_vectors.h"

namespace vw {
namespace {

constexpr std::size_t element_grain = 2048;

/// Moment of inertia of a solid ball [kg m^2].
double ball_inertia(double mass_kg, double radius_m) { return 0.4 * mass_kg * radius_m * radius_m; }

constexpr TotalWarning capped_warning{
    .noun = "particle",
    .sentence =
        "stopped for one step, because surrounding obstacles left no free direction. Widen the gaps between "
        "obstacles"};
constexpr TotalWarning fast_warning{
    .noun = "particle",
    .sentence =
        "moved by more than half the thickness of a nearby obstacle in one step, so collisions may have been missed. "
        "Set detection = \"swept\" or shorten collision_dt"};
constexpr TotalWarning stiff_warning{.noun = "particle",
                                     .sentence =
                                         "approached an obstacle whose repulsion is too stiff for the step, and may be "
                                         "ejected. Raise subdivisions, lower repulsion_gain or shorten collision_dt"};

class Particles final : public System {
 public:
  Particles(const Node& self, std::uint64_t seed) : System(self.name), seed_(seed) {}

  [[nodiscard]] const Schema& schema() const override { return particles_schema(); }
  [[nodiscard]] bool follow_the_air() const { return params_.drag == AirDrag::follow; }
  [[nodiscard]] double gravity_scale() const { return params_.gravity_scale; }

  Result<void> configure(const Node& self, const Node& scene) override {
    (void)scene;
    auto emitters = make_emitters(self);
    if (!emitters) return Unexpected(emitters.error());
    emitter_names_.clear();
    for (const Node* node : self.all("emitter")) emitter_names_.push_back(node->name);
    params_ = particle_params().read(self.values);
    if (params_.spin) {
      if (params_.scheme != Scheme::loop && params_.scheme != Scheme::collision_then_contact)
        return wrong_value(self.line, "system." + self.name + ".spin", "true",
                           "must be false unless scheme is \"loop\" or \"collision_then_contact\"");
      people_.let_spin();
    }
    people_.configure(std::move(*emitters), {params_.mass_kg, params_.radius_m, params_.drag_time_s}, params_.soft);
    return {};
  }

  void populate() {
    people_.reserve(static_cast<std::size_t>(params_.capacity));
    people_.emit_first();
    watch_.reserve(static_cast<std::size_t>(params_.capacity));
  }

  bool remove(std::span<const std::uint32_t> gone) override {
    std::vector<std::uint8_t> marked(people_.size(), 0);
    for (const std::uint32_t row : gone) marked[row] = 1;
    people_.kill(marked);
    return true;
  }
  /// Returns false for particles that follow the air (tracers), because tracers exert no forces.
  [[nodiscard]] bool exerts_forces() const override { return !follow_the_air(); }

  /// Returns the longest substep [s]. If springs of interactions with the total stiffness k act on a particle of mass
  /// m, the substep is at most 0.5 / w with w = sqrt(k / m). The stability bound of symplectic Euler with critical
  /// damping is 0.83 / w.
  [[nodiscard]] double stable_dt(double coupled_stiffness_npm) const override {
    if (coupled_stiffness_npm <= 0) return params_.collision_dt_s;
    return std::min(params_.collision_dt_s, 0.5 * std::sqrt(people_.lightest_kg() / coupled_stiffness_npm));
  }

  [[nodiscard]] StepBound step_bound(double coupled_stiffness_npm) const override {
    if (params_.collision_dt_s <= stable_dt(coupled_stiffness_npm)) return {"collision_dt", "raise collision_dt"};
    return System::step_bound(coupled_stiffness_npm);
  }

  void begin_step(const StepContext& context) override {
    people_.begin_step(context.time, context.dt, params_.keep_within_m, context.colliders, watch_.farthest());
    watch_.forget();
    elements().met.clear();
    touched_.assign(people_.size(), 0);
    counts_ = {};
    filled_ = context.fields != nullptr && context.fields->has_medium();
    const Medium around = context.fields != nullptr
                              ? context.fields->medium_or({params_.air_density_kgpm3, params_.air_viscosity_pas})
                              : Medium{};
    medium_ = {around.density, around.viscosity};
    const bool windy = is_dragged() && !context.fields->empty();
    wind_.resize(windy ? people_.size() : 0);
    if (windy) context.fields->velocity(elements().position, context.time, wind_);
  }

  void substep(const StepContext& context, double t, double dt) override {
    move_colliders(context.colliders, dt);
    Elements& e = elements();
    MotionInput input;
    input.scheme = params_;
    input.surface = params_;
    if (params_.drag == AirDrag::follow) {  // Tracers have no weight, restitution or friction.
      go_with_the_air(*context.fields, t, dt);
      input.surface = {.restitution = 0, .friction = FrictionLaw::frictionless, .decides = true};
    } else {
      input.gravity = params_.gravity_scale * context.gravity;
    }
    input.dt = dt;
    gravity_ = input.gravity.norm();
    input.start = context.colliders;
    input.end = moved_;
    if (is_dragged_as_ball()) find_drag_times(input.gravity, dt);
    if (params_.spin) turn(e);
    const MotionRows all{e.position, e.velocity, e.mass,   e.radius,          drag_times(),
                         wind_,      e.impulse,  touched_, e.angular_velocity};
    counts_ += motion_.advance(input, first_rows(all, people_.first_newborn()));
    counts_ +=
        motion_.advance_newborn(input, all, {people_.first_newborn(), t, people_.rows.born, people_.birthplaces()});
    e.impulse.clear();
    e.angular_impulse.clear();
  }

  void end_step(const StepContext& context) override {
    if (params_.kill_on_contact) people_.kill(touched_);
    people_.end_step(context.time + context.dt);
    watch_.look(elements());
  }

  [[nodiscard]] Elements& elements() override { return people_.rows.elements; }
  [[nodiscard]] const Elements& elements() const override { return people_.rows.elements; }

  void visit_state(StateVisitor& visit) override { people_.visit_state(visit); }
  [[nodiscard]] std::string state_problem() const override { return people_.state_problem(); }
  [[nodiscard]] bool keep_state() override {
    people_.keep_state();
    return true;
  }
  void return_to_kept_state() override {
    people_.return_to_kept_state();
    watch_.forget();
  }
  void surroundings_changed(std::span<const std::size_t> now) override {
    (void)now;
    state_restored();
  }
  void state_restored() override {
    touched_.clear();
    watch_.forget();
  }

  void begin_at(double time) override { people_.begin_at(time); }
  std::vector<std::int64_t> continue_from(System& former,
                                          const std::map<std::string, std::string>& former_names) override {
    const auto& old = static_cast<const Particles&>(former);
    std::vector<std::size_t> now(old.emitter_names_.size(), emitter_names_.size());
    for (std::size_t e = 0; e < emitter_names_.size(); ++e) {
      const std::string& name = former_name(former_names, "emitter", emitter_names_[e]);
      const auto found = std::ranges::find(old.emitter_names_, name);
      if (found != old.emitter_names_.end()) now[static_cast<std::size_t>(found - old.emitter_names_.begin())] = e;
    }
    people_.continue_from(old.people_, now);
    return {};
  }

  [[nodiscard]] Diagnostics diagnostics(const StepContext& context) const override {
    Diagnostics sums =
        point_sums(elements(), follow_the_air() ? Vec3(Vec3::Zero()) : Vec3(params_.gravity_scale * context.gravity));
    if (params_.spin) add_spin(sums);
    return sums;
  }
  [[nodiscard]] std::optional<HealthIssue> check_health() const override {
    if (people_.out_of_identities())
      return HealthIssue{"the emitters have used all 4,294,967,295 particle ids", -1,
                         "restart the scene, or lower the emission rates"};
    return watch_.looked() && watch_.sane() ? std::nullopt : particle_health(elements());
  }
  [[nodiscard]] std::span<const ChannelInfo> channels() const override { return particle_channels(); }
  void channel(std::size_t index, std::vector<float>& out) const override {
    particle_channel(people_, touched_, index, out);
  }

  /// The channel `drag` is the drag force [N] on each particle at the end of the last step, computed with the wind at
  /// the start of that step.
  [[nodiscard]] std::span<const ChannelInfo> vector_channels() const override {
    static const std::vector<ChannelInfo> all{{"drag", "N"}, {"angular_velocity", "rad/s"}, {"vorticity", "1/s"}};
    return std::span(all).first(params_.spin ? all.size() : 1);
  }
  void vector_channel(std::size_t index, std::vector<Vec3f>& out) const override {
    const Elements& e = elements();
    if (index > 0) return turning_vector(e, index - 1, out);
    const std::span<const double> times = drag_times();
    out.assign(e.size(), Vec3f::Zero());
    if (times.size() != e.size()) return;
    parallel_for(e.size(), element_grain, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) {
        const Vec3 against = wind_.size() == e.size() ? Vec3(wind_[i] - e.velocity[i]) : Vec3(-e.velocity[i]);
        if (times[i] > 0) out[i] = (e.mass[i] / times[i] * against).cast<float>();
      }
    });
  }

  void totals(std::vector<Total>& out) const override {
    out.clear();
    out.push_back({"emitted", "", static_cast<double>(people_.born_ever())});
    out.push_back({"removed", "", static_cast<double>(people_.died_ever())});
    out.push_back({"touching", "", static_cast<double>(std::count(touched_.begin(), touched_.end(), std::uint8_t{1}))});
    out.push_back({"capped", "", static_cast<double>(counts_.capped), &capped_warning});
    out.push_back({"fast", "", static_cast<double>(counts_.fast), &fast_warning});
    out.push_back({"stiff", "", static_cast<double>(counts_.stiff), &stiff_warning});
    if (params_.repulsion == Repulsion::none) return;
    // The total repulsion_stable_dt is the longest stable substep of the lightest particle while the repulsion force
    // carries its weight. The total "stiff" counts particles whose substep was too long for their repulsion.
    // A repulsion without gain has no such limit, and the total is left out.
    const double mass = people_.lightest_kg(),
                 limit = repulsion_bound(params_.repulsion_force(), mass, mass * gravity_);
    if (std::isfinite(limit)) out.push_back({"repulsion_stable_dt", "s", limit});
  }

  void snapshot(SystemSnapshot& out) const override {
    particle_spheres(people_, params_.color, out);
    out.palette_names.resize(1);
    out.palette_names[0] = name();
  }

 private:
  [[nodiscard]] bool is_dragged() const {
    return is_dragged_as_ball() || (params_.drag == AirDrag::time && people_.has_drag());
  }
  /// Returns whether some particles have the drag of a sphere. If the parameter `drag` is `sphere`, all particles have
  /// it. If the world has a medium, the particles without a drag time have it.
  [[nodiscard]] bool is_dragged_as_ball() const {
    return params_.drag == AirDrag::sphere || (filled_ && params_.drag == AirDrag::time && people_.lacks_drag());
  }
  [[nodiscard]] std::span<const double> drag_times() const {
    if (!is_dragged()) return {};
    return is_dragged_as_ball() ? drag_time_ : people_.rows.drag_time;
  }

  /// Adds the pending angular impulses to the angular velocities.
  static void turn(Elements& e) {
    parallel_for(e.angular_impulse.size(), element_grain, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i)
        e.angular_velocity[i] += e.angular_impulse[i] / ball_inertia(e.mass[i], e.radius[i]);
    });
  }
  /// Adds kinetic energy and angular momentum of the spins.
  void add_spin(Diagnostics& sums) const {
    struct Spins {
      double kinetic_j = 0;
      Vec3 angular_momentum = Vec3::Zero();
      Spins& operator+=(const Spins& other) {
        kinetic_j += other.kinetic_j, angular_momentum += other.angular_momentum;
        return *this;
      }
    };
    const Elements& e = elements();
    const Spins all = ordered_sum(e.size(), element_grain, Spins{}, [&](Range range) {
      Spins part;
      for (std::size_t i = range.begin; i < range.end; ++i) {
        const double inertia = ball_inertia(e.mass[i], e.radius[i]);
        part.kinetic_j += 0.5 * inertia * e.angular_velocity[i].squaredNorm();
        part.angular_momentum += inertia * e.angular_velocity[i];
      }
      return part;
    });
    sums.kinetic += all.kinetic_j;
    sums.angular_momentum += all.angular_momentum;
  }

  /// Computes the drag times of spheres, as means over the substep. At the terminal velocity, where drag balances
  /// gravity, these drag times are exact for a substep of any length. If the parameter `drag` is `time`, particles with
  /// a drag time keep it.
  void find_drag_times(const Vec3& gravity, double dt) {
    const Elements& e = elements();
    drag_time_.resize(e.size());
    parallel_for(e.size(), element_grain, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) {
        const double given = params_.drag == AirDrag::time ? people_.rows.drag_time[i] : 0;
        if (given > 0) {
          drag_time_[i] = given;
          continue;
        }
        const Vec3 u = wind_.empty() ? e.velocity[i] : Vec3(e.velocity[i] - wind_[i]);
        drag_time_[i] = 1 / mean_drag_rate(medium_, e.radius[i], e.mass[i], u, gravity, dt);
      }
    });
  }

  /// Sets the velocity of each tracer to the wind in the middle of the substep, so that its path follows the air to
  /// second order (midpoint rule). Particles born in the current step start at their birthplace.
  void go_with_the_air(const FieldSet& fields, double t, double dt) {
    Elements& e = elements();
    if (fields.empty()) return std::fill(e.velocity.begin(), e.velocity.end(), Vec3::Zero());
    const std::size_t newborn = people_.first_newborn();
    const auto birthplace = people_.birthplaces();
    const auto place = [&](std::size_t i) { return i < newborn ? e.position[i] : birthplace[i - newborn]; };
    ahead_.resize(e.size());
    parallel_for(e.size(), element_grain, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) ahead_[i] = place(i);
    });
    fields.velocity(ahead_, t, e.velocity);
    parallel_for(e.size(), element_grain, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) ahead_[i] = place(i) + 0.5 * dt * e.velocity[i];
    });
    fields.velocity(ahead_, t + 0.5 * dt, e.velocity);
  }

  /// Computes the colliders at the end of the substep, as at_time() does, but in reused storage, because copying the
  /// names of colliders into new storage could allocate memory.
  void move_colliders(std::span<const Collider> colliders, double dt) {
    moved_.assign(colliders.begin(), colliders.end());
    for (Collider& collider : moved_) {
      collider.position += dt * collider.velocity;
      collider.orientation = (rotation_of(dt * collider.angular_velocity) * collider.orientation).normalized();
    }
  }

  [[nodiscard]] Result<std::vector<Emitter>> make_emitters(const Node& self) const {
    std::vector<Emitter> emitters;
    const auto nodes = self.all("emitter");
    if (nodes.size() > std::numeric_limits<std::uint16_t>::max())
      return wrong_value(self.line, "system." + self.name + ".emitter", std::to_string(nodes.size()),
                         "must have at most 65535 emitters");
    for (const Node* node : nodes) {
      const auto& before = people_.emitters();
      auto made = make_emitter(*node, seed_, self.name + "." + node->name,
                               emitters.size() < before.size() ? &before[emitters.size()] : nullptr);
      if (!made) {
        Error error = made.error();
        error.key = "system." + self.name + ".emitter." + node->name + "." + error.key;
        return fail(std::move(error));
      }
      emitters.push_back(std::move(*made));
    }
    return emitters;
  }

  ParticleParams params_;
  Population people_;
  std::vector<std::string> emitter_names_;
  DragMedium medium_;    ///< Medium in the current step.
  bool filled_ = false;  ///< True if `medium_` is the medium of the world.
  /// Wind at each particle [m/s]; empty if no particle has drag or there is no field.
  std::vector<Vec3> wind_;
  std::vector<double> drag_time_;      ///< Drag times of spheres in this substep.
  std::vector<Vec3> ahead_;            ///< Positions of tracers half a substep ahead.
  std::vector<std::uint8_t> touched_;  ///< 1 if the particle touched an obstacle in this step.
  MotionCounts counts_;                ///< Counts of the current step.
  Motion motion_;
  ParticleWatch watch_;
  double gravity_ = 0;           ///< Gravity in the last substep [m/s^2], for `totals`.
  std::vector<Collider> moved_;  ///< Colliders at the end of the substep.
  std::uint64_t seed_ = 0;
};

}  // namespace

double particles_gravity_scale(const System& system) {
  const auto* particles = dynamic_cast<const Particles*>(&system);
  return particles != nullptr && !particles->follow_the_air() ? particles->gravity_scale() : 0;
}

const Schema& particles_schema() {
  static const Schema schema{
      "particles",
      "Particles from emitters, with gravity, air drag and collisions, or tracers of the air, such as smoke.",
      particle_params().specs(),
      {{.name = "emitter", .kinds = emitter_schemas(), .doc = "Emitters, which create particles.", .is_live = true}}};
  return schema;
}

Result<std::unique_ptr<System>> create_particles(const Node& self, const Node& scene) {
  const Node* world = scene.only("world");
  const auto seed = world != nullptr ? static_cast<std::uint64_t>(std::get<std::int64_t>(world->value("seed"))) : 0;
  auto system = std::make_unique<Particles>(self, seed);
  if (auto ok = system->configure(self, scene); !ok) return Unexpected(ok.error());
  system->populate();
  return std::unique_ptr<System>(std::move(system));
}

}  // namespace vw
