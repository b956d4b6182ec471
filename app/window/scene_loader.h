// Opens scenes away from the drawing thread: reading, checking and building the world may take a while, and the window must not freeze.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/window/background.h"
#include "app/window/scene_edit.h"
#include "sim/scene/import_mesh.h"
#include "sim/world/world.h"

namespace vw {

/// What is done to a scene that is open.
struct SceneAddition {
  std::vector<Graft> grafts = {};
  std::string mesh = {};  ///< a file that becomes a body; empty: none
  MeshImport how = {};
};

struct OpenRequest {
  std::string path;
  std::vector<std::string> sets;  ///< `path=value`
  bool strict = false;
  std::string base = {};                  ///< of a .vxd
  std::shared_ptr<const Node> tree = {};  ///< a scene that is open, to be made anew in the place of the file
  SceneAddition add = {};                 ///< done to the tree
};

struct LoadedWorld {
  std::string path;
  Node scene;              ///< complete and resolved
  std::string scene_text;  ///< the same as TOML, for the journal
  std::vector<std::string> warnings;
  std::unique_ptr<World> world;
  bool is_anew = false;       ///< of a tree
  std::vector<Graft> grafts;  ///< done to the tree
  Amends amends;              ///< and what that took besides
  double wall_s = 0;
};

/// Reads, applies the sets and builds the world; on the calling thread.
[[nodiscard]] Result<LoadedWorld> load_world(const OpenRequest& request);

class SceneLoader {
 public:
  /// Starts on a worker; a request still under way is superseded, its result thrown away.
  void start(OpenRequest request);
  [[nodiscard]] bool busy() const;
  [[nodiscard]] bool makes_anew() const { return busy() && is_anew_; }  ///< what is being made is of a tree
  [[nodiscard]] const std::string& path() const { return path_; }       ///< of the newest request
  /// The newest request's outcome, once.
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
