// Session files of a history: recording while the session runs, and saving.
#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/files/atomic_file.h"
#include "sim/history/run_history.h"
#include "sim/world/build_info.h"
#include "sim/world/state/sources.h"

namespace vw {
namespace {

/// If the size limit permits, a saved file contains all keyframes within dense_s [s] of the present, and other
/// keyframes at distances of at least sparse_interval_s [s].
constexpr double dense_s = 10, sparse_interval_s = 1;

using SizedKeyframe = KeyframeStore::SizedKeyframe;

/// Chooses the keyframes of a file: the first and the last keyframe of each branch, all keyframes within dense_s /
/// `interval_s` of the present, and others at distances of at least `interval_s`.
std::vector<SizedKeyframe> keyframes_apart(const std::vector<SizedKeyframe>& all, double present_s, double interval_s) {
  std::vector<SizedKeyframe> chosen;
  constexpr double slack_s = 1e-3;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const KeyframeInfo& keyframe = all[i].keyframe;
    const bool is_first = i == 0 || all[i - 1].keyframe.branch != keyframe.branch;
    const bool is_last = i + 1 == all.size() || all[i + 1].keyframe.branch != keyframe.branch;
    const bool is_near = std::abs(present_s - keyframe.elapsed_s) < dense_s / interval_s;
    if (is_first || is_last || is_near || keyframe.elapsed_s - chosen.back().keyframe.elapsed_s >= interval_s - slack_s)
      chosen.push_back(all[i]);
  }
  return chosen;
}

/// Chooses keyframes as evenly spaced as possible, so that their packed states have at most `limit_bytes` in total.
std::vector<SizedKeyframe> chosen_keyframes(const std::vector<SizedKeyframe>& all, double present_s,
                                            std::uint64_t limit_bytes) {
  std::vector<SizedKeyframe> chosen;
  constexpr double longest_interval_s = 1e6;
  for (double interval_s = sparse_interval_s; interval_s < longest_interval_s; interval_s *= 2) {
    chosen = keyframes_apart(all, present_s, interval_s);
    std::uint64_t bytes = 0;
    for (const SizedKeyframe& one : chosen) bytes += one.packed_bytes;
    if (bytes <= limit_bytes) break;
  }
  return chosen;
}

}  // namespace

SessionStart RunHistory::session_start() const {
  SessionStart start;
  const Journal& journal = session_.journal();
  start.journal = {build_description(), journal.scene_text, earlier_, false, journal.resumed};
  start.checkpoint = session_.start();
  // The hashes are compared with the files of the scene at the start. The file names in the present scene may have been
  // edited since.
  const auto first = tree_.scene_at(0, tree_.start().commands);
  start.sources = source_hashes(first ? first->original : session_.world().scene());
  return start;
}

void RunHistory::begin_recording() {
  if (limits_.recording.empty()) return;
  auto made = SessionRecorder::begin(limits_.recording, session_start(), limits_.recording_bytes);
  if (!made) return note("the session is not recorded: " + made.error().message());
  recorder_ = std::move(*made);
  if (!display_.empty()) recorder_->set_display(display_);
  update_recording();
}

void RunHistory::update_recording() {
  if (recorder_ != nullptr) recorder_->update(tree_, now_);
}

void RunHistory::set_display(std::string display) {
  if (display == display_) return;
  display_ = std::move(display);
  if (recorder_ != nullptr) recorder_->set_display(display_);
}

std::function<Result<void>()> RunHistory::saver(const std::string& path, std::uint64_t limit_bytes) const {
  std::string head = session_head(session_start());
  head += WrittenTree().changes(tree_) + present_record(tree_, now_);
  if (!display_.empty()) head += display_record(display_);
  return [this, path, limit_bytes, head = std::move(head), present_s = elapsed_s()]() -> Result<void> {
    auto file = AtomicFile::open(path);
    if (!file) return Unexpected(file.error());
    if (auto good = file->write(head); !good) return good;
    std::uint64_t bytes = 0;
    for (const SizedKeyframe& one : chosen_keyframes(store_->all(), present_s, limit_bytes)) {
      const auto packed = store_->packed(one.keyframe);
      if (!packed) continue;  // the keyframe was thinned out in the meantime
      bytes += packed->size();
      if (bytes > limit_bytes) break;
      if (auto good = file->write(keyframe_record(one.keyframe, *packed)); !good) return good;
    }
    if (auto good = file->write(end_record()); !good) return good;
    return file->finish();
  };
}

RestoredHistory RunHistory::share(BranchNumber branch) const {
  if (!tree_.has(branch)) branch = now_.branch;
  RestoredHistory shared{.tree = tree_,
                         .present = tree_.parting(now_.branch, branch),
                         .earlier = earlier_,
                         .display = {},
                         .keyframes = {},
                         .file = nullptr,
                         .source = store_};
  shared.present.branch = branch;
  for (const SizedKeyframe& one : store_->all()) shared.keyframes.push_back({one.keyframe, 0, one.packed_bytes, 0});
  return shared;
}

}  // namespace vw
