// Actions that go to past moments: stepping back, seeking, and playing backwards.
#include <algorithm>
#include <limits>

#include "app/window/ui/app.h"
#include "app/window/ui/scene_changes.h"

namespace vw::ui {
namespace {

/// Place of the newest snapshot in the timeline, or null if there is no snapshot.
const TimelinePlace* present_place(const App& app) {
  return app.session.have_snapshot && app.session.run != nullptr ? &app.session.run->newest().place : nullptr;
}

}  // namespace

void step_back(App& app) {
  if (app.session.run == nullptr) return;
  if (app.session.playing || app.session.backwards.is_on) set_playing(app, false);
  app.session.run->step_back();
}

void seek(App& app, std::uint32_t branch, double elapsed_s) {
  if (app.session.run == nullptr) return;
  app.session.run->seek_time(branch, elapsed_s);
  app.times.busy_until_s = app.times.wall_s + 0.5;
}

void seek_end(App& app) {
  const TimelinePlace* place = present_place(app);
  if (place == nullptr) return;
  app.session.backwards.is_on = false;
  app.session.run->seek(place->branch, std::numeric_limits<std::uint64_t>::max());
  app.times.busy_until_s = app.times.wall_s + 0.5;
}

void play_backwards(App& app, bool on) {
  const TimelinePlace* place = present_place(app);
  if (place == nullptr) return;
  if (on) set_playing(app, false);
  app.session.backwards = {on, place->elapsed_s};
}

void ask_for_bookmark(App& app) {
  if (present_place(app) == nullptr || app.view.shows_voxel_editor()) return;
  // The world waits until the field for the name is closed. Otherwise, the name would belong to a later moment.
  app.session.backwards.is_on = false;
  app.session.run->set_paused(true);
  app.ui.layout.timeline = true;
  app.ui.timeline.naming = TimelineState::NameField{.is_bookmark = true};
}

void update_time(App& app) {
  if (app.session.run == nullptr) return;
  if (const auto scene = app.session.run->take_scene()) show_scene_of_moment(app, *scene);
  const TimelinePlace* place = present_place(app);
  if (!app.session.backwards.is_on || place == nullptr) return;
  double& next = app.session.backwards.elapsed_s;
  const double speed = app.session.run->newest().asked_speed;
  // The session of an opened picture begins later than 0.
  const double start_s = app.session.run->timeline()->branches.front().begin_s;
  // If seeking is slower than playback, moments are skipped, and playback keeps its speed.
  next = std::min(next, place->elapsed_s) - speed * static_cast<double>(ImGui::GetIO().DeltaTime);
  if (!place->is_seeking || next <= start_s) seek(app, place->branch, std::max(next, start_s));
  if (next <= start_s) app.session.backwards.is_on = false;
  app.times.busy_until_s = app.times.wall_s + 0.5;
}

}  // namespace vw::ui
