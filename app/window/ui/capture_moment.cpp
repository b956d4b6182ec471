#include "app/window/ui/capture_moment.h"

#include <utility>

namespace vw::ui {

std::shared_ptr<PendingMoment> shown_moment(App& app, std::optional<api::VideoFrames> video) {
  const bool wanted = app.ui.preferences.embeds_moments() && !app.options.no_moment;
  if (!wanted || !app.session.have_snapshot || app.session.document == nullptr)
    return std::make_shared<PendingMoment>();
  const Snapshot& shown = app.session.run->newest();
  const Node scene = scene_with_camera(app);
  return std::make_shared<PendingMoment>(
      video ? api::moment_of(shown, scene, std::move(*video)) : api::moment_of(shown, scene), *app.session.run);
}

std::string bytes_of(PendingMoment& moment, const std::string& file, MessageLog& log) {
  auto bytes = moment.packed(file);
  if (bytes) return std::move(*bytes);
  log.warning(file + " cannot be opened again: " + bytes.error().message());
  return {};
}

}  // namespace vw::ui
