// The open scene: its document with undo, the run that simulates it, and the results that the window shows.
// Use only on the drawing thread.
#pragma once

#include <deque>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/window/display_clock.h"
#include "app/window/document/autosave.h"
#include "app/window/document/document.h"
#include "app/window/document/material_edit_buffer.h"
#include "app/window/document/scene_loader.h"
#include "app/window/gizmo/body_moves.h"
#include "app/window/results/comparison_show.h"
#include "app/window/results/history.h"
#include "app/window/results/moment_pictures.h"
#include "app/window/results/plot_show.h"
#include "app/window/results/spectrum_show.h"
#include "app/window/ui/panels/equilibrium_panel.h"
#include "app/window/ui/panels/modes_panel.h"
#include "app/window/voxel_edit/lowest_frequency.h"
#include "render/renderer.h"
#include "sim/api/live/live_run.h"

namespace vw::ui {

struct Session {
  SceneLoader loader;
  std::unique_ptr<Document> document;  ///< null until the first scene is open
  std::unique_ptr<OwnFile> recording;  ///< file in which the session of `run` is recorded; null if it is not recorded
  std::unique_ptr<api::LiveRun> run;   ///< null until the first scene is open
  BodyMoves body_moves;
  /// Poses of bodies that an edit removed from the running world. If undo or redo brings a body back, it returns to its
  /// pose. `epoch` is Snapshot::epoch at the time of the removal.
  struct RemovedBodies {
    std::vector<SetPose> poses;
    std::uint64_t epoch = 0;
  };
  std::map<std::string, RemovedBodies> removed_bodies;  ///< by the path of the removed node
  MaterialEditBuffer materials;
  DisplayClock clock;
  History history;
  PlotShow plots;
  ComparisonShow comparison;
  /// File that is being opened for a comparison.
  struct SecondSession {
    std::string path;
    std::future<Result<api::FollowedSession>> session;
  } second;
  MomentPictures moment_pictures;
  ModesState modes;
  LowestFrequency lowest_frequency;  ///< lowest frequency of the body in the voxel editor
  SpectrumMeasurement spectrum;
  EquilibriumState equilibrium;
  NodeChange wants_source;            ///< new node whose source file the user is to choose
  std::vector<std::string> messages;  ///< messages of the run that the next frame reports

  double display_sent_s = -1e9;  ///< wall time of the last set_display() [s]

  bool playing = true;
  /// Playing backwards: whether it is on, and the time since the start of the session that is shown next [s].
  struct Backwards {
    bool is_on = false;
    double elapsed_s = 0;
  } backwards;
  /// Paths of the parameters that were changed since the last reset and take effect only at a reset.
  std::set<std::string> waiting;
  [[nodiscard]] bool reset_needed() const { return !waiting.empty(); }
  bool have_snapshot = false;
  float blend = 1;  ///< interpolation between the previous snapshot (0) and the newest snapshot (1)
  /// Run that is being created to check changes of nodes, or to replace the running world: revision of the document
  /// from which the run is created, and the changes.
  struct Trial {
    std::uint64_t revision = 0;
    SceneAddition addition;
    bool restarts = false;  ///< whether the run replaces the running world
  } trial;
  std::deque<SceneAddition> next_changes;  ///< changes of the open scene that wait for the trial in progress
  /// Scene of the running world after all commands that have been sent to it. The document may differ in the view, in
  /// plots and in materials that are not valid yet.
  Node world_scene;
  /// Outcome of the last change of nodes that was sent to the running world.
  struct ChangeOutcome {
    std::mutex mutex;
    std::optional<Error> error;
    std::string restart_reason;  ///< reason why the world had to restart; empty if it continued
  };
  std::shared_ptr<ChangeOutcome> change_outcome = std::make_shared<ChangeOutcome>();

  /// Displayed snapshot: the newest snapshot of the run, or the picture of an oscillating mode. Null before the first
  /// snapshot.
  [[nodiscard]] const Snapshot* snapshot() const;
  /// Displayed frame: an interpolation between the run's last two snapshots, or an oscillating mode.
  [[nodiscard]] Frame frame() const;
  [[nodiscard]] ViewParams view() const;         ///< view parameters of the document
  [[nodiscard]] std::string scene_name() const;  ///< file name without extension

  // Choices that the displayed snapshot and the document offer.
  [[nodiscard]] std::vector<std::string> color_by_choices() const;
  /// Names of the vectors that can be drawn as arrows: the velocity and every vector that a system provides.
  [[nodiscard]] std::vector<std::string> vector_choices() const;
  [[nodiscard]] std::vector<std::string> system_names() const;
  /// Names of all systems and obstacles.
  [[nodiscard]] std::vector<std::string> hideable_names() const;
  /// Names of the hidden and locked systems and obstacles, which the mouse cannot pick in the picture.
  [[nodiscard]] std::vector<std::string> unpickable_names() const;
  /// Whether the forces of a rule are drawn as arrows.
  [[nodiscard]] bool shows_forces(const std::string& rule) const;
  [[nodiscard]] bool has_trail(const std::string& name) const;
};

}  // namespace vw::ui
