// Actions that export frames of the running simulation to files.
#include <fmt/format.h>

#include "app/window/ui/app.h"

namespace vw::ui {
namespace {

bool is_opening(const FrameExport& frames) { return frames.opening.valid(); }

/// Ends the export in progress. Returns its recorder, or null if no recorder exists yet.
std::shared_ptr<ExportRecorder> take_recorder(App& app) {
  app.view.frame_export.opening = {};
  auto recorder = std::exchange(app.view.frame_export.recorder, nullptr);
  if (recorder != nullptr && app.session.run != nullptr) app.session.run->set_sink(nullptr);
  subscribe(app);
  return recorder;
}

/// Makes the next frames show the wind of the running world after edits. Values that take effect at a reset stay.
void follow_fields(App& app) {
  FrameExport& frames = app.view.frame_export;
  Node air = SeriesExport::air_of(app.session.world_scene);
  for (const std::string& path : app.session.waiting)
    if (const auto in_use = find_parameter(frames.air, path); in_use) (void)set_parameter(air, path, in_use->value());
  if (same_node(air, frames.air)) return;
  frames.air = air;
  frames.recorder->follow(std::move(air));
}

}  // namespace

bool exports_frames(const App& app) {
  return app.view.frame_export.recorder != nullptr || is_opening(app.view.frame_export);
}

void start_export(App& app) {
  if (!app.session.have_snapshot || app.session.document == nullptr || exports_frames(app)) return;
  const bool is_sink_used = app.view.recorder.active() && app.view.recorder.settings().by_simulated_time;
  if (is_sink_used) return app.log.info("Stop the video by simulated time before you export frames", Toast::yes);
  FrameExport& frames = app.view.frame_export;
  const ExportFormat& format = export_formats()[frames.format];
  frames.path = capture_path(app, "Documents", format.ending.c_str());
  SeriesOptions options{.out = {frames.path}, .every_s = 1.0 / frames.frames_per_s, .surface = frames.has_surfaces};
  frames.air = SeriesExport::air_of(app.session.world_scene);
  // Generating a field may take seconds, so the files are opened in the background.
  auto slot = std::make_shared<std::promise<Result<SeriesExport>>>();
  frames.opening = slot->get_future();
  app.background.run([slot, options = std::move(options), scene = app.session.world_scene, view = scene_as_shown(app),
                      first = *app.session.snapshot()] {
    slot->set_value(SeriesExport::open(options, scene, view, first, first.place.elapsed_s));
  });
  subscribe(app);
}

void update_export(App& app) {
  FrameExport& frames = app.view.frame_export;
  if (is_opening(frames)) {
    app.times.busy_until_s = std::max(app.times.busy_until_s, app.times.wall_s + 0.3);
    if (frames.opening.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    auto opened = frames.opening.get();
    if (!opened) return app.log.error(opened.error().message());
    frames.recorder = std::make_shared<ExportRecorder>(std::move(*opened));
    app.session.run->set_sink(frames.recorder);
    app.log.info("Exporting frames to " + frames.path);
  }
  if (frames.recorder == nullptr) return;
  follow_fields(app);
  const std::string reason = frames.recorder->end_reason();
  if (reason.empty()) return;
  app.log.info(reason, Toast::yes);
  finish_export(app);
}

void finish_export(App& app) {
  auto recorder = take_recorder(app);
  if (recorder == nullptr) return;
  app.background.run([recorder, path = app.view.frame_export.path, &log = app.log] {
    if (auto finished = recorder->finish(); !finished) return log.error(finished.error().message());
    for (const std::string& note : recorder->notes()) log.warning(note);
    log.info(fmt::format("Exported {} ({} frame{})", path, recorder->frames(), recorder->frames() == 1 ? "" : "s"),
             Toast::yes);
  });
}

void cancel_export(App& app) {
  auto recorder = take_recorder(app);
  if (recorder == nullptr) return;
  // Removing files may take a while, so the recorder is destroyed in the background.
  app.background.run([recorder = std::move(recorder), &log = app.log]() mutable {
    recorder.reset();
    log.info("The export was cancelled; complete files of single frames remain", Toast::yes);
  });
}

}  // namespace vw::ui
