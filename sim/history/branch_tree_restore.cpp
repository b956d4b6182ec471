// Restores a tree of branches from a session file. The contents are checked, because the file may be damaged.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/history/branch_tree.h"

namespace vw {
namespace {

using StoredBranch = BranchTree::Branch;

/// Returns a description of the first of `items` whose tick is out of range or lower than the previous tick. Returns an
/// empty text if there is none.
template <class Items>
std::string wrong_order(const Items& items, std::uint64_t first, std::uint64_t last, const char* noun) {
  std::uint64_t before = first;
  for (const auto& item : items) {
    if (item.tick < before || item.tick > last)
      return fmt::format("{} at step {} is not between steps {} and {}", noun, item.tick, before, last);
    before = item.tick;
  }
  return {};
}

std::string wrong_step_lengths(const StoredBranch& branch) {
  if (branch.step_lengths.empty() || branch.step_lengths.front().tick != branch.fork_tick)
    return "has no step length at its start";
  for (const StoredBranch::StepLength& length : branch.step_lengths)
    if (!std::isfinite(length.elapsed_s) || !std::isfinite(length.dt_s) || length.dt_s < 0)
      return fmt::format("has an invalid step length at step {}", length.tick);
  return {};
}

/// Returns the first inconsistency within one branch, or an empty text.
std::string inconsistency(const StoredBranch& branch) {
  if (branch.end_tick < branch.fork_tick || branch.end_tick > max_journal_tick)
    return fmt::format("ends at step {}, but begins at step {}", branch.end_tick, branch.fork_tick);
  if (branch.fork_commands > max_journal_tick || !std::isfinite(branch.fork_time_s)) return "has an invalid start";
  if (branch.name.empty()) return "has no name";
  for (std::string wrong : {wrong_order(branch.entries, branch.fork_tick, branch.end_tick, "a command"),
                            wrong_order(branch.hashes, branch.fork_tick, branch.end_tick, "a hash"),
                            wrong_order(branch.bookmarks, branch.fork_tick, branch.end_tick, "a bookmark"),
                            wrong_order(branch.step_lengths, branch.fork_tick, branch.end_tick, "a step length"),
                            wrong_step_lengths(branch)})
    if (!wrong.empty()) return wrong;
  return {};
}

}  // namespace

Result<void> BranchTree::restore_branch(BranchNumber number, Branch branch) {
  const auto wrong = [&](const std::string& what) { return fail(fmt::format("branch {}: {}", number, what)); };
  if (std::string what = inconsistency(branch); !what.empty()) return wrong(what);
  if (branch.parent.has_value() == (number == 0) || (branch.parent && !has(*branch.parent)))
    return wrong("the branch in which it begins does not exist");
  if (branch.parent) {
    const BranchNumber parent = *branch.parent;
    const Branch& from = branches_.at(parent);
    if (branch.fork_tick < from.fork_tick || branch.fork_tick > from.end_tick ||
        branch.fork_commands < std::max(from.fork_commands, commands_before(parent, branch.fork_tick)) ||
        branch.fork_commands > commands_through(parent, branch.fork_tick))
      return wrong(fmt::format("branch {}, in which it begins, has no such moment", parent));
  }
  branch.versions.clear();
  if (!branch.parent) branch.versions = branches_.at(0).versions;
  Branch& kept = branches_.insert_or_assign(number, std::move(branch)).first->second;
  // Only a command that changes the scene needs the scene before it, whose copy can be large.
  if (std::ranges::none_of(kept.entries, changes_scene, &Entry::command)) return {};
  const std::uint64_t first = kept.fork_commands;
  Result<SceneVersion> scene = scene_at(number, first);
  if (!scene) return wrong(scene.error().message());
  std::uint64_t cost = scene_cost({number, 0, first});
  for (std::size_t i = 0; i < kept.entries.size(); ++i) {
    const Command& one = kept.entries[i].command;
    if (!changes_scene(one)) continue;
    if (auto good = advance_scene(*scene, one); !good)
      return wrong(fmt::format("command {} does not fit its scene: {}", first + i + 1, good.error().message()));
    cost += command_cost(one);
    if (cost < scene_cost_limit) continue;
    SceneVersion version{
        .original = scene->original, .scene = scene->scene, .in_force = scene->in_force, .changes = {}};
    kept.versions.emplace(first + i + 1, std::make_shared<SceneVersion>(std::move(version)));
    cost = 0;
  }
  return {};
}

Result<BranchTree> BranchTree::restore(Stored stored, SceneVersion scene) {
  if (!stored.branches.contains(0)) return fail("the first branch is missing");
  if (stored.branches.size() > most_branches)
    return fail(fmt::format("it has {} branches: expected at most {}", stored.branches.size(), most_branches));
  if (!stored.branches.contains(stored.main)) return fail(fmt::format("branch {} does not exist", stored.main));
  BranchTree tree;
  tree.branches_[0].versions.emplace(stored.branches.at(0).fork_commands,
                                     std::make_shared<SceneVersion>(std::move(scene)));
  for (auto& [number, branch] : stored.branches)
    if (auto good = tree.restore_branch(number, std::move(branch)); !good) return Unexpected(good.error());
  tree.is_restored_ = true;
  tree.main_ = stored.main;
  tree.next_ = std::max(stored.next, stored.branches.rbegin()->first + 1);
  return tree;
}

}  // namespace vw
