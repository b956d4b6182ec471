// State of the window in three parts (session, view, interface), and the user's actions. An action may need several of
// these parts. Panels, menus and shortcuts call the actions. Everything in this file runs on the drawing thread.
#pragma once

#include <string>
#include <vector>

#include "app/window/background.h"
#include "app/window/document/autosave.h"
#include "app/window/labels/message_log.h"
#include "app/window/ui/interface_state.h"
#include "app/window/ui/session.h"
#include "app/window/ui/view.h"
#include "app/window/window.h"

namespace vw::ui {

struct App {
  explicit App(const WindowOptions& window_options);
  ~App();

  WindowOptions options;
  MessageLog log;
  Background background;
  Autosave autosave{autosave_folder()};
  Session session;
  View view;
  Interface ui;
  FrameTimes times;
};

/// Fetches an opened scene, snapshots and messages from other threads. Call this once per frame.
void update(App& app);

/// Looks for fonts with the letters of names and texts that the interface shows (further_letters.h). If fonts are
/// found, the frame loop rebuilds the fonts of the interface. Called by update().
void update_letters(App& app);

// Scenes. If there are unsaved edits, the functions request...() first ask whether to save them. open() does not ask.
/// Performs an action that discards unsaved edits. If there are any, first asks (unsaved_question.cpp).
void request(App& app, const Pending& pending);
void request_open(App& app, const std::string& path);
/// Opens the template at `path` as a new scene, which has no file yet.
void request_new(App& app, const std::string& path);
/// Opens files that the user drops on the window: scenes, states, sessions, pictures and meshes. Each is treated as if
/// it had been chosen in a dialog; other files are reported.
void open_dropped(App& app, const std::vector<std::string>& paths);
void request_quit(App& app);
/// Performs the postponed action (Interface::pending).
void resume_pending(App& app);
void open(App& app, const std::string& path);
/// Whether the file is a packaged scene. Packaged scenes belong to the program and are saved only under another name.
[[nodiscard]] bool is_packaged(App& app, const std::string& path);
void save(App& app);
void ask_where_to_save(App& app);
void save_as(App& app, const std::string& path);
/// Saves a scene with unsaved edits under a new name in the user's documents folder. Called if a signal ends the
/// program, because the user cannot be asked then. Returns the path, or an empty string if there is nothing to save.
/// Unlike save(), this function does not check the scene, so that an invalid scene is not lost.
[[nodiscard]] Result<std::string> keep_unsaved(App& app);
// Autosave (autosave_actions.cpp)
/// Scene of the document with the present camera. An automatic camera stays automatic.
[[nodiscard]] Node scene_with_camera(const App& app);
/// Scene of the document with the present camera as a fixed camera (auto_frame off), for files that show what the
/// picture shows.
[[nodiscard]] Node scene_as_shown(const App& app);
/// Writes or deletes the copy of the scene, depending on whether the scene has unsaved edits. Call this once per frame.
void update_autosave(App& app);
/// Deletes the copy because the window closes.
void end_autosave(App& app);
/// Looks for files that ended processes have left behind, and asks whether to restore them (recovery_question.cpp).
void offer_recovery(App& app);
/// Restores Recovery::copies[copy]. If there are unsaved edits, first asks whether to save them.
void request_restore(App& app, std::size_t copy);
/// Opens Recovery::restored without asking.
void restore(App& app);
/// Receives the outcome of restoring, and then adopts, deletes or keeps the copy.
void finish_restoring(App& app, bool is_restored);

// Saved states (state_actions.cpp). A state is a checkpoint: the scene and the state of the running world.
void ask_where_to_save_state(App& app);
void ask_which_state_to_load(App& app);
/// Writes a state at the next step boundary.
void save_state(App& app, const std::string& path);
/// Opens the scene of a state and continues from the state. If there are unsaved edits, first asks whether to save
/// them.
void request_load_state(App& app, const std::string& path);

// Sessions (state_actions.cpp): the timeline with all branches.
void ask_where_to_save_session(App& app);
void save_session(App& app, const std::string& path);

/// Collects a report on the open scene and asks whether to write it (report_question.cpp).
void ask_about_report(App& app);

/// Exports a voxel body as a VoxCAD design under a new name in the user's documents folder.
void export_design(App& app, const std::string& system);
/// Writes a voxel body of `scene` as a design, in the format of the extension of `path`.
void write_design_file(App& app, const Node& scene, const std::string& system, const std::string& path);

// Guidance (app/window/ui/guide)
/// Opens the start page: recent scenes, templates and packaged scenes.
void show_start_page(App& app);
/// Asks whether to start the tour, unless the user has seen it.
void offer_tour(App& app);
void start_tour(App& app);
/// Compares the user's actions with the present step of the tour. Call this once per frame.
void update_tour(App& app);
/// Ends the tour or its offer, and stores that the user has seen it.
void end_tour(App& app);
/// Runs the checks of the open scene if they are due, and takes their findings. Call this once per frame.
void update_checks(App& app);
/// Applies a remedy of a finding as one undo step.
void apply_remedy(App& app, const SceneRemedy& remedy);

// Parameters. The document changes first, then the world.
void edit(App& app, const std::vector<Assignment>& assignments);
/// Takes back the last edit of the document, or the last move of running bodies by the gizmo if it came later.
void undo(App& app);
void redo(App& app);
[[nodiscard]] bool can_undo(const App& app);
[[nodiscard]] bool can_redo(const App& app);
/// Action that undo() would take back, such as "add Sphere (rigid.body)". Empty if there is none.
[[nodiscard]] std::string undo_label(const App& app);
[[nodiscard]] std::string redo_label(const App& app);
/// Adds nodes or a mesh to the scene, or removes nodes, while the world continues. On error, the scene stays unchanged.
void change_scene(App& app, SceneAddition addition);
/// Adds the node Session::wants_source to the scene, with `file` as its source.
void take_source(App& app, const std::string& file);
/// Asks how to import a mesh (import_question.cpp).
void ask_about_mesh(App& app, const std::string& path);

// Time
void set_playing(App& app, bool playing);
void single_step(App& app);
void reset(App& app);
/// If the world is paused at its start, applies edits that take effect at a reset. Call this once per frame while no
/// widget is being edited.
void apply_waiting_at_start(App& app);
// Past moments (time_actions.cpp)
/// Goes one step back along the present branch, and pauses.
void step_back(App& app);
/// Goes to a time since the start of the session [s] on a branch.
void seek(App& app, std::uint32_t branch, double elapsed_s);
/// Starts or stops playing backwards.
void play_backwards(App& app, bool on);
/// Goes to the end of the present branch.
void seek_end(App& app);
/// Opens a field of the timeline in which the user names the present moment.
void ask_for_bookmark(App& app);
/// Shows the scene of the moment to which the run went, and plays backwards if playing backwards is on. Call this once
/// per frame.
void update_time(App& app);
// Comparison of two runs (comparison_actions.cpp). The displayed run is A. The other run is B.
/// Shows another branch as B.
void compare_with_branch(App& app, std::uint32_t branch);
/// A value of a parameter with which the run is to be compared.
struct ValueComparison {
  std::string path;
  Value value;
  std::string origin;  ///< source of the value, such as "default"
};
/// Shows as B the same session, repeated from its start with another value of a parameter.
void compare_with_value(App& app, const ValueComparison& wanted);
/// Shows as B another scene, a saved state, a session, or the moment of a picture, which a worker thread opens. `path`
/// may be the name of a packaged scene.
void compare_with_file(App& app, const std::string& path);
void ask_what_to_compare_with(App& app);
/// Shows the comparison that is stored in a picture whose moment has been opened.
void compare_as_in_picture(App& app, api::ComparedMoment compared);
void end_comparison(App& app);
/// Gap between the two pictures of a comparison that are side by side [em].
inline constexpr float comparison_gap_em = 0.2F;
/// Whether run B of a comparison can be drawn.
[[nodiscard]] bool shows_second_run(const App& app);
/// Makes B follow A. Call this once per frame, before the frame is drawn.
void update_comparison(App& app);
/// Display names of A and B, and the colour of B in a ghost picture that is not coloured by a channel. Requires a
/// comparison.
[[nodiscard]] PairNames names_of_comparison(const App& app);
/// Systems that must restart so that all waiting edits take effect (Session::waiting). Empty if a waiting edit needs a
/// reset of the whole world.
[[nodiscard]] std::vector<std::string> systems_to_restart(const App& app);
/// Restarts systems with their present parameters; everything else continues.
void restart_systems(App& app, const std::vector<std::string>& names);
/// The simulation is reported as too slow if its real-time factor is below this fraction of the requested speed.
constexpr double late_below = 0.93;
void set_speed(App& app, double factor);

// Elements
/// Whether the selected element can be removed from the running world.
[[nodiscard]] bool can_remove_selected(const App& app);
/// Whether new elements can be added beside the selected element.
[[nodiscard]] bool can_spawn_beside_selected(const App& app);
void remove_selected(App& app);
constexpr std::int64_t spawned_at_once = 10;
/// Adds `spawned_at_once` elements of the selected element's species beside it.
void spawn_beside_selected(App& app);

/// Element that the selection card (panels/selection_card.cpp) compares with the selected element, as a row of the
/// displayed snapshot. `system` is null if no element is compared or if the compared element no longer exists.
struct ComparedElement {
  const SystemSnapshot* system = nullptr;
  std::size_t row = 0;
};
[[nodiscard]] ComparedElement compared_element(const App& app);
[[nodiscard]] bool is_compared(const App& app, const SystemSnapshot& system, std::size_t row);
/// Makes the selection card show the values of this element below the values of the selected element. `system` must
/// belong to the displayed snapshot.
void compare(App& app, const SystemSnapshot& system, std::size_t row);
void stop_comparing(App& app);

// View (view_actions.cpp)
/// Data that the simulation must provide for the display: channels for colouring, arrows, plots, the selected element,
/// forces of rules, and the air.
[[nodiscard]] SnapshotRequest wanted_by(const App& app);
/// Requests the data of wanted_by() from the simulation.
void subscribe(App& app);
void cycle_color_by(App& app);
void toggle_vectors(App& app);
void toggle_forces(App& app, const std::string& rule);
/// System of the selected element in the displayed snapshot. The element's row is viewport.selection.element. Null if
/// no element is selected.
[[nodiscard]] const SystemSnapshot* selected_system(const App& app);
/// Hides systems or obstacles in the picture, as one undo step. If the selected element belongs to a hidden object, it
/// is deselected.
void hide(App& app, const std::string& name);
void hide(App& app, const TextList& names);
void show_all_hidden(App& app);
/// Hides systems or obstacles. If all of them are hidden, shows them again.
void toggle_hidden(App& app, const std::string& name);
void toggle_hidden(App& app, const TextList& names);
/// Hides all systems and obstacles except one. If all others are hidden already, shows all.
void isolate(App& app, const std::string& name);
[[nodiscard]] bool is_isolated(const App& app, const std::string& name);
/// Locks a system or an obstacle, so that the mouse neither selects nor drags it in the picture, or unlocks it.
void toggle_locked(App& app, const std::string& name);
void unlock_all(App& app);
/// Sets and stores the scale of the interface, 0 for the scale of the display (Preferences).
void set_interface_scale(App& app, double scale);
/// Name of the selected element as used in view parameters, such as "school.17"; empty if nothing is selected.
[[nodiscard]] std::string selected_name(const App& app);
/// Makes the camera follow the named element or system; an empty name stops following.
void follow(App& app, const std::string& name);
/// Follows the selection, or stops following.
void toggle_follow(App& app);
void toggle_trail(App& app, const std::string& name);

// Stored cameras (camera_bookmarks.cpp). Their numbers are 1 to 4.
constexpr int stored_cameras = 4;
/// Stores the present camera in the scene.
void store_camera(App& app, int number);
/// Moves the camera to a stored camera.
void go_to_camera(App& app, int number);
[[nodiscard]] bool has_camera(const App& app, int number);
/// Moves the camera so that it looks at its target from `direction` (unit vector), at the same distance.
void look_from(App& app, const glm::vec3& direction);
/// Switches between perspective and orthographic projection. The switch does not count as an edit of the scene.
void toggle_orthographic(App& app);
/// Advances the motion of the camera. Call this once per frame.
void update_camera_move(App& app);

// Plots of picked values
/// Adds a curve of an element's value over time to the plots. If the plots already contain the curve, removes it.
void pick_value(App& app, const PickedValue& value);
/// Adds a picked plot to the scene. The plot is then saved with the scene.
void keep_plot(App& app, const std::string& plot);
/// Removes a picked plot.
void drop_plot(App& app, const std::string& plot);

// Export of frames over time for other programs (export_actions.cpp)
[[nodiscard]] bool exports_frames(const App& app);  ///< whether an export is in progress
/// Starts an export with the settings of View::frame_export, into the output folder.
void start_export(App& app);
/// Starts an export whose files have been opened, and finishes an export that has ended. Call this once per frame.
void update_export(App& app);
/// Ends the export and completes its files in the background.
void finish_export(App& app);
/// Ends the export and removes incomplete files.
void cancel_export(App& app);

// Capture (capture_actions.cpp)
/// Returns the path of a new file in the output folder. The file name consists of the scene's name, `what` and the
/// date. `kind`: name of the usual folder, such as "Pictures".
[[nodiscard]] std::string capture_path(const App& app, const char* kind, const char* extension,
                                       const std::string& what = {});
void take_screenshot(App& app);
/// Starts to trace the displayed picture in film quality in the background, with the size of screenshots, unless a
/// picture is in progress. The file is written when the picture is finished.
void take_film_picture(App& app);
/// Ends the picture in progress without a file.
void cancel_film_picture(App& app);
/// Writes the curves of all plots, or of one plot, to a CSV file.
void save_plots(App& app);
void save_plot(App& app, std::size_t plot);
/// Unless the user has chosen the timing, selects recording by simulated time if the simulation is slower than real
/// time and than the requested speed. Otherwise selects recording by real time.
void choose_timing(App& app);
void choose_timing(CaptureSettings& capture, const Snapshot& now);
void start_recording(App& app);
void stop_recording(App& app);
/// Adds due pictures to the recording. Call this after the picture has been drawn, with the window's framebuffer bound.
void pump_recording(App& app, int window_width, int window_height);
/// If a screenshot of the window was requested, writes the frame just drawn to a PNG file.
void finish_window_screenshot(App& app, int window_width, int window_height);
[[nodiscard]] Image read_window(int width, int height);

}  // namespace vw::ui
