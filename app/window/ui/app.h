// State of the window, and functions for the user's actions, which panels, menus and shortcuts call. Everything in this
// file runs on the drawing thread.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/window/background.h"
#include "app/window/display_clock.h"
#include "app/window/document/document.h"
#include "app/window/document/material_edit_buffer.h"
#include "app/window/document/recent_files.h"
#include "app/window/document/scene_loader.h"
#include "app/window/labels/message_log.h"
#include "app/window/results/history.h"
#include "app/window/results/plot_show.h"
#include "app/window/results/spectrum_show.h"
#include "app/window/ui/dialogs/file_browser.h"
#include "app/window/ui/dialogs/scene_gallery.h"
#include "app/window/ui/panels/equilibrium_panel.h"
#include "app/window/ui/panels/modes_panel.h"
#include "app/window/ui/viewport.h"
#include "app/window/ui/widgets/theme.h"
#include "app/window/video_recorder.h"
#include "app/window/window.h"
#include "sim/world/health/run_warnings.h"
#include "sim/world/simulation.h"

namespace vw::ui {

/// State of the layout that persists between frames.
struct Layout {
  static constexpr std::size_t no_row = static_cast<std::size_t>(-1);
  bool left = true, right = true;
  float left_em = 24, right_em = 22;
  std::string selected_path = "world";  ///< path of the node shown in the inspector
  bool reveal_selected = false;         ///< scroll the tree to the node at selected_path
  std::string filter;
  float tree_height = 1e6F;  ///< height of the scene tree's content in the last frame [window units]
  /// Field whose spectrum is measured. Without a value, this is the field shown in the Air panel.
  std::optional<std::string> spectrum_of;
  bool reveal_spectrum = false;  ///< scroll to the spectrum once it is measured
  bool help = false, about = false;
  bool waits_for_gallery = false;  ///< the world is paused because the gallery draws thumbnails on the same cores
  bool card_left = false;          ///< the selected element's card is on the left, so that it does not hide the element
  bool card_folded = false;        ///< only the card's header is shown
  bool wants_element_menu = false;  ///< draw_element_menu() opens the context menu in this frame
  struct Element {
    std::string system;
    std::uint32_t id = 0;
  };
  std::optional<Element> compared;  ///< element whose values the card shows beside those of the selected element
  float legends_height = 0;         ///< height of the legends in the lower left corner [window units]
  float legends_width = 0;
  /// Tab that the next frame brings to the front. `none` keeps the present tab.
  enum class Tab { none, plots, view, air, rules, statistics, modes, capture, log } open_tab = Tab::none;
  Tab shown_tab = Tab::none;  ///< tab that was visible in the last frame
  /// Position of the selected pair of systems in the matrix of the Rules panel, which shows the rules of that pair.
  std::size_t rule_row = no_row, rule_column = 0;
  int plot_window = 1;         ///< index of the time span chosen in the statistics panel
  std::uint64_t log_seen = 0;  ///< revision of the log when its panel was last visible
};

struct CaptureSettings {
  int screenshot_size = 0;  ///< index into screenshot_sizes (capture_sizes.h)
  bool screenshot_interface = false;
  RecordSettings record;
  /// True once the user has chosen the timing. Until then, a simulation slower than real time is recorded by simulated
  /// time.
  bool timing_chosen = false;
  int video_size = 1;  ///< index into video_sizes (capture_sizes.h)
  std::string folder;  ///< output folder. Empty means the user's Pictures, Videos and Documents folders.
};

/// Screenshot of the whole window, taken at the end of this frame.
struct PendingScreenshot {
  bool wanted = false;
  std::string path;
};

/// Action that is postponed until the user has answered the question about unsaved edits (unsaved_question.cpp).
struct Pending {
  enum class Kind : std::uint8_t { none, open, quit } kind = Kind::none;
  std::string path;
};

/// State of the dialog that asks how to import a mesh (import_question.cpp).
struct MeshQuestion {
  std::string mesh;  ///< path of the mesh file. Empty if no mesh is to be imported.
  MeshImport how;
  std::future<Result<Vec3>> measured;  ///< size of the mesh, computed in the background
  std::optional<Result<Vec3>> size;    ///< size of the mesh in units of the file, once `measured` is ready
};

struct App {
  explicit App(const WindowOptions& window_options);
  ~App();

  WindowOptions options;
  MessageLog log;
  RecentFiles recent;
  Background background;
  SceneLoader loader;
  std::unique_ptr<Document> document;      ///< null until the first scene is open
  std::unique_ptr<Simulation> simulation;  ///< null until the first scene is open
  MaterialEditBuffer materials;
  std::unique_ptr<Renderer> renderer;  ///< null in tests without OpenGL
  Viewport viewport;
  DisplayClock clock;
  History history;
  RunWarnings cautions;
  std::string reported_slow;  ///< last value of Snapshot::slow that was reported
  PlotShow plots;
  ModesState modes;
  SpectrumMeasurement spectrum;
  EquilibriumState equilibrium;
  VideoRecorder recorder;
  std::string recording_path;
  FileBrowser browser;
  SceneGallery gallery;
  Layout layout;
  CaptureSettings capture;
  PendingScreenshot window_screenshot;
  Pending pending;
  MeshQuestion import;
  NodeChange wants_source;            ///< new node whose source file the user is to choose
  std::vector<std::string> messages;  ///< messages of the simulation that the next frame reports
  Fonts fonts;
  std::unordered_map<std::string, std::string> text_buffers;
  std::unordered_map<std::string, Value> typed_values;

  bool playing = true;
  bool quit = false;
  bool reset_needed = false;  ///< since the last reset, a parameter was changed that takes effect only on a reset
  bool have_snapshot = false;
  /// Rebuild of the world in progress: revision of the document that the new world is built from, and the changes to
  /// that document.
  struct Rebuild {
    std::uint64_t revision = 0;
    SceneAddition addition;
  } anew;
  float blend = 1;      ///< interpolation between the previous snapshot (0) and the newest snapshot (1)
  double frame_ms = 0;  ///< smoothed drawing time of a frame [ms]
  double fps = 0;
  double wall_s = 0;            ///< wall time since the window opened [s]
  double first_picture_s = -1;  ///< wall time of the first picture [s], or -1 if none has been drawn
  double last_input_s = -1e9;   ///< wall time of the last mouse or key event [s]
  double busy_until_s = 1;      ///< frames are drawn at the display's rate until this wall time [s]
  std::string gl_name;

  /// Displayed snapshot: the newest snapshot of the world, or the picture of an oscillating mode. Null before the first
  /// snapshot.
  [[nodiscard]] const Snapshot* snapshot() const;
  [[nodiscard]] ViewParams view() const;
  [[nodiscard]] std::string scene_name() const;  ///< file name without extension
};

/// Displayed frame: an interpolation between the world's last two snapshots, or an oscillating mode.
[[nodiscard]] Frame current_frame(const App& app);

/// Fetches an opened scene, snapshots and messages from other threads. Call this once per frame.
void update(App& app);

// Scenes. If there are unsaved edits, request_open() and request_quit() first ask whether to save them. open() does not
// ask.
void request_open(App& app, const std::string& path);
void request_quit(App& app);
/// Performs the postponed action (App::pending).
void resume_pending(App& app);
void open(App& app, const std::string& path);
void save(App& app);
void ask_where_to_save(App& app);
void save_as(App& app, const std::string& path);
/// Saves a scene with unsaved edits under a new name in the user's documents folder. This is called if a signal ends
/// the program, when the user cannot be asked. Returns the path, or an empty string if there is nothing to save. Unlike
/// save(), this function does not check the scene, so that an invalid scene is not lost.
[[nodiscard]] Result<std::string> keep_unsaved(App& app);
/// Exports a voxel body as a VoxCAD design under a new name in the user's documents folder.
void export_design(App& app, const std::string& system);

// Parameters. The document changes first, then the world.
void edit(App& app, const std::vector<Assignment>& assignments);
void undo(App& app);
void redo(App& app);
/// Adds nodes or a mesh to the scene, or removes nodes, and restarts the scene. On error, the scene continues
/// unchanged.
void change_scene(App& app, SceneAddition addition);
/// Adds the node App::wants_source to the scene, with `file` as its source.
void take_source(App& app, const std::string& file);
/// Asks how to import a mesh (import_question.cpp).
void ask_about_mesh(App& app, const std::string& path);

// Time
void set_playing(App& app, bool playing);
void single_step(App& app);
void reset(App& app);
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

/// Element that the card compares with the selected element, as a row of the displayed snapshot. `system` is null if no
/// element is compared or if the compared element no longer exists.
struct ComparedElement {
  const SystemSnapshot* system = nullptr;
  std::size_t row = 0;
};
[[nodiscard]] ComparedElement compared_element(const App& app);
[[nodiscard]] bool is_compared(const App& app, const SystemSnapshot& system, std::size_t row);
/// Makes the card show the values of this element below the values of the selected element. `system` must belong to the
/// displayed snapshot.
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
/// Whether the forces of a rule are drawn as arrows.
[[nodiscard]] bool shows_forces(const App& app, const std::string& rule);
void toggle_forces(App& app, const std::string& rule);
[[nodiscard]] std::vector<std::string> color_by_choices(const App& app);
/// Names of the vectors that can be drawn as arrows: the velocity and every vector that a system provides.
[[nodiscard]] std::vector<std::string> vector_choices(const App& app);
[[nodiscard]] std::vector<std::string> system_names(const App& app);
/// System of the selected element in the displayed snapshot. The element's row is viewport.selection.element. Null if
/// no element is selected.
[[nodiscard]] const SystemSnapshot* selected_system(const App& app);
/// Names of all systems and obstacles.
[[nodiscard]] std::vector<std::string> hideable_names(const App& app);
/// Hides a system or an obstacle in the picture. If the selection is part of it, the selection is cleared.
void hide(App& app, const std::string& name);
void show_all_hidden(App& app);
/// Name of the selected element as used in view parameters, such as "school.17"; empty if nothing is selected.
[[nodiscard]] std::string selected_name(const App& app);
/// Makes the camera follow the named element or system; an empty name stops following.
void follow(App& app, const std::string& name);
/// Follows the selection, or stops following.
void toggle_follow(App& app);
[[nodiscard]] bool has_trail(const App& app, const std::string& name);
void toggle_trail(App& app, const std::string& name);

// Plots of picked values
/// Adds a curve of an element's value over time to the plots. If the plots already contain the curve, removes it.
void pick_value(App& app, const PickedValue& value);
/// Adds a picked plot to the scene, with which it is saved.
void keep_plot(App& app, const std::string& plot);
/// Removes a picked plot.
void drop_plot(App& app, const std::string& plot);

// Capture (capture_actions.cpp)
void take_screenshot(App& app);
/// Writes the curves of all plots, or of one plot, to a CSV file.
void save_plots(App& app);
void save_plot(App& app, std::size_t plot);
/// Unless the user has chosen the timing, selects recording by simulated time if the simulation is slower than real
/// time.
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
