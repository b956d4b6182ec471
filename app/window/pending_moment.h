// Moments of screenshots and recordings. The drawing thread knows at once what the picture shows. The journal arrives
// later from the simulation thread, and a background thread combines both.
#pragma once

#include <future>
#include <memory>
#include <optional>
#include <string>

#include "sim/api/live_run.h"
#include "sim/api/moment.h"

namespace vw {

/// A moment whose journal may not have arrived yet.
class PendingMoment {
 public:
  PendingMoment() = default;  ///< no moment
  /// Requests the journal of the run. Use only on the drawing thread. If the moment has a run B that repeats another
  /// branch of the run, `branch_of_b` is that branch, whose journal is requested too. `tick_of_b` is the number of
  /// steps of B since the start of its session, up to which its commands are stored.
  PendingMoment(api::SavedMoment shown, api::LiveRun& run, std::optional<std::uint32_t> branch_of_b = {},
                std::uint64_t tick_of_b = max_journal_tick);
  /// Waits for the journal and returns the bytes that the picture or video `file` is to hold, or an empty text if there
  /// is no moment. Call this function once, on a background thread.
  [[nodiscard]] Result<std::string> packed(const std::string& file);

 private:
  std::optional<api::SavedMoment> shown_;
  std::future<Journal> journal_, journal_of_b_;
  std::uint64_t tick_of_b_ = max_journal_tick;
  std::shared_ptr<const Checkpoint> start_;
};

}  // namespace vw
