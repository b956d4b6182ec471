// The tree of the branches of a session: which commands were applied at which step. A command at a past moment begins a
// branch; the steps and commands after that moment stay in the former branch. Pure data without a world.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/error.h"
#include "sim/world/state/journal.h"
#include "sim/world/state/scene_version.h"

namespace vw {

using BranchNumber = std::uint32_t;

/// A moment of a session. The path of a branch leads from the start of the session along its ancestors to the branch.
struct RunMoment {
  BranchNumber branch = 0;
  std::uint64_t tick = 0;      ///< steps since the start of the session along the path; a reset does not set it back
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
    std::optional<BranchNumber> parent;  ///< none for the first branch
    /// The moment of the parent's path at which the branch begins; for the first branch, the start of the tree.
    std::uint64_t fork_tick = 0, fork_commands = 0;
    double fork_time_s = 0;  ///< time of the world at this moment [s]
    std::uint64_t end_tick = 0;
    std::vector<Entry> entries;        ///< commands of the branch itself
    std::vector<JournalEntry> hashes;  ///< hashes of states, in the order of steps
    std::vector<Bookmark> bookmarks;
    std::string failure;  ///< reason of the failed health check that ended the branch, or empty
    /// Step length dt_s [s] from `tick` on. `elapsed_s` [s] is the time of that tick.
    struct StepLength {
      std::uint64_t tick = 0;
      double elapsed_s = 0, dt_s = 0;
    };
    std::vector<StepLength> step_lengths;
    /// Scenes by number of commands. Scenes between them are computed.
    std::map<std::uint64_t, std::shared_ptr<const SceneVersion>> versions;
    [[nodiscard]] std::uint64_t commands() const { return fork_commands + entries.size(); }
  };

  /// Begins a tree whose first branch has number 0. The session may already have taken steps, which are not part of the
  /// tree: `start` is the first moment of the tree, at the time `elapsed_s` [s] since the start of the session.
  BranchTree(SceneVersion scene, double dt_s, const RunMoment& start = {}, double elapsed_s = 0);

  /// Contents of a tree that a file holds, without the scenes.
  struct Stored {
    std::map<BranchNumber, Branch> branches;
    BranchNumber main = 0;
    BranchNumber next = 1;  ///< number that the next branch gets; higher than all numbers so far
  };
  /// Returns the tree of these contents, which are not trusted. `scene` is the scene at the start of the tree; the
  /// scenes of later moments are computed. An error names the branch and what is inconsistent.
  [[nodiscard]] static Result<BranchTree> restore(Stored stored, SceneVersion scene);
  [[nodiscard]] BranchNumber next() const { return next_; }

  [[nodiscard]] const std::map<BranchNumber, Branch>& branches() const { return branches_; }
  [[nodiscard]] bool has(BranchNumber branch) const { return branches_.contains(branch); }
  [[nodiscard]] const Branch& branch(BranchNumber number) const { return branches_.at(number); }
  [[nodiscard]] RunMoment start() const { return {0, branches_.at(0).fork_tick, branches_.at(0).fork_commands}; }
  /// Last moment of a branch.
  [[nodiscard]] RunMoment end(BranchNumber branch) const;
  /// The branch that counts as the main line.
  [[nodiscard]] BranchNumber main() const { return main_; }

  // ---- Recording, at the end of a branch ----

  void add_command(BranchNumber branch, Command command);
  void add_step(BranchNumber branch, double dt_s);
  void add_hash(BranchNumber branch, const JournalEntry& hash) { branches_.at(branch).hashes.push_back(hash); }
  void add_version(BranchNumber branch, SceneVersion version);
  /// Cost of computing a scene (scene_cost()) from which on the scene is stored.
  static constexpr std::uint64_t scene_cost_limit = 256;
  void set_failure(BranchNumber branch, std::string sentence) { branches_.at(branch).failure = std::move(sentence); }
  /// Begins a branch at a moment, at which the time of the world is `time_s` [s]. Returns its number.
  BranchNumber fork(const RunMoment& at, double time_s);

  // ---- Changes by the user ----

  Result<void> rename(BranchNumber branch, std::string name);
  /// Makes a branch the main line.
  Result<void> promote(BranchNumber branch);
  /// Removes a branch and all branches that begin in it. The first branch cannot be removed. Returns the removed
  /// branches.
  Result<std::vector<BranchNumber>> remove(BranchNumber branch);
  Result<void> add_bookmark(BranchNumber branch, Bookmark bookmark);
  Result<void> remove_bookmark(BranchNumber branch, std::uint64_t tick);

  // ---- Along the path of a branch ----

  /// The branch on the path that owns the state directly after the step that led to `tick`.
  [[nodiscard]] BranchNumber owner(BranchNumber branch, std::uint64_t tick) const;
  /// Command number `index` (from 0) of the path.
  [[nodiscard]] const Entry& command(BranchNumber branch, std::uint64_t index) const;
  /// Number of commands of the path with ticks below, or up to, `tick`.
  [[nodiscard]] std::uint64_t commands_before(BranchNumber branch, std::uint64_t tick) const;
  [[nodiscard]] std::uint64_t commands_through(BranchNumber branch, std::uint64_t tick) const {
    return commands_before(branch, tick + 1);
  }
  /// Simulated time since the start of the session at a tick of the path [s].
  [[nodiscard]] double elapsed_s(BranchNumber branch, std::uint64_t tick) const;
  /// Tick of the path that is nearest to a time since the start of the session [s], at most that of the end.
  [[nodiscard]] std::uint64_t tick_at(BranchNumber branch, double elapsed_s) const;
  /// The same moment with the branch that owns it: a moment before the start of a branch belongs to an ancestor.
  [[nodiscard]] RunMoment owned(RunMoment moment) const;
  /// Whether a moment lies on the path of a branch.
  [[nodiscard]] bool is_on_path(const RunMoment& moment, BranchNumber branch) const;
  /// The last moment that the paths of two branches share.
  [[nodiscard]] RunMoment parting(BranchNumber a, BranchNumber b) const;
  /// Whether `branch` is `ancestor` or one of its descendants.
  [[nodiscard]] bool is_same_or_descendant(BranchNumber branch, BranchNumber ancestor) const;
  /// Scene of a moment of the path.
  [[nodiscard]] Result<SceneVersion> scene_at(BranchNumber branch, std::uint64_t commands) const;
  /// Cost of scene_at() for a moment, in assignments: the commands since the nearest stored scene. A change of nodes
  /// counts as 16, because it copies the trees.
  [[nodiscard]] std::uint64_t scene_cost(const RunMoment& at) const;
  /// Number of the last command up to a moment that changed the scene, counted from 1, and the branch that owns it. The
  /// number is 0 before the first one. Moments with equal values have equal scenes.
  struct CommandStamp {
    BranchNumber branch = 0;
    std::uint64_t command = 0;
    bool operator==(const CommandStamp&) const = default;
  };
  [[nodiscard]] CommandStamp scene_stamp(const RunMoment& at) const;
  /// Recorded hash of the state directly after the step that led to `tick`, which the branch itself holds.
  [[nodiscard]] std::optional<std::uint64_t> hash_at(BranchNumber branch, std::uint64_t tick) const;
  /// Number of the run that began with the last reset before a moment; 0 if there was no reset. Moments with equal
  /// numbers belong to the same run.
  [[nodiscard]] std::uint64_t run_number(const RunMoment& at) const;
  /// Commands and hashes of the path up to a moment, in the order in which a journal holds them, from the start of the
  /// tree.
  [[nodiscard]] std::vector<JournalEntry> journal_entries(const RunMoment& until) const;

 private:
  BranchTree() = default;
  /// The last stored scene up to a number of commands of the path.
  [[nodiscard]] std::pair<std::uint64_t, std::shared_ptr<const SceneVersion>> stored_scene(
      BranchNumber branch, std::uint64_t commands) const;
  /// Checks a branch, adds it to the tree, and computes its scenes.
  [[nodiscard]] Result<void> restore_branch(BranchNumber number, Branch branch);
  [[nodiscard]] CommandStamp last_command(const RunMoment& at, bool (*is_meant)(const Command&)) const;
  [[nodiscard]] Unexpected unknown(BranchNumber branch) const;
  std::map<BranchNumber, Branch> branches_;
  BranchNumber next_ = 1, main_ = 0;
};

}  // namespace vw
