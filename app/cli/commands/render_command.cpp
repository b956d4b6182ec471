// voxwake render: draws pictures and video without a window, a display or an X server.
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/capture/capture.h"
#include "app/cli/commands/commands.h"
#include "app/cli/export/offscreen_video.h"
#include "app/cli/interrupt.h"
#include "app/cli/opened_scene.h"
#include "app/cli/options.h"
#include "app/cli/output_path.h"
#include "app/cli/progress.h"
#include "app/cli/warnings.h"
#include "render/follow.h"
#include "render/offscreen_painter.h"
#include "sim/api/moment.h"

namespace vw::cli {
namespace {

struct RenderOptions {
  SceneOptions scene;
  EndOptions end;
  std::int64_t threads = 0, fps = 60;
  Size size;
  std::string video, frame, color_by;
  bool vectors = false, software = false, no_moment = false;
  bool film = false, film_raw = false;
  FilmSettings film_settings;
  std::int64_t film_seed = 0;
};

/// A painter, the view, and the video output.
struct RenderTarget {
  std::unique_ptr<OffscreenPainter> painter;
  Node scene;
  ViewParams view;
  Camera camera;
  Size size;
  std::unique_ptr<VideoWriter> video;
  api::VideoFrames shown;  ///< what the frames of the video show
  Follower follower;

  [[nodiscard]] Result<Image> draw(const Moment& moment) {
    const Frame picture{&moment.previous, &moment.newest, moment.blend};
    follower.move(camera, picture, view.follow);
    return painter->draw(picture, camera, view, size.width, size.height);
  }
  /// Records a moment without drawing it, so that later pictures show complete trails and the camera stays with the
  /// object that it follows.
  void pass_by(const Moment& moment) {
    follower.move(camera, {&moment.previous, &moment.newest, moment.blend}, view.follow);
    painter->note(moment.newest, view);
  }
};

/// Converts the options --vectors and --color-by to assignments of the option --set.
void add_shorthands(RenderOptions& options) {
  if (options.vectors) options.scene.sets.emplace_back("view.vectors=true");
  if (!options.color_by.empty()) options.scene.sets.push_back("view.color_by=" + options.color_by);
}

/// Creates a painter that uses OpenGL, or the software painter if requested or necessary.
Result<std::unique_ptr<OffscreenPainter>> create_painter(bool software) {
  if (software) return OffscreenPainter::create_software();
  std::optional<Error> unavailable;
  auto painter = OffscreenPainter::create_opengl(unavailable);
  if (!painter || *painter != nullptr) return painter;
  say(fmt::format("warning: {}; the pictures are drawn without OpenGL, as with --software", unavailable->message()));
  return OffscreenPainter::create_software();
}

/// Creates the painter of the options.
Result<std::unique_ptr<OffscreenPainter>> create_painter(const RenderOptions& options) {
  if (!options.film) return create_painter(options.software);
  FilmSettings settings = options.film_settings;
  settings.denoise = !options.film_raw;
  settings.seed = static_cast<std::uint64_t>(options.film_seed);
  settings.keep_going = [](double) { return !interrupted(); };
  return OffscreenPainter::create_film(std::move(settings));
}

/// Returns the bytes of the moment that a picture of this snapshot shows. For a video, the snapshot is the last one.
Result<std::string> packed_moment(const RenderTarget& studio, api::Run& run, const Snapshot& shown,
                                  const std::string& file, std::optional<api::VideoFrames> video) {
  const Node scene = with_camera(studio.scene, studio.camera);
  api::SavedMoment moment = video ? api::moment_of(shown, scene, std::move(*video)) : api::moment_of(shown, scene);
  api::add_session(moment, run.journal(), run.start());
  return api::pack_moment(std::move(moment), file);
}

Result<RenderTarget> open_studio(const RenderOptions& options, const Node& scene, const Snapshot& first) {
  RenderTarget studio;
  studio.scene = scene;
  studio.view = scene_view(scene);
  studio.size = options.size;
  auto painter = create_painter(options);
  if (!painter) return Unexpected(painter.error());
  studio.painter = std::move(*painter);
  studio.camera =
      view_camera(studio.view, first, static_cast<float>(studio.size.width) / static_cast<float>(studio.size.height));
  if (options.video.empty()) return studio;
  auto video =
      VideoWriter::open(options.video, {options.size.width, options.size.height, static_cast<int>(options.fps)});
  if (!video) return Unexpected(video.error());
  studio.video = std::move(*video);
  studio.shown.fps = static_cast<double>(options.fps);
  studio.shown.frame_s = 1 / studio.shown.fps;
  return studio;
}

/// Simulates and draws. On return, `last` contains the last state.
Result<void> film(RenderTarget& studio, SnapshotSource& source, const RenderOptions& options, double end_s,
                  Snapshot& last) {
  Progress progress(0, end_s);
  const auto add = [&](const Moment& moment) -> Result<void> {
    if (studio.video == nullptr) {
      studio.pass_by(moment);
      return {};
    }
    auto image = studio.draw(moment);
    if (!image) return Unexpected(image.error());
    studio.shown.add(moment.newest, scene_point(studio.camera.eye), scene_point(studio.camera.target));
    return studio.video->add(std::move(*image));
  };
  const auto keep_going = [&](double time_s) {
    progress.show(time_s);
    return !interrupted();
  };
  return play(source, static_cast<int>(options.fps), end_s, add, keep_going, last);
}

/// Sets the moment of the video. A moment that cannot be written is reported and does not end the recording.
void embed(RenderTarget& studio, api::Run& run, const RenderOptions& options, const Snapshot& shown,
           VideoWriter::MomentPart part) {
  if (studio.video == nullptr || options.no_moment) return;
  studio.shown.is_complete = part == VideoWriter::MomentPart::whole;
  auto bytes = packed_moment(studio, run, shown, options.video, studio.shown);
  if (!bytes) return say("warning: the video cannot be opened again: " + bytes.error().message());
  studio.video->set_moment(std::move(*bytes), part);
}

Result<void> finish_video(RenderTarget& studio, api::Run& run, const RenderOptions& options, const Snapshot& last) {
  if (studio.video == nullptr) return {};
  if (studio.shown.points.count() > 0) embed(studio, run, options, last, VideoWriter::MomentPart::whole);
  return studio.video->finish();
}

Result<void> write_last_picture(RenderTarget& studio, api::Run& run, const RenderOptions& options,
                                const Snapshot& last) {
  if (options.frame.empty()) return {};
  const auto image = studio.draw({last, last, 1.0F});
  if (!image) return Unexpected(image.error());
  std::string moment;
  if (!options.no_moment) {
    auto bytes = packed_moment(studio, run, last, options.frame, {});
    if (!bytes) say("warning: the picture cannot be opened again: " + bytes.error().message());
    if (bytes) moment = std::move(*bytes);
  }
  return write_png(*image, options.frame, moment);
}

/// Simulates and draws up to the end, and finishes the files. `failed` tells whether a health check ended the
/// simulation.
Result<void> record(RenderTarget& studio, api::Run& run, const RenderOptions& options, double end_s, Snapshot& last,
                    bool& failed) {
  embed(studio, run, options, last, VideoWriter::MomentPart::start);
  Result<void> outcome;
  {
    const int frames_per_s = options.video.empty() ? 0 : static_cast<int>(options.fps);
    SnapshotSource source(run, end_s, frames_per_s, say_warnings);
    outcome = film(studio, source, options, end_s, last);
    source.stop();
    failed = source.failed();
  }
  const auto finished = finish_video(studio, run, options, last);
  if (!outcome) return outcome;
  if (!finished) return finished;
  return write_last_picture(studio, run, options, last);
}

/// Requests the data that the view shows.
void subscribe_to(api::Run& run, const ViewParams& view) {
  SnapshotRequest wanted{.vectors = {view.vector_of}, .rules = view.forces, .air = view};
  if (!view.color_by.empty() && view.color_by != "material") wanted.channels.push_back(view.color_by);
  run.subscribe(std::move(wanted));
}

/// Returns the folder of the pictures of the video. Call this function only if video_is_folder() is true.
std::string picture_folder(const RenderOptions& options) {
  return std::filesystem::path(options.video).replace_extension().string();
}

bool video_is_folder(const RenderOptions& options) {
  return !options.video.empty() &&
         (std::filesystem::path(options.video).extension().empty() || video_backend() == "PNG sequence");
}

Result<void> check_render_files(const RenderOptions& options) {
  const auto inputs = files_read(options.scene);
  const bool is_folder = video_is_folder(options);  // the folder may exist already
  if (auto good = check_outputs({options.frame, is_folder ? "" : options.video}, inputs); !good) return good;
  if (auto good = check_picture_name(options.frame); !good) return good;
  return is_folder ? check_picture_folder(picture_folder(options), options.frame, inputs) : Result<void>{};
}

void print_render_summary(const RenderTarget& studio, const RenderOptions& options, const Snapshot& last) {
  if (studio.video != nullptr)
    fmt::print("{}: {} frames, {} per second, {}x{}\n", options.video, studio.video->frames(), options.fps,
               options.size.width, options.size.height);
  if (const FilmReport* film = studio.painter->film_report(); film != nullptr && film->samples > 0)
    fmt::print("film: {:.4g} samples per pixel, noise {:.2g}, {:.1f} s (scene {:.1f} s, denoiser {:.1f} s)\n",
               film->mean_samples, film->noise, film->scene_s + film->trace_s + film->denoise_s, film->scene_s,
               film->denoise_s);
  if (!options.frame.empty())
    fmt::print("{}: {}x{} at {:g} s\n", options.frame, options.size.width, options.size.height, last.time_s);
}

int render(RenderOptions& options) {
  if (auto good = check_render_files(options); !good) return report_error(good.error());
  use_threads(options.threads);
  add_shorthands(options);
  auto started = start_scene(options.scene);
  if (!started) return report_error(started.error(), options.scene.scene);
  api::Run& run = started->run;
  // Without --video and an end, the picture of a moment shows the moment itself.
  const bool stays = started->is_moment && options.video.empty() && options.end.until_s < 0 && options.end.steps < 0;
  const double end_s = stays ? run.time_s() : end_time(options.end, run.time_s(), run.dt_s());
  subscribe_to(run, scene_view(started->scene));
  Snapshot last;
  run.snapshot(last);
  if (!options.video.empty() && FrameClock(static_cast<int>(options.fps), last.time_s).count_until(end_s) == 0)
    return report_error(
        wrong_file(
            options.video,
            fmt::format("the video would have no picture: the run ends at {:g} s, before the first picture", end_s))
            .value());
  auto studio = open_studio(options, started->scene, last);
  if (!studio) return report_error(studio.error());

  catch_interrupts();
  say_notes(run.notes());
  bool failed = false;
  if (auto outcome = record(*studio, run, options, end_s, last, failed); !outcome) return report_error(outcome.error());
  print_render_summary(*studio, options, last);
  if (video_is_folder(options))
    if (const std::string older = older_frames(picture_folder(options), studio->video->frames()); !older.empty())
      say("warning: " + older);
  if (failed) {
    say(run.failure());
    return exit_failed;
  }
  if (interrupted()) say(fmt::format("interrupted at {:g} s; the pictures up to this time were kept", last.time_s));
  return exit_done;
}

/// Declares the options of film quality.
void add_film(CLI::App& command, RenderOptions& options, Option software) {
  FilmSettings& film = options.film_settings;
  const Option on = add_flag(command, "--film", options.film, "Draw in film quality, by path tracing on the processor");
  on.excludes(software);
  add_integer(command, "--film-samples", film.samples, 1, FilmSettings::most_samples,
              "Film quality: samples per pixel (default 64 without another budget)")
      .needs(on);
  add_number(command, "--film-time", film.time_s, {0, 1e6}, "Film quality: seconds for each picture").needs(on);
  add_number(command, "--film-noise", film.noise, {0, 1},
             "Film quality: relative mean square error before the denoiser at which a picture is finished")
      .needs(on);
  add_number(command, "--film-aperture", film.aperture_m, {0, 1e3},
             "Film quality: diameter of the lens [m]; default: everything is in focus")
      .needs(on);
  add_number(command, "--film-focus", film.focus_m, {0, 1e6},
             "Film quality: distance in focus [m]; default: the distance of the camera's target")
      .needs(on);
  add_integer(command, "--film-seed", options.film_seed, 0, 1'000'000'000, "Film quality: seed of the random numbers")
      .needs(on);
  add_flag(command, "--film-raw", options.film_raw, "Film quality: leave out the denoiser").needs(on);
}

}  // namespace

void add_render(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<RenderOptions>();
  CLI::App& command = add_command(program, "render", "Render a scene to a video or a picture without a display");
  add_scene(command, options->scene).required();
  add_moment(command, options->scene);
  add_end(command, options->end);
  add_threads(command, options->threads);
  const Option video =
      add_file(command, "--video", options->video,
               "Write an H.264 video (.mp4), or numbered PNG pictures to a folder (a name without extension)");
  add_integer(command, "--fps", options->fps, 1, 1000, "Frames of the video per simulated second (default 60)")
      .needs(video);
  const Option frame = add_file(command, "--frame", options->frame, "Write a PNG picture of the final state");
  add_size(command, "--size", options->size, "Size of the picture or video in pixels (default 1280x720)");
  add_text(command, "--color-by", options->color_by,
           "Colour elements by \"material\" or by a channel such as \"speed\"");
  add_flag(command, "--vectors", options->vectors, "Draw velocities as arrows");
  const Option software =
      add_flag(command, "--software", options->software,
               "Draw on the processor without OpenGL (default, with a warning, if OpenGL is not available)");
  add_film(command, *options, software);
  add_no_moment(command, options->no_moment);
  when_typed(command, [options, video, frame, &chosen] {
    if (!video.given() && !frame.given()) refuse_usage("render needs --video FILE.mp4, --frame FILE.png or both");
    chosen = [options] { return render(*options); };
  });
}

}  // namespace vw::cli
