// Starts the run of a saved session again. The session was stored in a picture, a video or a session file.
// open_moment.cpp and open_session.cpp use this file; it is not part of the stable interface.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/api/run.h"
#include "sim/base/data/node.h"
#include "sim/world/state/journal.h"

namespace vw::api {

/// Creates the run at the start of a session. `sources` contains the hash of each file that the scene names. A missing
/// file is searched for among the packaged models and scenes, and in the folder of `file`, in which the session is
/// stored. For each changed file, a sentence is added to `notes`.
[[nodiscard]] Result<Run> start_of_session(const Journal& journal, std::shared_ptr<const Checkpoint> start,
                                           const std::map<std::string, std::string>& sources, const std::string& file,
                                           const std::string& journal_path, std::vector<std::string>& notes);
/// Returns the scene of a journal as TOML in which the names of moved files are replaced by their present paths. The
/// other parameters are those of start_of_session(). Damaged text is returned unchanged.
[[nodiscard]] std::string scene_with_present_files(const Journal& journal,
                                                   const std::map<std::string, std::string>& sources,
                                                   const std::string& file, std::vector<std::string>& notes);
/// Replaces the view and the plots of `scene` by those of `display` (display_text()). If that text is damaged, the
/// scene is not changed, and a sentence is added to `notes`.
void put_display(Node& scene, const std::string& display, std::vector<std::string>& notes);

}  // namespace vw::api
