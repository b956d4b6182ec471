#include "app/window/ui/actions/capture_moment.h"

#include <utility>

namespace vw::ui {

namespace {

/// Returns run B of the displayed comparison. If B is another branch, its journal is still missing.
api::ComparedMoment compared_moment(const App& app) {
  const ComparisonShow& comparison = app.session.comparison;
  const ComparedSubject& subject = comparison.subject();
  api::ComparedMoment b{.name = subject.name,
                        .values = subject.values,
                        .is_ghost = comparison.arrangement == ComparisonShow::Arrangement::ghost,
                        .shows_difference = comparison.shows_difference,
                        .ghost_percent = comparison.ghost_percent};
  if (subject.session != nullptr) {
    b.journal = subject.session->journal;
    b.start = subject.session->start;
  }
  return b;
}

}  // namespace

std::shared_ptr<PendingMoment> shown_moment(App& app, std::optional<api::VideoFrames> video, PictureRuns runs) {
  const bool wanted = app.ui.preferences.embeds_moments() && !app.options.no_moment;
  if (!wanted || !app.session.have_snapshot || app.session.document == nullptr)
    return std::make_shared<PendingMoment>();
  const Snapshot& shown = app.session.run->newest();
  const Node scene = scene_as_shown(app);
  api::SavedMoment moment = video ? api::moment_of(shown, scene, std::move(*video)) : api::moment_of(shown, scene);
  if (runs == PictureRuns::first_only || !shows_second_run(app))
    return std::make_shared<PendingMoment>(std::move(moment), *app.session.run);
  moment.compared = compared_moment(app);
  const ComparisonShow& comparison = app.session.comparison;
  return std::make_shared<PendingMoment>(std::move(moment), *app.session.run, comparison.subject().branch,
                                         comparison.b().tick);
}

std::string bytes_of(PendingMoment& moment, const std::string& file, MessageLog& log) {
  auto bytes = moment.packed(file);
  if (bytes) return std::move(*bytes);
  log.warning(file + " holds no session, so Voxwake cannot open it: " + bytes.error().message());
  return {};
}

}  // namespace vw::ui
