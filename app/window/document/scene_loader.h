// Opens scenes on a worker thread: reading, checking and building the world may take a while, and the window must not
// freeze.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/window/background.h"
#include "app/window/document/scene_edit.h"
#include "sim/scene/import_mesh.h"
#include "sim/world/world.h"

namespace vw {

/// Additions to an open scene.
struct SceneAddition {
  std::vector<NodeChange> node_changes = {};
  std::string mesh = {};  ///< mesh file to import as a body; empty: none
  MeshImport how = {};
};

struct OpenRequest {
  std::string path;
  std::vector<std::string> sets;  ///< assignments `path=value`
  bool strict = false;
  std::string base = {};                  ///< base file of a .vxd design
  std::shared_ptr<const Node> tree = {};  ///< tree of an open scene, to be rebuilt instead of reading the file
  SceneAddition add = {};                 ///< additions applied to the tree
};

struct LoadedWorld {
  std::string path;
  Node scene;              ///< complete scene with all defaults
  std::string scene_text;  ///< the same as TOML, for the journal
  std::vector<std::string> warnings;
  std::unique_ptr<World> world;
  bool is_rebuild = false;               ///< built from a tree
  std::vector<NodeChange> node_changes;  ///< applied to the tree
  Amendments amends;                     ///< further changes that these required
  double wall_s = 0;
};

/// Reads the scene, applies the assignments and builds the world on the calling thread.
[[nodiscard]] Result<LoadedWorld> load_world(const OpenRequest& request);

class SceneLoader {
 public:
  /// Starts on a worker thread. A request in progress is superseded and its result discarded.
  void start(OpenRequest request);
  [[nodiscard]] bool busy() const;
  /// Whether the request in progress rebuilds an open scene
  [[nodiscard]] bool makes_anew() const { return busy() && is_anew_; }
  [[nodiscard]] const std::string& path() const { return path_; }  ///< path of the newest request
  /// Result of the newest request, returned once.
  [[nodiscard]] std::optional<Result<LoadedWorld>> poll();

 private:
  struct Slot {
    std::mutex mutex;
    std::optional<Result<LoadedWorld>> outcome;
    bool done = false;
  };
  std::shared_ptr<Slot> newest_;
  std::string path_;
  bool is_anew_ = false;
  Background workers_;
};

}  // namespace vw
