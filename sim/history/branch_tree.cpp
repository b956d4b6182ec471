#include "sim/history/branch_tree.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace vw {

BranchTree::BranchTree(SceneVersion scene, double dt_s, const RunMoment& start, double elapsed_s) {
  Branch first;
  first.name = "Main";
  first.fork_tick = first.end_tick = start.tick;
  first.fork_commands = start.commands;
  first.step_lengths.push_back({start.tick, elapsed_s, dt_s});
  first.versions.emplace(start.commands, std::make_shared<SceneVersion>(std::move(scene)));
  branches_.emplace(0, std::move(first));
}

RunMoment BranchTree::end(BranchNumber number) const {
  const Branch& branch = branches_.at(number);
  return {number, branch.end_tick, branch.commands()};
}

// ---- Recording ------------------------------------------------------------------------------------------------------

void BranchTree::add_command(BranchNumber number, Command command) {
  Branch& branch = branches_.at(number);
  branch.entries.push_back({branch.end_tick, std::move(command)});
  branch.failure.clear();
}

void BranchTree::add_step(BranchNumber number, double dt_s) {
  Branch& branch = branches_.at(number);
  if (branch.step_lengths.back().dt_s != dt_s)
    branch.step_lengths.push_back({branch.end_tick, elapsed_s(number, branch.end_tick), dt_s});
  ++branch.end_tick;
  branch.failure.clear();
}

void BranchTree::add_version(BranchNumber number, SceneVersion version) {
  version.changes.clear();  // scene_at() collects them from the commands; all versions together would repeat them often
  Branch& branch = branches_.at(number);
  branch.versions.insert_or_assign(branch.commands(), std::make_shared<SceneVersion>(std::move(version)));
}

BranchNumber BranchTree::fork(const RunMoment& at, double time_s) {
  const BranchNumber parent = owned(at).branch;
  const BranchNumber number = next_++;
  Branch made;
  made.name = fmt::format("Branch {}", number);
  made.parent = parent;
  made.fork_tick = made.end_tick = at.tick;
  made.fork_commands = at.commands;
  made.fork_time_s = time_s;
  const Branch& from = branches_.at(owner(parent, at.tick + 1));
  const auto later = std::ranges::upper_bound(from.step_lengths, at.tick, {}, &Branch::StepLength::tick);
  made.step_lengths.push_back(
      {at.tick, elapsed_s(parent, at.tick), later == from.step_lengths.begin() ? 0 : std::prev(later)->dt_s});
  branches_.emplace(number, std::move(made));
  return number;
}

// ---- Changes by the user --------------------------------------------------------------------------------------------

Unexpected BranchTree::unknown(BranchNumber branch) const {
  return fail(fmt::format("branch {} does not exist", branch));
}

Result<void> BranchTree::rename(BranchNumber branch, std::string name) {
  if (!has(branch)) return unknown(branch);
  if (name.empty()) return fail("the name of a branch must not be empty");
  branches_.at(branch).name = std::move(name);
  return {};
}

Result<void> BranchTree::promote(BranchNumber branch) {
  if (!has(branch)) return unknown(branch);
  main_ = branch;
  return {};
}

Result<std::vector<BranchNumber>> BranchTree::remove(BranchNumber branch) {
  if (!has(branch)) return unknown(branch);
  if (!branches_.at(branch).parent)
    return fail("the first branch cannot be removed, because the session begins with it");
  std::vector<BranchNumber> removed{branch};
  // Children have higher numbers than their parents, so one pass in ascending order finds all descendants.
  for (const auto& [number, other] : branches_)
    if (other.parent && std::ranges::find(removed, *other.parent) != removed.end()) removed.push_back(number);
  const BranchNumber parent = *branches_.at(branch).parent;
  for (const BranchNumber number : removed) branches_.erase(number);
  if (!has(main_)) main_ = parent;
  return removed;
}

Result<void> BranchTree::add_bookmark(BranchNumber number, Bookmark bookmark) {
  if (!has(number)) return unknown(number);
  Branch& branch = branches_.at(owner(number, bookmark.tick));
  const auto at = std::ranges::lower_bound(branch.bookmarks, bookmark.tick, {}, &Bookmark::tick);
  if (at != branch.bookmarks.end() && at->tick == bookmark.tick)
    *at = std::move(bookmark);
  else
    branch.bookmarks.insert(at, std::move(bookmark));
  return {};
}

Result<void> BranchTree::remove_bookmark(BranchNumber number, std::uint64_t tick) {
  if (!has(number)) return unknown(number);
  std::erase_if(branches_.at(owner(number, tick)).bookmarks, [&](const Bookmark& mark) { return mark.tick == tick; });
  return {};
}

// ---- Along the path of a branch -------------------------------------------------------------------------------------

BranchNumber BranchTree::owner(BranchNumber number, std::uint64_t tick) const {
  const Branch* branch = &branches_.at(number);
  while (branch->parent && tick <= branch->fork_tick) {
    number = *branch->parent;
    branch = &branches_.at(number);
  }
  return number;
}

const BranchTree::Entry& BranchTree::command(BranchNumber number, std::uint64_t index) const {
  const Branch* branch = &branches_.at(number);
  while (index < branch->fork_commands) branch = &branches_.at(*branch->parent);
  return branch->entries[index - branch->fork_commands];
}

std::vector<BranchTree::PathPart> BranchTree::parts_of_path(BranchNumber number, std::uint64_t from,
                                                            std::uint64_t to) const {
  std::vector<PathPart> parts;
  while (from < to) {
    const Branch& branch = branches_.at(number);
    const std::uint64_t first = std::max(from, branch.fork_commands);
    if (first < to) {
      const std::span<const Entry> all = branch.entries;
      parts.push_back({number, first, all.subspan(first - branch.fork_commands, to - first)});
      to = first;
    }
    if (!branch.parent) break;
    number = *branch.parent;
  }
  std::ranges::reverse(parts);
  return parts;
}

std::uint64_t BranchTree::commands_before(BranchNumber number, std::uint64_t tick) const {
  const Branch* branch = &branches_.at(number);
  std::uint64_t most = branch->commands();
  while (true) {
    const auto own = std::ranges::lower_bound(branch->entries, tick, {}, &Entry::tick) - branch->entries.begin();
    if (own > 0 || !branch->parent || tick > branch->fork_tick)
      return std::min(most, branch->fork_commands + static_cast<std::uint64_t>(own));
    most = std::min(most, branch->fork_commands);
    branch = &branches_.at(*branch->parent);
  }
}

double BranchTree::elapsed_s(BranchNumber number, std::uint64_t tick) const {
  tick = std::max(tick, start().tick);
  const Branch* branch = &branches_.at(number);
  while (branch->parent && tick < branch->fork_tick) branch = &branches_.at(*branch->parent);
  const auto later = std::ranges::upper_bound(branch->step_lengths, tick, {}, &Branch::StepLength::tick);
  const Branch::StepLength& pace = later == branch->step_lengths.begin() ? *later : *std::prev(later);
  return pace.elapsed_s + static_cast<double>(tick - pace.tick) * pace.dt_s;
}

std::uint64_t BranchTree::tick_at(BranchNumber number, double elapsed_s) const {
  const std::uint64_t end = branches_.at(number).end_tick;
  if (!(elapsed_s > branches_.at(0).step_lengths.front().elapsed_s)) return start().tick;
  const Branch* branch = &branches_.at(number);
  while (branch->parent && elapsed_s < branch->step_lengths.front().elapsed_s) branch = &branches_.at(*branch->parent);
  const auto later = std::ranges::upper_bound(branch->step_lengths, elapsed_s, {}, &Branch::StepLength::elapsed_s);
  const Branch::StepLength& pace = later == branch->step_lengths.begin() ? *later : *std::prev(later);
  if (!(pace.dt_s > 0)) return std::min(end, pace.tick);
  const double steps = std::round((elapsed_s - pace.elapsed_s) / pace.dt_s);
  return steps >= static_cast<double>(end) ? end : std::min(end, pace.tick + static_cast<std::uint64_t>(steps));
}

RunMoment BranchTree::owned(RunMoment moment) const {
  const Branch* branch = &branches_.at(moment.branch);
  while (branch->parent && moment.tick <= branch->fork_tick && moment.commands <= branch->fork_commands) {
    moment.branch = *branch->parent;
    branch = &branches_.at(moment.branch);
  }
  return moment;
}

bool BranchTree::is_on_path(const RunMoment& which, BranchNumber number) const {
  if (!has(which.branch) || !has(number)) return false;
  const RunMoment moment = owned(which);
  RunMoment end_of_shared = end(number);
  while (number != moment.branch) {
    const Branch& branch = branches_.at(number);
    if (!branch.parent) return false;
    // The branch shares the path of its parent only up to the fork.
    end_of_shared.tick = std::min(end_of_shared.tick, branch.fork_tick);
    end_of_shared.commands = std::min(end_of_shared.commands, branch.fork_commands);
    number = *branch.parent;
  }
  return moment.tick <= end_of_shared.tick && moment.commands <= end_of_shared.commands;
}

RunMoment BranchTree::parting(BranchNumber a, BranchNumber b) const {
  RunMoment last_a = end(a), last_b = end(b);
  const auto go_up = [&](RunMoment& last) {
    const Branch& branch = branches_.at(last.branch);
    last = {*branch.parent, branch.fork_tick, branch.fork_commands};
  };
  while (!is_same_or_descendant(b, last_a.branch)) go_up(last_a);
  while (last_b.branch != last_a.branch) go_up(last_b);
  return {last_a.branch, std::min(last_a.tick, last_b.tick), std::min(last_a.commands, last_b.commands)};
}

bool BranchTree::is_same_or_descendant(BranchNumber branch, BranchNumber ancestor) const {
  while (branch != ancestor && branches_.at(branch).parent) branch = *branches_.at(branch).parent;
  return branch == ancestor;
}

std::pair<std::uint64_t, std::shared_ptr<const SceneVersion>> BranchTree::stored_scene(BranchNumber number,
                                                                                       std::uint64_t commands) const {
  const Branch* branch = &branches_.at(number);
  while (true) {
    const auto later = branch->versions.upper_bound(commands);
    if (later != branch->versions.begin()) return *std::prev(later);
    commands = std::min(commands, branch->fork_commands);
    branch = &branches_.at(*branch->parent);  // The loop ends at the first branch, which stores its first scene.
  }
}

Result<SceneVersion> BranchTree::scene_at(BranchNumber number, std::uint64_t commands) const {
  const auto [from, stored] = stored_scene(number, commands);
  SceneVersion scene = *stored;
  if (from > start().commands) {  // only the scene of the start is stored with its changes of nodes
    scene.changes = branches_.at(0).versions.at(start().commands)->changes;
    for (const PathPart& part : parts_of_path(number, start().commands, from))
      for (const Entry& entry : part.entries)
        if (const auto* change = std::get_if<ChangeNodes>(&entry.command)) scene.changes.push_back(*change);
  }
  for (const PathPart& part : parts_of_path(number, from, commands))
    for (const Entry& entry : part.entries)
      if (auto good = advance_scene(scene, entry.command); !good) return Unexpected(good.error());
  return scene;
}

std::uint64_t BranchTree::command_cost(const Command& command) {
  return std::holds_alternative<ChangeNodes>(command) ? 16 : changes_scene(command) ? 1 : 0;
}

std::uint64_t BranchTree::scene_cost(const RunMoment& at) const {
  std::uint64_t cost = 0;
  for (const PathPart& part : parts_of_path(at.branch, stored_scene(at.branch, at.commands).first, at.commands))
    for (const Entry& entry : part.entries) cost += command_cost(entry.command);
  return cost;
}

BranchTree::CommandStamp BranchTree::last_command(const RunMoment& at, bool (*is_meant)(const Command&)) const {
  const std::vector<PathPart> parts = parts_of_path(at.branch, start().commands, at.commands);
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    for (std::size_t i = part->entries.size(); i > 0; --i)
      if (is_meant(part->entries[i - 1].command)) return {part->branch, part->first + i};
  return {};
}

BranchTree::CommandStamp BranchTree::scene_stamp(const RunMoment& at) const { return last_command(at, changes_scene); }

std::optional<std::uint64_t> BranchTree::hash_at(BranchNumber number, std::uint64_t tick) const {
  const std::vector<JournalEntry>& hashes = branches_.at(number).hashes;
  const auto at = std::ranges::lower_bound(hashes, tick, {}, &JournalEntry::tick);
  return at == hashes.end() || at->tick != tick ? std::nullopt : std::optional(at->hash);
}

std::uint64_t BranchTree::run_number(const RunMoment& at) const {
  const auto reset = last_command(at, restarts_world);
  return std::uint64_t{reset.branch} << 32U | reset.command;
}

std::vector<JournalEntry> BranchTree::journal_entries(const RunMoment& until) const {
  std::vector<JournalEntry> hashes, all;
  BranchNumber number = until.branch;
  std::uint64_t last = until.tick;
  while (true) {
    const Branch& branch = branches_.at(number);
    for (auto hash = branch.hashes.rbegin(); hash != branch.hashes.rend(); ++hash)
      if (hash->tick <= last) hashes.push_back(*hash);
    if (!branch.parent) break;
    last = std::min(last, branch.fork_tick);
    number = *branch.parent;
  }
  std::ranges::reverse(hashes);
  auto hash = hashes.begin();
  for (const PathPart& part : parts_of_path(until.branch, start().commands, until.commands))
    for (const Entry& entry : part.entries) {
      // A hash of a tick describes the state before the commands of this tick, so it precedes them.
      while (hash != hashes.end() && hash->tick <= entry.tick) all.push_back(*hash++);
      all.push_back({entry.tick, JournalEntry::Kind::command, entry.command, 0});
    }
  all.insert(all.end(), hash, hashes.end());
  return all;
}

}  // namespace vw
