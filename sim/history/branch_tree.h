// The tree of the branches of a session: the commands that were applied, and the steps at which they were applied. A
// command at a past moment begins a branch; the old branch keeps the steps and commands recorded after that moment. The
// tree is plain data without a world.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/world/state/journal.h"
#include "sim/world/state/scene_version.h"

namespace vw {

using BranchNumber = std::uint32_t;

/// A moment of a session. The path of a branch runs from the start of the session through its ancestors to its own end.
struct RunMoment {
  BranchNumber branch = 0;
  std::uint64_t tick = 0;  ///< steps since the start of the session along the path; resets do not set the number back
  std::uint64_t commands = 0;  ///< commands applied since the start of the session along the path
  bool operator==(const RunMoment&) const = default;
};

/// A named moment.
struct Bookmark {
  std::uint64_t tick = 0;
  std::string name;
  bool operator==(const Bookmark&) const = default;
};

class BranchTree {
 public:
  struct Entry {
    std::uint64_t tick = 0;
    Command command;
  };
  struct Branch {
    std::string name;
    std::optional<BranchNumber> parent;  ///< empty for the first branch
    /// Moment on the parent's path at which the branch begins. For the first branch, the start of the tree.
    std::uint64_t fork_tick = 0, fork_commands = 0;
    double fork_time_s = 0;  ///< time of the world at this moment [s]
    std::uint64_t end_tick = 0;
    std::vector<Entry> entries;        ///< commands of the branch itself
    std::vector<JournalEntry> hashes;  ///< hashes of states, in the order of steps
    std::vector<Bookmark> bookmarks;
    std::string failure;  ///< reason of the failed health check that ended the branch, or empty
    /// Step length dt_s [s] from step `tick` on, and the time of that step since the start of the session [s].
    struct StepLength {
      std::uint64_t tick = 0;
      double elapsed_s = 0, dt_s = 0;
    };
    std::vector<StepLength> step_lengths;
    /// Stored scenes, by number of commands. The scenes between them are computed from the commands on demand.
    std::map<std::uint64_t, std::shared_ptr<const SceneVersion>> versions;
    [[nodiscard]] std::uint64_t commands() const { return fork_commands + entries.size(); }
  };

  /// Begins a tree whose first branch has number 0. `start` is the first moment of the tree, at the time `elapsed_s`
  /// [s] since the start of the session. Steps that the session took before `start` are not in the tree.
  BranchTree(SceneVersion scene, double dt_s, const RunMoment& start = {}, double elapsed_s = 0);

  /// Largest number of branches. The limit bounds the time to open a malicious file.
  static constexpr std::size_t most_branches = 10'000;

  /// Contents of a tree in a file, without the scenes.
  struct Stored {
    std::map<BranchNumber, Branch> branches;
    BranchNumber main = 0;
    BranchNumber next = 1;  ///< number of the next new branch; higher than all numbers used so far
  };
  /// Builds the tree from these contents, which are checked because the file may be damaged or malicious. `scene` is
  /// the scene at the start of the tree; the scenes of later moments are computed. An error names the branch and the
  /// inconsistency.
  [[nodiscard]] static Result<BranchTree> restore(Stored stored, SceneVersion scene);
  /// Returns whether the tree was built by restore(). Its scenes were then computed and lack driven values
  /// (advance_scene()), even that of the first moment.
  [[nodiscard]] bool is_restored() const { return is_restored_; }
  [[nodiscard]] BranchNumber next() const { return next_; }

  [[nodiscard]] const std::map<BranchNumber, Branch>& branches() const { return branches_; }
  [[nodiscard]] bool has(BranchNumber branch) const { return branches_.contains(branch); }
  [[nodiscard]] const Branch& branch(BranchNumber number) const { return branches_.at(number); }
  [[nodiscard]] RunMoment start() const { return {0, branches_.at(0).fork_tick, branches_.at(0).fork_commands}; }
  /// Returns the last moment of a branch.
  [[nodiscard]] RunMoment end(BranchNumber branch) const;
  /// Returns the branch that is the main line.
  [[nodiscard]] BranchNumber main() const { return main_; }

  // ---- Recording, at the end of a branch ----

  void add_command(BranchNumber branch, Command command);
  void add_step(BranchNumber branch, double dt_s);
  void add_hash(BranchNumber branch, const JournalEntry& hash) { branches_.at(branch).hashes.push_back(hash); }
  void add_version(BranchNumber branch, SceneVersion version);
  /// The scene of a moment is stored if its computation would cost at least this much (scene_cost()).
  static constexpr std::uint64_t scene_cost_limit = 256;
  void set_failure(BranchNumber branch, std::string sentence) { branches_.at(branch).failure = std::move(sentence); }
  /// Begins a branch at a moment and returns its number. `time_s` [s] is the time of the world at that moment.
  BranchNumber fork(const RunMoment& at, double time_s);

  // ---- Changes by the user ----

  Result<void> rename(BranchNumber branch, std::string name);
  /// Makes a branch the main line.
  Result<void> promote(BranchNumber branch);
  /// Removes a branch and all branches that begin in it, and returns the removed branches. The first branch cannot be
  /// removed.
  Result<std::vector<BranchNumber>> remove(BranchNumber branch);
  Result<void> add_bookmark(BranchNumber branch, Bookmark bookmark);
  Result<void> remove_bookmark(BranchNumber branch, std::uint64_t tick);

  // ---- Along the path of a branch ----

  /// Returns the branch on the path that contains the state directly after the step that led to `tick`.
  [[nodiscard]] BranchNumber owner(BranchNumber branch, std::uint64_t tick) const;
  /// Returns command number `index` (from 0) of the path.
  [[nodiscard]] const Entry& command(BranchNumber branch, std::uint64_t index) const;
  /// Returns the number of commands of the path whose tick is below `tick` (before) or at most `tick` (through).
  [[nodiscard]] std::uint64_t commands_before(BranchNumber branch, std::uint64_t tick) const;
  [[nodiscard]] std::uint64_t commands_through(BranchNumber branch, std::uint64_t tick) const {
    return commands_before(branch, tick + 1);
  }
  /// Returns the simulated time since the start of the session at a tick of the path [s].
  [[nodiscard]] double elapsed_s(BranchNumber branch, std::uint64_t tick) const;
  /// Returns the tick of the path that is nearest to a time [s] since the start of the session. For times after the
  /// end, returns the last tick.
  [[nodiscard]] std::uint64_t tick_at(BranchNumber branch, double elapsed_s) const;
  /// Returns the same moment with the branch that contains it. A moment before the start of a branch is contained in an
  /// ancestor.
  [[nodiscard]] RunMoment owned(RunMoment moment) const;
  /// Returns whether a moment lies on the path of a branch.
  [[nodiscard]] bool is_on_path(const RunMoment& moment, BranchNumber branch) const;
  /// Returns the last moment that the paths of two branches share.
  [[nodiscard]] RunMoment parting(BranchNumber a, BranchNumber b) const;
  /// Returns whether `branch` is `ancestor` or one of its descendants.
  [[nodiscard]] bool is_same_or_descendant(BranchNumber branch, BranchNumber ancestor) const;
  /// Returns the scene of the path after `commands` commands.
  [[nodiscard]] Result<SceneVersion> scene_at(BranchNumber branch, std::uint64_t commands) const;
  /// Returns the cost of scene_at() for a moment: the number of commands since the nearest stored scene that change the
  /// scene. A change of nodes counts as 16, because it copies the trees.
  [[nodiscard]] std::uint64_t scene_cost(const RunMoment& at) const;
  /// The last command before a moment that changed the scene: its number, counted from 1, and the branch that contains
  /// it. The number is 0 if there is no such command. Moments with equal stamps have equal scenes.
  struct CommandStamp {
    BranchNumber branch = 0;
    std::uint64_t command = 0;
    bool operator==(const CommandStamp&) const = default;
  };
  [[nodiscard]] CommandStamp scene_stamp(const RunMoment& at) const;
  /// Returns the recorded hash of the state directly after the step that led to `tick`. Only the branch itself is
  /// searched, not its ancestors.
  [[nodiscard]] std::optional<std::uint64_t> hash_at(BranchNumber branch, std::uint64_t tick) const;
  /// Returns a number that identifies the run to which a moment belongs. It is derived from the last reset before the
  /// moment, or 0 if there was no reset. Moments with equal numbers belong to the same run.
  [[nodiscard]] std::uint64_t run_number(const RunMoment& at) const;
  /// Returns the commands and hashes of the path from the start of the tree up to a moment, in the order of a journal.
  [[nodiscard]] std::vector<JournalEntry> journal_entries(const RunMoment& until) const;

 private:
  BranchTree() = default;
  /// Returns the cost of one command in scene_cost().
  [[nodiscard]] static std::uint64_t command_cost(const Command& command);
  /// Consecutive commands of a path that belong to one branch.
  struct PathPart {
    BranchNumber branch = 0;
    std::uint64_t first = 0;  ///< index of the first of the commands
    std::span<const Entry> entries;
  };
  /// Returns the commands of the path with indices in [from, to), in their order.
  [[nodiscard]] std::vector<PathPart> parts_of_path(BranchNumber branch, std::uint64_t from, std::uint64_t to) const;
  /// Returns the last stored scene with at most `commands` commands of the path, and its number of commands.
  [[nodiscard]] std::pair<std::uint64_t, std::shared_ptr<const SceneVersion>> stored_scene(
      BranchNumber branch, std::uint64_t commands) const;
  /// Checks a branch, adds it to the tree, and computes its scenes.
  [[nodiscard]] Result<void> restore_branch(BranchNumber number, Branch branch);
  [[nodiscard]] CommandStamp last_command(const RunMoment& at, bool (*is_meant)(const Command&)) const;
  [[nodiscard]] Unexpected unknown(BranchNumber branch) const;
  std::map<BranchNumber, Branch> branches_;
  BranchNumber next_ = 1, main_ = 0;
  bool is_restored_ = false;
};

}  // namespace vw
