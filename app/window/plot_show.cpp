#include "app/window/plot_show.h"

namespace vw {

std::shared_ptr<PlotWatch> PlotShow::begin(const Node& scene) {
  *this = {};
  auto shown = PlotSet::compile(scene, shapes_), watched = PlotSet::compile(scene, shapes_);
  if (!shown || !watched) {
    problem_ = (shown ? watched : shown).error().message();
    return nullptr;
  }
  plots_ = std::move(*shown);
  if (plots_->plans().empty()) return nullptr;
  watch_ = std::make_shared<PlotWatch>(std::move(*watched));
  return watch_;
}

void PlotShow::scene_changed(const Node& scene) {
  if (watch_ == nullptr) return;
  auto shown = PlotSet::compile(scene, shapes_), watched = PlotSet::compile(scene, shapes_);
  problem_.clear();
  if (!shown || !watched) {
    problem_ = (shown ? watched : shown).error().message();
    return;
  }
  watch_->recorder.replace(std::move(*watched));
  (void)watch_->recorder.read(data_);  // before the plans: what is drawn always fits them
  plots_ = std::move(*shown);
}

void PlotShow::update(const Snapshot& newest) {
  if (watch_ == nullptr || !watch_->recorder.read(data_) || !problem_.empty()) return;
  if (const auto known = plots_->check_names(newest); !known) problem_ = known.error().message();
}

}  // namespace vw
