#include "app/window/results/pair_frames.h"

#include <utility>

namespace vw {

bool PairFrames::take(ComparisonShow& comparison, api::LiveRun& first, const Snapshot& wanted, Pair& pair) {
  if (pair.is_of(wanted)) return true;
  comparison.update(first, wanted);
  if (comparison.shows(wanted)) {
    pair = {comparison.a(), comparison.b(), true};
    return true;
  }
  if (comparison.progress().failure.empty() || !comparison.has_picture()) return false;
  pair = {wanted, comparison.b(), true};
  return true;
}

bool PairFrames::prepare(ComparisonShow& comparison, api::LiveRun& first, const Snapshot& before,
                         const Snapshot& after) {
  if (std::exchange(comparison_, comparison.number()) != comparison.number())
    before_.is_known = after_.is_known = false;
  if (after_.is_of(before) && !before_.is_of(before)) std::swap(before_, after_);
  return take(comparison, first, before, before_) && take(comparison, first, after, after_);
}

}  // namespace vw
