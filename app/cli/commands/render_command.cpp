// voxwake render: draws pictures and video without a window, a display or an X server.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/capture/capture.h"
#include "app/capture/picture_preset.h"
#include "app/cli/commands/commands.h"
#include "app/cli/export/exposure.h"
#include "app/cli/export/offscreen_video.h"
#include "app/cli/export/picture_series.h"
#include "app/cli/figure/camera_path.h"
#include "app/cli/figure/figure.h"
#include "app/cli/figure/figure_layout.h"
#include "app/cli/opened_scene.h"
#include "app/cli/options.h"
#include "app/cli/output_path.h"
#include "app/cli/progress.h"
#include "app/cli/warnings.h"
#include "render/follow.h"
#include "render/framing.h"
#include "render/labels/legend_picture.h"
#include "render/offscreen_painter.h"
#include "render/scene/light/background.h"
#include "sim/api/moment.h"
#include "sim/base/files/file.h"
#include "sim/base/system/interrupt.h"
#include "sim/base/text.h"

namespace vw::cli {
namespace {

struct RenderOptions {
  SceneOptions scene;
  EndOptions end;
  std::int64_t threads = 0, fps = 60;
  Size size;
  std::string video, frame, color_by;
  bool vectors = false, software = false, no_moment = false, transparent = false;
  FigureOptions figure;
  std::string preset, camera_path;
  double turntable_s = 0;
  bool sets_size = false;  ///< whether --size was given
  bool film = false, film_raw = false;
  FilmSettings film_settings;
  std::int64_t film_seed = 0;
  double shutter_s = 0;      ///< time for which the shutter is open [s]
  std::int64_t moments = 8;  ///< number of states of the run that are averaged in an exposure
  bool continues = false;    ///< whether pictures that exist already are kept
};

/// Painter, view, cameras and video output of one call of `voxwake render`.
struct RenderTarget {
  std::unique_ptr<OffscreenPainter> painter;
  Node scene;
  ViewParams view;
  Camera camera;
  Size size;
  Size frame_size;  ///< size of the picture of --frame, which a figure with several parts exceeds
  std::unique_ptr<VideoWriter> video;
  api::VideoFrames shown;  ///< times and cameras of the video's frames
  Follower follower;
  AutoCamera auto_camera;      ///< active if the view has an automatic camera
  double camera_s = 0;         ///< simulated time up to which the camera has moved [s]
  CameraMotion motion;         ///< motion of the camera in the video
  std::string title, caption;  ///< texts over the video
  TextFont font;
  Camera shot;  ///< camera of the last picture
  double shutter_s = 0;
  int moments = 1;
  /// Existing pictures (of an interrupted run) that were written at this time or later are not drawn again. If there is
  /// no value, all pictures are drawn.
  std::optional<std::filesystem::file_time_type> kept_since;
  std::size_t kept_pictures = 0;
  RecentStates recent;

  /// Draws the moment or, if there is a shutter time, the exposure that ends at the moment.
  [[nodiscard]] Result<Image> expose(const Moment& moment, const Camera& from, const ViewParams& with) {
    if (shutter_s <= 0)
      return painter->draw({&moment.previous, &moment.newest, moment.blend}, from, with, size.width, size.height);
    const double time_s = std::lerp(moment.previous.time_s, moment.newest.time_s, static_cast<double>(moment.blend));
    return painter->draw_exposure(recent.frames(time_s, moments), from, with, size.width, size.height);
  }
  /// Moves the camera with the object that it follows, up to the time of the moment.
  void move_camera(const Moment& moment) {
    follower.move(camera, {&moment.previous, &moment.newest, moment.blend}, view.follow);
    const double time_s = std::lerp(moment.previous.time_s, moment.newest.time_s, static_cast<double>(moment.blend));
    auto_camera.move(camera, moment.newest, static_cast<float>(size.width) / static_cast<float>(size.height),
                     static_cast<float>(time_s - std::exchange(camera_s, time_s)));
  }
  /// Points an automatic camera at the contents of the scene, as for a still picture. For a video, the call has no
  /// effect, because there the camera moves continuously.
  void frame_still(const Snapshot& shown_state) {
    if (video != nullptr || !auto_camera.holds(camera)) return;
    const Snapshot* const only[] = {&shown_state};
    vw::frame_still(camera, only, static_cast<float>(size.width) / static_cast<float>(size.height));
    auto_camera.end();
  }
  [[nodiscard]] Result<Image> draw(const Moment& moment) {
    move_camera(moment);
    shot = camera;
    return expose(moment, camera, view);
  }
  /// Moves the camera to its pose for the next picture of the video.
  void aim_for_video(const Moment& moment) {
    move_camera(moment);
    shot = motion.at(static_cast<double>(video->frames()) * shown.frame_s, camera);
  }
  /// Draws the next picture of the video, after aim_for_video().
  [[nodiscard]] Result<Image> draw_video_frame(const Moment& moment) {
    ViewParams opaque = view;  // videos have no alpha channel
    if (std::exchange(opaque.transparent, false)) opaque.matte = Matte::white;
    auto image = expose(moment, shot, opaque);
    if (!image || (title.empty() && caption.empty())) return image;
    const double before_s = moment.previous.time_s;
    const double time_s = before_s + static_cast<double>(moment.blend) * (moment.newest.time_s - before_s);
    const LegendStyle style = legend_style(view);
    paint(video_text(title, with_time(caption, time_s), {size.width, size.height}, font, style.size, style.light), font,
          *image);
    return image;
  }
  /// Records a moment without drawing it, so that later pictures show complete trails and the camera stays with the
  /// object that it follows.
  void pass_by(const Moment& moment) {
    move_camera(moment);
    painter->note(moment.newest, view);
  }
};

/// Converts --preset, --vectors, --color-by and --transparent to assignments like those of --set.
void add_shorthands(RenderOptions& options) {
  if (options.vectors) options.scene.sets.emplace_back("view.vectors=true");
  if (!options.color_by.empty()) options.scene.sets.push_back("view.color_by=" + options.color_by);
  if (options.transparent) options.scene.sets.emplace_back("view.transparent=true");
  // The values of the preset come first, so that --set can change them.
  for (const PicturePreset& preset : picture_presets()) {
    if (options.preset != preset.name) continue;
    std::vector<std::string> sets;
    for (const auto& [key, value] : preset.values) sets.push_back("view." + key + "=" + to_text(value));
    options.scene.sets.insert(options.scene.sets.begin(), sets.begin(), sets.end());
    if (!options.sets_size && preset.width > 0) options.size = {preset.width, preset.height};
  }
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

/// Creates the painter that the options select.
Result<std::unique_ptr<OffscreenPainter>> create_painter(const RenderOptions& options) {
  if (!options.film) return create_painter(options.software);
  FilmSettings settings = options.film_settings;
  settings.denoise = !options.film_raw;
  settings.seed = static_cast<std::uint64_t>(options.film_seed);
  settings.keep_going = [](double) { return !interrupted(); };
  return OffscreenPainter::create_film(std::move(settings));
}

/// Returns the moment, as bytes, that is stored in a picture of `shown`. For a video, `shown` is the last snapshot.
Result<std::string> packed_moment(const RenderTarget& studio, api::Run& run, const Snapshot& shown,
                                  const std::string& file, std::optional<api::VideoFrames> video) {
  const Node scene = with_camera(studio.scene, video ? studio.shot : studio.camera);
  api::SavedMoment moment = video ? api::moment_of(shown, scene, std::move(*video)) : api::moment_of(shown, scene);
  api::add_session(moment, run.journal(), run.start());
  return api::pack_moment(std::move(moment), file);
}

Result<RenderTarget> open_studio(const RenderOptions& options, const Node& scene, const Snapshot& first) {
  RenderTarget studio;
  studio.scene = scene;
  studio.view = scene_view(scene);
  studio.size = options.size;
  studio.frame_size = options.size;
  auto painter = create_painter(options);
  if (!painter) return Unexpected(painter.error());
  studio.painter = std::move(*painter);
  studio.camera =
      view_camera(studio.view, first, static_cast<float>(studio.size.width) / static_cast<float>(studio.size.height));
  studio.camera_s = first.time_s;
  if (studio.view.auto_frame && studio.view.auto_follow && studio.view.follow.empty())
    studio.auto_camera.begin(studio.camera);
  studio.shot = studio.camera;
  studio.shutter_s = options.shutter_s;
  studio.moments = static_cast<int>(options.moments);
  studio.recent = RecentStates(options.shutter_s);
  studio.recent.add(first);
  if (options.video.empty()) return studio;
  studio.motion.turn_s = options.turntable_s;
  studio.title = options.figure.title;
  studio.caption = options.figure.caption;
  if (!options.camera_path.empty()) {
    auto path = CameraPath::open(options.camera_path);
    if (!path) return Unexpected(path.error());
    studio.motion.path = std::move(*path);
  }
  if (!options.figure.font.empty()) {
    auto font = TextFont::find(options.figure.font);
    if (!font) return Unexpected(font.error());
    studio.font = std::move(*font);
  }
  auto video =
      VideoWriter::open(options.video, {options.size.width, options.size.height, static_cast<int>(options.fps)});
  if (!video) return Unexpected(video.error());
  studio.video = std::move(*video);
  studio.shown.fps = static_cast<double>(options.fps);
  studio.shown.frame_s = 1 / studio.shown.fps;
  return studio;
}

/// Draws the pictures of the video, if there is one, until the states from `source` end. `last` is the first state of
/// the run and, on return, the last one.
Result<void> film(RenderTarget& studio, SnapshotSource& source, const RenderOptions& options, double end_s,
                  Snapshot& last) {
  Progress progress(last.time_s, end_s);
  const auto add = [&](const Moment& moment) -> Result<void> {
    if (studio.video == nullptr) {
      studio.pass_by(moment);
      return {};
    }
    studio.aim_for_video(moment);
    studio.shown.add(moment.newest, scene_point(studio.shot.eye), scene_point(studio.shot.target));
    if (studio.kept_since && studio.video->keep_next(*studio.kept_since)) {
      studio.painter->note(moment.newest, studio.view);
      ++studio.kept_pictures;
      return {};
    }
    auto image = studio.draw_video_frame(moment);
    if (!image) return Unexpected(image.error());
    return studio.video->add(std::move(*image));
  };
  const auto keep_going = [&](double time_s) {
    progress.show(time_s);
    return !interrupted();
  };
  const auto each_state = [&](const Snapshot& state) { studio.recent.add(state); };
  auto played = play(source, static_cast<int>(options.fps), end_s, add, keep_going, last, each_state);
  // If the run has no duration, the camera moves around its only state.
  const bool is_still = played && studio.video != nullptr && studio.video->frames() == 0 && studio.motion.moves();
  const auto count =
      is_still ? static_cast<std::size_t>(std::ceil(studio.motion.duration_s() * studio.shown.fps - 1e-6)) : 0;
  for (std::size_t i = 0; i < std::max<std::size_t>(count, is_still ? 1 : 0) && played && !interrupted(); ++i)
    played = add({last, last, 1.0F});
  return played;
}

/// Returns whether the video can store a moment. GIF and WebM files cannot.
bool stores_moment(const std::string& video) {
  const std::string ending = lowercase(std::filesystem::path(video).extension().string());
  return ending != ".gif" && ending != ".webm";
}

/// Stores the moment in the video. If that is not possible, prints a warning.
void embed(RenderTarget& studio, api::Run& run, const RenderOptions& options, const Snapshot& shown,
           VideoWriter::MomentPart part) {
  if (studio.video == nullptr || options.no_moment || !stores_moment(options.video)) return;
  studio.shown.is_complete = part == VideoWriter::MomentPart::whole;
  auto bytes = packed_moment(studio, run, shown, options.video, studio.shown);
  if (!bytes) return say("warning: the video holds no session, so Voxwake cannot open it: " + bytes.error().message());
  studio.video->set_moment(std::move(*bytes), part);
}

Result<void> finish_video(RenderTarget& studio, api::Run& run, const RenderOptions& options, const Snapshot& last) {
  if (studio.video == nullptr) return {};
  if (studio.shown.points.count() > 0) embed(studio, run, options, last, VideoWriter::MomentPart::whole);
  return studio.video->finish();
}

/// Returns the setup of the figure that --frame writes.
FigureSetup figure_setup(RenderTarget& studio, api::Run& run, const RenderOptions& options, double end_s) {
  const auto moment = [&](const Snapshot& last) {
    if (options.no_moment) return std::string();
    auto bytes = packed_moment(studio, run, last, options.frame, {});
    if (!bytes) say("warning: the picture holds no session, so Voxwake cannot open it: " + bytes.error().message());
    return bytes ? std::move(*bytes) : std::string();
  };
  return {*studio.painter, run, studio.view, studio.camera, options.size, options.frame, end_s, moment};
}

/// Prints a line about the last picture in film quality, if the painter has drawn one.
void print_film_report(const OffscreenPainter& painter) {
  if (const FilmReport* film = painter.film_report(); film != nullptr && film->samples > 0)
    fmt::print("film: {:.4g} samples per pixel, noise {:.2g}, {:.1f} s (scene {:.1f} s, denoiser {:.1f} s)\n",
               film->mean_samples, film->noise, film->scene_s + film->trace_s + film->denoise_s, film->scene_s,
               film->denoise_s);
}

/// Writes a figure without a video and returns the exit code.
int render_figure(RenderTarget& studio, api::Run& run, const RenderOptions& options, double end_s) {
  const auto figure = write_figure(figure_setup(studio, run, options, end_s), options.figure);
  if (!figure) return report_error(figure.error());
  print_film_report(*studio.painter);
  fmt::print("{}: {} panel{}, {}x{}, up to {:g} s\n", options.frame, figure->panels, figure->panels == 1 ? "" : "s",
             figure->width, figure->height, figure->time_s);
  if (figure->failed) {
    say(run.failure());
    return exit_failed;
  }
  if (interrupted())
    say(fmt::format("interrupted at {:g} s; the figure contains the moments up to this time", run.time_s()));
  return exit_done;
}

Result<void> write_last_picture(RenderTarget& studio, api::Run& run, const RenderOptions& options,
                                const Snapshot& last) {
  if (options.frame.empty()) return {};
  if (makes_figure(options.figure, options.frame)) {
    const auto figure = write_figure(figure_setup(studio, run, options, last.time_s), options.figure);
    if (!figure) return Unexpected(figure.error());
    studio.frame_size = {figure->width, figure->height};
    return {};
  }
  studio.frame_still(last);
  const auto image = studio.draw({last, last, 1.0F});
  if (!image) return Unexpected(image.error());
  std::string moment;
  if (!options.no_moment) {
    auto bytes = packed_moment(studio, run, last, options.frame, {});
    if (!bytes) say("warning: the picture holds no session, so Voxwake cannot open it: " + bytes.error().message());
    if (bytes) moment = std::move(*bytes);
  }
  const bool is_transparent = studio.view.transparent;
  return write_png(*image, options.frame, moment, is_transparent ? AlphaChannel::kept : AlphaChannel::dropped);
}

/// Simulates and draws up to the end, and finishes the files. Sets `failed` to whether a health check ended the
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

/// Returns the folder of the pictures of the video. Call this function only if video_is_folder() is true.
std::string picture_folder(const RenderOptions& options) {
  return std::filesystem::path(options.video).replace_extension().string();
}

bool video_is_folder(const RenderOptions& options) {
  const std::string ending = lowercase(std::filesystem::path(options.video).extension().string());
  return !options.video.empty() && (ending.empty() || (ending == ".mp4" && video_backend() == "PNG sequence"));
}

Result<void> check_render_files(const RenderOptions& options) {
  auto inputs = files_read(options.scene);
  if (!options.camera_path.empty()) inputs.push_back(options.camera_path);
  const bool is_folder = video_is_folder(options);  // the folder may exist already
  if (auto good = check_outputs({options.frame, is_folder ? "" : options.video}, inputs); !good) return good;
  if (!is_document_name(options.frame) && !check_picture_name(options.frame))
    return check_ending(options.frame, {".png", ".svg", ".pdf"}, "a picture");
  return is_folder ? check_picture_folder(picture_folder(options), options.frame, inputs) : Result<void>{};
}

/// Returns a text that contains everything on which the pictures of a video depend. The option --continue keeps
/// existing pictures only if this text is unchanged.
Result<std::string> series_description(const RenderTarget& studio, api::Run& run, const Snapshot& first,
                                       const RenderOptions& options, double end_s) {
  // The moment contains the build, the scene with its view and files, and the commands so far.
  api::SavedMoment moment = api::moment_of(first, with_camera(studio.scene, studio.camera));
  api::add_session(moment, run.journal(), run.start());
  auto start = api::pack_moment(std::move(moment), options.video, api::largest_moment_text);
  if (!start) return start;
  const FilmSettings& film = options.film_settings;
  std::string text = fmt::format("{}\n{} {} {}x{} {} {} {} {} {}\n", *start, end_s, options.fps, options.size.width,
                                 options.size.height, studio.painter->uses_opengl(), options.turntable_s, studio.title,
                                 studio.caption, options.figure.font);
  if (options.film)
    text += fmt::format("film {} {} {} {} {} {} {} {} {}\n", film.samples, film.time_s, film.noise, film.aperture_m,
                        film.focus_m, options.film_seed, options.film_raw, options.shutter_s, options.moments);
  if (!options.camera_path.empty()) {
    constexpr std::uint64_t longest = 16 << 20;
    text += read_file(options.camera_path, longest).value_or("");
  }
  return text;
}

void print_render_summary(const RenderTarget& studio, const RenderOptions& options, const Snapshot& last) {
  if (studio.video != nullptr)
    fmt::print("{}: {} frames{}, {} per second, {}x{}\n", options.video, studio.video->frames(),
               studio.kept_pictures == 0 ? "" : fmt::format(" ({} kept)", studio.kept_pictures), options.fps,
               options.size.width, options.size.height);
  print_film_report(*studio.painter);
  if (!options.frame.empty())
    fmt::print("{}: {}x{} at {:g} s\n", options.frame, studio.frame_size.width, studio.frame_size.height, last.time_s);
}

int render(RenderOptions& options) {
  if (auto good = check_render_files(options); !good) return report_error(good.error());
  use_threads(options.threads);
  add_shorthands(options);
  auto started = start_scene(options.scene);
  if (!started) return report_error(started.error(), options.scene.scene);
  api::Run& run = started->run;
  // If SCENE is a saved moment and neither --video nor an end is given, the picture shows this moment without further
  // steps.
  const bool stays = started->is_moment && options.figure.contact_sheet == 0 && options.video.empty() &&
                     options.end.until_s < 0 && options.end.steps < 0;
  const double end_s = stays ? run.time_s() : end_time(options.end, run.time_s(), run.dt_s());
  run.subscribe(request_for(scene_view(started->scene)));
  Snapshot last;
  run.snapshot(last);
  if (!options.video.empty() && options.turntable_s <= 0 && options.camera_path.empty() &&
      FrameClock(static_cast<int>(options.fps), last.time_s).count_until(end_s) == 0)
    return report_error(
        wrong_file(
            options.video,
            fmt::format("the video would have no picture: the run ends at {:g} s, before the first picture", end_s))
            .value());
  auto studio = open_studio(options, started->scene, last);
  if (!studio) return report_error(studio.error());
  if (options.film && std::exchange(studio->view.transparent, false))
    say("warning: view.transparent has no effect: pictures in film quality have a background");

  if (video_is_folder(options)) {
    const auto description = series_description(*studio, run, last, options, end_s);
    if (!description) return report_error(description.error());
    const auto begun = begin_series(picture_folder(options), *description, options.continues);
    if (!begun) return report_error(begun.error());
    if (options.continues) studio->kept_since = *begun;
  }

  catch_interrupts();
  say_notes(run.notes());
  if (options.video.empty() && makes_figure(options.figure, options.frame))
    return render_figure(*studio, run, options, end_s);
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

/// Declares the options of film quality. `software` and `transparent`: options that cannot be used with them.
void add_film(CLI::App& command, RenderOptions& options, Option software, Option transparent) {
  FilmSettings& film = options.film_settings;
  const Option on = add_flag(command, "--film", options.film, "Draw in film quality, by path tracing on the processor");
  on.excludes(software);
  on.excludes(transparent);
  add_integer(command, "--film-samples", film.samples, 1, FilmSettings::most_samples,
              "Film quality: samples per pixel (default 64 if neither --film-time nor --film-noise is given)")
      .needs(on);
  add_number(command, "--film-time", film.time_s, {0, 1e6}, "Film quality: wall time for each picture [s]").needs(on);
  add_number(command, "--film-noise", film.noise, {0, 1},
             "Film quality: relative mean square error before the denoiser at which a picture is finished")
      .needs(on);
  const Option aperture = add_number(command, "--film-aperture", film.aperture_m, {0, 1e3},
                                     "Film quality: diameter of the lens [m]; default: everything is in focus");
  aperture.needs(on);
  add_number(command, "--film-focus", film.focus_m, {0, 1e6},
             "Film quality: distance in focus [m]; default: the distance of the camera's target")
      .needs(aperture);
  add_integer(command, "--film-seed", options.film_seed, 0, 1'000'000'000, "Film quality: seed of the random numbers")
      .needs(on);
  add_flag(command, "--film-raw", options.film_raw, "Film quality: leave out the denoiser").needs(on);
  const Option shutter = add_number(command, "--film-shutter", options.shutter_s, {0, 1e3},
                                    "Film quality: time for which the shutter is open [s], which blurs motion");
  shutter.needs(on);
  add_integer(command, "--film-moments", options.moments, 2, 1000,
              "Film quality: number of moments that an exposure consists of (default 8)")
      .needs(shutter);
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
               "Write a video (.mp4, .webm or .gif), or numbered PNG pictures to a folder (a name without extension)");
  const Option fps = add_integer(command, "--fps", options->fps, 1, 1000,
                                 "Frames of the video per simulated second (default 60, or 25 for .gif)")
                         .needs(video);
  const Option frame =
      add_file(command, "--frame", options->frame,
               "Write a picture of the final state (.png), or a figure as vector graphics (.svg, .pdf)");
  const Option size =
      add_size(command, "--size", options->size, "Size of the picture, panel or video in pixels (default 1280x720)");
  add_figure_options(command, options->figure);
  std::vector<std::string> presets;
  for (const PicturePreset& preset : picture_presets()) presets.emplace_back(preset.name);
  add_choice(command, "--preset", options->preset, presets,
             "Settings for print: paper (white), talk (dark) or poster (white, 7680x4320)");
  const Option transparent =
      add_flag(command, "--transparent", options->transparent, "Draw the picture or figure without a background");
  const Option turntable = add_number(command, "--turntable", options->turntable_s, {.max = 1e6},
                                      "Turn the camera of the video once around its target in this time in seconds");
  turntable.needs(video);
  add_file(command, "--camera-path", options->camera_path,
           "Move the camera of the video through the keys of this file (.toml)")
      .needs(video)
      .excludes(turntable);
  add_text(command, "--color-by", options->color_by,
           "Colour elements by \"material\" or by a channel such as \"speed\"");
  add_flag(command, "--vectors", options->vectors, "Draw velocities as arrows");
  const Option software =
      add_flag(command, "--software", options->software,
               "Draw on the processor without OpenGL (default, with a warning, if OpenGL is not available)");
  add_film(command, *options, software, transparent);
  add_flag(command, "--continue", options->continues,
           "Keep the numbered pictures that the same command has written before it was interrupted")
      .needs(video);
  add_no_moment(command, options->no_moment);
  when_typed(command, [options, video, frame, fps, size, &chosen] {
    if (!video.given() && !frame.given()) refuse_usage("render requires --video FILE.mp4, --frame FILE.png or both");
    options->sets_size = size.given();
    if (!fps.given() && lowercase(std::filesystem::path(options->video).extension().string()) == ".gif")
      options->fps = 25;
    if (options->continues && !video_is_folder(*options))
      refuse_usage("--continue requires --video FOLDER, a folder of numbered pictures");
    const FigureOptions& figure = options->figure;
    const bool has_panels =
        !figure.strip_s.empty() || figure.contact_sheet > 0 || !figure.views.empty() || !figure.plots.empty();
    if (has_panels && (video.given() || !frame.given()))
      refuse_usage("--strip, --contact-sheet, --views and --plots require --frame FILE, without --video");
    if ((figure.scale_bar || figure.axes) && !frame.given())
      refuse_usage("--scale-bar and --axes require --frame FILE: a video has neither");
    const FigureOptions usual;
    const bool has_page = figure.columns != usual.columns || figure.width_mm != usual.width_mm ||
                          figure.font_size_pt != usual.font_size_pt;
    if (has_page && !makes_figure(figure, options->frame))
      refuse_usage(
          "--columns, --width and --font-size require a figure: --frame FILE.svg or FILE.pdf, or a picture with "
          "panels, texts, a scale bar or axes");
    if (options->shutter_s > 0 && frame.given() && makes_figure(figure, options->frame))
      refuse_usage("--film-shutter requires a video, or a picture without panels, captions and vector graphics");
    if (!figure.strip_s.empty() && (options->end.until_s >= 0 || options->end.steps >= 0))
      refuse_usage("--strip names the moments, so it cannot be used with --until or --steps");
    chosen = [options] { return render(*options); };
  });
}

}  // namespace vw::cli
