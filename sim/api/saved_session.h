// Session files: all branches of a session, with commands, bookmarks and keyframes (docs/session-format.md). A LiveRun
// writes them; this file opens them. This file is part of the library's stable interface: a function that is declared
// here keeps its meaning, and later versions only add to it.
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
    std::optional<std::uint32_t> parent;  ///< none for the first branch
    double begin_s = 0, end_s = 0;        ///< times since the start of the session [s]
    std::uint64_t commands = 0;           ///< number of commands of the branch itself
    bool is_main = false;                 ///< whether it counts as the main line
    bool is_present = false;              ///< whether the moment that was shown last belongs to it
  };
  std::string build;  ///< build that wrote the file
  std::string title;  ///< title of the scene, or empty
  std::vector<Branch> branches;
  double present_s = 0;  ///< time of the moment that was shown last, since the start of the session [s]
  std::size_t keyframes = 0;
  bool is_complete = false;         ///< whether the session ended normally
  std::uint64_t damaged_bytes = 0;  ///< bytes at the end of the file that could not be read
};
/// Whether a file is a session file, by its first bytes.
[[nodiscard]] bool is_session_file(const std::string& path);
[[nodiscard]] Result<SessionFacts> session_facts(const std::string& path);
/// Returns the scene at the start of a session file.
[[nodiscard]] Result<Node> scene_of_session(const std::string& path);

/// A session that has been opened. Pass it to a LiveRun, which shows the moment that was shown last, with all branches.
struct OpenedSession {
  std::string path;
  Run run;                         ///< run at the start of the session
  Node scene;                      ///< scene of the moment that was shown last, with the view and the plots of the file
  std::vector<std::string> notes;  ///< warnings, one sentence each
  std::shared_ptr<RestoredHistory> history;
};
/// Called with the fraction of the work that is done. If it returns false, opening ends with an error.
using OpeningProgress = std::function<bool(double share)>;
/// Opens a session file. Keyframes of another build are not used: moments are computed again from the start, with a
/// note. An error names the file and what is damaged.
[[nodiscard]] Result<OpenedSession> open_session(const std::string& path, const std::string& journal_path = {},
                                                 const OpeningProgress& progress = {});

/// Makes the end of a branch the moment that is shown. `branch` is the name or the number of a branch.
[[nodiscard]] Result<void> choose_branch(OpenedSession& session, const std::string& branch);

/// Goes to a moment of an opened session and returns the run that has reached it. `branch` is the name or the number of
/// a branch, whose last moment is wanted; if it is empty, the moment that was shown last is wanted.
[[nodiscard]] Result<ReopenedMoment> reach(OpenedSession session, const std::string& branch = {},
                                           const OpeningProgress& progress = {});

/// Repeats a branch of a session file from the start, without keyframes, and compares every recorded hash. See reach()
/// for `branch`.
[[nodiscard]] Result<ReopenedMoment> repeat_session(const std::string& path, const std::string& branch = {},
                                                    const MomentOptions& options = {});
/// What leads to a moment of a session file.
struct SessionPath {
  Journal journal;         ///< commands and hashes from the start of the session
  std::uint64_t tick = 0;  ///< number of steps from the start of the session to the moment
};
/// Returns the path to a moment of a session file. See reach() for `branch`.
[[nodiscard]] Result<SessionPath> session_path(const std::string& path, const std::string& branch = {});

}  // namespace vw::api
