// Moments that screenshots and recordings store. The drawing thread supplies the state that the picture shows. The
// journal arrives later from the simulation thread, and a background thread combines both.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>

#include "sim/api/live/live_run.h"
#include "sim/api/moment.h"

namespace vw {

/// A moment whose journal may not have arrived yet.
class PendingMoment {
 public:
  PendingMoment() = default;  ///< no moment
  /// Requests the journal of the run. If the moment compares the run with another of its branches (run B),
  /// `branch_of_b` is that branch, and its journal is requested too. The commands of B are stored up to step
  /// `tick_of_b`, counted from the start of its session. Use only on the drawing thread.
  PendingMoment(api::SavedMoment shown, api::LiveRun& run, std::optional<std::uint32_t> branch_of_b = {},
                std::uint64_t tick_of_b = max_journal_tick);
  /// Waits for the journal. Returns the moment as bytes that are stored in the picture or video `file`, or an empty
  /// text if there is no moment. Call this function once, on a background thread.
  [[nodiscard]] Result<std::string> packed(const std::string& file);

 private:
  std::optional<api::SavedMoment> shown_;
  std::future<Journal> journal_, journal_of_b_;
  std::uint64_t tick_of_b_ = max_journal_tick;
  std::shared_ptr<const Checkpoint> start_;
};

}  // namespace vw
