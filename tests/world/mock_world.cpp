#include "tests/world/mock_world.h"

#include <cmath>
#include <limits>
#include <mutex>

#include "tests/support/checked.h"

namespace vw::mock {
namespace {

std::mutex hook_mutex;
Hook hook;

void call_hook() {
  Hook copy;
  {
    const std::lock_guard lock(hook_mutex);
    copy = hook;
  }
  if (copy) copy();
}

class Balls final : public System {
 public:
  Balls(const Node& self, const Schema& schema)
      : System(self.name), schema_(schema), params_(ball_params().read(self.values)) {
    const auto n = static_cast<std::size_t>(params_.count);
    for (std::size_t i = 0; i < n; ++i)
      elements_.position.push_back(params_.position + Vec3(static_cast<double>(i) * params_.spacing, 0, 0));
    elements_.velocity.assign(n, params_.velocity);
    elements_.mass.assign(n, params_.mass);
    elements_.radius.assign(n, 0.1);
    elements_.impulse.assign(n, Vec3::Zero());
  }
  const Schema& schema() const override { return schema_; }
  Result<void> configure(const Node& self, const Node&) override {
    const BallParams wanted = ball_params().read(self.values);
    if (wanted.stable_s == 0.0625) return fail("this mock refuses a stable substep of 1/16 s");
    params_.stable_s = wanted.stable_s;
    params_.gravity = wanted.gravity;
    params_.break_time = wanted.break_time;
    params_.kick = wanted.kick;
    params_.kick_time = wanted.kick_time;
    return {};
  }
  double stable_dt(double coupled_npm) const override {
    return coupled_npm > 0 ? std::min(params_.stable_s, std::sqrt(params_.mass / coupled_npm)) : params_.stable_s;
  }
  void substep(const StepContext& context, double t, double dt) override {
    call_hook();
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      Vec3& v = elements_.velocity[i];
      v += elements_.impulse[i] / elements_.mass[i];
      if (params_.gravity) v += context.gravity * dt;
      if (t >= params_.kick_time) v.x() += params_.kick;
      elements_.position[i] += v * dt;
      elements_.impulse[i] = Vec3::Zero();
    }
    if (params_.break_time >= 0 && t + dt > params_.break_time)
      elements_.position.back().y() = std::numeric_limits<double>::quiet_NaN();
    ++substeps_;
  }
  Elements& elements() override { return elements_; }
  const Elements& elements() const override { return elements_; }
  void visit_state(StateVisitor& visit) override {
    // The key is longer than the short-string buffer of std::string, so that copies of it would be counted as
    // allocations.
    visit("position_of_all_balls", elements_.position);
    visit("velocity", elements_.velocity);
    visit("mass", elements_.mass);
    visit("impulse", elements_.impulse);
    visit("substeps", substeps_);
  }
  Diagnostics diagnostics(const StepContext&) const override {
    Diagnostics d;
    d.count = elements_.size();
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      const double m = elements_.mass[i];
      d.mass += m;
      d.kinetic += 0.5 * m * elements_.velocity[i].squaredNorm();
      d.momentum += m * elements_.velocity[i];
      d.angular_momentum += m * elements_.position[i].cross(elements_.velocity[i]);
      d.center_of_mass += m * elements_.position[i];
    }
    d.center_of_mass /= d.mass;
    return d;
  }
  // The mock system reports no issue, because only the checks of the world are tested.
  std::optional<HealthIssue> check_health() const override { return std::nullopt; }
  std::span<const ChannelInfo> channels() const override {
    static const std::vector<ChannelInfo> infos{{"speed", "m/s"},
                                                {.name = "height_over_the_ground", .unit = "m", .is_signed = true}};
    return infos;
  }
  void channel(std::size_t index, std::vector<float>& out) const override {
    out.resize(elements_.size());
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = static_cast<float>(index == 0 ? elements_.velocity[i].norm() : elements_.position[i].y());
  }
  void snapshot(SystemSnapshot& out) const override {
    const std::size_t n = elements_.size();
    out.use_look<SphereLook>();
    out.position.resize(n);
    out.velocity.resize(n);
    out.size.assign(n, 0.1F);
    out.id.resize(n);
    out.material.assign(n, 0);
    out.palette.assign(1, Vec3f(1, 0, 0));
    for (std::size_t i = 0; i < n; ++i) {
      out.position[i] = elements_.position[i].cast<float>();
      out.velocity[i] = elements_.velocity[i].cast<float>();
      out.id[i] = static_cast<std::uint32_t>(i);
    }
  }

 private:
  const Schema& schema_;
  BallParams params_;
  Elements elements_;
  std::uint64_t substeps_ = 0;
};

const ParamTable<SpringParams>& spring_params() {
  using S = SpringParams;
  static const ParamTable<S> table{
      Param<S>{.member = &S::enabled, .key = "enabled", .live = Live::yes, .doc = "Whether the rule acts."},
      Param<S>{.member = &S::a, .key = "a", .doc = "One system."},
      Param<S>{.member = &S::b, .key = "b", .doc = "The other."},
      Param<S>{.member = &S::stiffness,
               .key = "stiffness",
               .unit = Unit::newton_per_meter,
               .range = {0, 1e9},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Of each spring."},
      Param<S>{.member = &S::rate, .key = "rate", .live = Live::yes, .choices = {"finer", "step"}, .doc = "How often."},
      Param<S>{.member = &S::coupled,
               .key = "coupled",
               .unit = Unit::newton_per_meter,
               .range = {0, 1e9},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Claimed stiffness."},
  };
  return table;
}

/// A rule with springs of rest length 0 between the balls of two systems that have equal indices.
class Springs final : public Interaction {
 public:
  explicit Springs(const Node& self) : params_(spring_params().read(self.values)) {}
  Result<void> configure(const Node& self) override {
    params_ = spring_params().read(self.values);
    return {};
  }
  bool enabled() const override { return params_.enabled; }
  Rate rate() const override { return params_.rate; }
  double stiffness_npm(const System&, const System&) const override { return params_.coupled; }
  void apply(System& a, System& b, const PairContext& context) override {
    Elements& x = a.elements();
    Elements& y = b.elements();
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
      const Vec3 gap =
          (y.position[i] + y.velocity[i] * context.age_b) - (x.position[i] + x.velocity[i] * context.age_a);
      const Vec3 impulse = gap * (params_.stiffness * context.dt);
      x.impulse[i] += impulse;
      y.impulse[i] -= impulse;
    }
    ++evaluations_;
  }
  void visit_state(StateVisitor& visit) override { visit("evaluations", evaluations_); }

 private:
  SpringParams params_;
  std::uint64_t evaluations_ = 0;
};

const Schema& slow_schema() {
  static const Schema schema{"slow", "Balls.", ball_params().specs(), {}};
  return schema;
}
const Schema& fast_schema() {
  static const Schema schema{"fast", "Balls.", ball_params().specs(), {}};
  return schema;
}
const Schema& spring_schema() {
  static const Schema schema{"balls_springs", "Springs between balls.", spring_params().specs(), {}};
  return schema;
}

Result<std::unique_ptr<System>> make_balls(const Node& self, const Node&) {
  if (ball_params().read(self.values).label == "impossible") return fail("this mock cannot be made");
  return std::unique_ptr<System>(std::make_unique<Balls>(self, *self.schema));
}

}  // namespace

const ParamTable<BallParams>& ball_params() {
  using B = BallParams;
  static const ParamTable<B> table{
      Param<B>{.member = &B::count,
               .key = "count",
               .unit = Unit::count,
               .range = {1, 1000000},
               .scale = Scale::log,
               .doc = "Balls."},
      Param<B>{.member = &B::mass,
               .key = "mass",
               .unit = Unit::kilogram,
               .range = {1e-9, 1e9},
               .scale = Scale::log,
               .doc = "Of each."},
      Param<B>{
          .member = &B::position, .key = "position", .unit = Unit::meter, .range = {-1e6, 1e6}, .doc = "Of the first."},
      Param<B>{.member = &B::velocity,
               .key = "velocity",
               .unit = Unit::meter_per_second,
               .range = {-1e6, 1e6},
               .doc = "Of all."},
      Param<B>{.member = &B::spacing,
               .key = "spacing",
               .unit = Unit::meter,
               .range = {0, 1e6},
               .doc = "Between neighbours."},
      Param<B>{.member = &B::stable_s,
               .key = "stable",
               .unit = Unit::second,
               .range = {1e-30, 1e9},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Largest substep."},
      Param<B>{.member = &B::gravity, .key = "gravity", .live = Live::yes, .doc = "Whether they fall."},
      Param<B>{.member = &B::break_time,
               .key = "break_time",
               .unit = Unit::second,
               .range = {-1, 1e9},
               .live = Live::yes,
               .doc = "When they break."},
      Param<B>{.member = &B::kick,
               .key = "kick",
               .unit = Unit::meter_per_second,
               .range = {-1e12, 1e12},
               .live = Live::yes,
               .doc = "Added each substep."},
      Param<B>{.member = &B::kick_time,
               .key = "kick_time",
               .unit = Unit::second,
               .range = {0, 1e9},
               .live = Live::yes,
               .doc = "From when on that is added."},
      Param<B>{.member = &B::label, .key = "label", .live = Live::yes, .doc = "No effect."},
  };
  return table;
}

void set_substep_hook(Hook wanted) {
  const std::lock_guard lock(hook_mutex);
  hook = std::move(wanted);
}

const Registry& registry() {
  static const Registry tables = [] {
    Registry made;
    made.systems = {{&fast_schema(), make_balls}, {&slow_schema(), make_balls}};
    made.interactions = {
        {&spring_schema(), "slow", "fast", [](const Node& self) -> Result<std::unique_ptr<Interaction>> {
           return std::unique_ptr<Interaction>(std::make_unique<Springs>(self));
         }}};
    static const Schema scene = make_scene_schema(made.systems, made.interactions);
    made.scene = &scene;
    return made;
  }();
  return tables;
}

Node empty_scene() { return make_node(*registry().scene); }

Node& add_balls(Node& scene, const std::string& kind, const std::string& name) {
  return add_child(scene, "system", kind, name);
}

Node& add_spring(Node& scene, const std::string& name) {
  return add_child(scene, "interaction", "balls_springs", name);
}

std::unique_ptr<World> make_world(Node scene) { return test::checked(World::create(std::move(scene), registry())); }

}  // namespace vw::mock
