// The schema of a scene, composed from the tables of kinds, and checks of a complete scene.
#include "sim/world/registry.h"

#include <algorithm>
#include <cassert>
#include <set>

#include <fmt/ranges.h>

#include "sim/control/actuator.h"
#include "sim/control/sensor.h"
#include "sim/interaction/bodies/weld.h"
#include "sim/plot/plot_set.h"
#include "sim/snapshot/view.h"
#include "sim/world/air/air_quantity.h"
#include "sim/world/air/field_visualizer.h"

namespace vw {
namespace {

const Schema& world_schema() {
  static const Schema schema{
      "world", "Parameters of the whole world: time step, gravity, seed and limits.", world_params().specs(), {}};
  return schema;
}

/// Texts that describe a scene.
struct SceneTexts {
  std::int64_t format = 1;
  std::string title, description, try_first, group;
};

const ParamTable<SceneTexts>& scene_texts() {
  using P = SceneTexts;
  static const ParamTable<P> table{
      Param<P>{.member = &P::format,
               .key = "format",
               .range = {1, 1},
               .doc = "Version of the scene format. The only version so far is 1."},
      Param<P>{.member = &P::title,
               .key = "title",
               .live = Live::yes,
               .doc = "Title of the scene in one line. Lists of scenes and the title bar of the window show it."},
      Param<P>{.member = &P::description,
               .key = "description",
               .live = Live::yes,
               .doc = "Description of the scene. The window shows it when the scene opens."},
      Param<P>{.member = &P::try_first,
               .key = "try_first",
               .live = Live::yes,
               .doc = "Suggestion for a first experiment, in one sentence. The window shows it when the scene opens."},
      Param<P>{.member = &P::group,
               .key = "group",
               .live = Live::yes,
               .doc = "Heading under which lists of scenes show this scene, such as \"water\", \"flocks\" or \"lab\". "
                      "Empty means the heading for other scenes."},
  };
  return table;
}

template <class Kinds>
std::vector<const Schema*> schemas_of(const Kinds& kinds) {
  std::vector<const Schema*> schemas;
  for (const auto& kind : kinds) schemas.push_back(kind.schema);
  return schemas;
}

/// Returns the value of a text parameter, or an empty text if the node's schema has no such parameter.
std::string text_or_empty(const Node& node, std::string_view param) {
  for (std::size_t i = 0; i < node.schema->params.size(); ++i)
    if (node.schema->params[i].name == param && node.schema->params[i].type == ParamType::text)
      return std::get<std::string>(node.values[i]);
  return {};
}

Unexpected bad_reference(const Node& node, std::string key, const std::string& found, std::string expected,
                         const std::vector<std::string>& known) {
  return wrong_value(node.line, std::move(key), "\"" + found + "\"", std::move(expected), nearest_word(found, known));
}

bool valid_name(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), allowed);
}

Result<void> check_names(const Node& node, const std::string& prefix) {
  std::set<std::pair<std::size_t, std::string>> seen;
  for (const Node& child : node.children) {
    const Slot& slot = node.schema->slots[child.slot];
    const std::string key = prefix + slot.name + (slot.many ? "." + child.name : "");
    if (slot.many && !valid_name(child.name))
      return bad_reference(child, prefix + slot.name + ".name", child.name, "must consist of letters, digits, _ and -",
                           {});
    if (!seen.emplace(child.slot, slot.many ? child.name : "").second)
      return bad_reference(child, key, child.name, "must be unique: another table of the same kind has this name", {});
    if (auto good = check_names(child, key + "."); !good) return good;
  }
  return {};
}

Result<void> check_materials(const Node& system, const std::vector<std::string>& materials) {
  const std::string key = "system." + system.name + ".";
  const auto known = [&](const std::string& name) {
    return std::find(materials.begin(), materials.end(), name) != materials.end();
  };
  for (std::size_t i = 0; i < system.schema->params.size(); ++i) {
    const ParamSpec& spec = system.schema->params[i];
    if (spec.refers_to == "material" && spec.type == ParamType::text) {
      const auto& name = std::get<std::string>(system.values[i]);
      if (!name.empty() && !known(name))
        return bad_reference(system, key + spec.name, name, "must name a material of this scene", materials);
    }
    if (spec.refers_to == "material" && spec.type == ParamType::text_list)
      for (const auto& name : std::get<TextList>(system.values[i]))
        if (!known(name))
          return bad_reference(system, key + spec.name, name, "must name a material of this scene", materials);
  }
  return {};
}

Result<void> check_rule(const Node& rule, const InteractionKind& kind, std::span<const NamedKind> systems) {
  std::vector<std::string> names;
  for (const auto& system : systems)
    if (system.kind == kind.kind_a || system.kind == kind.kind_b) names.push_back(system.name);
  const std::string kinds =
      std::string(kind.kind_a) + (kind.kind_a == kind.kind_b ? "" : " or " + std::string(kind.kind_b));
  for (const char* side : {"a", "b"}) {
    const std::string name = text_or_empty(rule, side);
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
      return bad_reference(rule, "interaction." + rule.name + "." + side, name, "must name a system of kind " + kinds,
                           names);
  }
  const std::string a = text_or_empty(rule, "a"), b = text_or_empty(rule, "b");
  if (!a.empty() && !b.empty() && joined_pairs(rule, kind, systems).empty())
    return bad_reference(rule, "interaction." + rule.name + ".b", b,
                         "must form a pair with a: the rule joins a system of kind " + std::string(kind.kind_a) +
                             " with another of kind " + std::string(kind.kind_b),
                         {});
  return {};
}

Result<void> check_carriers(const Node& scene) {
  std::vector<std::string> names;
  for (const Node* system : scene.all("system")) names.push_back(system->name);
  for (const Node* collider : scene.all("collider")) {
    const std::string carrier = text_or_empty(*collider, "carried_by");
    if (!carrier.empty() && std::find(names.begin(), names.end(), carrier) == names.end())
      return bad_reference(*collider, "collider." + collider->name + ".carried_by", carrier,
                           "must name a system of this scene", names);
  }
  return {};
}

bool is_element_number(const std::string& text) {
  return !text.empty() && text.size() <= 10 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Returns whether the node `node` of a rigid system creates a body with the name `name`. If a node NAME creates
/// several bodies, their names are NAME-1, NAME-2, ...
bool is_body_name(const Node& node, const std::string& name) {
  const double copies = std::get<Vec3>(node.value("repeat")).prod();
  if (copies == 1) return name == node.name;
  if (!name.starts_with(node.name + "-")) return false;
  const std::string number = name.substr(node.name.size() + 1);
  return is_element_number(number) && number.front() != '0' && std::stod(number) <= copies;
}

/// If the rule is a weld, checks that its body exists in a rigid system that the rule couples.
Result<void> check_welded_body(const Node& scene, const Node& rule, const InteractionKind& kind,
                               std::span<const NamedKind> systems) {
  const std::string body = kind.schema == &weld_schema() ? text_or_empty(rule, "body") : "";
  if (body.empty()) return {};
  std::set<std::string> joined;
  for (const SystemPair& pair : joined_pairs(rule, kind, systems)) joined.insert(systems[pair.a].name);
  std::vector<std::string> known;
  for (const std::string& name : joined)
    for (const Node* node : scene.find("system", name)->all("body")) {
      if (is_body_name(*node, body)) return {};
      known.push_back(node->name);
    }
  if (joined.empty()) return {};
  return bad_reference(rule, "interaction." + rule.name + ".body", body,
                       fmt::format("must name a body of {}", fmt::join(joined, " or ")), known);
}

/// Returns whether `target` is the name of an element of a system other than `own`: "raft.17", or "raft.deck" if the
/// system has a slot `body` with a node of that name.
bool is_element_of_other(const Node& scene, const Node& own, const std::string& target) {
  const std::size_t dot = target.find('.');
  if (dot == std::string::npos || target.substr(0, dot) == own.name) return false;
  const Node* system = scene.find("system", target.substr(0, dot));
  const std::string element = target.substr(dot + 1);
  return system != nullptr && (is_element_number(element) || system->find("body", element) != nullptr);
}

/// Checks the parameters of systems' child nodes that refer to an object of the scene, such as the targets of flocks'
/// goals. A target is a collider, another system, or an element of another system, given by its number or its body's
/// name.
Result<void> check_targets(const Node& scene) {
  std::vector<std::string> colliders;
  for (const Node* collider : scene.all("collider")) colliders.push_back(collider->name);
  for (const Node* own : scene.all("system")) {
    std::vector<std::string> known = colliders;
    for (const Node* system : scene.all("system"))
      if (system != own) known.push_back(system->name);
    for (const Node& child : own->children)
      for (std::size_t i = 0; i < child.schema->params.size(); ++i) {
        const ParamSpec& spec = child.schema->params[i];
        if (spec.refers_to != "system" || spec.type != ParamType::text) continue;
        const auto& target = std::get<std::string>(child.values[i]);
        // An empty name is reported by the system itself.
        if (target.empty() || std::ranges::find(known, target) != known.end()) continue;
        if (is_element_of_other(scene, *own, target)) continue;
        const std::string& slot = own->schema->slots[child.slot].name;
        return bad_reference(
            child, fmt::format("system.{}.{}.{}.{}", own->name, slot, child.name, spec.name), target,
            "must name a collider, another system or an element of another system, such as raft.deck or raft.17",
            known);
      }
  }
  return {};
}

/// Kinds of names that a view parameter may contain: systems, or also elements ("school.17").
enum class NamesOf { systems, systems_and_elements };

/// Checks that `name` is the name of a system or, if `allowed` permits elements, an element given as "SYSTEM.NUMBER".
Result<void> check_systems(const Node& view, const char* key, const std::string& name,
                           const std::vector<std::string>& systems, NamesOf allowed) {
  const bool or_elements = allowed == NamesOf::systems_and_elements;
  const std::size_t dot = or_elements ? name.find('.') : std::string::npos;
  const std::string number = dot == std::string::npos ? "0" : name.substr(dot + 1);
  if (is_element_number(number) && std::ranges::find(systems, name.substr(0, dot)) != systems.end()) return {};
  return bad_reference(view, key, name,
                       or_elements ? "must name a system of this scene or an element of one, such as school.17"
                                   : "must name a system of this scene",
                       systems);
}

}  // namespace

Result<void> check_view(const Node& scene) {
  const Node* view = scene.only("view");
  if (view == nullptr) return {};
  std::vector<std::string> rules;
  for (const Node* rule : scene.all("interaction")) rules.push_back(rule->name);
  const ViewParams params = view_params().read(view->values);
  for (const std::string& name : params.forces)
    if (std::find(rules.begin(), rules.end(), name) == rules.end())
      return bad_reference(*view, "view.forces", name, "must name a rule of this scene", rules);
  std::vector<std::string> systems;
  for (const Node* system : scene.all("system")) systems.push_back(system->name);
  for (const std::string& name : params.vector_systems)
    if (auto good = check_systems(*view, "view.vector_systems", name, systems, NamesOf::systems); !good) return good;
  for (const std::string& name : params.trail_systems)
    if (auto good = check_systems(*view, "view.trail_systems", name, systems, NamesOf::systems_and_elements); !good)
      return good;
  std::vector<std::string> shown = systems;
  for (const Node* collider : scene.all("collider")) shown.push_back(collider->name);
  for (const auto& [key, names] : {std::pair("view.hidden", &params.hidden), std::pair("view.locked", &params.locked)})
    for (const std::string& name : *names)
      if (!is_hidden(shown, name))
        return bad_reference(*view, key, name, "must name a system or a collider of this scene", shown);
  constexpr std::size_t camera_numbers = 6;
  for (const auto& [key, place] :
       {std::pair("view.camera_1", &params.camera_1), std::pair("view.camera_2", &params.camera_2),
        std::pair("view.camera_3", &params.camera_3), std::pair("view.camera_4", &params.camera_4)})
    if (!place->empty() && place->size() != camera_numbers)
      return wrong_value(view->line, key, fmt::format("{} numbers", place->size()),
                         "must hold 6 numbers (x, y, z of the camera and of the point that it looks at) or none");
  if (!params.follow.empty())
    if (auto good = check_systems(*view, "view.follow", params.follow, systems, NamesOf::systems_and_elements); !good)
      return good;
  const std::vector<std::string> glyphs = air_glyphs();
  if (std::ranges::find(glyphs, params.glyph_of) == glyphs.end())
    return bad_reference(*view, "view.air_glyph_of", params.glyph_of,
                         fmt::format("must be one of {}", fmt::join(glyphs, ", ")), glyphs);
  std::vector<std::string> fields, quantities;
  for (const Node* field : scene.all("field")) fields.push_back(field->name);
  if (!params.field.empty() && std::find(fields.begin(), fields.end(), params.field) == fields.end())
    return bad_reference(*view, "view.air", params.field,
                         "must name a field of this scene, or be empty for the sum of all fields", fields);
  for (const AirQuantity& quantity : air_quantities())
    // Slice planes show only scalars. The magnitude of the velocity is listed as speed.
    if (quantity.name != "velocity") quantities.emplace_back(quantity.name);
  if (std::find(quantities.begin(), quantities.end(), params.quantity) == quantities.end())
    return bad_reference(*view, "view.air_quantity", params.quantity,
                         fmt::format("must be one of {}", fmt::join(quantities, ", ")), quantities);
  for (const auto& [key, name] : {std::pair("view.air_surface_of", &params.surface_of),
                                  std::pair("view.air_surface_color", &params.surface_color)})
    if (!name->empty() && std::find(quantities.begin(), quantities.end(), *name) == quantities.end())
      return bad_reference(*view, key, *name,
                           fmt::format("must be one of {}, or be empty", fmt::join(quantities, ", ")), quantities);
  return {};
}

namespace {

std::vector<NamedKind> named_systems(const Node& scene) {
  std::vector<NamedKind> systems;
  for (const Node* system : scene.all("system")) systems.push_back({system->name, system->schema->kind});
  return systems;
}

}  // namespace

const ParamTable<WorldParams>& world_params() {
  using W = WorldParams;
  static const ParamTable<W> table{
      Param<W>{
          .member = &W::dt_s,
          .key = "dt",
          .label = "Time step",
          .unit = Unit::second,
          .range = {1e-6, 1},
          .scale = Scale::log,
          .live = Live::yes,
          .doc = "Time step of the world. Systems divide it into substeps if their stability requires shorter steps."},
      Param<W>{.member = &W::gravity,
               .key = "gravity",
               .unit = Unit::meter_per_second2,
               .range = {-1e4, 1e4},
               .live = Live::yes,
               .doc = "Acceleration of gravity."},
      Param<W>{.member = &W::seed,
               .key = "seed",
               .range = {0, 9007199254740991.0},
               .doc = "Seed of all random numbers of the world. Runs of a scene with the same seed are identical."},
      Param<W>{.member = &W::speed,
               .key = "speed",
               .unit = Unit::ratio,
               .range = {1e-3, 1e3},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Requested speed of the simulation: simulated seconds per second of real time."},
      Param<W>{.member = &W::max_substeps,
               .key = "max_substeps",
               .label = "Maximum substeps",
               .unit = Unit::count,
               .range = {1, 1e7},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Largest number of substeps of a system in one step. If a system needs more, the world stops "
                      "with an error."},
      Param<W>{.member = &W::energy_limit,
               .key = "energy_limit",
               .label = "Energy growth limit",
               .unit = Unit::ratio,
               .range = {10, 1e300},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Largest factor by which the kinetic energy of a system may grow in one step. If the energy "
                      "grows more, the world stops with an error, because the simulation is unstable."},
      Param<W>{
          .member = &W::step_budget,
          .key = "step_budget",
          .unit = Unit::count,
          .range = {1e3, 1e18},
          .scale = Scale::log,
          .live = Live::yes,
          .doc =
              "Largest expected cost of a step, as the number of evaluations of neighbours, bonds and contacts. An "
              "evaluation takes about 10 ns on one core, so the default corresponds to about a quarter of an hour. If "
              "a step is expected to cost more, the world stops before the step, with an error that names the cause."},
      Param<W>{.member = &W::medium_density,
               .key = "medium_density",
               .unit = Unit::kilogram_per_m3,
               .range = {0, 2e4},
               .live = Live::yes,
               .doc = "Density of a medium at rest that fills the world. Air has 1.2. The medium exerts drag on "
                      "elements that have faces or a radius, but no buoyancy. 0 means no medium. Systems then feel air "
                      "only where a field causes wind, with their own `air_density`."},
      Param<W>{.member = &W::medium_viscosity,
               .key = "medium_viscosity",
               .unit = Unit::pascal_second,
               .range = {1e-9, 1e3},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Viscosity of the medium that fills the world if `medium_density` is not 0. It acts on particles "
                      "and rigid balls. Other bodies feel only the density of the medium. Air has 1.8e-5."},
  };
  return table;
}

Schema make_scene_schema(std::span<const SystemKind> systems, std::span<const InteractionKind> interactions) {
  Schema scene;
  scene.kind = "scene";
  scene.doc = "A world with its systems, rules and view.";
  scene.params = scene_texts().specs();
  std::vector<const Schema*> fields;
  for (const auto& kind : field_kinds()) fields.push_back(kind.schema);
  const auto colliders = collider_schemas(), materials = material_schemas();
  scene.slots = {
      {.name = "world", .many = false, .kinds = {&world_schema()}, .doc = "Time step, gravity, seed and limits."},
      {.name = "view",
       .many = false,
       .kinds = {&view_schema()},
       .doc = "Camera, colours and overlays of the picture, which do not affect the simulation."},
      {.name = "material", .kinds = {materials.begin(), materials.end()}, .doc = "Materials of voxel bodies."},
      {.name = "field",
       .kinds = fields,
       .doc = "Winds and noises as functions of position and time. The velocities of several winds are added."},
      {.name = "collider",
       .kinds = {colliders.begin(), colliders.end()},
       .doc = "Fixed and moving obstacles for all systems."},
      {.name = "system",
       .kinds = schemas_of(systems),
       .doc = "Simulated systems: bodies, fluids, particles, flocks, recordings."},
      {.name = "interaction",
       .kinds = schemas_of(interactions),
       .doc =
           "Rules, by which two systems act on each other. Most kinds of rules act by default on all pairs of systems "
           "that they can couple. If the scene contains a rule of a kind, the default of that kind does not act "
           "on any pair."},
      {.name = "sensor",
       .kinds = {&sensor_schema()},
       .doc = "Sensors, which measure quantities at the end of every step for the formulas of actuators."},
      {.name = "actuator",
       .kinds = {actuator_schemas().begin(), actuator_schemas().end()},
       .doc = "Actuators, which set parameters of other nodes to values that vary in time: contractions of muscles, "
              "speeds of motors, rates of emitters, strengths of winds."},
      {.name = "plot",
       .kinds = {&plot_schema()},
       .doc = "Measured and theoretical curves, which do not affect the simulation."},
  };
  return scene;
}

const Registry& default_registry() {
  static const Registry registry = [] {
    static const Schema scene = make_scene_schema(system_kinds(), interaction_kinds());
    return Registry{&scene,
                    {system_kinds().begin(), system_kinds().end()},
                    {interaction_kinds().begin(), interaction_kinds().end()}};
  }();
  return registry;
}

const Schema& scene_schema() { return *default_registry().scene; }

const SystemKind* Registry::system(std::string_view kind) const {
  const auto found =
      std::find_if(systems.begin(), systems.end(), [&](const SystemKind& row) { return row.schema->kind == kind; });
  return found == systems.end() ? nullptr : &*found;
}

const InteractionKind* Registry::interaction(std::string_view kind) const {
  const auto found = std::find_if(interactions.begin(), interactions.end(),
                                  [&](const InteractionKind& row) { return row.schema->kind == kind; });
  return found == interactions.end() ? nullptr : &*found;
}

std::vector<SystemPair> joined_pairs(const Node& rule, const InteractionKind& kind,
                                     std::span<const NamedKind> systems) {
  const std::string a = text_or_empty(rule, "a"), b = text_or_empty(rule, "b");
  // The node may name the two systems in either order. Their kinds determine which system is `a`.
  const auto asked = [&](const std::string& x, const std::string& y) {
    const auto fits = [](const std::string& wanted, const std::string& name) {
      return wanted.empty() || wanted == name;
    };
    return (fits(a, x) && fits(b, y)) || (fits(a, y) && fits(b, x));
  };
  const bool joins_itself = kind.joins(Sides::one_system);
  std::vector<SystemPair> pairs;
  for (std::size_t i = 0; i < systems.size(); ++i)
    for (std::size_t j = 0; j < systems.size(); ++j) {
      const bool kinds_fit = systems[i].kind == kind.kind_a && systems[j].kind == kind.kind_b;
      const bool once = kind.kind_a != kind.kind_b || systems[i].name < systems[j].name || (i == j && joins_itself);
      if ((i != j || joins_itself) && kinds_fit && once && asked(systems[i].name, systems[j].name))
        pairs.push_back({i, j});
    }
  return pairs;
}

void add_default_interactions(Node& scene, const Registry& registry) {
  const auto systems = named_systems(scene);
  for (const InteractionKind& kind : registry.interactions) {
    if (kind.presence == Presence::on_request) continue;
    bool mentioned = false;
    std::set<std::string> taken;
    for (const Node* rule : scene.all("interaction")) {
      mentioned = mentioned || rule->schema == kind.schema;
      taken.insert(rule->name);
    }
    if (mentioned || joined_pairs(make_node(*kind.schema), kind, systems).empty()) continue;
    std::string name = kind.schema->kind;
    while (taken.contains(name)) name += "_";
    add_child(scene, "interaction", kind.schema->kind, name);
  }
}

Result<void> check_references(const Node& scene, const Registry& registry) {
  if (auto good = check_names(scene, ""); !good) return good;
  std::vector<std::string> materials;
  for (const Node* material : scene.all("material")) materials.push_back(material->name);
  for (const Node* system : scene.all("system"))
    if (auto good = check_materials(*system, materials); !good) return good;
  if (auto good = check_carriers(scene); !good) return good;
  if (auto good = check_targets(scene); !good) return good;
  if (auto good = check_view(scene); !good) return good;
  const auto systems = named_systems(scene);
  for (const Node* rule : scene.all("interaction"))
    if (const auto* kind = registry.interaction(rule->schema->kind)) {
      if (auto good = check_rule(*rule, *kind, systems); !good) return good;
      if (auto good = check_welded_body(scene, *rule, *kind, systems); !good) return good;
    }
  if (auto good = check_sensors(scene); !good) return good;
  if (auto good = check_actuators(scene); !good) return good;
  return check_plots(scene);
}

}  // namespace vw
