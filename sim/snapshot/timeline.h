// The timeline of a live run: branches, marks and keyframes, as data for display.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vw {

/// Limits of the memory and disk space of a run's history, and the paths of its files.
struct HistoryLimits {
  std::uint64_t memory_bytes = std::uint64_t{1} << 30;
  std::uint64_t file_bytes = std::uint64_t{4} << 30;
  std::string spill_folder = {};  ///< folder of the temporary file; if empty, no file is used
  /// Session file that is written while the session runs, so that the session can be opened after a crash. If the path
  /// is empty, no such file is written.
  std::string recording = {};
  std::uint64_t recording_bytes = std::uint64_t{1} << 30;  ///< size up to which keyframes are written to this file
};

struct Timeline {
  /// An event at a step.
  struct Mark {
    enum class Kind {
      edit,      ///< an assignment of a parameter
      nodes,     ///< added, removed or renamed nodes
      action,    ///< a grab, push, removal, addition of elements or search for equilibrium
      reset,     ///< a reset to the initial state
      bookmark,  ///< a bookmark of the user
      failure,   ///< a failed health check, which ended the branch
    };
    Kind kind = Kind::edit;
    std::uint64_t tick = 0;
    double elapsed_s = 0;
    std::string text;  ///< description of the event, for example "world.gravity"
  };
  /// A branch of the timeline. Times count from the start of the session [s]; a reset does not set them back.
  struct Branch {
    std::uint32_t number = 0;
    std::string name;
    std::optional<std::uint32_t> parent;  ///< number of the parent branch; empty for the first branch
    std::uint64_t begin_tick = 0, end_tick = 0;
    double begin_s = 0, end_s = 0;
    std::vector<Mark> marks;       ///< marks of the branch itself, in the order of ticks
    std::vector<float> keyframes;  ///< times of the keyframes of the branch itself
    std::string failure;           ///< reason of the failed health check that ended the branch; empty if there is none
  };
  std::vector<Branch> branches;  ///< in the order of their numbers
  std::uint32_t main = 0;        ///< number of the branch that is the main line
  std::size_t keyframe_count = 0;
  std::uint64_t memory_bytes = 0, memory_limit_bytes = 0;  ///< memory that the keyframes use, and its limit
  std::uint64_t file_bytes = 0, file_limit_bytes = 0;      ///< size of the file of keyframes and its limit; 0: no file
                                                           ///< is used

  /// Returns the branch with this number, or null if there is no such branch.
  [[nodiscard]] const Branch* find(std::uint32_t number) const;
  /// Returns the branches on the path of a branch, from the first branch to the branch itself.
  [[nodiscard]] std::vector<const Branch*> path(std::uint32_t number) const;
};

}  // namespace vw
