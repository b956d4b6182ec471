// Opens the scene given on the command line.
#pragma once

#include <cstdint>
#include <string>

#include "app/cli/options.h"
#include "sim/api/run.h"
#include "sim/base/data/node.h"
#include "sim/base/error.h"

namespace vw::cli {

/// Returns the value in a text `path=value` of --set, as a text parameter takes it: without outer blanks and one pair
/// of outer quotes.
[[nodiscard]] std::string value_of_set(const std::string& set);
/// Finds and loads the scene, and applies --set. Warnings are written to stderr.
[[nodiscard]] Result<api::OpenedScene> open_scene(const SceneOptions& options);

/// A run that a command has started.
struct StartedRun {
  api::Run run;
  Node scene;  ///< scene of the run, with the view and the plots to be shown
  /// Whether SCENE is a picture, a video or a session. The run then continues from the moment that SCENE shows.
  bool is_moment = false;
  bool agrees = true;  ///< whether all recorded hashes of the moment's session were equal to those of the run
  std::uint64_t hashes_checked = 0;
};
/// Creates the run of SCENE, with the values of --set. A picture, video or session written by Voxwake opens at its
/// moment, after which each --set becomes a command. Warnings are written to stderr.
[[nodiscard]] Result<StartedRun> start_scene(const SceneOptions& options, const std::string& journal_path = {});

/// Returns an error if --at is given and SCENE is not a picture or video, or if --branch is given and SCENE is not a
/// session.
[[nodiscard]] Result<void> check_moment(const SceneOptions& options);
/// Returns an error if --base is given but has no effect. The option has an effect if the scene file `path` is a .vxd
/// file or names a .vxd file.
[[nodiscard]] Result<void> check_base(const SceneOptions& options, const std::string& path);

}  // namespace vw::cli
