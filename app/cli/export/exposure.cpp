#include "app/cli/export/exposure.h"

#include <algorithm>

namespace vw::cli {

void RecentStates::add(const Snapshot& state) {
  if (open_s_ <= 0) return;
  if (!states_.empty() && (state.time_s < states_.back().time_s || state.epoch != states_.back().epoch))
    states_.clear();
  // The next exposure ends at states_.back() or later. One state at or before its beginning is kept.
  while (states_.size() > 2 && states_[1].time_s <= states_.back().time_s - open_s_) states_.pop_front();
  states_.push_back(state);
}

std::vector<Frame> RecentStates::frames(double end_s, int count) const {
  std::vector<Frame> frames;
  for (int i = 0; i < count; ++i) frames.push_back(frame_at(end_s - open_s_ * (count - i - 0.5) / count));
  return frames;
}

Frame RecentStates::frame_at(double time_s) const {
  const auto next = std::ranges::lower_bound(states_, time_s, {}, &Snapshot::time_s);
  if (next == states_.end()) return {nullptr, &states_.back(), 1};
  if (next == states_.begin()) return {nullptr, &*next, 1};
  const Snapshot& before = *std::prev(next);
  return {&before, &*next, static_cast<float>((time_s - before.time_s) / (next->time_s - before.time_s))};
}

}  // namespace vw::cli
