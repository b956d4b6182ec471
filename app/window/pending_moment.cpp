#include "app/window/pending_moment.h"

#include <limits>
#include <utility>

namespace vw {
namespace {

constexpr std::uint64_t all_commands = std::numeric_limits<std::uint64_t>::max();

/// Calls `request` with a function that fulfils the returned future.
template <class Request>
std::future<Journal> requested(const Request& request) {
  auto promise = std::make_shared<std::promise<Journal>>();
  auto journal = promise->get_future();
  request([promise](Journal arrived) { promise->set_value(std::move(arrived)); });
  return journal;
}

}  // namespace

PendingMoment::PendingMoment(api::SavedMoment shown, api::LiveRun& run, std::optional<std::uint32_t> branch_of_b,
                             std::uint64_t tick_of_b)
    : shown_(std::move(shown)), tick_of_b_(tick_of_b), start_(run.start()) {
  journal_ = requested([&](auto done) { run.journal(std::move(done)); });
  if (branch_of_b) journal_of_b_ = requested([&](auto done) { run.branch_journal(*branch_of_b, std::move(done)); });
}

Result<std::string> PendingMoment::packed(const std::string& file) {
  if (!shown_) return std::string();
  if (shown_->compared && shown_->compared->values.empty()) {
    api::ComparedMoment& b = *shown_->compared;
    if (journal_of_b_.valid()) {
      b.journal = journal_of_b_.get();
      b.start = start_;
    }
    b.journal = cut_journal(b.journal, tick_of_b_, all_commands);
  }
  api::add_session(*shown_, journal_.get(), std::move(start_));
  return api::pack_moment(std::move(*shown_), file);
}

}  // namespace vw
