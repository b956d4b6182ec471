#include "app/window/ui/node_selection.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/window/gizmo/group_pose.h"
#include "app/window/ui/app.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

using Paths = std::vector<std::string>;

/// Selected nodes that have the same kind as the active node, which is the first one.
Paths nodes_of_active_kind(const Layout& layout, const Node& root) {
  Paths paths = selected_nodes(layout, root);
  const Node* active = find_node(root, layout.selected_path);
  std::erase_if(paths, [&](const std::string& path) {
    return active == nullptr || find_node(root, path)->schema != active->schema;
  });
  return paths;
}

/// Value for another node, whose present value is `other`. `before` and `after` are values of the active node.
Value value_for_other(const Value& before, const Value& after, const Value& other) {
  const auto* old_vector = std::get_if<Vec3>(&before);
  const auto* new_vector = std::get_if<Vec3>(&after);
  const auto* other_vector = std::get_if<Vec3>(&other);
  if (old_vector == nullptr || new_vector == nullptr || other_vector == nullptr) return after;
  Vec3 value = *other_vector;
  for (int i = 0; i < 3; ++i)
    if ((*old_vector)[i] != (*new_vector)[i]) value[i] = (*new_vector)[i];
  return Value(value);
}

Paths removable_nodes(const App& app) {
  if (app.session.document == nullptr) return {};
  const Node& root = app.session.document->root();
  Paths paths = topmost_selected_nodes(app.ui.layout, root);
  std::erase_if(paths, [&](const std::string& path) { return !is_one_of_many(root, path); });
  return paths;
}

}  // namespace

Paths selected_nodes(const Layout& layout, const Node& root) {
  Paths paths{layout.selected_path};
  if (layout.further.beside == layout.selected_path)
    paths.insert(paths.end(), layout.further.paths.begin(), layout.further.paths.end());
  std::erase_if(paths, [&](const std::string& path) { return find_node(root, path) == nullptr; });
  return paths;
}

Paths topmost_selected_nodes(const Layout& layout, const Node& root) {
  const Paths all = selected_nodes(layout, root);
  const std::unordered_set<std::string_view> selected(all.begin(), all.end());
  Paths topmost;
  for (const std::string& path : all) {
    bool is_below = false;
    for (std::size_t end = path.rfind('.'); end != std::string::npos && end > 0; end = path.rfind('.', end - 1))
      is_below = is_below || selected.contains(std::string_view(path).substr(0, end));
    if (!is_below) topmost.push_back(path);
  }
  return topmost;
}

bool is_node_selected(const Layout& layout, const std::string& path) {
  return path == layout.selected_path ||
         (layout.further.beside == layout.selected_path && contains(layout.further.paths, path));
}

void select_nodes(Layout& layout, Paths paths) {
  if (paths.empty()) paths.emplace_back("world");
  layout.selected_path = paths.front();
  paths.erase(paths.begin());
  layout.further = {layout.selected_path, std::move(paths)};
}

void toggle_node(Layout& layout, const Node& root, const std::string& path) {
  if (!is_one_of_many(root, path)) return select_nodes(layout, {path});
  Paths paths = selected_nodes(layout, root);
  std::erase_if(paths, [&](const std::string& one) { return !is_one_of_many(root, one); });
  if (std::erase(paths, path) == 0) paths.insert(paths.begin(), path);
  select_nodes(layout, std::move(paths));
}

void add_nodes(Layout& layout, const Node& root, const Paths& paths) {
  Paths all = selected_nodes(layout, root);
  all.insert(all.end(), paths.begin(), paths.end());
  Paths chosen;
  for (const std::string& path : all)
    if (is_one_of_many(root, path) && !contains(chosen, path)) chosen.push_back(path);
  if (!chosen.empty()) select_nodes(layout, std::move(chosen));
}

std::vector<Assignment> edits_of_selected(const Layout& layout, const Node& root,
                                          const std::vector<Assignment>& edits) {
  std::vector<Assignment> all = edits;
  if (edits.empty()) return all;
  const Paths nodes = nodes_of_active_kind(layout, root);
  const std::string active = layout.selected_path + ".";
  for (const Assignment& edit : edits) {
    if (!edit.path.starts_with(active)) continue;
    const std::string key = edit.path.substr(active.size());
    const auto before = find_parameter(const_cast<Node&>(root), edit.path);  // NOLINT: read only
    if (!before || key.find('.') != std::string::npos) continue;
    for (const std::string& path : nodes) {
      const std::string other = path + "." + key;
      const auto present = find_parameter(const_cast<Node&>(root), other);  // NOLINT: read only
      if (path == layout.selected_path || !present) continue;
      all.push_back({other, value_for_other(before->value(), edit.value, present->value())});
    }
  }
  return all;
}

void draw_selected_nodes(const Layout& layout, const Node& root) {
  const Paths all = selected_nodes(layout, root), nodes = nodes_of_active_kind(layout, root);
  if (all.size() < 2 || nodes.empty()) return;
  const Node& active = *find_node(root, layout.selected_path);
  std::string text =
      nodes.size() == all.size()
          ? fmt::format("{} nodes are selected. An edit changes all of them.", all.size())
          : fmt::format("{} nodes are selected. An edit changes the {} of this kind.", all.size(), nodes.size());
  Paths differing;
  for (std::size_t i = 0; i < active.values.size(); ++i)
    if (std::ranges::any_of(nodes, [&](const std::string& path) {
          return !same_value(find_node(root, path)->values[i], active.values[i]);
        }))
      differing.push_back(active.schema->params[i].label);
  if (!differing.empty()) text += fmt::format(" Different values: {}.", fmt::join(differing, ", "));
  dim_text(text);
}

bool has_removable_nodes(const App& app) { return !removable_nodes(app).empty(); }

void duplicate_nodes(App& app) {
  const Paths paths = removable_nodes(app);
  if (paths.empty()) return;
  const Node& root = app.session.document->root();
  std::vector<Assignment> places;
  if (paths.size() > 1) {
    const PosedGroup group = group_of(root, paths);
    places = assignments_of(group, {.translation = Vec3((group.bounds.high - group.bounds.low).x(), 0, 0)}, {});
  }
  change_scene(app, {.node_changes = copies_of(root, paths, places), .selects_all = true});
}

void remove_nodes(App& app) {
  std::vector<NodeChange> removals;
  for (const std::string& path : removable_nodes(app))
    removals.push_back(removal_of(app.session.document->root(), path));
  if (!removals.empty()) change_scene(app, {.node_changes = std::move(removals)});
}

void toggle_hidden_nodes(App& app) {
  if (app.session.document == nullptr) return;
  TextList names;
  for (const std::string& path : selected_nodes(app.ui.layout, app.session.document->root()))
    if (auto [slot, name] = slot_and_name(path); (slot == "system" || slot == "collider") && !contains(names, name))
      names.push_back(std::move(name));
  if (!names.empty()) toggle_hidden(app, names);
}

}  // namespace vw::ui
