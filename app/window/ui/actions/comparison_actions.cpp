// Actions that compare the displayed run with another branch, with another value of a parameter, or with a file.
#include <algorithm>
#include <filesystem>
#include <limits>

#include <fmt/format.h>

#include "app/window/document/second_session.h"
#include "app/window/labels/param_style.h"
#include "app/window/ui/app.h"
#include "app/window/ui/viewport/comparison_picture.h"

namespace vw::ui {
namespace {

/// Destroys a second run in the background. Joining the thread of the run waits for the current step, which may take
/// long.
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

void compare_as_in_picture(App& app, api::ComparedMoment compared) {
  ComparisonShow& comparison = app.session.comparison;
  comparison.arrangement =
      compared.is_ghost ? ComparisonShow::Arrangement::ghost : ComparisonShow::Arrangement::side_by_side;
  comparison.shows_difference = compared.shows_difference;
  comparison.ghost_percent = compared.ghost_percent;
  ComparedSubject subject{.name = std::move(compared.name), .values = std::move(compared.values)};
  if (subject.values.empty())
    subject.session = std::make_shared<const api::FollowedSession>(
        api::FollowedSession{.journal = std::move(compared.journal), .start = std::move(compared.start)});
  begin_comparison(app, std::move(subject));
}

void ask_what_to_compare_with(App& app) {
  if (!app.session.have_snapshot) return;
  const std::filesystem::path own = app.session.document->path();
  app.ui.browser.open_for_comparing(own.parent_path().string());
}

void compare_with_file(App& app, const std::string& path) {
  auto slot = std::make_shared<std::promise<Result<api::FollowedSession>>>();
  app.session.second = {path, slot->get_future()};
  app.background.run([path, slot] { slot->set_value(load_second_session(path)); });
  app.log.info("Opening " + path + " for the comparison");
}

namespace {

/// Begins a comparison with a file once the file has been opened.
void take_second_session(App& app) {
  auto& second = app.session.second;
  if (!second.session.valid()) return;
  app.times.busy_until_s = std::max(app.times.busy_until_s, app.times.wall_s + 0.3);
  if (!app.session.have_snapshot || second.session.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
    return;
  auto session = second.session.get();
  if (!session) return app.log.error(session.error().message());
  const std::string name = std::filesystem::path(second.path).filename().string();
  begin_comparison(app, {.name = name, .session = std::make_shared<const api::FollowedSession>(std::move(*session))});
}

}  // namespace

bool shows_second_run(const App& app) {
  return app.session.comparison.is_active() && app.session.comparison.has_picture() &&
         mode_picture(app.session.modes) == nullptr;
}

void end_comparison(App& app) {
  app.session.second.session = {};
  if (!app.session.comparison.is_active()) return;
  retire_second(app, app.session.comparison.end());
  if (app.session.run != nullptr) app.session.run->hold_after(std::numeric_limits<double>::infinity());
  app.times.busy_until_s = app.times.wall_s + 0.5;
}

void update_comparison(App& app) {
  take_second_session(app);
  ComparisonShow& comparison = app.session.comparison;
  app.view.comparison.keep_only(comparison.number());  // no frame in progress uses the texture at this point
  if (!comparison.is_active() || app.session.run == nullptr || !app.session.have_snapshot) return;
  const std::uint64_t before = comparison.revision();
  // A video by simulated time shows a step before the newest one. B must not go beyond that step.
  const Snapshot* recorded = app.view.recorder.newest_taken();
  comparison.update(*app.session.run, recorded != nullptr ? *recorded : app.session.run->newest());
  // Frames must be drawn while B catches up, even if A is paused.
  if (comparison.progress().is_behind || comparison.revision() != before)
    app.times.busy_until_s = std::max(app.times.busy_until_s, app.times.wall_s + 0.3);
}

namespace {

std::string first_name_of_comparison(const App& app) {
  const ComparedSubject& subject = app.session.comparison.subject();
  if (subject.session != nullptr) return app.session.scene_name();
  if (!subject.values.empty()) {
    const std::string& path = subject.values.front().path;
    const auto ref = find_parameter(const_cast<Node&>(app.session.document->root()), path);  // NOLINT: read only
    if (ref) return ref->spec->label + " " + pretty_value(*ref->spec, ref->value());
  }
  const auto timeline = app.session.run->timeline();
  const Timeline::Branch* present = timeline->find(app.session.run->newest().place.branch);
  return present == nullptr ? "the present branch" : present->name;
}

}  // namespace

PairNames names_of_comparison(const App& app) {
  const ComparisonShow& comparison = app.session.comparison;
  PairNames names{first_name_of_comparison(app), comparison.subject().name, {}};
  const bool is_ghost = comparison.arrangement == ComparisonShow::Arrangement::ghost;
  if (is_ghost && !comparison.shows_difference && app.session.view().color_by == "material") {
    const auto part = [](float linear) { return static_cast<float>(srgb_from_linear(static_cast<double>(linear))); };
    names.dot = {part(ghost_tint.x()), part(ghost_tint.y()), part(ghost_tint.z())};
  }
  return names;
}

}  // namespace vw::ui
