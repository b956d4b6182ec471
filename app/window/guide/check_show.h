// Checks of the open scene (sim/scene/checks). A worker thread runs the checks after an edit, and when the substeps,
// the cost or the speeds of the running world have changed considerably. Use only on the drawing thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/window/background.h"
#include "sim/scene/checks/scene_checks.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

class CheckShow {
 public:
  /// Shortest time between two runs of the checks: after an edit, and after a change of the running world [s].
  static constexpr double after_edit_s = 0.2, after_steps_s = 1;

  CheckShow();
  /// Removes all findings. Call this after another scene was opened.
  void clear();
  /// Fetches new findings and starts the checks if they are due. `revision` is that of the document. `snapshot` may be
  /// null. Returns true if the findings are new. Call this once per frame.
  bool update(const Node& scene, std::uint64_t revision, const Snapshot* snapshot, double wall_s);
  [[nodiscard]] const std::vector<SceneFinding>& findings() const { return findings_; }
  /// Whether the checks are running or due because of an edit.
  [[nodiscard]] bool is_busy(std::uint64_t revision) const;

 private:
  /// Data shared with the worker thread. While the worker runs, no other thread may use `checks`.
  struct Slot {
    SceneChecks checks;
    std::mutex mutex;
    std::optional<std::vector<SceneFinding>> found;
  };
  void note(const Snapshot& snapshot);

  std::shared_ptr<Slot> slot_;
  bool running_ = false;
  std::optional<std::uint64_t> checked_;  ///< revision that was checked last
  std::string checked_world_;             ///< facts about the running world in the last check, rounded
  double started_s_ = -1e9;               ///< wall time of the last start of the checks [s]
  RunningFacts facts_;                    ///< facts about the running world; the wall time is a moving average
  std::uint64_t sequence_ = 0;            ///< number of the snapshot in `facts_`
  std::uint64_t epoch_ = 0;               ///< number of resets before that snapshot
  std::vector<SceneFinding> findings_;
  Background worker_;
};

}  // namespace vw
