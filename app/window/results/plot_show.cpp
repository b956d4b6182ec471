#include "app/window/results/plot_show.h"

#include <utility>

#include "sim/api/analysis/fields.h"

namespace vw {

Result<PlotShow::Pair> PlotShow::compile(const Node& scene) {
  auto shown = PlotSet::compile(scene, *shapes_, picked_.nodes());
  if (!shown) return Unexpected(shown.error());
  auto watched = PlotSet::compile(scene, *shapes_, picked_.nodes());
  if (!watched) return Unexpected(watched.error());
  if (watched->wants_air()) watched->set_air(api::make_air_gauge(scene));
  return Pair{std::move(*shown), std::move(*watched)};
}

/// Stores the plots and creates the observer that measures them. Returns null if there are no plots.
std::shared_ptr<PlotObserver> PlotShow::watch(Pair plots) {
  plots_ = std::move(plots.shown);
  if (plots_->plans().empty()) return nullptr;
  watch_ = std::make_shared<PlotObserver>(std::move(plots.watched));
  return watch_;
}

std::shared_ptr<PlotObserver> PlotShow::begin(const Node& scene, bool is_rebuild) {
  PickedPlots picked = std::move(picked_);
  *this = {};
  if (is_rebuild) {
    picked_ = std::move(picked);
    picked_.fit(scene);
  }
  auto observer = start(scene);
  if (problem_.empty() || picked_.nodes().empty()) return observer;
  picked_.clear();  // The plots may be invalid because a picked element no longer exists.
  return start(scene);
}

std::shared_ptr<PlotObserver> PlotShow::start(const Node& scene) {
  problem_.clear();
  lacks_name_ = false;
  auto plots = compile(scene);
  if (plots) return watch(std::move(*plots));
  problem_ = plots.error().message();
  return nullptr;
}

std::shared_ptr<PlotObserver> PlotShow::scene_changed(const Node& scene, std::span<const RenamedPart> renamed) {
  for (const RenamedPart& part : renamed) picked_.rename(part.slot, part.name, part.new_name);
  picked_.fit(scene);
  if (watch_ == nullptr) return start(scene);
  auto plots = compile(scene);
  problem_.clear();
  lacks_name_ = false;
  if (!plots) {
    problem_ = plots.error().message();
    return nullptr;
  }
  watch_->recorder.replace(std::move(plots->watched), renamed);
  (void)watch_->recorder.read(data_);  // keep data_ consistent with the new plots_
  plots_ = std::move(plots->shown);
  return nullptr;
}

std::shared_ptr<PlotObserver> PlotShow::pick(const Node& scene, const PickedValue& value) {
  picked_.toggle(scene, value);
  return scene_changed(scene);
}

std::shared_ptr<PlotObserver> PlotShow::measure_as(const Node& scene, const PlotShow& other) {
  picked_ = other.picked_;
  return scene_changed(scene);
}

void PlotShow::drop(const Node& scene, const std::string& plot) {
  picked_.remove(plot);
  (void)scene_changed(scene);  // returns no observer, because the picked plot has one already
}

void PlotShow::update(const Snapshot& newest) {
  if (watch_ == nullptr || !watch_->recorder.read(data_) || (!problem_.empty() && !lacks_name_)) return;
  const auto known = plots_->check_names(newest);
  lacks_name_ = !known;
  problem_ = known ? std::string() : known.error().message();
}

}  // namespace vw
