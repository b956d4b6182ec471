// Commands of a world: edits, grabs, pushes, settling and reset.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/base/rotation.h"
#include "sim/plot/plot_set.h"
#include "sim/system/equilibrium.h"
#include "sim/world/world_impl.h"

namespace vw {
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

/// Passes a live edit to the parts that use the parameter. `in_force` already contains the edited value.
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
    parts.control.sensors().take_world(in_force);
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
    parts.control.sensors().take_collider(in_force, name);
  } else if (slot == "actuator" || slot == "sensor") {
    return take_over_control();
  }
  return {};
}

Result<void> World::Impl::check_edit(const std::string& path, const Value& value) const {
  const std::string slot = slot_and_name(path).first;
  if (slot == "view") {
    if (auto good = check_view(scene); !good) return good;
    return check_view_channels(scene, parts);
  }
  if (slot == "plot") return check_plots(scene);
  // A text of a system may be the name of a node.
  const bool names =
      slot == "actuator" || slot == "sensor" || (slot == "system" && std::holds_alternative<std::string>(value));
  return names ? check_references(scene, registry) : Result<void>{};
}

Result<void> World::Impl::do_command(const SetParameter& command) {
  auto edited = find_parameter(scene, command.path);
  if (!edited) return Unexpected(edited.error());
  const Value before = edited->value();
  if (auto good = set_parameter(scene, command.path, command.value); !good) return good;
  if (edited->spec->live == Live::no) return {};
  if (auto good = check_edit(command.path, command.value); !good) {
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
  if (auto good = check_place("target", command.target); !good) return good;
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
  if (auto good = check_place("target", command.target); !good) return good;
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
  pushes.add(*system, identity_of(parts.systems[*system]->elements(), command.element), command.impulse,
             command.radius_m);
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

Result<void> World::Impl::do_command(const SetPose& command) {
  const auto index = find_element(command.system, command.element);
  if (!index) return Unexpected(index.error());
  if (auto good = check_place("position", command.position); !good) return good;
  // The bound keeps the length of the rotation vector finite.
  if (!command.rotation.allFinite() || command.rotation.cwiseAbs().maxCoeff() > state_motion.most)
    return wrong_value(0, "rotation", to_text(Value(command.rotation)),
                       fmt::format("must have finite components of at most {:g} rad", state_motion.most));
  System& system = *parts.systems[*index];
  const auto row = static_cast<std::size_t>(command.element);
  const Elements& elements = system.elements();
  Displacement shift{.about = elements.position[row], .translation = command.position - elements.position[row]};
  if (row < elements.orientation.size())
    shift.rotation = rotation_of(command.rotation) * elements.orientation[row].conjugate();
  const auto moved = system.displace(row, shift);
  if (!moved) return Unexpected(moved.error());
  if (grab.active != 0 && grab.system == *index) grab = {};
  for (Rule& rule : parts.rules) {
    if (rule.pair.a != *index && rule.pair.b != *index) continue;
    // The rule is built again, because its stored contacts belong to the former position.
    auto made = registry.interaction(rule.kind)->create(*in_force.find("interaction", rule.node));
    if (!made) return Unexpected(made.error());
    rule.interaction = std::move(*made);
    if (!rule.interaction->enabled()) continue;
    const std::vector<std::uint8_t> none;
    rule.interaction->elements_added(*parts.systems[rule.pair.a], *parts.systems[rule.pair.b],
                                     rule.pair.a == *index ? *moved : none, rule.pair.b == *index ? *moved : none);
  }
  parts.colliders.catch_up(parts.systems);
  health = {};
  air.forget();
  fluids.restart();
  vectors.forget();
  remember_motion();
  return {};
}

/// Replaces the parts and all objects that have one entry for each part.
void World::Impl::replace_parts(WorldParts made) {
  parts = std::move(made);
  auto recorded = stepper.forces().asked();
  stepper = Stepper(parts);
  stepper.forces().ask(std::move(recorded));
}

Result<void> World::Impl::do_command(const Reset&) {
  SceneVersion version = *this;
  version.in_force = version.scene;
  return restart_from(std::move(version));
}

/// Builds all parts from `version` and sets the clock to 0. All edits of `version` take effect. After an error, the
/// world is unchanged.
Result<void> World::Impl::restart_from(SceneVersion version) {
  auto made = build_parts(version.scene, registry, &parts.colliders);
  if (!made) return Unexpected(made.error());
  static_cast<SceneVersion&>(*this) = std::move(version);
  replace_parts(std::move(*made));
  restart_clock();
  prepare();
  measure_sensors();
  return {};
}

}  // namespace vw
