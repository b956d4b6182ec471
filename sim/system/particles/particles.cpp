// The particle system's glue: parameters, birth and death, one substep, what it shows.
#include "sim/system/particles/particles.h"

#include <algorithm>
#include <cmath>

#include "sim/base/parallel.h"
#include "sim/collision/scheme.h"
#include "sim/system/particles/emitter.h"

namespace vw {
namespace {

struct ParticleParams {
  std::int64_t capacity = 100000;
  double mass_kg = 1e-3;
  double radius_m = 0.005;
  double drag_time_s = 0;
  double gravity_scale = 1;
  double restitution = 0.5;
  double mu_static = 0.5;
  double mu_dynamic = 0.4;
  Scheme scheme = Scheme::collision_then_contact;
  double collision_dt_s = 1.0 / 120;
  double keep_within_m = 1000;
  Vec3 color{0.25, 0.5, 0.9};
};

const ParamTable<ParticleParams>& particle_params() {
  using P = ParticleParams;
  static const ParamTable<P> table{
      {&P::capacity,
       "capacity",
       Unit::count,
       std::int64_t{100000},
       {1, 2e6},
       Scale::log,
       Live::no,
       "Particles alive at most; emitters wait while it is full."},
      {&P::mass_kg, "mass", Unit::kilogram, 1e-3, {1e-12, 1e6}, Scale::log, Live::yes, "Mass of one particle."},
      {&P::radius_m, "radius", Unit::meter, 0.005, {1e-9, 1e3}, Scale::log, Live::yes, "Radius of one particle: it touches as a sphere."},
      {&P::drag_time_s,
       "drag_time",
       Unit::second,
       0.0,
       {0, 1e6},
       Scale::linear,
       Live::yes,
       "Time constant of the drag toward the wind, v -> wind + g tau; 0 = no drag."},
      {&P::gravity_scale, "gravity_scale", Unit::ratio, 1.0, {-10, 10}, Scale::linear, Live::yes, "Share of the world's gravity that it feels."},
      {&P::restitution,
       "restitution",
       Unit::ratio,
       0.5,
       {0, 1},
       Scale::linear,
       Live::yes,
       "Share of the normal speed that a bounce gives back; the larger of the pair counts."},
      {&P::mu_static, "mu_static", Unit::ratio, 0.5, {0, 10}, Scale::linear, Live::yes, "Static friction; a pair takes the geometric mean."},
      {&P::mu_dynamic, "mu_dynamic", Unit::ratio, 0.4, {0, 10}, Scale::linear, Live::yes, "Dynamic friction; a pair takes the geometric mean."},
      {&P::scheme,
       "scheme",
       Scheme::collision_then_contact,
       {"single", "loop", "collision_then_contact"},
       Live::yes,
       "How a step meets obstacles: one response (cheap, creeps), responses until outside (safe, hovers a little), bounce first and rest after "
       "(bodies at rest stay)."},
      {&P::collision_dt_s, "collision_dt", Unit::second, 1.0 / 120, {1e-6, 1}, Scale::log, Live::yes, "Longest substep in which obstacles are met."},
      {&P::keep_within_m,
       "keep_within",
       Unit::meter,
       1000.0,
       {1e-3, 1e6},
       Scale::log,
       Live::yes,
       "Particles farther than this from the origin are removed."},
      {&P::color, "color", Unit::ratio, Vec3(0.25, 0.5, 0.9), {0, 1}, Live::yes, "Colour, linear red, green, blue.", ParamType::color},
  };
  return table;
}

constexpr std::size_t grain = 2048;

/// Rows beside the elements', one a particle.
struct Lives {
  std::vector<double> age, lifetime;
};

class Particles final : public System {
 public:
  Particles(const Node& self, std::uint64_t seed) : System(self.name), seed_(seed) {}

  [[nodiscard]] const Schema& schema() const override { return particles_schema(); }

  Result<void> configure(const Node& self, const Node& scene) override {
    (void)scene;
    params_ = particle_params().read(self.values);
    const auto nodes = self.all("emitter");
    emitters_.clear();
    for (const Node* node : nodes) {
      Emitter emitter = make_emitter(*node, {seed_, stream_id(self.name + "." + node->name)});
      if (emitter.params.direction.norm() == 0) {
        Error error;
        error.line = node->line;
        error.key = "system." + self.name + ".emitter." + node->name + ".direction";
        error.found = "[0, 0, 0]";
        error.expected = "must have a length";
        return fail(std::move(error));
      }
      emitters_.push_back(std::move(emitter));
    }
    states_.resize(emitters_.size());
    std::fill(elements_.mass.begin(), elements_.mass.end(), params_.mass_kg);
    std::fill(elements_.radius.begin(), elements_.radius.end(), params_.radius_m);
    return {};
  }

  /// Bursts due at the start are there before the first step: the first picture shows them.
  void emit_first() {
    for (std::size_t e = 0; e < emitters_.size(); ++e) {
      if (!emitters_[e].params.enabled || emitters_[e].params.start_s > 0) continue;
      states_[e].burst_done = 1;
      give_birth(e, static_cast<std::uint64_t>(emitters_[e].params.burst), 0);
    }
  }

  /// Rows for every particle that may ever live, so that birth and death allocate nothing.
  void reserve() {
    constexpr std::int64_t at_once = 1 << 20;  // a huge capacity grows as it is used
    const auto n = static_cast<std::size_t>(std::min(params_.capacity, at_once));
    for (auto* rows : {&elements_.position, &elements_.velocity, &elements_.impulse, &wind_}) rows->reserve(n);
    for (auto* rows : {&elements_.mass, &elements_.radius, &lives_.age, &lives_.lifetime}) rows->reserve(n);
    elements_.id.reserve(n);
  }

  /// A spring of a rule is resolved by 0.5 of its time 1 / w: well inside the bound 0.83 / w of symplectic Euler with critical damping.
  [[nodiscard]] double stable_dt(double coupled_stiffness_npm) const override {
    if (coupled_stiffness_npm <= 0) return params_.collision_dt_s;
    return std::min(params_.collision_dt_s, 0.5 * std::sqrt(params_.mass_kg / coupled_stiffness_npm));
  }

  void begin_step(const StepContext& context) override {
    remove_dead();
    emit(context);
    wind_.assign(elements_.size(), Vec3::Zero());
    if (params_.drag_time_s > 0 && !context.fields->empty()) context.fields->velocity(elements_.position, context.time, wind_);
  }

  void substep(const StepContext& context, double t, double dt) override {
    (void)t;
    moved_.clear();
    for (const Collider& collider : context.colliders) moved_.push_back(at_time(collider, dt));
    const double tau = params_.drag_time_s;
    const Vec3 gravity = params_.gravity_scale * context.gravity;
    const SurfaceMaterial surface{params_.restitution, params_.mu_static, params_.mu_dynamic};
    const double gain = tau > 0 ? std::exp(-dt / tau) : 1;
    parallel_for(elements_.size(), grain, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i) {
        // Exact for linear drag: v -> v_inf + (v - v_inf) exp(-dt / tau) with v_inf = wind + g tau.
        const Vec3 offset = tau > 0 ? Vec3((1 - gain) * (wind_[i] + tau * gravity)) : Vec3(dt * gravity);
        const Vec3 v = elements_.velocity[i] + elements_.impulse[i] / elements_.mass[i];
        const auto out =
            advance(params_.scheme, {elements_.position[i], v, elements_.radius[i], surface}, {dt, gain, offset}, context.colliders, moved_);
        elements_.position[i] = out.x;
        elements_.velocity[i] = out.v;
        elements_.impulse[i].setZero();
        lives_.age[i] += dt;
      }
    });
  }

  [[nodiscard]] Elements& elements() override { return elements_; }
  [[nodiscard]] const Elements& elements() const override { return elements_; }

  void visit_state(StateVisitor& visit) override {
    visit("position", elements_.position);
    visit("velocity", elements_.velocity);
    visit("mass", elements_.mass);
    visit("radius", elements_.radius);
    visit("impulse", elements_.impulse);
    visit("age", lives_.age);
    visit("lifetime", lives_.lifetime);
    visit("id", elements_.id);
    visit("next_id", next_id_);
    visit("emitters", states_);
  }

  [[nodiscard]] std::string state_problem() const override {
    const std::size_t n = elements_.size();
    if (elements_.impulse.size() != n || lives_.age.size() != n || lives_.lifetime.size() != n || elements_.id.size() != n)
      return "its arrays differ in length";
    if (states_.size() != emitters_.size()) return "it has another number of emitters";
    const auto positive = [](double x) { return std::isfinite(x) && x > 0; };
    if (!std::all_of(elements_.mass.begin(), elements_.mass.end(), positive) ||
        !std::all_of(elements_.radius.begin(), elements_.radius.end(), positive))
      return "a particle's mass or radius is not positive";
    return {};
  }

  void state_restored() override { wind_.assign(elements_.size(), Vec3::Zero()); }

  [[nodiscard]] Diagnostics diagnostics(const StepContext& context) const override {
    Diagnostics d;
    d.count = elements_.size();
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      const double m = elements_.mass[i];
      const Vec3 &x = elements_.position[i], &v = elements_.velocity[i];
      d.mass += m;
      d.kinetic += 0.5 * m * v.squaredNorm();
      d.potential -= m * params_.gravity_scale * context.gravity.dot(x);
      d.momentum += m * v;
      d.angular_momentum += m * x.cross(v);
      d.center_of_mass += m * x;
    }
    if (d.mass > 0) d.center_of_mass /= d.mass;
    return d;
  }

  [[nodiscard]] std::optional<HealthIssue> check_health() const override {
    constexpr double absurd = 1e6;  // m/s: faster than anything here, slow enough to be caught before it overflows
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      if (!elements_.position[i].allFinite())
        return HealthIssue{"position is not finite", static_cast<std::int64_t>(i), "an infinite force or wind acted on it"};
      if (!(elements_.velocity[i].norm() <= absurd))
        return HealthIssue{"speed is over 1e6 m/s or not finite", static_cast<std::int64_t>(i),
                           "a rule's stiffness is too large for this mass and step"};
    }
    return std::nullopt;
  }

  [[nodiscard]] std::span<const ChannelInfo> channels() const override {
    static const std::vector<ChannelInfo> all{{"speed", "m/s"}, {"age", "s"}, {"kinetic_energy", "J"}};
    return all;
  }

  void channel(std::size_t index, std::vector<float>& out) const override {
    out.resize(elements_.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double speed = elements_.velocity[i].norm();
      const double value = index == 0 ? speed : index == 1 ? lives_.age[i] : 0.5 * elements_.mass[i] * speed * speed;
      out[i] = static_cast<float>(value);
    }
  }

  void snapshot(SystemSnapshot& out) const override {
    const std::size_t n = elements_.size();
    out.look = Look::spheres;
    out.position.resize(n);
    out.velocity.resize(n);
    out.size.resize(n);
    out.id.assign(elements_.id.begin(), elements_.id.end());
    out.material.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      out.position[i] = elements_.position[i].cast<float>();
      out.velocity[i] = elements_.velocity[i].cast<float>();
      out.size[i] = static_cast<float>(elements_.radius[i]);
    }
    out.orientation.clear();
    out.palette.assign(1, params_.color.cast<float>());
    out.palette_names.resize(1);
    out.palette_names[0] = name();
    out.skin.reset();
  }

 private:
  /// Keeps the order of the living: indices stay ascending in id.
  void remove_dead() {
    std::size_t kept = 0;
    const double reach = params_.keep_within_m * params_.keep_within_m;
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      const bool dead = (lives_.lifetime[i] > 0 && lives_.age[i] >= lives_.lifetime[i]) || elements_.position[i].squaredNorm() > reach;
      if (dead) continue;
      if (kept != i) {
        elements_.position[kept] = elements_.position[i];
        elements_.velocity[kept] = elements_.velocity[i];
        elements_.impulse[kept] = elements_.impulse[i];
        elements_.mass[kept] = elements_.mass[i];
        elements_.radius[kept] = elements_.radius[i];
        lives_.age[kept] = lives_.age[i];
        lives_.lifetime[kept] = lives_.lifetime[i];
        elements_.id[kept] = elements_.id[i];
      }
      ++kept;
    }
    elements_.position.resize(kept);
    elements_.velocity.resize(kept);
    elements_.impulse.resize(kept);
    elements_.mass.resize(kept);
    elements_.radius.resize(kept);
    lives_.age.resize(kept);
    lives_.lifetime.resize(kept);
    elements_.id.resize(kept);
  }

  void emit(const StepContext& context) {
    for (std::size_t e = 0; e < emitters_.size(); ++e) {
      const std::uint64_t due = particles_due(emitters_[e], context.time, context.dt, states_[e]);
      give_birth(e, due, context.dt);
    }
  }

  /// `due` particles of emitter e, spread over the step; none beyond the capacity.
  void give_birth(std::size_t e, std::uint64_t due, double dt) {
    for (std::uint64_t k = 0; k < due && elements_.size() < static_cast<std::size_t>(params_.capacity); ++k)
      add(birth(emitters_[e], states_[e].emitted++), (static_cast<double>(k) + 0.5) / static_cast<double>(due) * dt);
  }

  /// A particle due `wait` seconds into the step starts as far behind along its flight, so that a stream has no gaps at step boundaries.
  void add(const Birth& born, double wait) {
    elements_.position.push_back(born.position - wait * born.velocity);
    elements_.velocity.push_back(born.velocity);
    elements_.impulse.push_back(Vec3::Zero());
    elements_.mass.push_back(params_.mass_kg);
    elements_.radius.push_back(params_.radius_m);
    lives_.age.push_back(0);
    lives_.lifetime.push_back(born.lifetime);
    elements_.id.push_back(next_id_++);
  }

  ParticleParams params_;
  std::vector<Emitter> emitters_;
  std::vector<EmitterState> states_;
  Elements elements_;
  Lives lives_;
  std::vector<Vec3> wind_;
  std::vector<Collider> moved_;  ///< the colliders at the substep's end
  std::uint64_t seed_ = 0;
  std::uint32_t next_id_ = 0;
};

}  // namespace

const Schema& particles_schema() {
  static const Schema schema{"particles",
                             "Particles from emitters, with gravity, drag toward the wind and collision.",
                             particle_params().specs(),
                             {{"emitter", true, emitter_schemas(), "Sources of the particles."}}};
  return schema;
}

Result<std::unique_ptr<System>> create_particles(const Node& self, const Node& scene) {
  const Node* world = scene.only("world");
  const auto seed = world != nullptr ? static_cast<std::uint64_t>(std::get<std::int64_t>(world->value("seed"))) : 0;
  auto system = std::make_unique<Particles>(self, seed);
  if (auto ok = system->configure(self, scene); !ok) return Unexpected(ok.error());
  system->reserve();
  system->emit_first();
  return std::unique_ptr<System>(std::move(system));
}

}  // namespace vw
