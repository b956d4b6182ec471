#include "app/window/plot_show.h"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

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

std::string PlotShow::table() const {
  std::string out = "time,plot,curve,system,x,y\n";
  const auto add = [&](const PlotPlan& plan, const PlotColumn& column, double time_s, double x, double y) {
    if (!std::isfinite(y)) return;
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{}\n", time_s, plan.name, plan.curves[column.curve].name, column.system, x, y);
  };
  for (std::size_t p = 0; plots_ && p < plans().size(); ++p) {
    const PlotPlan& plan = plans()[p];
    const bool over_time = plan.over_time && p < data_.series.size();
    for (std::size_t row = 0; over_time && row < data_.series[p].size(); ++row)
      for (std::size_t c = 0; c < plan.columns.size(); ++c)
        add(plan, plan.columns[c], data_.series[p].time(row), data_.series[p].time(row), data_.series[p].value(row, c));
    for (std::size_t c = 0; !plan.over_time && c < plan.columns.size() && plan.first_column + c < data_.newest.size(); ++c)
      add(plan, plan.columns[c], data_.time_s, plan.columns[c].x, data_.newest[plan.first_column + c]);
  }
  return out;
}

}  // namespace vw
