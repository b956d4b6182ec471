// Builds the parts of a world from the nodes of a scene.
#include "sim/world/parts.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "sim/snapshot/view.h"
#include "sim/world/recording/motion_record.h"

namespace vw {
namespace {

/// Children of a slot ordered by name, so that the order in the file has no effect.
std::vector<const Node*> by_name(const Node& scene, std::string_view slot) {
  auto nodes = scene.all(slot);
  std::sort(nodes.begin(), nodes.end(), [](const Node* a, const Node* b) { return a->name < b->name; });
  return nodes;
}

/// Adds the line and key of the node to an error, unless the error has a line or key already.
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

Result<void> build_systems(const Node& scene, const Registry& registry, WorldParts& parts) {
  for (const Node* node : by_name(scene, "system")) {
    const SystemKind* kind = registry.system(node->schema->kind);
    if (kind == nullptr) return unknown_kind(*node, "system");
    auto system = kind->create(*node, scene);
    if (!system) return located(system.error(), *node, "system");
    parts.systems.push_back(std::move(*system));
  }
  return {};
}

Result<void> build_rules(const Node& scene, const Registry& registry, WorldParts& parts) {
  std::vector<NamedKind> systems;
  for (const auto& system : parts.systems) systems.push_back({system->name(), system->schema().kind});
  for (const Node* node : by_name(scene, "interaction")) {
    const InteractionKind* kind = registry.interaction(node->schema->kind);
    if (kind == nullptr) return unknown_kind(*node, "interaction");
    for (const SystemPair& pair : joined_pairs(*node, *kind, systems)) {
      auto made = kind->create(*node);
      if (!made) return located(made.error(), *node, "interaction");
      parts.rules.push_back({node->name, node->schema->kind,
                             node->name + ":" + systems[pair.a].name + ":" + systems[pair.b].name, std::move(*made),
                             pair});
    }
  }
  std::sort(parts.rules.begin(), parts.rules.end(), [](const Rule& a, const Rule& b) { return a.label < b.label; });
  return {};
}

void start_rules(WorldParts& parts) {
  PairContext start;
  start.gravity = parts.params.gravity;
  start.seed = static_cast<std::uint64_t>(parts.params.seed);
  for (Rule& rule : parts.rules)
    if (rule.interaction->enabled())
      rule.interaction->start(*parts.systems[rule.pair.a], *parts.systems[rule.pair.b], start);
  for (const auto& system : parts.systems) system->relax_at_start();
}

/// Checks that a name in the view is one of `known` or one of the `names` that a system provides.
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

/// Checks the names of channels and vectors in the view.
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

}  // namespace

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

Result<WorldParts> build_parts(const Node& scene, const Registry& registry, const ColliderSet* before) {
  if (auto good = check_references(scene, registry); !good) return Unexpected(good.error());
  WorldParts parts;
  parts.params = read_world_params(scene);
  auto fields = build_fields(scene);
  if (!fields) return Unexpected(fields.error());
  parts.fields = std::move(*fields);
  parts.take_over(parts.params);
  auto colliders = ColliderSet::build(scene, before);
  if (!colliders) return Unexpected(colliders.error());
  parts.colliders = std::move(*colliders);
  if (auto good = build_systems(scene, registry, parts); !good) return Unexpected(good.error());
  if (auto good = check_view_channels(scene, parts); !good) return Unexpected(good.error());
  if (auto good = parts.colliders.attach(parts.systems); !good) return Unexpected(good.error());
  if (auto good = build_rules(scene, registry, parts); !good) return Unexpected(good.error());
  start_rules(parts);
  return parts;
}

}  // namespace vw
