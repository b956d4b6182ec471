// Actions on the view: colours, arrows, forces, trails, camera following, hidden and locked objects. Most of them edit
// the view's parameters.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/window/ui/app.h"
#include "app/window/ui/panels/element_values.h"

namespace vw::ui {
namespace {

/// Edits the view as a separate undo step.
void edit_view(App& app, const std::vector<Assignment>& assignments) {
  if (app.session.document != nullptr) app.session.document->end_gesture();
  edit(app, assignments);
}

}  // namespace

void cycle_color_by(App& app) {
  const auto choices = app.session.color_by_choices();
  if (choices.empty()) return;
  const auto at = std::find(choices.begin(), choices.end(), app.session.view().color_by);
  const bool last = at == choices.end() || at + 1 == choices.end();
  edit_view(app, {{"view.color_by", Value(last ? choices.front() : *(at + 1))}});
}

void toggle_vectors(App& app) { edit_view(app, {{"view.vectors", Value(!app.session.view().vectors)}}); }

void toggle_forces(App& app, const std::string& rule) {
  if (app.session.document == nullptr) return;
  TextList forces = app.session.view().forces;
  if (std::erase(forces, rule) == 0) forces.push_back(rule);
  edit_view(app, {{"view.forces", Value(std::move(forces))}});
}

std::string selected_name(const App& app) {
  const Viewport& viewport = app.view.viewport;
  return viewport.selection.system.empty() ? std::string()
                                           : viewport.selection.system + "." + std::to_string(viewport.selected_id());
}

void follow(App& app, const std::string& name) {
  if (app.session.view().follow != name) edit_view(app, {{"view.follow", Value(name)}});
}

void toggle_follow(App& app) {
  if (app.session.view().follow.empty() && selected_name(app).empty())
    return app.log.info("No element is selected. Click an element, then follow it.", Toast::yes);
  follow(app, app.session.view().follow.empty() ? selected_name(app) : std::string());
}

ComparedElement compared_element(const App& app) {
  const Snapshot* now = app.session.snapshot();
  if (now == nullptr || !app.ui.layout.compared) return {};
  const auto system = std::ranges::find(now->systems, app.ui.layout.compared->system, &SystemSnapshot::name);
  if (system == now->systems.end()) return {};
  for (std::size_t row = 0; row < system->position.size(); ++row)
    if (element_id(*system, row) == app.ui.layout.compared->id) return {&*system, row};
  return {};
}

bool is_compared(const App& app, const SystemSnapshot& system, std::size_t row) {
  return app.ui.layout.compared && app.ui.layout.compared->system == system.name &&
         app.ui.layout.compared->id == element_id(system, row);
}

void compare(App& app, const SystemSnapshot& system, std::size_t row) {
  app.ui.layout.compared = {system.name, element_id(system, row)};
  app.log.info("Select another element. The card then shows the values of both elements.", Toast::yes);
  subscribe(app);
}

void stop_comparing(App& app) {
  app.ui.layout.compared.reset();
  subscribe(app);
}

void hide(App& app, const std::string& name) { hide(app, TextList{name}); }

void hide(App& app, const TextList& names) {
  TextList hidden = app.session.view().hidden, added = names;
  std::erase_if(added, [&](const std::string& name) { return contains(hidden, name); });
  if (added.empty()) return;
  hidden.insert(hidden.end(), added.begin(), added.end());
  const Selection& selection = app.view.viewport.selection;
  if (contains(added, selection.system) || contains(added, selection.obstacle)) app.view.viewport.clear_selection(app);
  app.log.info(added.size() == 1
                   ? added.front() + " is hidden. View > Show hidden shows it again."
                   : fmt::format("{} are hidden. View > Show hidden shows them again.", fmt::join(added, ", ")),
               Toast::yes);
  edit_view(app, {{"view.hidden", Value(std::move(hidden))}});
}

void show_all_hidden(App& app) { edit_view(app, {{"view.hidden", Value(TextList())}}); }

void toggle_hidden(App& app, const std::string& name) { toggle_hidden(app, TextList{name}); }

void toggle_hidden(App& app, const TextList& names) {
  TextList hidden = app.session.view().hidden;
  const auto is_one = [&](const std::string& name) { return contains(names, name); };
  if (std::erase_if(hidden, is_one) < names.size()) return hide(app, names);
  edit_view(app, {{"view.hidden", Value(std::move(hidden))}});
}

bool is_isolated(const App& app, const std::string& name) {
  const TextList hidden = app.session.view().hidden;
  return !contains(hidden, name) && std::ranges::all_of(app.session.hideable_names(), [&](const std::string& one) {
    return one == name || contains(hidden, one);
  });
}

void isolate(App& app, const std::string& name) {
  if (is_isolated(app, name)) return show_all_hidden(app);
  TextList others = app.session.hideable_names();
  std::erase(others, name);
  const Selection& selection = app.view.viewport.selection;
  if (selection.system != name && selection.obstacle != name) app.view.viewport.clear_selection(app);
  edit_view(app, {{"view.hidden", Value(std::move(others))}});
}

void toggle_locked(App& app, const std::string& name) {
  TextList locked = app.session.view().locked;
  if (std::erase(locked, name) == 0) {
    locked.push_back(name);
    if (app.view.viewport.selection.system == name || app.view.viewport.selection.obstacle == name)
      app.view.viewport.clear_selection(app);
  }
  edit_view(app, {{"view.locked", Value(std::move(locked))}});
}

void unlock_all(App& app) { edit_view(app, {{"view.locked", Value(TextList())}}); }

void set_interface_scale(App& app, double scale) {
  if (const auto stored = app.ui.preferences.set_interface_scale(scale); !stored)
    app.log.warning("The scale of the interface is not kept for the next session: " + stored.error().message());
  app.ui.scale_changed = true;
  app.times.busy_until_s = std::max(app.times.busy_until_s, app.times.wall_s + 0.5);
}

void toggle_trail(App& app, const std::string& name) {
  const ViewParams view = app.session.view();
  TextList shown = view.trails ? view.trail_systems : TextList();
  // An empty list means all systems. List them by name before changing the list.
  if (view.trails && shown.empty()) shown = app.session.system_names();
  if (std::erase(shown, name) == 0) shown.push_back(name);
  edit_view(app, {{"view.trails", Value(!shown.empty())}, {"view.trail_systems", Value(std::move(shown))}});
}

}  // namespace vw::ui
