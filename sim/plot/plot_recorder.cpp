#include "sim/plot/plot_recorder.h"

#include <algorithm>

namespace vw {
namespace {

bool same_columns(const PlotPlan& a, const PlotPlan& b) {
  const auto same = [](const PlotColumn& p, const PlotColumn& q) { return p.curve == q.curve && p.system == q.system; };
  const auto same_curve = [](const PlotCurve& p, const PlotCurve& q) { return p.name == q.name && measure_alike(p.node, q.node); };
  return a.name == b.name && a.over_time == b.over_time && a.params.span_s == b.params.span_s &&
         std::equal(a.columns.begin(), a.columns.end(), b.columns.begin(), b.columns.end(), same) &&
         std::equal(a.curves.begin(), a.curves.end(), b.curves.begin(), b.curves.end(), same_curve);
}

}  // namespace

void PlotSeries::start(std::size_t columns, double span_s) {
  stride_ = columns + 1;
  span_s_ = span_s;
  clear();
  rows_.reserve(limit * stride_);
}

void PlotSeries::add(double time_s, const double* values) {
  // A tenth of slack: the times of steps lie a rounding error off their grid.
  if (!rows_.empty() && time_s - time(size() - 1) < 0.9 * spacing_s_) return;
  if (size() == limit) make_room();
  rows_.push_back(time_s);
  rows_.insert(rows_.end(), values, values + (stride_ - 1));
}

void PlotSeries::make_room() {
  if (span_s_ > 0) {
    const double from = time(size() - 1) - span_s_;
    std::size_t old = 0;
    while (old < size() && time(old) < from) ++old;
    rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(old * stride_));
    if (size() < limit - limit / 8) return;
  }
  const std::size_t kept = size() / 2;
  for (std::size_t i = 1; i < kept; ++i)
    std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(2 * i * stride_), stride_, rows_.begin() + static_cast<std::ptrdiff_t>(i * stride_));
  spacing_s_ = (time(kept - 1) - time(0)) / static_cast<double>(kept - 1);
  rows_.resize(kept * stride_);
}

PlotRecorder::PlotRecorder(PlotSet plots) : plots_(std::move(plots)) { start_series(); }

void PlotRecorder::start_series() {
  data_.series.resize(plots_.plans().size());
  for (std::size_t p = 0; p < data_.series.size(); ++p) {
    const PlotPlan& plan = plots_.plans()[p];
    if (plan.over_time) data_.series[p].start(plan.columns.size(), plan.params.span_s);
  }
  data_.newest.assign(plots_.column_count(), std::numeric_limits<double>::quiet_NaN());
  ++data_.revision;
}

void PlotRecorder::take(const Snapshot& snapshot) {
  const std::lock_guard lock(mutex_);
  if (snapshot.epoch != epoch_ || snapshot.time_s < data_.time_s)
    for (PlotSeries& series : data_.series) series.clear();
  epoch_ = snapshot.epoch;
  data_.time_s = snapshot.time_s;
  plots_.measure(snapshot, data_.newest);
  for (std::size_t p = 0; p < data_.series.size(); ++p)
    if (const PlotPlan& plan = plots_.plans()[p]; plan.over_time && !plan.is_over(snapshot))
      data_.series[p].add(snapshot.time_s, data_.newest.data() + plan.first_column);
  ++data_.revision;
}

void PlotRecorder::replace(PlotSet plots) {
  const std::lock_guard lock(mutex_);
  const auto& before = plots_.plans();
  const bool same = std::equal(before.begin(), before.end(), plots.plans().begin(), plots.plans().end(), same_columns);
  plots.go_on_from(plots_, same);
  plots_ = std::move(plots);
  if (!same) start_series();
}

bool PlotRecorder::read(PlotData& out) const {
  const std::lock_guard lock(mutex_);
  if (out.revision == data_.revision) return false;
  out = data_;
  return true;
}

}  // namespace vw
