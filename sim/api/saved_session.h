// Session files: all branches of a session, with commands, bookmarks and keyframes (docs/session-format.md). A LiveRun
// writes them, and the functions below open them. This file is part of the library's stable interface: a function that
// is declared here keeps its meaning, and later versions only add to it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/api/moment.h"
#include "sim/api/run.h"

namespace vw {
struct RestoredHistory;
}

namespace vw::api {

/// Facts about a session file, read without building its world.
struct SessionFacts {
  struct Branch {
    std::uint32_t number = 0;
    std::string name;
    std::optional<std::uint32_t> parent;  ///< empty for the first branch
    double begin_s = 0, end_s = 0;        ///< times since the start of the session [s]
    std::uint64_t commands = 0;           ///< number of commands of the branch itself
    bool is_main = false;                 ///< whether this branch is the main line
    bool is_present = false;              ///< whether this branch contains the moment that was shown last
  };
  std::string build;  ///< build that wrote the file
  std::string title;  ///< title of the scene, or empty
  std::vector<Branch> branches;
  double present_s = 0;  ///< time of the moment that was shown last, since the start of the session [s]
  std::size_t keyframes = 0;
  bool is_complete = false;         ///< whether the session ended normally
  std::uint64_t damaged_bytes = 0;  ///< bytes at the end of the file that could not be read
};
/// Returns whether a file is a session file, judged by its first bytes.
[[nodiscard]] bool is_session_file(const std::string& path);
[[nodiscard]] Result<SessionFacts> session_facts(const std::string& path);
/// Returns the scene at the start of a session file.
[[nodiscard]] Result<Node> scene_of_session(const std::string& path);

/// An opened session, to be passed to a LiveRun. The LiveRun shows the moment that was shown last and offers all
/// branches.
struct OpenedSession {
  std::string path;
  Run run;                         ///< run at the start of the session
  Node scene;                      ///< scene of the moment that was shown last, with the view and the plots of the file
  std::vector<std::string> notes;  ///< warnings, one sentence each
  std::shared_ptr<RestoredHistory> history;
};
/// This function is called with the fraction of the work that is done. If the function returns false, opening ends with
/// an error.
using OpeningProgress = std::function<bool(double share)>;
/// Opens a session file. If another build has written the file, its keyframes are not used. The moments are then
/// computed again from the start, and a note says so. An error names the file and the damage.
[[nodiscard]] Result<OpenedSession> open_session(const std::string& path, const std::string& journal_path = {},
                                                 const OpeningProgress& progress = {});

/// Selects the end of a branch as the moment to show. `branch` is the name or the number of a branch.
[[nodiscard]] Result<void> choose_branch(OpenedSession& session, const std::string& branch);

/// Goes to the last moment of a branch of an opened session and returns the run that has reached it. `branch` is the
/// name or the number of the branch; if it is empty, the run goes to the moment that was shown last.
[[nodiscard]] Result<ReopenedMoment> reach(OpenedSession session, const std::string& branch = {},
                                           const OpeningProgress& progress = {});

/// Repeats a branch of a session file from the start, without keyframes, and compares every recorded hash. See reach()
/// for `branch`.
[[nodiscard]] Result<ReopenedMoment> repeat_session(const std::string& path, const std::string& branch = {},
                                                    const MomentOptions& options = {});
/// The steps and commands that lead to a moment of a session file.
struct SessionPath {
  Journal journal;         ///< commands and hashes from the start of the session
  std::uint64_t tick = 0;  ///< number of steps from the start of the session to the moment
};
/// Returns the path to a moment of a session file. See reach() for `branch`.
[[nodiscard]] Result<SessionPath> session_path(const std::string& path, const std::string& branch = {});

}  // namespace vw::api
