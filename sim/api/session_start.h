// Starts the run of a saved session again: of a picture, a video or a session file. Used by open_moment.cpp and
// open_session.cpp; not part of the stable interface.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/api/run.h"
#include "sim/base/data/node.h"
#include "sim/world/state/journal.h"

namespace vw::api {

/// Creates the run at the start of a session. `sources` holds the hash of each file that the scene names. A file that
/// does not exist is looked for beside `file`, the file of the session, and among the packaged models. `notes` receives
/// a sentence for each file that was changed.
[[nodiscard]] Result<Run> start_of_session(const Journal& journal, std::shared_ptr<const Checkpoint> start,
                                           const std::map<std::string, std::string>& sources, const std::string& file,
                                           const std::string& journal_path, std::vector<std::string>& notes);
/// Returns the scene of a journal, in TOML, with the present paths of its files. See start_of_session() for the other
/// parameters. If the text is damaged, it is returned as it is.
[[nodiscard]] std::string scene_with_present_files(const Journal& journal,
                                                   const std::map<std::string, std::string>& sources,
                                                   const std::string& file, std::vector<std::string>& notes);
/// Gives `scene` the view and the plots of `display` (display_text()). If the text is damaged, the scene keeps its own,
/// and `notes` receives a sentence.
void put_display(Node& scene, const std::string& display, std::vector<std::string>& notes);

}  // namespace vw::api
