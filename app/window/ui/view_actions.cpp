// Actions on the view: colours, arrows, forces, trails, the following camera. All of them edit the view's parameters.
#include <algorithm>

#include "app/window/ui/app.h"
#include "app/window/ui/panels/element_values.h"

namespace vw::ui {
namespace {

bool holds(const TextList& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

/// Edits the view as a separate undo step.
void edit_view(App& app, const std::vector<Assignment>& assignments) {
  if (app.document != nullptr) app.document->end_gesture();
  edit(app, assignments);
}

}  // namespace

std::vector<std::string> color_by_choices(const App& app) {
  const Snapshot* snapshot = app.snapshot();
  return snapshot == nullptr ? std::vector<std::string>() : color_choices(*snapshot);
}

void cycle_color_by(App& app) {
  const auto choices = color_by_choices(app);
  if (choices.empty()) return;
  const auto at = std::find(choices.begin(), choices.end(), app.view().color_by);
  const bool last = at == choices.end() || at + 1 == choices.end();
  edit_view(app, {{"view.color_by", Value(last ? choices.front() : *(at + 1))}});
}

void toggle_vectors(App& app) { edit_view(app, {{"view.vectors", Value(!app.view().vectors)}}); }

bool shows_forces(const App& app, const std::string& rule) { return holds(app.view().forces, rule); }

void toggle_forces(App& app, const std::string& rule) {
  if (app.document == nullptr) return;
  TextList forces = app.view().forces;
  if (std::erase(forces, rule) == 0) forces.push_back(rule);
  edit_view(app, {{"view.forces", Value(std::move(forces))}});
}

std::vector<std::string> vector_choices(const App& app) {
  std::vector<std::string> names{"velocity"};
  if (const Snapshot* snapshot = app.snapshot())
    for (const SystemSnapshot& system : snapshot->systems)
      for (const ChannelInfo& vector : system.available_vectors)
        if (!holds(names, vector.name)) names.push_back(vector.name);
  return names;
}

std::vector<std::string> system_names(const App& app) {
  std::vector<std::string> names;
  for (const Node* system : app.document->root().all("system")) names.push_back(system->name);
  return names;
}

std::string selected_name(const App& app) {
  const Viewport& viewport = app.viewport;
  return viewport.selection.system.empty() ? std::string()
                                           : viewport.selection.system + "." + std::to_string(viewport.selected_id());
}

void follow(App& app, const std::string& name) {
  if (app.view().follow != name) edit_view(app, {{"view.follow", Value(name)}});
}

void toggle_follow(App& app) {
  if (app.view().follow.empty() && selected_name(app).empty())
    return app.log.info("No element is selected. Click an element, then follow it.", Toast::yes);
  follow(app, app.view().follow.empty() ? selected_name(app) : std::string());
}

ComparedElement compared_element(const App& app) {
  const Snapshot* now = app.snapshot();
  if (now == nullptr || !app.layout.compared) return {};
  const auto system = std::ranges::find(now->systems, app.layout.compared->system, &SystemSnapshot::name);
  if (system == now->systems.end()) return {};
  for (std::size_t row = 0; row < system->position.size(); ++row)
    if (element_id(*system, row) == app.layout.compared->id) return {&*system, row};
  return {};
}

bool is_compared(const App& app, const SystemSnapshot& system, std::size_t row) {
  return app.layout.compared && app.layout.compared->system == system.name &&
         app.layout.compared->id == element_id(system, row);
}

void compare(App& app, const SystemSnapshot& system, std::size_t row) {
  app.layout.compared = {system.name, element_id(system, row)};
  app.log.info("Select another element: the card shows the values of both.", Toast::yes);
  subscribe(app);
}

void stop_comparing(App& app) {
  app.layout.compared.reset();
  subscribe(app);
}

std::vector<std::string> hideable_names(const App& app) {
  std::vector<std::string> names = system_names(app);
  if (app.document == nullptr) return names;
  for (const Node* collider : app.document->root().all("collider")) names.push_back(collider->name);
  return names;
}

void hide(App& app, const std::string& name) {
  TextList hidden = app.view().hidden;
  if (holds(hidden, name)) return;
  hidden.push_back(name);
  if (app.viewport.selection.system == name || app.viewport.selection.obstacle == name)
    app.viewport.clear_selection(app);
  app.log.info(name + " is hidden. View > Show hidden shows it again.", Toast::yes);
  edit_view(app, {{"view.hidden", Value(std::move(hidden))}});
}

void show_all_hidden(App& app) { edit_view(app, {{"view.hidden", Value(TextList())}}); }

bool has_trail(const App& app, const std::string& name) {
  const ViewParams view = app.view();
  return view.trails && holds(view.trail_systems, name);
}

void toggle_trail(App& app, const std::string& name) {
  const ViewParams view = app.view();
  TextList shown = view.trails ? view.trail_systems : TextList();
  // An empty list means all systems. List them by name before changing the list.
  if (view.trails && shown.empty()) shown = system_names(app);
  if (std::erase(shown, name) == 0) shown.push_back(name);
  edit_view(app, {{"view.trails", Value(!shown.empty())}, {"view.trail_systems", Value(std::move(shown))}});
}

}  // namespace vw::ui
