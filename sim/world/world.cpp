// Implementation of World: step with health checks and rollback, commands, checkpoint state, snapshots.
#include "sim/world/world.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <type_traits>

#include "sim/system/equilibrium.h"
#include "sim/world/air/field_visualizer.h"
#include "sim/world/equilibrium.h"
#include "sim/world/health/energy_growth.h"
#include "sim/world/health/health_place.h"
#include "sim/world/health/run_warnings.h"
#include "sim/world/parts.h"
#include "sim/world/recording/motion_record.h"
#include "sim/world/recording/world_picture.h"
#include "sim/world/state/loaded_state.h"
#include "sim/world/step/element_lifecycle.h"
#include "sim/world/step/field_obstacles.h"
#include "sim/world/step/grab.h"
#include "sim/world/step/step_cost.h"
#include "sim/world/step/stepper.h"

namespace vw {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The first two components of a parameter path: slot and node name.
std::pair<std::string, std::string> slot_and_name(const std::string& path) {
  const auto dot = path.find('.');
  if (dot == std::string::npos) return {path, ""};
  const auto next = path.find('.', dot + 1);
  return {path.substr(0, dot), path.substr(dot + 1, next == std::string::npos ? next : next - dot - 1)};
}

/// Paths and values of the parameters in `from` whose values differ from those in `to`. Both trees have the same nodes.
std::vector<SetParameter> differences(const Node& from, const Node& to) {
  Node a = from, b = to;
  const auto ours = all_parameters(a), theirs = all_parameters(b);
  std::vector<SetParameter> found;
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (!same_value(ours[i].value(), theirs[i].value())) found.push_back({ours[i].path, ours[i].value()});
  return found;
}

}  // namespace

struct World::Impl {
  const Registry& registry;
  Node original;  ///< scene from which the world was built
  Node scene;     ///< `original` with every edit
  Node in_force;  ///< `original` with the edits that have taken effect
  WorldParts parts;
  FieldObstacles obstacles{parts.colliders};
  Stepper stepper;
  StepCostCheck costs;
  EnergyWatch energies;
  /// Whether a command was applied since the last step. The energy that it added is unknown, so the next step skips the
  /// check of energy growth.
  bool is_touched = false;

  // State of the world in addition to the states of the systems and rules.
  std::uint64_t step = 0;
  /// time = base_time + (step - base_step) dt, so that rounding errors do not accumulate and dt may change.
  std::uint64_t base_step = 0;
  double base_time = 0;
  GrabSpring grab;
  PendingPushes pushes;

  StaticOptions settling;                ///< options of Settle commands
  std::unique_ptr<Equilibrium> settled;  ///< result of the last Settle command
  Health health;
  std::uint64_t epoch = 0;
  double step_wall_s = 0;
  MotionSum motion_sum;
  std::vector<MotionSum::Row> motion;         ///< motion of each system at the last step boundary
  std::vector<MotionSum::Row> motion_before;  ///< scratch
  std::vector<std::string> system_scopes, rule_scopes;
  /// For each system: 1 if it saved its own state before this step (System::keep_state).
  std::vector<std::uint8_t> has_own_backup;
  StateBlock last_good;  ///< backup of the other systems, the rules and the clock from before the step
  StateWriter last_good_writer{last_good};
  std::vector<std::pair<std::string, double>> stages;
  std::vector<std::string> channels;  ///< channels in snapshots
  FieldVisualizer air;
  MotionRecord vectors;  ///< per-element vectors for snapshots

  Impl(Node tree, const Registry& tables, WorldParts made)
      : registry(tables),
        original(tree),
        scene(tree),
        in_force(std::move(tree)),
        parts(std::move(made)),
        stepper(parts) {
    prepare();
  }

  [[nodiscard]] double time() const { return base_time + static_cast<double>(step - base_step) * parts.params.dt_s; }
  [[nodiscard]] StepContext context() const;
  void prepare();
  void restart_clock();
  void remember_motion();
  void visit(StateVisitor& visitor, bool last_good_only = false);
  void keep_state();
  void stop(std::string system, HealthIssue issue);
  [[nodiscard]] bool check_health(const StepContext& context);
  void roll_back();
  void revert_failed_step();

  [[nodiscard]] std::size_t find(std::string_view name) const;
  [[nodiscard]] Result<std::size_t> find_element(const std::string& system, std::int64_t element) const;
  [[nodiscard]] Result<void> take_over(const std::string& path);
  [[nodiscard]] Result<void> do_command(const SetParameter& command);
  [[nodiscard]] Result<void> do_command(const Grab& command);
  [[nodiscard]] Result<void> do_command(const MoveGrab& command);
  [[nodiscard]] Result<void> do_command(const Release& command);
  [[nodiscard]] Result<void> do_command(const Push& command);
  [[nodiscard]] Result<void> do_command(const Settle& command);
  [[nodiscard]] Result<void> do_command(const Reset& command);
  [[nodiscard]] Result<void> do_command(const Remove& command) { return remove_elements(parts.systems, command); }
  [[nodiscard]] Result<void> do_command(const Spawn& command) { return spawn_members(parts.systems, command); }
};

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

/// Rebuilds all arrays that have one entry for each part. Called after the parts were made.
void World::Impl::prepare() {
  parts.fields.set_obstacles(&obstacles);
  system_scopes.clear();
  for (const auto& system : parts.systems) system_scopes.push_back("system." + system->name() + ".");
  rule_scopes.clear();
  for (const Rule& rule : parts.rules) rule_scopes.push_back("interaction." + rule.label + ".");
  last_good.entries.clear();
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
  vectors.forget();
}

void World::Impl::remember_motion() {
  motion.resize(parts.systems.size());
  for (std::size_t i = 0; i < motion.size(); ++i) motion[i] = motion_sum(parts.systems[i]->elements());
}

/// Visits the whole state. With `last_good_only`, systems that keep their own copy are skipped.
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
    parts.systems[i]->visit_state(visitor);
  }
  for (std::size_t i = 0; i < parts.rules.size(); ++i) {
    visitor.scope(rule_scopes[i]);
    parts.rules[i].interaction->visit_state(visitor);
  }
}

// ---- One step -------------------------------------------------------------------------------------------------------

bool World::step() {
  Impl& w = *impl_;
  if (w.health.failed) return false;
  const auto start = std::chrono::steady_clock::now();
  if (auto failure = w.stepper.plan(w.parts, w.parts.params.dt_s)) {
    w.stop(w.parts.systems[failure->system]->name(), std::move(failure->issue));
    return false;
  }
  const StepContext context = w.context();
  if (auto failure = w.costs.look(w.parts, w.stepper.timings(), context)) {
    w.stop(w.parts.systems[failure->system]->name(), std::move(failure->issue));
    return false;
  }
  w.keep_state();
  w.energies.begin_step(w.parts, context);
  w.vectors.begin_step(w.parts);
  w.stepper.run(w.parts, context, w.grab, w.pushes);
  ++w.step;
  const bool good = w.check_health(context);
  good ? w.vectors.end_step(context.dt) : w.revert_failed_step();
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

/// Checks every system and rule after a step. On failure, `health` holds the problem, the number of the step and the
/// time at which it began.
bool World::Impl::check_health(const StepContext& context) {
  // The check of energy growth also skips the first step. Elements may overlap at the start, and the energy stored in
  // the rules' springs is known only after the step has evaluated the rules.
  const bool is_free = !is_touched && grab.active == 0 && context.step > 0;
  is_touched = false;
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
}

void World::Impl::roll_back() {
  StateReader reader(last_good);
  visit(reader, true);
  for (std::size_t i = 0; i < has_own_backup.size(); ++i)
    if (has_own_backup[i] != 0) parts.systems[i]->return_to_kept_state();
  for (const auto& system : parts.systems) system->state_restored();
  remember_motion();
}

/// After a failed check: restores the state before the step, then finds the faulty element in it and describes its
/// surroundings.
void World::Impl::revert_failed_step() {
  const std::size_t system = find(health.system);
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

// ---- Commands -------------------------------------------------------------------------------------------------------

std::size_t World::Impl::find(std::string_view name) const {
  for (std::size_t i = 0; i < parts.systems.size(); ++i)
    if (parts.systems[i]->name() == name) return i;
  return parts.systems.size();
}

Result<std::size_t> World::Impl::find_element(const std::string& system, std::int64_t element) const {
  const std::size_t i = find(system);
  if (i == parts.systems.size())
    return wrong_value(0, "system", "\"" + system + "\"", "must name a system of this world");
  const auto count = static_cast<std::int64_t>(parts.systems[i]->elements().size());
  if (element < 0 || element >= count)
    return wrong_value(0, "element", std::to_string(element),
                       "must be the index of an element of " + system + ", in [0, " + std::to_string(count) + ")");
  return i;
}

/// Passes a live edit, already stored in `in_force`, to the parts that it concerns.
Result<void> World::Impl::take_over(const std::string& path) {
  const auto [slot, name] = slot_and_name(path);
  if (slot == "world") {
    const double now = time();
    const double old_dt = parts.params.dt_s;
    parts.take_over(read_world_params(in_force));
    if (parts.params.dt_s != old_dt) {
      base_time = now;
      base_step = step;
    }
  } else if (slot == "system" || slot == "material") {
    for (const auto& system : parts.systems)
      if (slot == "material" || system->name() == name)
        if (auto good = system->configure(*in_force.find("system", system->name()), in_force); !good) return good;
  } else if (slot == "interaction") {
    for (Rule& rule : parts.rules)
      if (rule.node == name)
        if (auto good = rule.interaction->configure(*in_force.find("interaction", name)); !good) return good;
  } else if (slot == "field") {
    auto field = build_field(in_force, *in_force.find("field", name));
    if (!field) return Unexpected(field.error());
    parts.fields.add(name, std::move(*field));
  } else if (slot == "collider") {
    auto colliders = ColliderSet::build(in_force, &parts.colliders);
    if (!colliders) return Unexpected(colliders.error());
    parts.colliders.take_over(std::move(*colliders));
  }
  return {};
}

Result<void> World::Impl::do_command(const SetParameter& command) {
  auto edited = find_parameter(scene, command.path);
  if (!edited) return Unexpected(edited.error());
  const Value before = edited->value();
  if (auto good = set_parameter(scene, command.path, command.value); !good) return good;
  if (edited->spec->live == Live::no) return {};
  const bool names =
      // The value may be the name of another part of the scene.
      command.path.starts_with("system.") && std::holds_alternative<std::string>(command.value);
  if (auto good = names ? check_references(scene, registry) : Result<void>{}; !good) {
    edited->node->values[edited->index] = before;
    return good;
  }
  auto current = find_parameter(in_force, command.path);
  const Value in_force_before = current->value();
  current->node->values[current->index] = edited->value();
  if (auto good = take_over(command.path); !good) {
    edited->node->values[edited->index] = before;
    current->node->values[current->index] = in_force_before;
    (void)take_over(command.path);  // cannot fail, because the previous values are valid
    Error error = good.error();
    if (error.key.empty()) error.key = command.path;
    return fail(std::move(error));
  }
  air.forget();
  health = {};  // the edit may have removed the cause of a failure, so the next step is tried again
  return {};
}

Result<void> World::Impl::do_command(const Grab& command) {
  const auto system = find_element(command.system, command.element);
  if (!system) return Unexpected(system.error());
  if (!command.target.allFinite())
    return wrong_value(0, "target", "a non-finite position", "must have three finite coordinates");
  if (!(command.stiffness_npm > 0) || !std::isfinite(command.stiffness_npm))
    return wrong_value(0, "stiffness", std::to_string(command.stiffness_npm), "must be positive and finite");
  grab = {1,
          *system,
          identity_of(parts.systems[*system]->elements(), command.element),
          command.target,
          command.stiffness_npm,
          0};
  return {};
}

Result<void> World::Impl::do_command(const MoveGrab& command) {
  if (!command.target.allFinite())
    return wrong_value(0, "target", "a non-finite position", "must have three finite coordinates");
  if (grab.active != 0) grab.target = command.target;
  return {};
}

Result<void> World::Impl::do_command(const Release&) {
  grab = {};
  return {};
}

Result<void> World::Impl::do_command(const Push& command) {
  const auto system = find_element(command.system, command.element);
  if (!system) return Unexpected(system.error());
  if (!command.impulse.allFinite())
    return wrong_value(0, "impulse", "a non-finite impulse", "must have three finite components");
  if (!(command.radius_m >= 0) || !std::isfinite(command.radius_m))
    return wrong_value(0, "radius", std::to_string(command.radius_m), "must be finite and not negative");
  pushes.add(*system, command.element, command.impulse, command.radius_m);
  return {};
}

Result<void> World::Impl::do_command(const Settle& command) {
  const std::size_t index = find(command.system);
  EquilibriumSolver* solver = index == parts.systems.size() ? nullptr : parts.systems[index]->equilibrium_solver();
  if (solver == nullptr) return wrong_value(0, "system", command.system, "must name a voxel body");
  System& body = *parts.systems[index];
  const Elements before = body.elements();
  const auto begun = std::chrono::steady_clock::now();
  const auto solution =
      solver->solve_equilibrium(parts.colliders.met_by(index, time()), parts.params.gravity, settling);
  if (!solution) {
    body.elements() = before;
    return Unexpected(solution.error());
  }
  parts.colliders.catch_up(parts.systems);
  vectors.forget();
  settled = std::make_unique<Equilibrium>(describe_equilibrium(body, *solution));
  settled->wall_s = seconds_since(begun);
  return {};
}

Result<void> World::Impl::do_command(const Reset&) {
  auto made = build_parts(scene, registry, &parts.colliders);
  if (!made) return Unexpected(made.error());
  parts = std::move(*made);
  in_force = scene;
  auto recorded = stepper.forces().asked();
  stepper = Stepper(parts);
  stepper.forces().ask(std::move(recorded));
  restart_clock();
  prepare();
  return {};
}

// ---- Public interface -----------------------------------------------------------------------------------------------

World::World(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
World::~World() = default;

Result<std::unique_ptr<World>> World::create(Node scene, const Registry& registry) {
  auto parts = build_parts(scene, registry);
  if (!parts) return Unexpected(parts.error());
  return std::unique_ptr<World>(new World(std::make_unique<Impl>(std::move(scene), registry, std::move(*parts))));
}

Result<std::unique_ptr<World>> resume_world(Node scene, const Checkpoint& checkpoint, const Registry& registry) {
  Node original = scene;
  for (const auto& edit : checkpoint.edits)
    if (auto good = set_parameter(scene, edit.path, edit.value); !good) return Unexpected(good.error());
  Node in_force = scene;
  for (const auto& old : checkpoint.in_force)
    if (auto good = set_parameter(in_force, old.path, old.value); !good) return Unexpected(good.error());
  if (auto good = check_sources(in_force, checkpoint); !good) return Unexpected(good.error());
  auto world = World::create(std::move(in_force), registry);
  if (!world) return world;
  (*world)->impl_->original = std::move(original);
  (*world)->impl_->scene = std::move(scene);
  if (auto good = (*world)->load_state(checkpoint.state); !good) return Unexpected(good.error());
  return world;
}

Result<void> World::apply(const Command& command) {
  impl_->is_touched = true;
  return std::visit([&](const auto& what) { return impl_->do_command(what); }, command);
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
  w.stepper.forces().forget();
  w.health = {};
  w.is_touched = !w.pushes.system.empty();
  ++w.epoch;
  w.air.restart();
  w.vectors.forget();
  return {};
}

// ---- Snapshots ------------------------------------------------------------------------------------------------------

const std::string& World::slow() const { return impl_->costs.slow(); }

void World::subscribe(SnapshotRequest wanted) {
  impl_->channels = std::move(wanted.channels);
  impl_->vectors.ask(std::move(wanted.vectors));
  impl_->stepper.forces().ask(std::move(wanted.rules));
  impl_->air.ask(wanted.air);
}

void World::write_snapshot(Snapshot& out, bool fresh_air) {
  Impl& w = *impl_;
  const StepContext context = w.context();
  out.epoch = w.epoch;
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
    fill_channels(system, w.channels, picture);
    w.vectors.write(system, i, picture);
    fill_statistics(system.diagnostics(context), w.stepper.timings()[i], picture);
    system.totals(picture.totals);
  }
  out.colliders.resize(w.parts.colliders.size());
  for (std::size_t i = 0; i < w.parts.colliders.size(); ++i)
    fill_collider(w.parts.colliders, i, context.time, out.colliders[i]);
  w.stepper.forces().write(w.parts, context.dt, out.rules);
  w.air.write(w.parts.fields, &w.obstacles, context.time, fresh_air, out);
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

}  // namespace vw
