// Implements the step schedule. Systems and rules are processed in the order of their names, so results do not depend
// on the order in the scene file.
#include "sim/world/step/stepper.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace vw {
namespace {

/// Adds the wall time of a scope to a counter.
class Stopwatch {
 public:
  explicit Stopwatch(double& total_s) : total_s_(total_s), start_(std::chrono::steady_clock::now()) {}
  ~Stopwatch() { total_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& total_s_;
  std::chrono::steady_clock::time_point start_;
};

/// Moves a system's impulses from `from` to `held` and sets `from` to zero.
void take(std::vector<Vec3>& from, std::vector<Vec3>& held) {
  held.assign(from.begin(), from.end());
  std::fill(from.begin(), from.end(), Vec3::Zero());
}

/// Adds fraction number `index` of `count` equal fractions of `held` to `to`. The last fraction absorbs the rounding
/// error, so that all fractions sum to `held`.
void give_part(const std::vector<Vec3>& held, std::int64_t index, std::int64_t count, std::vector<Vec3>& to) {
  const double share = 1.0 / static_cast<double>(count);
  const double given = static_cast<double>(count - 1);
  const std::size_t n = std::min(held.size(), to.size());
  for (std::size_t i = 0; i < n; ++i) {
    const Vec3 part = held[i] * share;
    to[i] += index + 1 < count ? part : Vec3(held[i] - part * given);
  }
}

}  // namespace

Stepper::Stepper(const WorldParts& parts)
    : coupled_npm_(parts.systems.size()),
      held_(parts.systems.size()),
      seen_(parts.systems.size()),
      timings_(parts.systems.size()) {
  for (const auto& system : parts.systems) stages_.emplace_back(system->name(), 0.0);
  stages_.emplace_back("rules", 0.0);
}

std::optional<PlanFailure> Stepper::plan(WorldParts& parts, double dt) {
  const std::size_t n = parts.systems.size();
  std::fill(coupled_npm_.begin(), coupled_npm_.end(), 0.0);
  rule_bound_.assign(n, {});
  joins_.clear();
  for (Rule& rule : parts.rules) {
    rule.works = rule.interaction->enabled() && parts.systems[rule.pair.a]->exerts_forces() &&
                 parts.systems[rule.pair.b]->exerts_forces();
    if (!rule.works) continue;
    if (rule.interaction->rate() == Rate::finer) joins_.push_back(rule.pair);
    const double stiffness = rule.interaction->stiffness_npm(*parts.systems[rule.pair.a], *parts.systems[rule.pair.b]);
    coupled_npm_[rule.pair.a] += stiffness;
    if (rule.pair.b != rule.pair.a) coupled_npm_[rule.pair.b] += stiffness;
    const double longest = rule.interaction->longest_dt(*parts.systems[rule.pair.a], *parts.systems[rule.pair.b], dt);
    for (const std::size_t side : {rule.pair.a, rule.pair.b})
      if (longest < rule_bound_[side].dt_s) rule_bound_[side] = {longest, &rule};
  }
  join_clusters(n, joins_, plan_);
  plan_.count.resize(n);
  const std::int64_t limit = parts.params.max_substeps;
  for (std::size_t i = 0; i < n; ++i) {
    timings_[i].stable_dt = std::min(parts.systems[i]->stable_dt(coupled_npm_[i]), rule_bound_[i].dt_s);
    plan_.count[i] = substeps_for(dt, timings_[i].stable_dt, limit);
    if (plan_.count[i] == 0)
      return PlanFailure{i, too_many_substeps(dt, timings_[i].stable_dt, limit, bound_of(parts, i))};
  }
  round_to_divide(plan_);
  for (std::size_t i = 0; i < n; ++i) {
    if (plan_.count[i] > limit)
      return PlanFailure{i, too_many_substeps(dt, dt / static_cast<double>(plan_.count[i]), limit, bound_of(parts, i))};
    timings_[i].substeps = static_cast<int>(plan_.count[i]);
    timings_[i].substep_dt = dt / static_cast<double>(plan_.count[i]);
    timings_[i].wall_s = 0;
  }
  rules_wall_s_ = 0;
  return std::nullopt;
}

/// Returns the cause of the limit on a system's substep: a rule if it requires a shorter substep than the system
/// itself, else the system.
StepBound Stepper::bound_of(const WorldParts& parts, std::size_t system) const {
  const System& bounded = *parts.systems[system];
  if (!(rule_bound_[system].dt_s < bounded.stable_dt(coupled_npm_[system])))
    return bounded.step_bound(coupled_npm_[system]);
  const Rule& rule = *rule_bound_[system].rule;
  return {fmt::format("the {} rule between {} and {}", rule.kind, parts.systems[rule.pair.a]->name(),
                      parts.systems[rule.pair.b]->name()),
          "lower the speed or stiffness of the touching elements, or raise their mass"};
}

void Stepper::run(WorldParts& parts, StepContext context, GrabSpring& grab, PendingPushes& pushes) {
  const std::vector<Collider>& declared = parts.colliders.as_declared();
  posed_.assign(declared.begin(), declared.end());
  parts.colliders.begin_step(parts.systems, context.time, context.dt);
  pose_colliders(parts, context.time, context.time + context.dt);
  context.colliders = posed_;
  begin(parts, context, pushes);
  for (std::size_t i = 0; i < parts.systems.size(); ++i)
    if (plan_.cluster[i] == i) run_cluster(i, parts, context, grab);
  finish(parts, context);
  parts.colliders.end_step();
}

void Stepper::pose_colliders(const WorldParts& parts, double from, double to) {
  parts.colliders.place(from, to, posed_);
}

/// Returns the context of a system's substep, without the colliders that the system carries.
StepContext Stepper::seen_by(std::size_t system, const WorldParts& parts, StepContext context) {
  if (!parts.colliders.has_passengers(system)) return context;
  std::vector<Collider>& seen = seen_[system];
  std::size_t count = 0;
  for (std::size_t i = 0; i < posed_.size(); ++i) {
    if (!parts.colliders.meets(i, system)) continue;
    if (count == seen.size()) seen.emplace_back();
    seen[count++] = posed_[i];
  }
  seen.resize(count);
  context.colliders = seen;
  return context;
}

void Stepper::begin(WorldParts& parts, const StepContext& context, PendingPushes& pushes) {
  for (std::size_t i = 0; i < parts.systems.size(); ++i) {
    const Stopwatch watch(timings_[i].wall_s);
    parts.systems[i]->begin_step(seen_by(i, parts, context));
  }
  forces_.begin_step(parts);
  apply_held_rules(parts, context);
  // Pushes are added after the impulses of rules of rate `step` have been moved to held_, so that a push acts entirely
  // in the first substep.
  for (std::size_t k = 0; k < pushes.system.size(); ++k) {
    Elements& elements = parts.systems[pushes.system[k]]->elements();
    push(elements, row_of(elements, pushes.element[k]), pushes.impulse[k], pushes.radius_m[k]);
  }
  pushes.clear();
}

void Stepper::apply_held_rules(WorldParts& parts, const StepContext& context) {
  const Stopwatch watch(rules_wall_s_);
  for (Held& held : held_) held.any = false;
  for (const Rule& rule : parts.rules) {
    if (!rule.works || rule.interaction->rate() != Rate::step) continue;
    apply(rule, parts, {context.time, context.dt, 0, 0, context.seed, context.dt, context.dt, context.gravity});
    held_[rule.pair.a].any = held_[rule.pair.b].any = true;
  }
  for (std::size_t i = 0; i < held_.size(); ++i) {
    held_[i].any = held_[i].any && plan_.count[i] > 1;
    if (!held_[i].any) continue;
    take(parts.systems[i]->elements().impulse, held_[i].impulse);
    take(parts.systems[i]->elements().angular_impulse, held_[i].angular_impulse);
  }
}

/// Returns whether the cluster consists of one system on which no rule, grab, stored impulse (held_) or moving collider
/// acts during the step. All substeps of such a system can be taken in one call.
bool Stepper::is_alone(std::size_t label, const WorldParts& parts, const GrabSpring& grab) const {
  if (std::count(plan_.cluster.begin(), plan_.cluster.end(), label) != 1 || held_[label].any) return false;
  if (grab.active != 0 && grab.system == label) return false;
  for (const Rule& rule : parts.rules)
    if (rule.works && rule.interaction->rate() == Rate::finer && (rule.pair.a == label || rule.pair.b == label))
      return false;
  return parts.colliders.still_for(label);
}

void Stepper::run_cluster(std::size_t label, WorldParts& parts, const StepContext& context, GrabSpring& grab) {
  if (is_alone(label, parts, grab)) {
    const Stopwatch watch(timings_[label].wall_s);
    parts.systems[label]->substeps(seen_by(label, parts, context), context.time, timings_[label].substep_dt,
                                   plan_.count[label]);
    return;
  }
  std::int64_t ticks = 1;
  for (std::size_t i = 0; i < plan_.count.size(); ++i)
    if (plan_.cluster[i] == label) ticks = std::max(ticks, plan_.count[i]);
  for (std::int64_t tick = 0; tick < ticks; ++tick) {
    apply_rules_due(label, tick, ticks, parts, context);
    for (std::size_t i = label; i < plan_.count.size(); ++i) {
      const std::int64_t stride = ticks / plan_.count[i];
      if (plan_.cluster[i] == label && (tick + 1) % stride == 0) substep(i, tick / stride, parts, context, grab);
    }
  }
}

std::optional<PairContext> Stepper::due(const Rule& rule, std::size_t label, std::int64_t tick, std::int64_t ticks,
                                        const StepContext& context) const {
  if (plan_.cluster[rule.pair.a] != label || !rule.works || rule.interaction->rate() != Rate::finer)
    return std::nullopt;
  const std::int64_t count_a = plan_.count[rule.pair.a], count_b = plan_.count[rule.pair.b];
  const std::int64_t finer = std::max(count_a, count_b);
  if (tick % (ticks / finer) != 0) return std::nullopt;
  const double tick_dt = context.dt / static_cast<double>(ticks);
  return PairContext{context.time + static_cast<double>(tick) * tick_dt,
                     context.dt / static_cast<double>(finer),
                     static_cast<double>(tick % (ticks / count_a)) * tick_dt,
                     static_cast<double>(tick % (ticks / count_b)) * tick_dt,
                     context.seed,
                     context.dt / static_cast<double>(count_a),
                     context.dt / static_cast<double>(count_b),
                     context.gravity};
}

void Stepper::apply_rules_due(std::size_t label, std::int64_t tick, std::int64_t ticks, WorldParts& parts,
                              const StepContext& context) {
  const auto each_due = [&](auto&& call) {
    for (const Rule& rule : parts.rules)
      if (const auto pair = due(rule, label, tick, ticks, context)) call(rule, *pair);
  };
  each_due([&](const Rule& rule, const PairContext& pair) {
    const Stopwatch watch(rules_wall_s_);
    rule.interaction->prepare(*parts.systems[rule.pair.a], *parts.systems[rule.pair.b], pair);
  });
  each_due([&](const Rule& rule, const PairContext& pair) {
    {
      const Stopwatch watch(timings_[rule.pair.a].wall_s);
      rule.interaction->answer(*parts.systems[rule.pair.a], pair);
    }
    const Stopwatch watch(rules_wall_s_);
    apply(rule, parts, pair);
  });
}

void Stepper::apply(const Rule& rule, const WorldParts& parts, const PairContext& context) {
  const auto which = static_cast<std::size_t>(&rule - parts.rules.data());
  forces_.before(parts, which);
  rule.interaction->apply(*parts.systems[rule.pair.a], *parts.systems[rule.pair.b], context);
  forces_.after(parts, which);
}

void Stepper::substep(std::size_t i, std::int64_t index, WorldParts& parts, const StepContext& context,
                      GrabSpring& grab) {
  const Stopwatch watch(timings_[i].wall_s);
  const double dt = timings_[i].substep_dt;
  const double time = context.time + static_cast<double>(index) * dt;
  Elements& elements = parts.systems[i]->elements();
  pose_colliders(parts, time, time + dt);
  if (held_[i].any) {
    give_part(held_[i].impulse, index, plan_.count[i], elements.impulse);
    give_part(held_[i].angular_impulse, index, plan_.count[i], elements.angular_impulse);
  }
  if (grab.active != 0 && grab.system == i) pull(grab, elements, dt, timings_[i].stable_dt);
  parts.systems[i]->substep(seen_by(i, parts, context), time, dt);
}

void Stepper::finish(WorldParts& parts, const StepContext& context) {
  for (std::size_t i = 0; i < parts.systems.size(); ++i) {
    SystemTiming& timing = timings_[i];
    {
      const Stopwatch watch(timing.wall_s);
      parts.systems[i]->end_step(seen_by(i, parts, context));
    }
    timing.total_wall_s += timing.wall_s;
    timing.total_substeps += static_cast<std::uint64_t>(timing.substeps);
    stages_[i].second = timing.wall_s;
  }
  stages_.back().second = rules_wall_s_;
}

}  // namespace vw
