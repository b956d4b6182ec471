// Comparing the displayed run with another branch, or with another value of a parameter.
#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "app/window/labels/param_style.h"
#include "app/window/ui/app.h"

namespace vw::ui {
namespace {

/// Destroys a second run in the background. Joining its thread waits for the current step, which may take long.
void retire_second(App& app, std::unique_ptr<api::FollowingRun> run) {
  if (run == nullptr) return;
  auto old = std::make_shared<std::unique_ptr<api::FollowingRun>>(std::move(run));
  app.background.run([old] { old->reset(); });
}

void begin_comparison(App& app, ComparedSubject subject) {
  ComparisonShow& comparison = app.session.comparison;
  retire_second(app, comparison.begin(std::move(subject)));
  comparison.subscribe(wanted_by(app));
  comparison.watch_plots(app.session.document->root(), app.session.plots);
  app.times.busy_until_s = app.times.wall_s + 0.5;
}

}  // namespace

void compare_with_branch(App& app, std::uint32_t branch) {
  if (app.session.run == nullptr || app.session.document == nullptr || !app.session.have_snapshot) return;
  const auto timeline = app.session.run->timeline();
  const Timeline::Branch* known = timeline->find(branch);
  if (known != nullptr) begin_comparison(app, {.name = known->name, .branch = branch});
}

void compare_with_value(App& app, const ValueComparison& wanted) {
  if (app.session.run == nullptr || app.session.document == nullptr || !app.session.have_snapshot) return;
  const auto ref = find_parameter(const_cast<Node&>(app.session.document->root()), wanted.path);  // NOLINT: read only
  if (!ref) return;
  begin_comparison(
      app, {.name = fmt::format("{} {} ({})", ref->spec->label, pretty_value(*ref->spec, wanted.value), wanted.origin),
            .values = {{wanted.path, wanted.value}}});
}

void end_comparison(App& app) {
  if (!app.session.comparison.is_active()) return;
  retire_second(app, app.session.comparison.end());
  if (app.session.run != nullptr) app.session.run->hold_after(std::numeric_limits<double>::infinity());
  app.times.busy_until_s = app.times.wall_s + 0.5;
}

void update_comparison(App& app) {
  ComparisonShow& comparison = app.session.comparison;
  app.view.comparison.keep_only(comparison.number());  // here, because no frame in progress shows the texture
  if (!comparison.is_active() || app.session.run == nullptr || !app.session.have_snapshot) return;
  const std::uint64_t before = comparison.revision();
  comparison.update(*app.session.run);
  // Frames must go on while B catches up, also if A is paused.
  if (comparison.progress().is_behind || comparison.revision() != before)
    app.times.busy_until_s = std::max(app.times.busy_until_s, app.times.wall_s + 0.3);
}

std::string first_name_of_comparison(const App& app) {
  const ComparedSubject& subject = app.session.comparison.subject();
  if (!subject.values.empty()) {
    const std::string& path = subject.values.front().path;
    const auto ref = find_parameter(const_cast<Node&>(app.session.document->root()), path);  // NOLINT: read only
    if (ref) return ref->spec->label + " " + pretty_value(*ref->spec, ref->value());
  }
  const auto timeline = app.session.run->timeline();
  const Timeline::Branch* present = timeline->find(app.session.run->newest().place.branch);
  return present == nullptr ? "the present branch" : present->name;
}

}  // namespace vw::ui
