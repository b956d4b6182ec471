// Everything the window holds, and what its user can do with it as plain functions: panels, menu and shortcuts all call these. Drawing thread.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/window/background.h"
#include "app/window/display_clock.h"
#include "app/window/document.h"
#include "app/window/history.h"
#include "app/window/material_gate.h"
#include "app/window/message_log.h"
#include "app/window/plot_show.h"
#include "app/window/recent_files.h"
#include "app/window/scene_loader.h"
#include "app/window/spectrum_show.h"
#include "app/window/ui/equilibrium_panel.h"
#include "app/window/ui/file_browser.h"
#include "app/window/ui/modes_panel.h"
#include "app/window/ui/scene_gallery.h"
#include "app/window/ui/theme.h"
#include "app/window/ui/viewport.h"
#include "app/window/video_recorder.h"
#include "app/window/window.h"
#include "sim/world/caution.h"
#include "sim/world/simulation.h"

namespace vw::ui {

/// What the layout remembers from frame to frame.
struct Layout {
  static constexpr std::size_t no_row = static_cast<std::size_t>(-1);
  bool left = true, right = true;
  float left_em = 24, right_em = 22;
  std::string selected_path = "world";  ///< node shown in the inspector
  bool reveal_selected = false;         ///< scroll the tree to it
  std::string filter;
  float tree_height = 1e6F;                ///< of the scene tree's content in the last frame [window units]
  std::optional<std::string> spectrum_of;  ///< field that is measured; none: that which the air's picture shows
  bool reveal_spectrum = false;            ///< scroll to it once it is measured
  bool help = false, about = false;
  bool waits_for_gallery = false;   ///< the world stands still: the gallery draws its pictures with the same cores
  bool card_left = false;           ///< the selected element's card, so that it does not hide the element
  bool card_folded = false;         ///< its head alone
  bool wants_element_menu = false;  ///< draw_element_menu() opens the context menu in this frame
  struct Element {
    std::string system;
    std::uint32_t id = 0;
  };
  std::optional<Element> compared;  ///< the card shows its values beside those of the selected element
  float legends_height = 0;         ///< of what stands in the picture's lower left corner [window units]
  float legends_width = 0;
  enum class Tab { none, plots, view, air, rules, statistics, modes, capture, log } open_tab = Tab::none;  ///< to be brought to the front
  Tab shown_tab = Tab::none;
  std::size_t rule_row = no_row, rule_column = 0;  ///< pair of systems whose rules are shown
  int plot_window = 1;                             ///< index into the choices of the statistics panel
  std::uint64_t log_seen = 0;                      ///< revision of the log when its panel was last looked at
};

struct CaptureSettings {
  int screenshot_size = 0;  ///< index into the choices of the capture panel
  bool screenshot_interface = false;
  RecordSettings record;
  bool timing_chosen = false;  ///< by the user; until then a simulation slower than real time is recorded by simulated time
  int video_size = 1;
  std::string folder;  ///< empty: the user's pictures and videos
};

/// Wanted at the end of this frame, when the whole window has been drawn.
struct PendingScreenshot {
  bool wanted = false;
  std::string path;
};

/// What waits for the answer to "Save the changes?".
struct Pending {
  enum class Kind : std::uint8_t { none, open, quit } kind = Kind::none;
  std::string path;
};

/// A mesh that waits for the answer to what it becomes.
struct MeshQuestion {
  std::string mesh;  ///< file; empty: there is none
  MeshImport how;
  std::future<Result<Vec3>> measured;
  std::optional<Result<Vec3>> size;  ///< in units of the file, once it is known
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
  std::unique_ptr<Simulation> simulation;  ///< likewise
  MaterialGate materials;
  std::unique_ptr<Renderer> renderer;  ///< null in tests without OpenGL
  Viewport viewport;
  DisplayClock clock;
  History history;
  Cautions cautions;
  std::string told_slow;  ///< Snapshot::slow as it was told last
  PlotShow plots;
  ModesState modes;
  SpectrumShow spectrum;
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
  Graft wants_source;                 ///< waits for the file that it is made from
  std::vector<std::string> messages;  ///< of the simulation, to be told
  Fonts fonts;
  std::unordered_map<std::string, std::string> text_buffers;
  std::unordered_map<std::string, Value> typed_values;

  bool playing = true;
  bool quit = false;
  bool reset_needed = false;  ///< a parameter that is not live has been changed since the last reset
  bool have_snapshot = false;
  /// A world that is being made anew: from which revision of the document, and what is added to it.
  struct Anew {
    std::uint64_t revision = 0;
    SceneAddition addition;
  } anew;
  float blend = 1;
  double frame_ms = 0;  ///< smoothed time of one drawn frame
  double fps = 0;
  double wall_s = 0;  ///< since the window opened
  double first_picture_s = -1;
  double last_input_s = -1e9;  ///< when a mouse or key event last came
  double busy_until_s = 1;     ///< keep drawing at display rate until then
  std::string gl_name;

  /// What is on show: the newest of the world, or that with a mode that swings. Null before the first.
  [[nodiscard]] const Snapshot* snapshot() const;
  [[nodiscard]] ViewParams view() const;
  [[nodiscard]] std::string scene_name() const;  ///< file stem
};

/// What the picture shows now: the world between its last two snapshots, or a mode that swings.
[[nodiscard]] Frame current_frame(const App& app);

/// Takes what other threads have ready: an opened scene, snapshots, messages. Once a frame.
void update(App& app);

// Scenes. Requests ask first when there are unsaved edits; the plain functions do not.
void request_open(App& app, const std::string& path);
void request_quit(App& app);
/// Does what has waited for the question's answer.
void carry_on(App& app);
void open(App& app, const std::string& path);
void save(App& app);
void ask_where_to_save(App& app);
void save_as(App& app, const std::string& path);
/// Writes a scene with unsaved edits beside the user's other documents, under a name of its own, because the program must end without asking. The
/// path, or empty where there is nothing to keep. Unlike save(), it does not check the scene: a scene with a fault is kept rather than lost.
[[nodiscard]] Result<std::string> keep_unsaved(App& app);
/// A voxel body as a VoxCAD design, under a name of its own in the user's documents.
void export_design(App& app, const std::string& system);

// Parameters: the document first, then the world
void edit(App& app, const std::vector<Assignment>& assignments);
void undo(App& app);
void redo(App& app);
/// Nodes or a mesh come into the scene, or go, and it starts anew; where that cannot be, it goes on as it is.
void change_scene(App& app, SceneAddition addition);
/// The file that a new node is made from (App::wants_source) was chosen.
void take_source(App& app, const std::string& file);
/// Asks what a mesh is to become (import_question.cpp).
void ask_about_mesh(App& app, const std::string& path);

// Time
void set_playing(App& app, bool playing);
void single_step(App& app);
void reset(App& app);
/// Below this share of the speed asked for, real time counts as missed.
constexpr double late_below = 0.93;
void set_speed(App& app, double factor);

// Elements
/// Whether the selected element can be taken out of the running world, and others be born beside it.
[[nodiscard]] bool can_remove_selected(const App& app);
[[nodiscard]] bool can_spawn_beside_selected(const App& app);
void remove_selected(App& app);
constexpr std::int64_t spawned_at_once = 10;
/// So many of its species.
void spawn_beside_selected(App& app);

/// The element that the card compares the selected one with, in the newest snapshot. Null system if there is none or it has left the world.
struct ComparedElement {
  const SystemSnapshot* system = nullptr;
  std::size_t row = 0;
};
[[nodiscard]] ComparedElement compared_element(const App& app);
[[nodiscard]] bool is_compared(const App& app, const SystemSnapshot& system, std::size_t row);
/// The selected element's values are shown beside those of this one from now on. `system` is the snapshot's own.
void compare(App& app, const SystemSnapshot& system, std::size_t row);
void stop_comparing(App& app);

// View (view_actions.cpp)
/// What is on show: the colouring, the arrows, what plots measure, all of a selected element, forces of rules, and the air.
[[nodiscard]] Wanted wanted_by(const App& app);
/// Asks the simulation for that.
void subscribe(App& app);
void cycle_color_by(App& app);
void toggle_vectors(App& app);
/// Whether the forces of a rule's node are drawn as arrows.
[[nodiscard]] bool shows_forces(const App& app, const std::string& rule);
void toggle_forces(App& app, const std::string& rule);
[[nodiscard]] std::vector<std::string> color_by_choices(const App& app);
/// Velocity, and every vector that a system has.
[[nodiscard]] std::vector<std::string> vector_choices(const App& app);
[[nodiscard]] std::vector<std::string> system_names(const App& app);
/// The system of the selected element in the newest snapshot. Null if nothing is selected; else viewport.selection.element is a row of it.
[[nodiscard]] const SystemSnapshot* selected_system(const App& app);
/// Names of all systems and obstacles.
[[nodiscard]] std::vector<std::string> hideable_names(const App& app);
/// Hides a system or an obstacle in the picture. The selection is cleared if it is part of it.
void hide(App& app, const std::string& name);
void show_all_hidden(App& app);
/// The selected element as the view names it, "school.17"; empty where there is none.
[[nodiscard]] std::string selected_name(const App& app);
/// The camera goes along with it from now on; empty: with nothing.
void follow(App& app, const std::string& name);
/// Follows the selection, or nothing more.
void toggle_follow(App& app);
[[nodiscard]] bool has_trail(const App& app, const std::string& name);
void toggle_trail(App& app, const std::string& name);

// Plots of picked values
/// Begins a curve over time of an element's value, or takes it out of the plots again.
void pick_value(App& app, const PickedValue& value);
/// A picked plot becomes part of the scene, or goes.
void keep_plot(App& app, const std::string& plot);
void drop_plot(App& app, const std::string& plot);

// Capture (capture_actions.cpp)
void take_screenshot(App& app);
/// Writes all plots' curves to a CSV file, or one plot's.
void save_plots(App& app);
void save_plot(App& app, std::size_t plot);
/// By simulated time where the simulation is slower than real time, until the user has chosen.
void choose_timing(App& app);
void choose_timing(CaptureSettings& capture, const Snapshot& now);
void start_recording(App& app);
void stop_recording(App& app);
/// Adds what is due to the recording; after the picture has been drawn, with the window's framebuffer bound.
void pump_recording(App& app, int window_width, int window_height);
/// Writes the window as it was just drawn to a PNG when one is wanted.
void finish_window_screenshot(App& app, int window_width, int window_height);
[[nodiscard]] Image read_window(int width, int height);

}  // namespace vw::ui
