// Builds the parts of a world from the nodes of a scene.
#include "sim/world/parts.h"

#include <algorithm>
#include <map>

#include <fmt/ranges.h>

#include "sim/snapshot/snapshot.h"
#include "sim/snapshot/view.h"
#include "sim/world/recording/motion_record.h"
#include "sim/world/step/grab.h"

namespace vw {
namespace {

/// Returns the nodes of a slot ordered by name, so that their order in the file has no effect.
std::vector<const Node*> by_name(const Node& scene, std::string_view slot) {
  auto nodes = scene.all(slot);
  std::sort(nodes.begin(), nodes.end(), [](const Node* a, const Node* b) { return a->name < b->name; });
  return nodes;
}

/// Adds the line and the key of the node to an error that lacks them.
Unexpected located(Error error, const Node& node, const std::string& slot) {
  const std::string prefix = slot + "." + node.name;
  if (error.line == 0) error.line = node.line;
  if (error.key.empty()) {
    if (error.what.empty() || !error.expected.empty())
      error.key = prefix;
    else
      error.what = prefix + ": " + error.what;
  } else if (error.key.rfind(slot + ".", 0) != 0 && error.key.rfind("material.", 0) != 0) {
    error.key = prefix + "." + error.key;
  }
  return fail(std::move(error));
}

Unexpected unknown_kind(const Node& node, const std::string& slot) {
  Error error;
  error.line = node.line;
  error.what = slot + "." + node.name + ": \"" + node.schema->kind + "\" is not a known kind";
  return fail(std::move(error));
}

/// Returns the former name of a kept node, or null if the node is not kept.
const std::string* former_name(const std::map<std::string, std::string>& kept, const std::string& name) {
  const auto found = kept.find(name);
  return found == kept.end() ? nullptr : &found->second;
}

std::string rule_label(const std::string& node, const std::string& a, const std::string& b) {
  return node + ":" + a + ":" + b;
}

/// Moves kept systems and rules from the old parts of a world (`owner`) into new parts (`holder`). The destructor moves
/// them back unless settle() was called. A failed rebuild thus leaves the old parts intact.
class Loan {
 public:
  Loan(WorldParts& owner, WorldParts& holder, const KeptParts& kept) : owner_(owner), holder_(holder), kept_(kept) {}
  ~Loan() {
    if (settled_) return;
    for (auto& [lender, borrower] : systems_) owner_.systems[lender] = std::move(holder_.systems[borrower]);
    for (auto& [lender, label] : rules_)
      owner_.rules[lender].interaction = std::move(std::ranges::find(holder_.rules, label, &Rule::label)->interaction);
  }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;
  void settle() { settled_ = true; }

  /// Appends the kept system of this name to the new parts. Returns false if there is no such system, or if it was
  /// renamed or has changed values. In this case, the caller must build the system again.
  bool take_system(const std::string& name) {
    const std::string* former = former_name(kept_.systems, name);
    if (former == nullptr || *former != name || kept_.remade.contains("system." + name)) return false;
    const auto found = std::ranges::find_if(
        owner_.systems, [&](const auto& system) { return system != nullptr && system->name() == name; });
    if (found == owner_.systems.end()) return false;
    systems_.emplace_back(found - owner_.systems.begin(), holder_.systems.size());
    holder_.systems.push_back(std::move(*found));
    return true;
  }
  /// Returns the old rule whose state the rule `node` between the systems a and b takes over, or null. Sets `moved` if
  /// the rule object itself can be moved, because neither the rule nor its systems must be built again.
  Rule* former_rule(const std::string& node, const std::string& a, const std::string& b, bool& moved) {
    const std::string *was = former_name(kept_.rules, node), *was_a = former_name(kept_.systems, a),
                      *was_b = former_name(kept_.systems, b);
    if (was == nullptr || was_a == nullptr || was_b == nullptr) return nullptr;
    if (kept_.adapted.contains(a) || kept_.adapted.contains(b)) return nullptr;  // rows may be renumbered
    const auto found = std::ranges::find(owner_.rules, rule_label(*was, *was_a, *was_b), &Rule::label);
    if (found == owner_.rules.end() || found->interaction == nullptr) return nullptr;
    moved = *was == node && *was_a == a && *was_b == b && !kept_.remade.contains("interaction." + node) &&
            !kept_.remade.contains("system." + a) && !kept_.remade.contains("system." + b);
    return &*found;
  }
  std::unique_ptr<Interaction> take_rule(Rule& former) {
    rules_.emplace_back(&former - owner_.rules.data(), former.label);
    return std::move(former.interaction);
  }

 private:
  WorldParts& owner_;
  WorldParts& holder_;
  const KeptParts& kept_;
  std::vector<std::pair<std::ptrdiff_t, std::size_t>> systems_;
  std::vector<std::pair<std::ptrdiff_t, std::string>> rules_;
  bool settled_ = false;
};

Result<void> build_systems(const Node& scene, const Registry& registry, WorldParts& parts, Loan* loan = nullptr) {
  for (const Node* node : by_name(scene, "system")) {
    if (loan != nullptr && loan->take_system(node->name)) continue;
    const SystemKind* kind = registry.system(node->schema->kind);
    if (kind == nullptr) return unknown_kind(*node, "system");
    auto system = kind->create(*node, scene);
    if (!system) return located(system.error(), *node, "system");
    parts.systems.push_back(std::move(*system));
  }
  return {};
}

Result<void> build_rules(const Node& scene, const Registry& registry, WorldParts& parts, Loan* loan = nullptr) {
  std::vector<NamedKind> systems;
  for (const auto& system : parts.systems) systems.push_back({system->name(), system->schema().kind});
  for (const Node* node : by_name(scene, "interaction")) {
    const InteractionKind* kind = registry.interaction(node->schema->kind);
    if (kind == nullptr) return unknown_kind(*node, "interaction");
    for (const SystemPair& pair : joined_pairs(*node, *kind, systems)) {
      const std::string &a = systems[pair.a].name, &b = systems[pair.b].name;
      Rule rule{node->name, node->schema->kind, rule_label(node->name, a, b), nullptr, pair};
      bool moved = false;
      Rule* former = loan == nullptr ? nullptr : loan->former_rule(node->name, a, b, moved);
      if (former != nullptr && moved) {
        rule.interaction = loan->take_rule(*former);
      } else {
        auto made = kind->create(*node);
        if (!made) return located(made.error(), *node, "interaction");
        rule.interaction = std::move(*made);
        if (former != nullptr) copy_state(*former->interaction, *rule.interaction);
      }
      parts.rules.push_back(std::move(rule));
    }
  }
  std::sort(parts.rules.begin(), parts.rules.end(), [](const Rule& a, const Rule& b) { return a.label < b.label; });
  return {};
}

/// Calls Interaction::start() of the rules whose side a is not kept, and System::relax_at_start() of the systems that
/// are not kept.
void start_rules(WorldParts& parts, const std::map<std::string, std::string>& kept = {}) {
  PairContext start;
  start.gravity = parts.params.gravity;
  start.seed = static_cast<std::uint64_t>(parts.params.seed);
  const auto begins = [&](const System& system) { return !kept.contains(system.name()); };
  for (Rule& rule : parts.rules)
    if (rule.interaction->enabled() && begins(*parts.systems[rule.pair.a]))
      rule.interaction->start(*parts.systems[rule.pair.a], *parts.systems[rule.pair.b], start);
  for (const auto& system : parts.systems)
    if (begins(*system)) system->relax_at_start();
}

/// Checks that a name in the view is one of `known` or one of the names that the function `names` of some system
/// returns.
Result<void> check_name(const Node& view, const char* key, std::vector<std::string> known, const WorldParts& parts,
                        std::span<const ChannelInfo> (System::*names)() const) {
  for (const auto& system : parts.systems)
    for (const ChannelInfo& one : (system.get()->*names)())
      if (std::ranges::find(known, one.name) == known.end()) known.push_back(one.name);
  const auto& wanted = std::get<std::string>(view.value(key));
  if (std::ranges::find(known, wanted) != known.end()) return {};
  return wrong_value(view.line, std::string("view.") + key, "\"" + wanted + "\"",
                     fmt::format("must be one of {} in this scene", fmt::join(known, ", ")),
                     nearest_word(wanted, known));
}

}  // namespace

Result<void> check_view_channels(const Node& scene, const WorldParts& parts) {
  const Node* view = scene.only("view");
  if (view == nullptr) return {};
  std::vector<std::string> vectors{"velocity"};
  for (const ChannelInfo& one : measured_vectors()) vectors.push_back(one.name);
  if (auto good = check_name(*view, "vector_of", std::move(vectors), parts, &System::vector_channels); !good)
    return good;
  if (std::get<std::string>(view->value("color_by")).empty()) return {};  // empty means "material"
  return check_name(*view, "color_by", {"material"}, parts, &System::channels);
}

namespace {

/// Writes the names of a system's channels, vectors, totals and joints to `out`.
void list_names(const System& system, SystemSnapshot& out) {
  system.snapshot(out);
  const auto channels = system.channels(), measured = measured_vectors(), vectors = system.vector_channels();
  out.available.assign(channels.begin(), channels.end());
  out.available_vectors.assign(measured.begin(), measured.end());
  out.available_vectors.insert(out.available_vectors.end(), vectors.begin(), vectors.end());
  system.totals(out.totals);
}

/// Checks the names in the sensors of `parts`. systems[i] has the names of system number i.
Result<void> check_names_in_sensors(const WorldParts& parts, const std::vector<const System*>& systems) {
  const SensorSet& sensors = parts.control.sensors();
  if (sensors.names().empty()) return {};
  Snapshot names;
  names.systems.resize(systems.size());
  for (std::size_t i = 0; i < systems.size(); ++i) {
    if (sensors.measures(systems[i]->name())) list_names(*systems[i], names.systems[i]);
    names.systems[i].name = systems[i]->name();
  }
  for (const Rule& rule : parts.rules) {
    RuleSnapshot& listed = names.rules.emplace_back();
    listed.node = rule.node;
    listed.a = rule.pair.a;
    listed.b = rule.pair.b;
  }
  return sensors.check_names(names);
}

std::vector<const System*> all_systems(const WorldParts& parts) {
  std::vector<const System*> systems;
  for (const auto& system : parts.systems) systems.push_back(system.get());
  return systems;
}

}  // namespace

Result<void> check_sensor_names(const WorldParts& parts) { return check_names_in_sensors(parts, all_systems(parts)); }

WorldParams read_world_params(const Node& scene) {
  const Node* world = scene.only("world");
  return world == nullptr ? world_params().defaults() : world_params().read(world->values);
}

Result<std::unique_ptr<Field>> build_field(const Node& scene, const Node& field) {
  const auto kinds = field_kinds();
  const auto kind =
      std::find_if(kinds.begin(), kinds.end(), [&](const FieldKind& row) { return row.schema == field.schema; });
  if (kind == kinds.end()) return unknown_kind(field, "field");
  auto made = kind->create(field, static_cast<std::uint64_t>(read_world_params(scene).seed));
  if (!made) return located(made.error(), field, "field");
  return made;
}

Result<FieldSet> build_fields(const Node& scene) {
  FieldSet fields;
  for (const Node* node : by_name(scene, "field")) {
    auto field = build_field(scene, *node);
    if (!field) return Unexpected(field.error());
    fields.add(node->name, std::move(*field));
  }
  return fields;
}

namespace {

/// Builds the parts that have no state, and the colliders.
Result<WorldParts> begin_parts(const Node& scene, const Registry& registry, const ColliderSet* before) {
  if (auto good = check_references(scene, registry); !good) return Unexpected(good.error());
  WorldParts parts;
  parts.params = read_world_params(scene);
  auto colliders = ColliderSet::build(scene, before);
  if (!colliders) return Unexpected(colliders.error());
  parts.colliders = std::move(*colliders);
  auto control = ControlLoop::create(scene);
  if (!control) return Unexpected(control.error());
  parts.control = std::move(*control);
  return parts;
}

}  // namespace

Result<WorldParts> build_parts(const Node& scene, const Registry& registry, const ColliderSet* before,
                               bool awaits_state) {
  auto parts = begin_parts(scene, registry, before);
  if (!parts) return parts;
  auto fields = build_fields(scene);
  if (!fields) return Unexpected(fields.error());
  parts->fields = std::move(*fields);
  parts->take_over(parts->params);
  if (auto good = build_systems(scene, registry, *parts); !good) return Unexpected(good.error());
  if (auto good = check_view_channels(scene, *parts); !good) return Unexpected(good.error());
  if (auto good = parts->colliders.attach(parts->systems, awaits_state); !good) return Unexpected(good.error());
  if (auto good = build_rules(scene, registry, *parts); !good) return Unexpected(good.error());
  start_rules(*parts);
  if (auto good = check_sensor_names(*parts); !good) return Unexpected(good.error());
  return parts;
}

namespace {

/// Builds the fields of a changed scene. Fields that are kept and not renamed are shared with `before`.
Result<FieldSet> rebuild_fields(const Node& scene, const FieldSet& before, const KeptParts& kept) {
  FieldSet fields;
  for (const Node* node : by_name(scene, "field")) {
    const std::string* former = former_name(kept.fields, node->name);
    if (former != nullptr && *former == node->name && !kept.remade.contains("field." + node->name) &&
        before.find(node->name) != nullptr) {
      fields.share(before, node->name);
      continue;
    }
    auto field = build_field(scene, *node);
    if (!field) return Unexpected(field.error());
    fields.add(node->name, std::move(*field));
  }
  return fields;
}

/// Records which elements of adapted systems (KeptParts::adapted) existed before the change.
class Survivors {
 public:
  /// Records the elements of one system. `now` contains the new identity of each element by its former identity
  /// (System::continue_from). If `now` is empty, the elements of `former` keep their identities.
  void note(const std::string& name, const Elements& former, const std::vector<std::int64_t>& now) {
    std::vector<std::int64_t>& all = identities_[name];
    for (const std::int64_t identity : now)
      if (identity >= 0) all.push_back(identity);
    for (std::size_t row = 0; now.empty() && row < former.size(); ++row)
      all.push_back(identity_of(former, static_cast<std::int64_t>(row)));
    std::ranges::sort(all);
  }
  /// Returns a list with 1 for each new element of the system, or an empty list if no element is new.
  [[nodiscard]] std::vector<std::uint8_t> newcomers(const System& system, const KeptParts& kept) const {
    const Elements& elements = system.elements();
    if (!kept.systems.contains(system.name())) return std::vector<std::uint8_t>(elements.size(), 1);
    const auto found = identities_.find(system.name());
    if (found == identities_.end()) return {};
    std::vector<std::uint8_t> is_new(elements.size(), 0);
    for (std::size_t row = 0; row < is_new.size(); ++row)
      if (!std::ranges::binary_search(found->second, identity_of(elements, static_cast<std::int64_t>(row))))
        is_new[row] = 1;
    if (std::ranges::find(is_new, 1) == is_new.end()) is_new.clear();
    return is_new;
  }

 private:
  std::map<std::string, std::vector<std::int64_t>> identities_;  ///< in ascending order
};

/// Calls Interaction::elements_added() of the rules between a kept system and new elements. Rules whose side a is new
/// need no call, because Interaction::start() handles them.
void join_newcomers(WorldParts& parts, const KeptParts& kept, const Survivors& survivors) {
  for (Rule& rule : parts.rules) {
    System &a = *parts.systems[rule.pair.a], &b = *parts.systems[rule.pair.b];
    if (!rule.interaction->enabled() || !kept.systems.contains(a.name())) continue;
    const auto new_a = survivors.newcomers(a, kept), new_b = survivors.newcomers(b, kept);
    if (!new_a.empty() || !new_b.empty()) rule.interaction->elements_added(a, b, new_a, new_b);
  }
}

/// Copies the states of those kept systems that were built again from the old to the new objects. In `before`, systems
/// that were moved to the new parts are null. Returns the new element identities of adapted systems
/// (System::continue_from), by name.
Result<std::map<std::string, std::vector<std::int64_t>>> hand_over_states(WorldParts& before, WorldParts& parts,
                                                                          const KeptParts& kept, Survivors& survivors) {
  std::map<std::string, std::vector<std::int64_t>> identities;
  for (const auto& system : parts.systems) {
    const std::string* former = former_name(kept.systems, system->name());
    const auto old =
        former == nullptr ? before.systems.end() : std::ranges::find_if(before.systems, [&](const auto& one) {
          return one != nullptr && one->name() == *former;
        });
    if (old == before.systems.end()) continue;
    if (const auto children = kept.adapted.find(system->name()); children != kept.adapted.end()) {
      identities[system->name()] = system->continue_from(**old, children->second);
      survivors.note(system->name(), (*old)->elements(), identities[system->name()]);
      continue;
    }
    copy_state(**old, *system);
    if (const std::string problem = system->state_problem(); !problem.empty())
      return fail("system." + system->name() + " cannot continue with the change: " + problem);
    system->state_restored();
  }
  return identities;
}

/// Returns the names of the colliders with which the system of this name may collide, in order. These are all colliders
/// except those that the system carries.
std::vector<std::string> colliders_met_by(const std::string& system, const ColliderSet& colliders) {
  std::vector<std::string> met;
  for (std::size_t i = 0; i < colliders.size(); ++i)
    if (colliders.carrier_name(i) != system) met.push_back(colliders.as_declared()[i].name);
  return met;
}

/// Passes to each kept system the new indices of the colliders with which it may collide.
void report_surroundings(const WorldParts& before, WorldParts& parts, const KeptParts& kept) {
  std::map<std::string, std::string> present;  // present names of kept colliders, by former name
  for (const auto& [name, former] : kept.colliders) present.emplace(former, name);
  for (const auto& system : parts.systems) {
    const std::string* former = former_name(kept.systems, system->name());
    if (former == nullptr) continue;
    const auto old = colliders_met_by(*former, before.colliders),
               met = colliders_met_by(system->name(), parts.colliders);
    std::vector<std::size_t> now(old.size(), System::no_collider);
    for (std::size_t i = 0; i < old.size(); ++i) {
      const auto name = present.find(old[i]);
      const auto at = name == present.end() ? met.end() : std::ranges::find(met, name->second);
      if (at != met.end()) now[i] = static_cast<std::size_t>(at - met.begin());
    }
    system->surroundings_changed(now);
  }
}

std::ptrdiff_t obstacle_count(const ColliderSet& colliders) {
  return std::ranges::count_if(colliders.as_declared(), [](const Collider& collider) {
    return !std::holds_alternative<PlaneShape>(collider.shape);
  });
}

/// Checks the names in the sensors of a changed scene. The totals of a fluid depend on the number of obstacles, and a
/// kept fluid learns that number only in the next step. If the number has changed, the names are therefore those of
/// systems that are built for this check.
Result<void> check_changed_sensor_names(const Node& scene, const Registry& registry, const ColliderSet& before,
                                        const WorldParts& parts) {
  if (obstacle_count(before) == obstacle_count(parts.colliders)) return check_sensor_names(parts);
  std::vector<const System*> systems = all_systems(parts);
  std::vector<std::unique_ptr<System>> built;
  for (const System*& system : systems) {
    if (!parts.control.sensors().measures(system->name())) continue;
    const Node& node = *scene.find("system", system->name());
    auto fresh = registry.system(node.schema->kind)->create(node, scene);
    if (fresh) system = built.emplace_back(std::move(*fresh)).get();
  }
  return check_names_in_sensors(parts, systems);
}

}  // namespace

Result<WorldParts> rebuild_parts(const Node& scene, const Registry& registry, WorldParts& before, const KeptParts& kept,
                                 double time) {
  auto parts = begin_parts(scene, registry, &before.colliders);
  if (!parts) return parts;
  auto fields = rebuild_fields(scene, before.fields, kept);
  if (!fields) return Unexpected(fields.error());
  parts->fields = std::move(*fields);
  parts->take_over(parts->params);
  Loan loan(before, *parts, kept);
  if (auto good = build_systems(scene, registry, *parts, &loan); !good) return Unexpected(good.error());
  if (auto good = check_view_channels(scene, *parts); !good) return Unexpected(good.error());
  Survivors survivors;
  auto identities = hand_over_states(before, *parts, kept, survivors);
  if (!identities) return Unexpected(identities.error());
  parts->identities = std::move(*identities);
  if (auto good = parts->colliders.attach_again(parts->systems, before.colliders, kept.colliders, kept.systems,
                                                parts->identities);
      !good)
    return Unexpected(good.error());
  if (auto good = build_rules(scene, registry, *parts, &loan); !good) return Unexpected(good.error());
  if (auto good = check_changed_sensor_names(scene, registry, before.colliders, *parts); !good)
    return Unexpected(good.error());
  loan.settle();
  report_surroundings(before, *parts, kept);
  for (std::size_t i = 0; i < parts->systems.size(); ++i)
    if (kept.adapted.contains(parts->systems[i]->name()))
      parts->systems[i]->enter(parts->colliders.met_by(i, time), time);
  start_rules(*parts, kept.systems);
  join_newcomers(*parts, kept, survivors);
  for (const auto& system : parts->systems)
    if (!kept.systems.contains(system->name())) system->begin_at(time);
  return parts;
}

}  // namespace vw
