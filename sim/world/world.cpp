// Implementation of World: step with health checks and rollback, checkpoint state, snapshots. Commands are in
// world_commands.cpp.
#include "sim/world/world.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "sim/system/equilibrium.h"
#include "sim/world/air/air_reading.h"
#include "sim/world/health/health_place.h"
#include "sim/world/health/run_warnings.h"
#include "sim/world/recording/world_picture.h"
#include "sim/world/state/loaded_state.h"
#include "sim/world/world_impl.h"

namespace vw {
namespace {

/// Returns the parameters whose values differ between the trees: their paths and their values in `from`. Both trees
/// have the same nodes.
std::vector<SetParameter> differences(const Node& from, const Node& to) {
  Node a = from, b = to;
  const auto ours = all_parameters(a), theirs = all_parameters(b);
  std::vector<SetParameter> found;
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (!same_value(ours[i].value(), theirs[i].value())) found.push_back({ours[i].path, ours[i].value()});
  return found;
}

}  // namespace

StepContext World::Impl::context() const {
  StepContext context;
  context.time = time();
  context.dt = parts.params.dt_s;
  context.step = step;
  context.seed = static_cast<std::uint64_t>(parts.params.seed);
  context.gravity = parts.params.gravity;
  context.colliders = parts.colliders.as_declared();
  context.fields = &parts.fields;
  return context;
}

/// Sizes all arrays that have one entry for each part. Must be called after the parts were built.
void World::Impl::prepare() {
  parts.fields.set_obstacles(&obstacles);
  system_scopes.clear();
  for (const auto& system : parts.systems) system_scopes.push_back("system." + system->name() + ".");
  rule_scopes.clear();
  for (const Rule& rule : parts.rules) rule_scopes.push_back("interaction." + rule.label + ".");
  last_good.entries.clear();
  sensed = {};
  parts.control.sensors().set_air(air_for_sensors(parts.fields));
  ask_records();
  stages = stepper.stages();
  stages.emplace_back("world", 0.0);
  remember_motion();
}

void World::Impl::restart_clock() {
  step = base_step = 0;
  base_time = 0;
  grab = {};
  pushes.clear();
  health = {};
  ++epoch;
  air.restart();
  fluids.restart();
  vectors.forget();
}

void World::Impl::remember_motion() {
  motion.resize(parts.systems.size());
  for (std::size_t i = 0; i < motion.size(); ++i) motion[i] = motion_sum(parts.systems[i]->elements());
}

/// Visits the complete state. If `last_good_only` is set, skips the systems that saved their own state
/// (has_own_backup).
void World::Impl::visit(StateVisitor& visitor, bool last_good_only) {
  visitor.scope("world.");
  visitor("step", step, {0, 1e15});
  visitor("base_step", base_step);
  visitor("base_time", base_time, state_clock);
  grab.visit_state(visitor);
  pushes.visit_state(visitor);
  parts.colliders.visit_state(visitor);
  for (std::size_t i = 0; i < parts.systems.size(); ++i) {
    if (last_good_only && has_own_backup[i] != 0) continue;
    visitor.scope(system_scopes[i]);
    visitor.rows(state_element);
    parts.systems[i]->visit_state(visitor);
  }
  for (std::size_t i = 0; i < parts.rules.size(); ++i) {
    visitor.scope(rule_scopes[i]);
    parts.rules[i].interaction->visit_state(visitor);
  }
  parts.control.visit_state(visitor);
}

// ---- One step -------------------------------------------------------------------------------------------------------

bool World::step() {
  Impl& w = *impl_;
  if (w.health.failed) return false;
  const auto start = std::chrono::steady_clock::now();
  w.keep_state();
  if (auto good = w.drive(); !good) {
    w.undo_drive();
    w.stop({}, {good.error().message(), -1, {}});
    return false;
  }
  if (auto failure = w.stepper.plan(w.parts, w.parts.params.dt_s)) {
    w.undo_drive();
    w.stop(w.parts.systems[failure->system]->name(), std::move(failure->issue));
    return false;
  }
  const StepContext context = w.context();
  if (auto failure = w.costs.look(w.parts, w.stepper.timings(), context)) {
    w.undo_drive();
    w.stop(w.parts.systems[failure->system]->name(), std::move(failure->issue));
    return false;
  }
  w.energies.begin_step(w.parts, context);
  w.vectors.begin_step(w.parts);
  w.stepper.run(w.parts, context, w.grab, w.pushes);
  ++w.step;
  const bool good = w.check_health(context);
  if (good) {
    w.vectors.end_step(context.dt);
    w.measure_sensors();
  } else {
    w.revert_failed_step();
    w.undo_drive();
  }
  w.step_wall_s = seconds_since(start);
  double rest = w.step_wall_s;
  for (std::size_t i = 0; i < w.stepper.stages().size(); ++i) {
    w.stages[i].second = w.stepper.stages()[i].second;
    rest -= w.stages[i].second;
  }
  w.stages.back().second = std::max(0.0, rest);
  return good;
}

void World::Impl::stop(std::string system, HealthIssue issue) {
  health = {.failed = true,
            .system = std::move(system),
            .issue = std::move(issue),
            .place = {},
            .step = step,
            .time = time()};
}

/// Checks every system and rule after a step. Returns false on failure; `health` then contains the problem, the number
/// of the step and the time at which the step began.
bool World::Impl::check_health(const StepContext& context) {
  // The check of energy growth also skips the first step. Elements may overlap at the start, and the energy stored in
  // the rules' springs is known only after the step has evaluated the rules.
  const bool is_free = !is_touched && grab.active == 0 && context.step > 0;
  is_touched = false;
  has_rule_failed = false;
  motion_before.assign(motion.begin(), motion.end());
  for (std::size_t i = 0; i < parts.systems.size(); ++i) {
    const System& system = *parts.systems[i];
    const auto now = motion_sum(system.elements());
    auto issue = system.check_health();
    if (!issue)
      issue = check_motion(system.elements(), motion[i], now, parts.params.energy_limit, stepper.timings()[i]);
    if (!issue && is_free) issue = energies.look(parts, i, motion_before, now, context, stepper.timings()[i]);
    motion[i] = now;
    if (!issue) continue;
    health = {.failed = true,
              .system = system.name(),
              .issue = std::move(*issue),
              .place = {},
              .step = context.step,
              .time = context.time};
    return false;
  }
  for (const Rule& rule : parts.rules) {
    if (!rule.interaction->enabled()) continue;
    auto issue = rule.interaction->check_health();
    if (!issue && !std::isfinite(rule.interaction->energy()))
      issue = HealthIssue{"the elastic energy is not finite", -1,
                          "a stiffness of the rule is likely too large for the motion of its systems"};
    if (!issue) continue;
    has_rule_failed = true;
    health = {.failed = true,
              .system = rule.node,
              .issue = std::move(*issue),
              .place = {},
              .step = context.step,
              .time = context.time};
    return false;
  }
  return true;
}

void World::Impl::keep_state() {
  has_own_backup.resize(parts.systems.size());
  for (std::size_t i = 0; i < has_own_backup.size(); ++i) has_own_backup[i] = parts.systems[i]->keep_state() ? 1 : 0;
  last_good_writer.restart();
  visit(last_good_writer, true);
  last_good_writer.finish();
}

void World::Impl::roll_back() {
  StateReader reader(last_good);
  visit(reader, true);
  for (std::size_t i = 0; i < has_own_backup.size(); ++i)
    if (has_own_backup[i] != 0) parts.systems[i]->return_to_kept_state();
  for (const auto& system : parts.systems) system->state_restored();
  remember_motion();
}

/// Restores the state before a failed step. Then finds the faulty element in this state and describes its surroundings.
void World::Impl::revert_failed_step() {
  // A rule and a system may have the same name, for example "grains".
  const std::size_t system = has_rule_failed ? parts.systems.size() : find(health.system);
  std::int64_t identity = -1;
  if (system < parts.systems.size() && health.issue.element >= 0 &&
      health.issue.element < static_cast<std::int64_t>(parts.systems[system]->elements().size()))
    identity = identity_of(parts.systems[system]->elements(), health.issue.element);
  roll_back();
  if (system == parts.systems.size()) return;  // a rule has failed, not a system
  const std::int64_t row = identity >= 0 ? row_of(parts.systems[system]->elements(), identity) : -1;
  IssuePlace found = place_of_issue(parts, system, row, health.time, stepper.timings()[system]);
  health.place = std::move(found.place);
  if (!found.cause.empty()) health.issue.why = std::move(found.cause);
}

// ---- Public interface -----------------------------------------------------------------------------------------------

World::World(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
World::~World() = default;

Result<std::unique_ptr<World>> World::create(Node scene, const Registry& registry) {
  return build(std::move(scene), registry, false);
}

Result<std::unique_ptr<World>> World::build(Node scene, const Registry& registry, bool awaits_state) {
  auto parts = build_parts(scene, registry, nullptr, awaits_state);
  if (!parts) return Unexpected(parts.error());
  auto impl = std::make_unique<Impl>(std::move(scene), registry, std::move(*parts));
  impl->measure_sensors();
  return std::unique_ptr<World>(new World(std::move(impl)));
}

Result<SceneVersion> scene_of_checkpoint(Node scene, const Checkpoint& checkpoint) {
  SceneVersion version;
  for (const ChangeNodes& change : checkpoint.changes) {
    if (auto good = apply_changes(scene, change); !good) return Unexpected(good.error());
    for (const SetParameter& value : change.values)
      if (auto good = set_parameter(scene, value.path, value.value); !good) return Unexpected(good.error());
  }
  version.original = scene;
  for (const auto& edit : checkpoint.edits)
    if (auto good = set_parameter(scene, edit.path, edit.value); !good) return Unexpected(good.error());
  version.in_force = scene;
  for (const auto& old : checkpoint.in_force)
    if (auto good = set_parameter(version.in_force, old.path, old.value); !good) return Unexpected(good.error());
  version.scene = std::move(scene);
  version.changes = checkpoint.changes;
  return version;
}

Result<std::unique_ptr<World>> resume_world(Node scene, const Checkpoint& checkpoint, const Registry& registry) {
  auto version = scene_of_checkpoint(std::move(scene), checkpoint);
  if (!version) return Unexpected(version.error());
  if (auto good = check_sources(version->in_force, checkpoint); !good) return Unexpected(good.error());
  auto world = World::build(version->in_force, registry, true);
  if (!world) return world;
  static_cast<SceneVersion&>(*(*world)->impl_) = std::move(*version);
  if (auto good = (*world)->load_state(checkpoint.state); !good) return Unexpected(good.error());
  return world;
}

Result<void> World::apply(const Command& command) {
  auto result = std::visit([&](const auto& what) { return impl_->do_command(what); }, command);
  // The playback speed adds no energy. A rejected command is not in the journal, so it must not have an effect.
  const auto* set = std::get_if<SetParameter>(&command);
  impl_->is_touched |= result.has_value() && (set == nullptr || set->path != "world.speed");
  return result;
}

const Health& World::health() const { return impl_->health; }
std::uint64_t World::step_count() const { return impl_->step; }
double World::time() const { return impl_->time(); }
double World::dt() const { return impl_->parts.params.dt_s; }
const Node& World::scene() const { return impl_->scene; }
std::vector<SetParameter> World::edits() const { return differences(impl_->scene, impl_->original); }
std::vector<SetParameter> World::in_force() const { return differences(impl_->in_force, impl_->scene); }
std::vector<std::string> World::notes() const {
  std::vector<std::string> all = impl_->parts.colliders.notes();
  const std::vector<std::string> more = notes_on_systems(impl_->parts, impl_->in_force);
  all.insert(all.end(), more.begin(), more.end());
  return all;
}
const WorldParams& World::params() const { return impl_->parts.params; }

std::size_t World::system_count() const { return impl_->parts.systems.size(); }
System& World::system(std::size_t i) { return *impl_->parts.systems[i]; }
const System& World::system(std::size_t i) const { return *impl_->parts.systems[i]; }
System* World::find_system(std::string_view name) {
  const std::size_t i = impl_->find(name);
  return i == system_count() ? nullptr : &system(i);
}
const SystemTiming& World::timing(std::size_t i) const { return impl_->stepper.timings()[i]; }
const std::vector<std::pair<std::string, double>>& World::stages() const { return impl_->stages; }
Diagnostics World::diagnostics(std::size_t i) const { return impl_->parts.systems[i]->diagnostics(impl_->context()); }

void World::watch_settling(std::function<bool(double, double)> progress) {
  impl_->settling.progress = std::move(progress);
}
const Equilibrium* World::settled() const { return impl_->settled.get(); }

std::uint64_t World::hash() {
  StateHasher hasher;
  impl_->visit(hasher);
  return hasher.digest();
}

void World::save_state(StateBlock& out) {
  out.entries.clear();
  StateWriter writer(out);
  impl_->visit(writer);
  impl_->write_measured(writer);
}

Result<void> World::load_state(const StateBlock& in) {
  Impl& w = *impl_;
  StateBlock before;
  save_state(before);
  StateReader reader(in, StateSource::file);
  w.visit(reader);
  std::string problem = reader.error();
  if (problem.empty() && !(w.base_step <= w.step)) problem = "world.base_step is larger than world.step";
  if (problem.empty()) problem = loaded_state_problem(w.parts, w.grab, w.pushes);
  if (!problem.empty()) {
    StateReader back(before);
    w.visit(back);
  }
  for (const auto& system : w.parts.systems) system->state_restored();
  if (problem.empty()) {
    problem = first_nonfinite_sum(w.parts, w.context());
    if (!problem.empty()) {
      StateReader back(before);
      w.visit(back);
      for (const auto& system : w.parts.systems) system->state_restored();
    }
  }
  w.remember_motion();
  if (!problem.empty()) return fail("the state does not match this scene: " + problem);
  w.state_replaced();
  return {};
}

void World::Impl::state_replaced() {
  stepper.forces().forget();
  health = {};
  is_touched = !pushes.system.empty();
  ++epoch;
  air.restart();
  fluids.restart();
  vectors.forget();
}

SceneVersion World::scene_version() const { return *impl_; }

bool World::Impl::take_over_values(const Node& values) {
  Node other = values;
  const auto ours = all_parameters(in_force), theirs = all_parameters(other);
  if (ours.size() != theirs.size()) return false;
  std::map<std::string, std::string> changed;  // path of one of the changed parameters, by part
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (ours[i].path != theirs[i].path || ours[i].node->schema != theirs[i].node->schema) return false;
    if (same_value(ours[i].value(), theirs[i].value())) continue;
    if (ours[i].spec->live == Live::no) return false;
    ours[i].node->values[ours[i].index] = theirs[i].value();
    const auto [slot, name] = slot_and_name(ours[i].path);
    changed.emplace(slot + "." + name, ours[i].path);
  }
  return std::ranges::all_of(changed, [&](const auto& part) {
    // `values` contains the driven numbers too. Hence they must not be set to the values in the scene, which is still
    // that of the former moment.
    const bool is_control = part.first.starts_with("actuator.") || part.first.starts_with("sensor.");
    return (is_control ? rebuild_control() : take_over(part.second)).has_value();
  });
}

Result<void> World::return_to(const SceneVersion& version, const StateBlock& state, StateSource source,
                              bool lacks_driven) {
  Impl& w = *impl_;
  const Node before = w.in_force;
  if (!w.take_over_values(version.in_force)) {
    auto made = build_parts(version.in_force, w.registry, &w.parts.colliders, true);
    if (!made) {
      (void)w.take_over_values(before);  // succeeds, because only live values have changed
      return Unexpected(made.error());
    }
    w.replace_parts(std::move(*made));
    static_cast<SceneVersion&>(w) = version;
    w.prepare();
  } else {
    static_cast<SceneVersion&>(w) = version;
  }
  if (source == StateSource::file) {
    if (auto good = load_state(state); !good) return good;
  } else {
    StateReader reader(state);
    w.visit(reader);
    if (!reader.error().empty()) return fail("the stored state does not fit its scene: " + reader.error());
    for (const auto& system : w.parts.systems) system->state_restored();
  }
  // If the next step had to set the driven numbers, it would configure parts that the original step did not configure,
  // which wakes sleeping bodies.
  if (lacks_driven && w.repeat_drive(state)) {
    StateReader again(state);
    w.visit(again);
    for (const auto& system : w.parts.systems) system->state_restored();
  }
  w.remember_motion();
  w.state_replaced();
  return {};
}

// ---- Snapshots ------------------------------------------------------------------------------------------------------

const std::string& World::slow() const { return impl_->costs.slow(); }

void World::subscribe(SnapshotRequest wanted) {
  impl_->air.ask(wanted.air);
  impl_->fluids.ask(wanted.fluids);
  for (const std::string& name : {wanted.fluids.fluid_surface_of, wanted.fluids.fluid_surface_color})
    if (!name.empty() && std::ranges::find(wanted.channels, name) == wanted.channels.end())
      wanted.channels.push_back(name);
  impl_->wanted = std::move(wanted);
  impl_->ask_records();
}

void World::write_snapshot(Snapshot& out, bool fresh_air) {
  Impl& w = *impl_;
  const StepContext context = w.context();
  out.epoch = out.run = w.epoch;
  out.changes = w.changes.size();
  out.step = w.step;
  out.time_s = context.time;
  out.dt_s = context.dt;
  out.step_wall_s = w.step_wall_s;
  out.systems.resize(w.parts.systems.size());
  for (std::size_t i = 0; i < w.parts.systems.size(); ++i) {
    const System& system = *w.parts.systems[i];
    SystemSnapshot& picture = out.systems[i];
    system.snapshot(picture);
    picture.name = system.name();
    picture.kind = system.schema().kind;
    fill_channels(system, w.wanted.channels, picture);
    w.vectors.write(system, i, picture);
    fill_statistics(system.diagnostics(context), w.stepper.timings()[i], picture);
    system.totals(picture.totals);
  }
  out.colliders.resize(w.parts.colliders.size());
  for (std::size_t i = 0; i < w.parts.colliders.size(); ++i)
    fill_collider(w.parts.colliders, i, context.time, out.colliders[i]);
  w.stepper.forces().write(w.parts, context.dt, out.rules);
  w.parts.control.write(out.signals);
  place_signals(w.parts.control, w.in_force, out);
  w.air.write(w.parts.fields, &w.obstacles, context.time, fresh_air, out);
  w.fluids.write(context.time, fresh_air, out);
  out.stages = w.stages;
  out.grab = {};
  if (w.grab.active != 0) {
    const Elements& elements = w.parts.systems[w.grab.system]->elements();
    const std::int64_t row = row_of(elements, w.grab.element);
    out.grab.active = row >= 0;
    if (row >= 0) out.grab.anchor = elements.position[static_cast<std::size_t>(row)].cast<float>();
    out.grab.target = w.grab.target.cast<float>();
    out.grab.force_n = static_cast<float>(w.grab.force_n);
  }
  out.slow = w.costs.slow();
  out.health.failed = w.health.failed;
  out.health.sentence = w.health.sentence();
}

std::vector<SignalSnapshot> World::signals() const {
  std::vector<SignalSnapshot> found;
  impl_->parts.control.write(found);
  return found;
}

}  // namespace vw
