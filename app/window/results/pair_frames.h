// Frames for a video that shows a comparison. The time of a picture lies between two snapshots of run A. This class
// obtains the snapshots of run B at both times. Use on the drawing thread only.
#pragma once

#include "app/window/results/comparison_show.h"
#include "render/renderer.h"

namespace vw {

class PairFrames {
 public:
  /// Advances B to the times of two snapshots of A. Returns whether the snapshots of B are available. If not, call the
  /// function again. If B has failed, its last snapshot is used.
  [[nodiscard]] bool prepare(ComparisonShow& comparison, api::LiveRun& first, const Snapshot& before,
                             const Snapshot& after);
  /// Frames of A and B. Only meaningful after prepare() has returned true.
  [[nodiscard]] Frame a(float blend) const { return {&before_.a, &after_.a, blend}; }
  [[nodiscard]] Frame b(float blend) const { return {&before_.b, &after_.b, blend}; }

 private:
  struct Pair {
    Snapshot a, b;
    bool is_known = false;
    [[nodiscard]] bool is_of(const Snapshot& wanted) const { return is_known && a.sequence == wanted.sequence; }
  };
  static bool take(ComparisonShow& comparison, api::LiveRun& first, const Snapshot& wanted, Pair& pair);
  Pair before_, after_;
  std::uint64_t comparison_ = 0;  ///< number of the comparison
};

}  // namespace vw
