#include "sim/history/timeline_builder.h"

#include <algorithm>

namespace vw {
namespace {

using Kind = Timeline::Mark::Kind;

/// Successive marks of the same action are merged if they are less than this time [s] apart, for example during a
/// slider drag.
constexpr double merging_s = 0.25;
constexpr std::size_t listed_nodes = 3, longest_value = 60;

Kind kind_of(const Command& command) {
  if (std::holds_alternative<SetParameter>(command)) return Kind::edit;
  if (restarts_world(command)) return Kind::reset;
  return std::holds_alternative<ChangeNodes>(command) ? Kind::nodes : Kind::action;
}

std::string describe(const SetParameter& command) {
  const std::string value = to_text(command.value);
  return command.path + " = " + (value.size() <= longest_value ? value : value.substr(0, longest_value) + "...");
}
/// Returns a phrase for a node: the body "box" of "rigid". `parent` is the path of its parent, or empty.
std::string node_phrase(const std::string& parent, const std::string& slot, const std::string& name) {
  const std::string phrase = "the " + slot + " \"" + name + '"';
  // Without a dot, rfind() returns npos, and npos + 1 is 0.
  return parent.empty() ? phrase : phrase + " of \"" + parent.substr(parent.rfind('.') + 1) + '"';
}
std::string describe(const ChangeNodes& command) {
  std::string text;
  for (std::size_t i = 0; i < command.changes.size() && i < listed_nodes; ++i) {
    const ChangeNodes::Change& change = command.changes[i];
    if (!text.empty()) text += ", ";
    const bool adds = change.kind == NodeChange::Kind::add, removes = change.kind == NodeChange::Kind::remove;
    text += adds ? "Added " : removes ? "Removed " : "Renamed ";
    text += node_phrase(change.parent, change.node.slot, change.node.name);
    if (!adds && !removes) text += " to \"" + change.new_name + '"';
  }
  if (command.changes.size() > listed_nodes) text += " and more";
  return command.resets ? text + (text.empty() ? "Reset" : ", and reset") : text;
}
std::string describe(const Reset&) { return "Reset"; }
std::string describe(const Grab& command) { return "Grabbed " + command.system; }
std::string describe(const MoveGrab&) { return {}; }
std::string describe(const Release&) { return {}; }
std::string describe(const Push& command) { return "Pushed " + command.system; }
std::string describe(const Remove& command) { return "Removed elements of " + command.system; }
std::string describe(const SetPose& command) { return "Moved " + command.system; }
std::string describe(const Spawn& command) { return "Added members to " + command.system; }
std::string describe(const Settle& command) { return "Solved equilibrium of " + command.system; }

/// Returns whether two marks belong to one action.
bool is_same_action(const Timeline::Mark& before, const Timeline::Mark& next) {
  if (before.kind != next.kind || next.elapsed_s - before.elapsed_s > merging_s) return false;
  // The text of an assignment is compared without its value.
  const auto name = [](const std::string& text) { return text.substr(0, text.find(" = ")); };
  return name(before.text) == name(next.text);
}

}  // namespace

void TimelineBuilder::add_marks(const BranchTree& tree, BranchNumber number, Marks& known) const {
  const BranchTree::Branch& branch = tree.branch(number);
  for (; known.entries < branch.entries.size(); ++known.entries) {
    const BranchTree::Entry& entry = branch.entries[known.entries];
    Timeline::Mark mark{.kind = kind_of(entry.command),
                        .tick = entry.tick,
                        .elapsed_s = tree.elapsed_s(number, entry.tick),
                        .text = std::visit([](const auto& what) { return describe(what); }, entry.command)};
    if (mark.text.empty()) continue;
    if (!known.marks.empty() && is_same_action(known.marks.back(), mark))
      known.marks.back().text = std::move(mark.text);
    else
      known.marks.push_back(std::move(mark));
  }
}

Timeline TimelineBuilder::build(const RunHistory& history) {
  const BranchTree& tree = history.tree();
  std::erase_if(marks_, [&](const auto& entry) { return !tree.has(entry.first); });
  Timeline timeline;
  timeline.main = tree.main();
  for (const auto& [number, branch] : tree.branches()) {
    Marks& known = marks_[number];
    add_marks(tree, number, known);
    Timeline::Branch shown{.number = number,
                           .name = branch.name,
                           .parent = branch.parent,
                           .begin_tick = branch.fork_tick,
                           .end_tick = branch.end_tick,
                           .begin_s = tree.elapsed_s(number, branch.fork_tick),
                           .end_s = tree.elapsed_s(number, branch.end_tick),
                           .marks = known.marks,
                           .keyframes = history.keyframes().times_of(number),
                           .failure = branch.failure};
    for (const Bookmark& bookmark : branch.bookmarks)
      shown.marks.push_back({Kind::bookmark, bookmark.tick, tree.elapsed_s(number, bookmark.tick), bookmark.name});
    if (!branch.failure.empty()) shown.marks.push_back({Kind::failure, branch.end_tick, shown.end_s, branch.failure});
    std::ranges::stable_sort(shown.marks, {}, &Timeline::Mark::tick);
    timeline.branches.push_back(std::move(shown));
  }
  const KeyframeStore::Use use = history.keyframes().use();
  const HistoryLimits& limits = history.keyframes().limits();
  timeline.keyframe_count = use.keyframes;
  timeline.memory_bytes = use.memory_bytes;
  timeline.memory_limit_bytes = limits.memory_bytes;
  timeline.file_bytes = use.file_bytes;
  timeline.file_limit_bytes = limits.spill_folder.empty() ? 0 : limits.file_bytes;
  return timeline;
}

}  // namespace vw
