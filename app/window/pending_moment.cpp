#include "app/window/pending_moment.h"

#include <utility>

namespace vw {

PendingMoment::PendingMoment(api::SavedMoment shown, api::LiveRun& run)
    : shown_(std::move(shown)), start_(run.start()) {
  auto promise = std::make_shared<std::promise<Journal>>();
  journal_ = promise->get_future();
  run.journal([promise](Journal journal) { promise->set_value(std::move(journal)); });
}

Result<std::string> PendingMoment::packed(const std::string& file) {
  if (!shown_) return std::string();
  api::add_session(*shown_, journal_.get(), std::move(start_));
  return api::pack_moment(std::move(*shown_), file);
}

}  // namespace vw
