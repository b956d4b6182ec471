#include "app/window/ui/app.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/capture/embedded_moment.h"
#include "app/window/document/file_listing.h"
#include "app/window/document/save_target.h"
#include "app/window/document/scene_groups.h"
#include "app/window/document/world_display.h"
#include "app/window/results/thumbnails.h"
#include "app/window/ui/node_selection.h"
#include "app/window/ui/scene_changes.h"
#include "app/window/ui/voxel_editor/voxel_editor.h"
#include "render/vectors/vectors.h"
#include "sim/api/analysis/rule_matrix.h"
#include "sim/base/files/file.h"
#include "sim/base/generation_progress.h"
#include "sim/base/system/folders.h"
#include "sim/scene/scene.h"
#include "sim/scene/scene_files.h"

namespace vw::ui {
namespace {

void place_camera(App& app) {
  const ViewParams view = app.session.view();
  app.view.viewport.camera.eye = {view.eye.x(), view.eye.y(), view.eye.z()};
  app.view.viewport.camera.target = {view.target.x(), view.target.y(), view.target.z()};
  app.view.viewport.camera.fov_deg = static_cast<float>(view.fov_deg);
  app.view.viewport.camera.is_orthographic = view.orthographic;
  app.view.viewport.frame_wanted = view.auto_frame;
  app.view.viewport.end_auto_camera();  // that of the previous scene may have been at the same place
}

/// Destroys the simulation in the background, and then its recording. Joining the thread of the simulation waits for
/// the current step, which may take long.
void retire_run(App& app) {
  if (app.session.run == nullptr) return;
  struct Old {
    std::unique_ptr<OwnFile> recording;
    std::unique_ptr<api::LiveRun> run;  // destroyed first
  };
  auto old = std::make_shared<Old>(Old{std::move(app.session.recording), std::move(app.session.run)});
  app.background.run([old]() mutable { old->run.reset(); });
}

/// Whether the newest request of the loader opens the copy that is being restored. Another scene may have been
/// requested since then.
bool is_restoring(const App& app) {
  const std::optional<LeftCopy>& copy = app.ui.recovery.restored;
  return copy && app.session.loader.path() == (copy->session ? copy->file : copy->facts.path);
}

}  // namespace

void put_world(App& app, api::Run run, WorldOrigin origin, std::shared_ptr<RestoredHistory> history) {
  stop_recording(app);
  finish_export(app);
  end_comparison(app);
  retire_run(app);
  HistoryLimits limits;
  limits.spill_folder = cache_folder();
  app.session.recording = OwnFile::choose(autosave_folder(), recording_extension);
  if (app.session.recording != nullptr) limits.recording = app.session.recording->path();
  const Node& root = app.session.document->root();
  // The world of a session goes to its first moment later. Its view and plots are assumed to be those of the document.
  app.session.world_scene = history == nullptr ? with_display_of(root, run.scene()) : root;
  constexpr auto paused = api::LiveRun::Start::paused;
  app.session.run = history == nullptr ? std::make_unique<api::LiveRun>(std::move(run), paused, std::move(limits))
                                       : std::make_unique<api::LiveRun>(
                                             api::OpenedSession{{}, std::move(run), {}, {}, std::move(history)}, paused,
                                             std::move(limits));
  app.session.have_snapshot = false;
  app.session.messages.clear();
  app.session.waiting.clear();
  app.session.materials.begin(root);
  app.session.change_outcome = std::make_shared<Session::ChangeOutcome>();  // ignores later errors of the old world
  app.session.history.clear();
  app.session.moment_pictures.clear();
  forget_modes(app);
  app.session.equilibrium = {};
  app.session.spectrum.stop();
  app.view.viewport.forget_scene();
  app.session.run->set_watcher(app.session.plots.begin(root, origin == WorldOrigin::rebuilt));
  subscribe(app);
  // The world starts after the plots' observer is set, so that they measure from the beginning. The gallery pauses it.
  app.session.run->set_paused(!app.session.playing || app.ui.layout.waits_for_gallery);
}

namespace {

void take_over(App& app, LoadedRun opened) {
  app.view.viewport.gizmo.cancel(app);  // a drag must not move a body of the new scene that has the same name
  close_voxel_editor(app);
  stop_recording(app);  // the video stores the view of the old document
  const bool is_session = opened.history != nullptr;
  if (!opened.picture.empty() || is_session) app.session.playing = false;
  app.session.body_moves.clear();
  app.session.removed_bodies.clear();
  app.session.next_changes.clear();
  app.session.wants_source = {};
  app.session.document = std::make_unique<Document>(std::move(opened.scene), opened.path);
  app.autosave.begin(app.times.wall_s, app.background);
  if (opened.has_unsaved_edits) {
    app.session.document->mark_unsaved();
    finish_restoring(app, true);
  }
  app.ui.text_buffers.clear();
  app.ui.typed_values.clear();
  app.ui.checks.clear();
  app.ui.letters.read.document = nullptr;
  select_nodes(app.ui.layout, {"world"});
  app.ui.layout.renaming.reset();
  app.ui.layout.rule_row = Layout::no_row;
  app.ui.layout.compared.reset();
  app.ui.layout.spectrum_of.reset();
  app.ui.timeline = {};
  std::set<std::string> waiting;  // paths of edits in a saved state that still wait for a reset
  for (const SetParameter& edited : opened.run.pending()) waiting.insert(edited.path);
  put_world(app, std::move(opened.run), WorldOrigin::opened, std::move(opened.history));
  if (const std::string other = std::exchange(app.options.compare_with, {}); !other.empty())
    compare_with_file(app, other);
  app.session.waiting = std::move(waiting);
  show_plots(app);
  place_camera(app);
  if (opened.compared) compare_as_in_picture(app, std::move(*opened.compared));
  if (opened.has_unsaved_edits) {
    app.log.info("Restored " + app.session.scene_name() + ". The scene has unsaved edits.", Toast::yes);
  } else if (!opened.picture.empty()) {
    app.log.info(fmt::format("Opened the moment of {} in {:.0f} ms. The simulation is paused.", opened.picture,
                             1e3 * opened.wall_s),
                 Toast::yes);
  } else if (is_session) {
    if (is_restoring(app)) finish_restoring(app, true);
    app.log.info(
        fmt::format("Opened the session in {:.0f} ms. The simulation is paused. The timeline (Shift + T) shows "
                    "its branches.",
                    1e3 * opened.wall_s),
        Toast::yes);
  } else if (opened.is_resumed) {
    app.log.info("Loaded the state. The scene has no file until you save it.", Toast::yes);
  } else if (opened.path.empty()) {
    app.log.info("New scene: " + std::get<std::string>(app.session.document->root().value("title")));
  } else {
    app.ui.recent.add(opened.path);
    app.log.info(fmt::format("Opened {} in {:.0f} ms", opened.path, 1e3 * opened.wall_s));
  }
  if (const std::string text = scene_introduction(app.session.document->root()); !text.empty())
    app.log.info(text, Toast::yes);
  for (const std::string& warning : opened.warnings) app.log.warning(warning);
}

void poll_loader(App& app) {
  const bool is_for_open_scene = app.session.loader.is_for_open_scene();
  auto outcome = app.session.loader.poll();
  if (!outcome) return;
  if (is_for_open_scene) return take_trial(app, std::move(*outcome));
  if (*outcome) return take_over(app, std::move(**outcome));
  app.log.error(outcome->error().message());
  if (is_restoring(app)) finish_restoring(app, false);
  if (app.session.run != nullptr) app.log.info("The previous scene stays open");
  start_next_change(app);
}

/// Reports the simulation's messages one frame late, so that the snapshot of a failed health check arrives before the
/// message about the failure. The banner shows the failure, so its message needs no toast.
void tell_messages(App& app) {
  const std::string failure = app.session.have_snapshot ? app.session.run->newest().health.sentence : std::string();
  for (const std::string& message : app.session.messages)
    app.log.add(Level::error, message, message != failure ? Toast::yes : Toast::no);
  app.session.messages = app.session.run->take_messages();
}

void poll_simulation(App& app) {
  if (app.session.run == nullptr) return;
  poll_change(app);
  if (app.session.run->acquire()) {
    app.session.have_snapshot = true;
    app.session.history.add(app.session.run->newest());
    for (const std::string& warning : app.session.run->take_warnings()) app.log.warning(warning);
    app.view.viewport.follow_selection(app);
  }
  tell_messages(app);
  if (!app.session.have_snapshot) return;
  app.session.plots.update(app.session.run->newest());
  app.session.blend =
      app.session.clock.advance(app.session.run->previous(), app.session.run->newest(), app.times.wall_s);
  const Snapshot& now = app.session.run->newest();
  if (now.health.failed && app.session.playing && now.paused) app.session.playing = false;
}

}  // namespace

void forward(App& app, const std::vector<Assignment>& assignments) {
  bool plots_concerned = false;
  for (const Assignment& assignment : assignments) {
    if (assignment.path.rfind("view.", 0) == 0) {
      const bool asks = assignment.path == "view.color_by" || assignment.path == "view.forces" ||
                        assignment.path.starts_with("view.fluid_") || assignment.path.starts_with("view.air") ||
                        assignment.path.starts_with("view.vector");
      if (asks) subscribe(app);
      if (assignment.path == "view.orthographic")
        app.view.viewport.camera.is_orthographic = app.session.view().orthographic;
      continue;
    }
    plots_concerned = true;
    if (assignment.path.rfind("plot.", 0) == 0) continue;
    const auto ref =
        find_parameter(const_cast<Node&>(app.session.document->root()), assignment.path);  // NOLINT: read only
    if (ref && ref->spec->live == Live::no) app.session.waiting.insert(assignment.path);
    const MaterialEditBuffer::Passed passed = app.session.materials.pass(app.session.document->root(), assignment);
    if (!passed.waits_for.empty())
      app.log.warning(passed.waits_for + "; until this is corrected, the world keeps the old values of the material");
    if (app.session.run == nullptr) continue;
    for (const Assignment& good : passed.assignments) {
      (void)set_parameter(app.session.world_scene, good.path, good.value);
      app.session.run->submit(SetParameter{good.path, good.value});
    }
  }
  if (plots_concerned && !app.session.plots.empty()) plots_changed(app);
  app.times.busy_until_s = app.times.wall_s + 0.5;
}

namespace {

/// Stores the present camera in the document, so that the saved scene opens with it.
void keep_camera_silently(App& app) {
  if (app.view.viewport.has_auto_camera()) return;  // the saved scene keeps its automatic camera
  app.session.document->set_silently("view.eye", Value(to_eigen(app.view.viewport.camera.eye)));
  app.session.document->set_silently("view.target", Value(to_eigen(app.view.viewport.camera.target)));
  app.session.document->set_silently("view.auto_frame", Value(false));
}

}  // namespace

bool is_packaged(App& app, const std::string& path) {
  const auto& scenes = app.ui.browser.packaged();
  std::error_code ignored;
  return std::any_of(scenes.begin(), scenes.end(), [&](const PackagedScene& scene) {
    return std::filesystem::equivalent(scene.path, path, ignored);
  });
}

App::App(const WindowOptions& window_options) : options(window_options) {
  session.playing = !window_options.start_paused;
  view.capture.record.video.quality = 18;
}

App::~App() {
  stop_recording(*this);
  finish_export(*this);
  cancel_film_picture(*this);  // the destructor of `background` waits for its jobs
}

namespace {

template <class Names>
void add_once(Names& names, const std::string& name) {
  if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// Adds the rules whose forces are displayed as arrows, in the Rules panel, or on the card of a selected element.
void add_rules_on_show(const App& app, std::vector<std::string>& rules) {
  for (const std::string& rule : app.session.view().forces) add_once(rules, rule);
  const api::RuleMatrix matrix = api::rule_matrix(app.session.document->root());
  for (std::size_t row = 0; row < matrix.systems.size(); ++row)
    for (std::size_t column = 0; column < matrix.columns(row); ++column) {
      const std::string& selected = app.view.viewport.selection.system;
      const bool is_selected =
          !selected.empty() && (matrix.systems[row].name == selected || matrix.systems[column].name == selected);
      if (app.ui.layout.shown_tab != Layout::Tab::rules && !is_selected) continue;
      for (const std::string& node : matrix.at(row, column).nodes) add_once(rules, node);
    }
}

}  // namespace

SnapshotRequest wanted_by(const App& app) {
  SnapshotRequest wanted = app.session.plots.wanted();
  const ViewParams view = app.session.view();
  if (view.color_by != "material") add_once(wanted.channels, view.color_by);
  if (view.vectors) add_once(wanted.vectors, view.vector_of);
  if (app.session.have_snapshot)
    for (const SystemSnapshot& system : app.session.snapshot()->systems) {
      const bool is_compared = app.ui.layout.compared && app.ui.layout.compared->system == system.name;
      if (system.name != app.view.viewport.selection.system && !is_compared) continue;
      for (const ChannelInfo& channel : system.available) add_once(wanted.channels, channel.name);
      for (const ChannelInfo& vector : system.available_vectors) add_once(wanted.vectors, vector.name);
    }
  // The row of a body's mass parameter needs this channel: if the parameter is 0, the row shows the mass that follows
  // from the density.
  if (app.ui.layout.selected_path.find(".body.") != std::string::npos) add_once(wanted.channels, "mass");
  if (exports_frames(app) && app.session.have_snapshot) {
    const SnapshotRequest exported = SeriesExport::wanted(*app.session.snapshot());
    for (const std::string& name : exported.channels) add_once(wanted.channels, name);
    for (const std::string& name : exported.vectors) add_once(wanted.vectors, name);
  }
  add_rules_on_show(app, wanted.rules);
  wanted.air = view;
  wanted.fluids = view;
  return wanted;
}

void subscribe(App& app) {
  if (app.session.run == nullptr || app.session.document == nullptr) return;
  const SnapshotRequest wanted = wanted_by(app);
  app.session.run->subscribe(wanted);
  if (app.session.comparison.is_active()) app.session.comparison.subscribe(wanted);
}

void update(App& app) {
  poll_loader(app);
  close_applied_editor(app);
  poll_simulation(app);
  update_time(app);
  update_comparison(app);
  update_export(app);
  update_modes(app);
  update_equilibrium(app);
  app.session.spectrum.poll();
  update_autosave(app);
  update_camera_move(app);
  update_tour(app);
  update_checks(app);
  update_letters(app);
  if (!generations_running().empty()) app.times.busy_until_s = app.times.wall_s + 0.3;  // animate the progress bar
}

void request(App& app, const Pending& pending) {
  if (pending.kind != Pending::Kind::restore) app.ui.recovery.restored.reset();  // the file of the copy stays
  app.ui.pending = pending;
  const bool has_cells = has_unapplied_cells(app);
  const bool is_changing = app.session.loader.is_for_open_scene();  // the document does not contain the change yet
  if (app.session.document == nullptr || (!has_cells && !is_changing && !app.session.document->modified()))
    resume_pending(app);
  app.times.busy_until_s = app.times.wall_s + 0.5;
}

void request_open(App& app, const std::string& path) { request(app, {Pending::Kind::open, path}); }
void request_new(App& app, const std::string& path) { request(app, {Pending::Kind::create, path}); }

void open_dropped(App& app, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    if (has_state_extension(path))
      request_load_state(app, path);
    else if (has_scene_extension(path) || is_picture_name(path) || has_session_extension(path))
      request_open(app, path);
    else if (has_mesh_extension(path) && app.session.document != nullptr)
      ask_about_mesh(app, path);
    else if (has_mesh_extension(path))
      app.log.error(path + ": a mesh can be added only to an open scene; open or create a scene first");
    else
      app.log.error(fmt::format("{}: cannot be opened: its name must end in one of {} {} .vwj .png .mp4", path,
                                fmt::join(scene_extensions(), " "), fmt::join(state_extensions(), " ")));
  }
}

void request_quit(App& app) { request(app, {Pending::Kind::quit, {}}); }

void resume_pending(App& app) {
  const Pending pending = std::exchange(app.ui.pending, {});
  if (pending.kind == Pending::Kind::quit) {
    app.ui.quit = true;
    end_autosave(app);
  }
  if (pending.kind == Pending::Kind::restore) restore(app);
  if (pending.kind == Pending::Kind::open) open(app, pending.path);
  if (pending.kind == Pending::Kind::load_state) app.session.loader.start({.path = pending.path, .is_state = true});
  if (pending.kind == Pending::Kind::create) app.session.loader.start({.path = pending.path, .is_template = true});
}

void open(App& app, const std::string& path) {
  const bool is_first = app.session.document == nullptr;
  // The base file of the command line applies only to the scene of the command line. Any other .vxd file uses the base
  // in its own folder.
  const bool has_base = is_first || is_same_file(path, app.options.scene);
  app.session.loader.start({.path = path,
                            .sets = is_first ? app.options.sets : std::vector<std::string>(),
                            .strict = app.options.strict,
                            .base = has_base ? app.options.base : std::string(),
                            .at_s = is_first ? app.options.at_s : std::nullopt,
                            .branch = is_first ? app.options.branch : std::string()});
}

void save(App& app) {
  if (app.session.document == nullptr) return;
  const std::string& path = app.session.document->path();
  // A design file of another program is not overwritten. The design is saved as a scene under a new name.
  if (std::filesystem::path(path).extension() != ".toml" || is_packaged(app, path)) return ask_where_to_save(app);
  save_as(app, path);
}

void ask_where_to_save(App& app) {
  if (app.session.document == nullptr) return;
  const std::string& own = app.session.document->path();
  const auto path = std::filesystem::path(own.empty() ? "untitled" : own).replace_extension(".toml");
  app.ui.browser.open_for_saving(is_packaged(app, app.session.document->path()) ? path.filename().string()
                                                                                : path.string());
}

void save_as(App& app, const std::string& path) {
  if (app.session.document == nullptr) return;
  if (const auto good = check_materials_of(app.session.document->root()); !good)
    return app.log.error(good.error().message() +
                         "; the scene was not saved, because a file with this error cannot be opened");
  if (auto good = check_save_target(*app.session.document, path); !good) return app.log.error(good.error().message());
  if (is_packaged(app, path))
    return app.log.error(path + ": is a packaged scene, which is never overwritten: choose another name");
  keep_camera_silently(app);
  const Node scene = fitted_for_file(app, app.session.document->root());
  if (auto saved = save_scene(scene, path); !saved) return app.log.error(saved.error().message());
  if (!same_node(scene, app.session.document->root()))
    app.log.warning(path + " does not contain the curves and view settings that refer to objects of other moments");
  const bool is_earlier =
      app.session.document->is_adopted() && app.session.have_snapshot && app.session.run->newest().place.is_past;
  app.session.document->mark_saved(path);
  app.ui.recent.add(path);
  if (is_earlier)
    app.log.warning("Saved " + path +
                    " as the scene was at this moment, without later edits. To save these too, go to "
                    "the end of the timeline and save again");
  else if (const auto good = api::check_scene_names(scene); !good)
    app.log.warning("Saved " + path + ", but the file cannot be opened: " + good.error().message());
  else
    app.log.info("Saved " + path, Toast::yes);
  resume_pending(app);
}

Result<std::string> keep_unsaved(App& app) {
  if (app.session.document == nullptr) return std::string();
  if (!app.session.document->modified() && !has_cells_to_keep(app)) return std::string();
  keep_camera_silently(app);
  const std::optional<Node> edited = scene_with_cells(app, app.session.document->root());
  if (!app.session.document->modified() && !edited) return std::string();
  const std::string path = dated_name(capture_folder("Documents"), app.session.scene_name() + "-unsaved", ".toml");
  if (auto saved = save_scene(fitted_for_file(app, edited ? *edited : app.session.document->root()), path); !saved)
    return tl::unexpected(saved.error());
  return path;
}

void export_design(App& app, const std::string& system) {
  if (app.session.document == nullptr) return;
  write_design_file(app, app.session.document->root(), system, dated_name(capture_folder("Documents"), system, ".vxa"));
}

void write_design_file(App& app, const Node& scene, const std::string& system, const std::string& path) {
  const auto design = write_design(scene, system, path);
  if (!design) return app.log.error(design.error().message());
  if (const auto written = write_file_atomic(path, design->text); !written)
    return app.log.error(written.error().message());
  if (!design->warning.empty()) app.log.warning(path + ": " + design->warning);
  app.log.info("Wrote " + path, Toast::yes);
}

namespace {

/// Whether the assignment switches on a display that requires a legend.
bool wants_legend(const App& app, const Assignment& assignment) {
  static const std::vector<std::string> shown{"view.vectors",
                                              "view.forces",
                                              "view.trails",
                                              "view.color_by",
                                              "view.air_plane_x",
                                              "view.air_plane_y",
                                              "view.air_plane_z",
                                              "view.air_streamlines",
                                              "view.air_pathlines",
                                              "view.air_glyphs",
                                              "view.fluid_streamlines",
                                              "view.air_streaklines",
                                              "view.fluid_streaklines",
                                              "view.air_surface_of",
                                              "view.fluid_surface_of"};
  if (std::ranges::find(shown, assignment.path) == shown.end()) return false;
  const auto ref =
      find_parameter(const_cast<Node&>(app.session.document->root()), assignment.path);  // NOLINT: read only
  const bool is_off = same_value(assignment.value, ref->spec->default_value),
             was_off = same_value(ref->value(), ref->spec->default_value);
  return was_off && !is_off;
}

}  // namespace

void edit(App& app, const std::vector<Assignment>& wanted) {
  if (app.session.document == nullptr || wanted.empty()) return;
  std::vector<Assignment> assignments = wanted;  // a copy, because the edit may also switch the legend on
  if (std::ranges::any_of(wanted, [&](const Assignment& one) { return wants_legend(app, one); }))
    assignments.push_back({"view.legend", Value(true)});
  const auto checked = app.session.document->edit_all(assignments);
  if (!checked) return app.log.error(checked.error().message());
  forward(app, *checked);
}

void set_playing(App& app, bool playing) {
  app.session.backwards.is_on = false;
  if (playing && app.session.have_snapshot && app.session.run->newest().health.failed)
    return app.log.info("The health check stopped the world. Reset the world first.", Toast::yes);
  app.session.playing = playing;
  if (app.session.run != nullptr) app.session.run->set_paused(!playing);
}

void single_step(App& app) {
  if (app.session.run == nullptr) return;
  if (app.session.playing || app.session.backwards.is_on) set_playing(app, false);
  app.session.run->single_step();
}

void apply_waiting_at_start(App& app) {
  if (!app.session.reset_needed() || app.session.playing || !app.session.have_snapshot) return;
  const Snapshot& newest = app.session.run->newest();
  if (newest.step != 0 || newest.place.is_seeking || app.session.loader.busy()) return;
  app.session.run->submit(Reset{});
  app.session.waiting.clear();
}

void reset(App& app) {
  if (app.session.run == nullptr) return;
  app.session.backwards.is_on = false;  // playing backwards would return to the time before the reset
  app.session.run->submit(Reset{});
  app.session.waiting.clear();
  place_camera(app);
}

const SystemSnapshot* selected_system(const App& app) {
  const Snapshot* now = app.session.snapshot();
  const Selection& selection = app.view.viewport.selection;
  if (now == nullptr || selection.element < 0) return nullptr;
  const auto found = std::ranges::find(now->systems, selection.system, &SystemSnapshot::name);
  return found == now->systems.end() || static_cast<std::size_t>(selection.element) >= found->position.size() ? nullptr
                                                                                                              : &*found;
}

bool can_spawn_beside_selected(const App& app) {
  const SystemSnapshot* system = selected_system(app);
  return system != nullptr && system->look_kind() == LookKind::members;
}

bool can_remove_selected(const App& app) {
  const SystemSnapshot* system = selected_system(app);
  return system != nullptr && (system->look_kind() == LookKind::members || system->kind == "particles");
}

void remove_selected(App& app) {
  const Selection& selection = app.view.viewport.selection;
  if (can_remove_selected(app)) app.session.run->submit(Remove{selection.system, selection.element, Vec3::Zero(), 0});
}

void spawn_beside_selected(App& app) {
  if (!can_spawn_beside_selected(app)) return;
  const SystemSnapshot& system = *selected_system(app);
  const auto row = static_cast<std::size_t>(app.view.viewport.selection.element);
  const bool named = row < system.material.size() && system.material[row] < system.palette_names.size();
  app.session.run->submit(Spawn{system.name, named ? system.palette_names[system.material[row]] : std::string(),
                                system.position[row].cast<double>(), spawned_at_once});
}

void set_speed(App& app, double factor) {
  if (app.session.document == nullptr) return;
  const auto ref = find_parameter(const_cast<Node&>(app.session.document->root()), "world.speed");  // NOLINT: read only
  const Bounds& range = ref->spec->bounds;
  if (factor < range.min) app.log.info(fmt::format("The slowest speed is {:g}\xC3\x97", range.min), Toast::yes);
  if (factor > range.max) app.log.info(fmt::format("The highest speed is {:g}\xC3\x97", range.max), Toast::yes);
  edit(app, {{"world.speed", Value(std::clamp(factor, range.min, range.max))}});
}

void pick_value(App& app, const PickedValue& value) {
  if (app.session.document == nullptr || app.session.run == nullptr) return;
  const bool is_new = !app.session.plots.picked().holds(value);
  auto watch = app.session.plots.pick(app.session.document->root(), value);
  subscribe(app);  // before set_watcher(), so that the observer's first snapshot contains the value
  if (watch != nullptr) app.session.run->set_watcher(std::move(watch));
  app.session.comparison.watch_plots(app.session.document->root(), app.session.plots);
  if (is_new) show_plots(app);
}

void keep_plot(App& app, const std::string& plot) {
  const auto& nodes = app.session.plots.picked().nodes();
  const auto node = std::find_if(nodes.begin(), nodes.end(), [&](const Node& n) { return n.name == plot; });
  if (app.session.document == nullptr || node == nodes.end()) return;
  if (auto added = app.session.document->change({{.node = *node}}); !added)
    return app.log.error(added.error().message());
  app.session.plots.drop(app.session.document->root(), plot);  // the scene has the plot now; measurements are kept
  subscribe(app);
}

void drop_plot(App& app, const std::string& plot) {
  app.session.plots.drop(app.session.document->root(), plot);
  app.session.comparison.watch_plots(app.session.document->root(), app.session.plots);
  subscribe(app);
}

}  // namespace vw::ui
