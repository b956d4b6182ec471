// Opens scenes on a worker thread. Reading and checking a scene and creating the run may take a while, and the window
// must not freeze.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/window/background.h"
#include "app/window/document/scene_edit.h"
#include "sim/api/run.h"
#include "sim/api/saved_session.h"
#include "sim/scene/import_mesh.h"

namespace vw {

/// Changes of an open scene.
struct SceneAddition {
  std::vector<NodeChange> node_changes = {};
  std::vector<Assignment> assignments = {};  ///< applied after `node_changes`
  std::string mesh = {};                     ///< path of a mesh file that is imported as a body; empty if there is none
  MeshImport how = {};
  bool selects_all = false;  ///< whether the window then selects all nodes that `node_changes` add, not only the first
};

struct OpenRequest {
  std::string path;
  std::vector<std::string> sets = {};  ///< assignments of the form `path=value`
  bool strict = false;
  std::string base = {};                  ///< base file of a .vxd design
  std::shared_ptr<const Node> tree = {};  ///< tree of an open scene, used instead of the file; null to read the file
  SceneAddition add = {};                 ///< additions applied to the tree
  bool is_template = false;               ///< whether the file is a template, so that the document has no file
  /// TOML text of a scene with unsaved edits, used instead of the file. File names in the text are relative to the
  /// folder of `path`. If there is no text, the file is read.
  std::optional<std::string> unsaved_text = {};
  std::optional<double> at_s = {};  ///< if the file is a video: time in the video that is opened [s]
  /// If the file is a session, name or number of the branch whose end is opened. If empty, the moment that was shown
  /// last is opened.
  std::string branch = {};
  bool is_state = false;  ///< whether the file is a saved state of a run (checkpoint), from which the run continues
};

struct LoadedRun {
  /// File of the scene. Empty if the scene comes from a template, a saved state, a picture or a session.
  std::string path;
  Node scene;  ///< complete scene with all defaults
  std::vector<std::string> warnings;
  api::Run run;                          ///< run of `scene` at time 0, or at the saved moment
  std::vector<NodeChange> node_changes;  ///< changes that were applied to the tree
  Amendments amends;                     ///< further changes that were necessary because of `node_changes`
  double wall_s = 0;                     ///< time that loading has taken [s]
  bool is_resumed = false;               ///< whether the run continues from a saved state
  std::string picture = {};  ///< path of the picture whose moment the run has reached; empty if there is none
  std::optional<api::ComparedMoment> compared = {};  ///< run B, if the picture shows a comparison
  std::shared_ptr<RestoredHistory> history = {};     ///< branches of an opened session; null if the file is no session
  bool has_unsaved_edits = false;                    ///< whether the scene was made from OpenRequest::unsaved_text
};

/// Reads the scene, applies the assignments and creates the run on the calling thread. The moment of a picture is
/// reached by repeating its session. If `is_cancelled` returns true, the function ends with an error. `is_cancelled`
/// may be empty.
[[nodiscard]] Result<LoadedRun> load_run(const OpenRequest& request, const std::function<bool()>& is_cancelled = {});

class SceneLoader {
 public:
  SceneLoader() = default;
  ~SceneLoader() { cancel(); }
  SceneLoader(const SceneLoader&) = delete;
  SceneLoader& operator=(const SceneLoader&) = delete;

  /// Starts loading on a worker thread. The result of an earlier request in progress is discarded.
  void start(OpenRequest request);
  [[nodiscard]] bool busy() const;
  /// Whether the request in progress changes an open scene instead of opening a file.
  [[nodiscard]] bool is_for_open_scene() const { return busy() && is_for_open_scene_; }
  [[nodiscard]] const std::string& path() const { return path_; }  ///< path of the newest request
  /// Result of the newest request. Empty while the request is in progress, and after the result was returned once.
  [[nodiscard]] std::optional<Result<LoadedRun>> poll();

 private:
  struct Slot {
    std::mutex mutex;
    std::optional<Result<LoadedRun>> outcome;
    bool done = false;
    std::atomic<bool> is_cancelled{false};
  };
  void cancel() const {
    if (newest_ != nullptr) newest_->is_cancelled = true;
  }
  std::shared_ptr<Slot> newest_;
  std::string path_;
  bool is_for_open_scene_ = false;
  Background workers_;
};

}  // namespace vw
