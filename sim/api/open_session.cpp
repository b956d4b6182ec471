// Opens session files.
#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "sim/api/saved_session.h"
#include "sim/api/session_start.h"
#include "sim/history/run_history.h"
#include "sim/history/session_file.h"
#include "sim/scene/scene.h"
#include "sim/world/build_info.h"
#include "sim/world/session.h"

namespace vw::api {
namespace {

/// A session file that has been read and checked.
struct ReadSession {
  SessionContents contents;  ///< the member `tree` of the contents is empty, because it was moved to `tree`
  BranchTree tree;
};

Unexpected damaged_session(const std::string& path, const std::string& what) {
  return wrong_file(path, "is a damaged session: " + what);
}

/// Returns the scene at the first moment of the tree.
Result<SceneVersion> first_scene(const SessionStart& start, const std::string& path) {
  auto scene = read_scene_toml(start.journal.scene_text, path);
  if (!scene) return Unexpected(scene.error());
  SceneVersion version{scene->root, scene->root, scene->root, {}};
  if (start.checkpoint != nullptr) {
    auto resumed = scene_of_checkpoint(std::move(scene->root), *start.checkpoint);
    if (!resumed) return Unexpected(resumed.error());
    version = std::move(*resumed);
  }
  for (const JournalEntry& entry : start.journal.entries) {
    if (entry.kind != JournalEntry::Kind::command || !changes_scene(entry.command)) continue;
    if (auto good = advance_scene(version, entry.command); !good) return Unexpected(good.error());
  }
  return version;
}

Result<ReadSession> read_session(const std::string& path) {
  auto contents = read_session_file(path);
  if (!contents) return Unexpected(contents.error());
  if (contents->start.journal.resumed != (contents->start.checkpoint != nullptr))
    return damaged_session(path, contents->start.journal.resumed
                                     ? "the state from which it began is missing"
                                     : "it contains an initial state, but it began at the start of its scene");
  auto scene = first_scene(contents->start, path);
  if (!scene) return damaged_session(path, scene.error().message());
  auto tree = BranchTree::restore(std::move(contents->tree), std::move(*scene));
  if (!tree) return damaged_session(path, tree.error().message());
  // The file may end after a record that refers to a moment whose steps were not written.
  RunMoment& present = contents->present;
  if (!tree->has(present.branch)) present = {tree->main(), max_journal_tick, max_journal_tick};
  const RunMoment end = tree->end(present.branch);
  present.tick = std::clamp(present.tick, tree->start().tick, end.tick);
  present.commands = std::clamp(present.commands, tree->commands_before(present.branch, present.tick),
                                tree->commands_through(present.branch, present.tick));
  return ReadSession{std::move(*contents), std::move(*tree)};
}

/// Returns the keyframes that can be used: those that this build has written and that fit the tree.
std::vector<SavedKeyframe> usable_keyframes(const ReadSession& session) {
  std::vector<SavedKeyframe> usable;
  if (session.contents.start.journal.build != build_description()) return usable;
  for (const SavedKeyframe& saved : session.contents.keyframes) {
    const KeyframeInfo& keyframe = saved.keyframe;
    if (!session.tree.has(keyframe.branch)) continue;
    const BranchTree::Branch& branch = session.tree.branch(keyframe.branch);
    if (keyframe.tick < branch.fork_tick || keyframe.tick > branch.end_tick ||
        keyframe.commands != session.tree.commands_before(keyframe.branch, keyframe.tick))
      continue;
    usable.push_back(saved);
  }
  return usable;
}

std::string names_of_branches(const BranchTree& tree) {
  std::string names;
  constexpr std::size_t listed = 20;
  std::size_t count = 0;
  for (const auto& [number, branch] : tree.branches()) {
    if (count++ == listed) return names + ", ...";
    names += (names.empty() ? "" : ", ") + branch.name;
  }
  return names;
}

/// Returns the last moment of the branch with this name or number. If `branch` is empty, returns `present`.
Result<RunMoment> wanted_moment(const BranchTree& tree, const RunMoment& present, const std::string& branch,
                                const std::string& path) {
  if (branch.empty()) return present;
  for (const auto& [number, one] : tree.branches())
    if (one.name == branch) return tree.end(number);
  BranchNumber number = 0;
  const auto [end, code] = std::from_chars(branch.data(), branch.data() + branch.size(), number);
  if (code == std::errc{} && end == branch.data() + branch.size() && tree.has(number)) return tree.end(number);
  return wrong_file(path, fmt::format("has no branch \"{}\"; its branches are {}", branch, names_of_branches(tree)));
}

/// Returns the journal from the start of the session to a moment.
Journal journal_to(const ReadSession& session, const RunMoment& moment) {
  Journal journal = session.contents.start.journal;
  const std::vector<JournalEntry> more = session.tree.journal_entries(moment);
  journal.entries.insert(journal.entries.end(), more.begin(), more.end());
  return cut_journal(journal, moment.tick, moment.commands);
}

/// Repeats the steps of the session before the first moment of the tree.
Result<void> repeat_earlier(Run& run, const ReadSession& session, const OpeningProgress& progress) {
  const RunMoment first = session.tree.start();
  Journal earlier = session.contents.start.journal;
  std::erase_if(earlier.entries, [](const JournalEntry& entry) { return entry.kind != JournalEntry::Kind::command; });
  std::size_t next = 0;
  while (true) {
    for (; next < earlier.entries.size() && earlier.entries[next].tick <= run.tick(); ++next)
      if (auto good = run.apply(earlier.entries[next].command); !good) return good;
    if (run.tick() >= first.tick) return {};
    if (auto good = run.step(); !good) return good;
    if (progress && !progress(static_cast<double>(run.tick()) / static_cast<double>(first.tick)))
      return fail("the opening of the session was cancelled");
  }
}

}  // namespace

bool is_session_file(const std::string& path) { return vw::is_session_file(path); }

Result<SessionFacts> session_facts(const std::string& path) {
  auto session = read_session(path);
  if (!session) return Unexpected(session.error());
  const BranchTree& tree = session->tree;
  const RunMoment present = tree.owned(session->contents.present);
  SessionFacts facts{.build = session->contents.start.journal.build,
                     .title = {},
                     .branches = {},
                     .present_s = tree.elapsed_s(present.branch, present.tick),
                     .keyframes = session->contents.keyframes.size(),
                     .is_complete = session->contents.is_complete,
                     .damaged_bytes = session->contents.damaged_bytes};
  if (const auto scene = read_scene_toml(session->contents.start.journal.scene_text, path))
    facts.title = std::get<std::string>(scene->root.value("title"));
  for (const auto& [number, branch] : tree.branches())
    facts.branches.push_back({.number = number,
                              .name = branch.name,
                              .parent = branch.parent,
                              .begin_s = tree.elapsed_s(number, branch.fork_tick),
                              .end_s = tree.elapsed_s(number, branch.end_tick),
                              .commands = branch.entries.size(),
                              .is_main = number == tree.main(),
                              .is_present = number == present.branch});
  return facts;
}

Result<Node> scene_of_session(const std::string& path) {
  const auto contents = read_session_file(path);
  if (!contents) return Unexpected(contents.error());
  auto scene = read_scene_toml(contents->start.journal.scene_text, path);
  if (!scene) return Unexpected(scene.error());
  return std::move(scene->root);
}

Result<OpenedSession> open_session(const std::string& path, const std::string& journal_path,
                                   const OpeningProgress& progress) {
  auto session = read_session(path);
  if (!session) return Unexpected(session.error());
  SessionContents& contents = session->contents;
  std::vector<std::string> notes;
  auto run = start_of_session(contents.start.journal, contents.start.checkpoint, contents.start.sources, path,
                              journal_path, notes);
  if (!run) {
    Error error = run.error();
    if (error.file.empty()) error.file = path;
    return fail(std::move(error));
  }
  if (contents.damaged_bytes > 0)
    notes.push_back(
        fmt::format("the last {} bytes are damaged or incomplete and are left out", contents.damaged_bytes));
  if (contents.start.journal.build != build_description())
    notes.push_back(
        fmt::format("the session was recorded by {}, but this program is {}: the moments of the session are "
                    "computed again and may differ from the recorded ones",
                    contents.start.journal.build, build_description()));
  std::vector<SavedKeyframe> keyframes = usable_keyframes(*session);
  const RunMoment first = session->tree.start();
  if (first.tick > 0 || first.commands > 0) {
    // Without an intact keyframe of the first moment, the steps before this moment are computed again.
    const auto is_first = [&](const SavedKeyframe& one) {
      return one.keyframe.branch == 0 && one.keyframe.tick == first.tick;
    };
    std::vector<std::byte> packed;
    std::erase_if(keyframes,
                  [&](const SavedKeyframe& one) { return is_first(one) && !contents.file->read(one, packed); });
    if (std::ranges::none_of(keyframes, is_first))
      if (auto good = repeat_earlier(*run, *session, progress); !good) return wrong_file(path, good.error().message());
  }
  auto scene = session->tree.scene_at(contents.present.branch, contents.present.commands);
  if (!scene) return damaged_session(path, scene.error().message());
  if (!contents.display.empty()) put_display(scene->scene, contents.display, notes);
  auto history = std::make_shared<RestoredHistory>(RestoredHistory{.tree = std::move(session->tree),
                                                                   .present = contents.present,
                                                                   .earlier = std::move(contents.start.journal.entries),
                                                                   .display = std::move(contents.display),
                                                                   .keyframes = std::move(keyframes),
                                                                   .file = std::move(contents.file)});
  return OpenedSession{path, std::move(*run), std::move(scene->scene), std::move(notes), std::move(history)};
}

Result<void> choose_branch(OpenedSession& session, const std::string& branch) {
  RestoredHistory& history = *session.history;
  const auto target = wanted_moment(history.tree, history.present, branch, session.path);
  if (!target) return Unexpected(target.error());
  auto scene = history.tree.scene_at(target->branch, target->commands);
  if (!scene) return Unexpected(scene.error());
  history.present = *target;
  session.scene = std::move(scene->scene);
  if (!history.display.empty()) put_display(session.scene, history.display, session.notes);
  return {};
}

Result<ReopenedMoment> reach(OpenedSession session, const std::string& branch, const OpeningProgress& progress) {
  const auto target = wanted_moment(session.history->tree, session.history->present, branch, session.path);
  if (!target) return Unexpected(target.error());
  ReopenedMoment opened{std::move(session.run), {}, std::move(session.notes), 0, true};
  const std::string display = session.history->display;
  {
    RunHistory history(opened.run.session(), {}, std::move(*session.history));
    if (auto good = history.seek(*target); !good) return Unexpected(good.error());
    const auto steps = static_cast<double>(std::max<std::uint64_t>(1, history.remaining_steps()));
    while (history.continue_seek()) {
      if (progress && !progress(1 - static_cast<double>(history.remaining_steps()) / steps))
        return fail("the opening of the session was cancelled");
    }
    if (auto good = history.update_journal(); !good) return Unexpected(good.error());
    for (std::string& message : history.take_messages()) {
      opened.notes.push_back(std::move(message));
      opened.agrees = false;
    }
  }
  opened.scene = opened.run.scene();
  if (!display.empty()) put_display(opened.scene, display, opened.notes);
  return opened;
}

Result<ReopenedMoment> repeat_session(const std::string& path, const std::string& branch,
                                      const MomentOptions& options) {
  auto session = read_session(path);
  if (!session) return Unexpected(session.error());
  const auto target = wanted_moment(session->tree, session->contents.present, branch, path);
  if (!target) return Unexpected(target.error());
  SavedMoment moment;
  moment.build = session->contents.start.journal.build;
  moment.journal = journal_to(*session, *target);
  moment.point = {target->tick, target->commands};
  moment.display = session->contents.display;
  moment.sources = session->contents.start.sources;
  moment.start = session->contents.start.checkpoint;
  return open_moment(moment, path, options);
}

Result<SessionPath> session_path(const std::string& path, const std::string& branch) {
  auto session = read_session(path);
  if (!session) return Unexpected(session.error());
  const auto target = wanted_moment(session->tree, session->contents.present, branch, path);
  if (!target) return Unexpected(target.error());
  return SessionPath{journal_to(*session, *target), target->tick};
}

}  // namespace vw::api
