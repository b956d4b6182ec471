#include "sim/plot/plot_recorder.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/plot/plot_match.h"

namespace vw {
namespace {

/// Number of runs and branches, besides the present run and branch, whose series are kept.
constexpr std::size_t others_limit = 8;

/// Returns whether all columns keep their positions and the plot keeps its span.
bool is_same_layout(const PlotPlan& before, const PlotPlan& now, const std::vector<std::size_t>& columns) {
  if (before.columns.size() != columns.size() || before.params.span_s != now.params.span_s) return false;
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (columns[c] != c) return false;
  return true;
}

/// Returns a function that applies the renamings in their order. `renamed` must outlive it.
PresentName present_names(std::span<const RenamedPart> renamed) {
  return [renamed](std::string_view slot, const std::string& former_name) {
    std::string name = former_name;
    for (const RenamedPart& part : renamed)
      if ((part.slot.empty() || part.slot == slot) && part.name == name) name = part.new_name;
    return name;
  };
}

}  // namespace

void PlotSeries::start(std::size_t columns, double span_s) {
  stride_ = columns + 1;
  span_s_ = span_s;
  clear();
  rows_.reserve(limit * stride_);
}

void PlotSeries::start_from(const PlotSeries& before, std::span<const std::size_t> columns, double span_s) {
  start(columns.size(), span_s);
  if (std::all_of(columns.begin(), columns.end(), [](std::size_t c) { return c == no_column; })) return;
  spacing_s_ = before.spacing_s_;
  for (std::size_t row = 0; row < before.size(); ++row) {
    rows_.push_back(before.time(row));
    for (const std::size_t c : columns) rows_.push_back(c == no_column ? no_value : before.value(row, c));
  }
}

void PlotSeries::add(double time_s, const double* values) {
  // The factor 0.9 allows for step times that deviate from multiples of dt by rounding errors.
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
    std::copy_n(rows_.begin() + static_cast<std::ptrdiff_t>(2 * i * stride_), stride_,
                rows_.begin() + static_cast<std::ptrdiff_t>(i * stride_));
  spacing_s_ = (time(kept - 1) - time(0)) / static_cast<double>(kept - 1);
  rows_.resize(kept * stride_);
}

void PlotSeries::drop_after(double time_s) {
  std::size_t kept = size();
  while (kept > 0 && time(kept - 1) > time_s) --kept;
  rows_.resize(kept * stride_);
}

PlotRecorder::PlotRecorder(PlotSet plots) : plots_(std::move(plots)) { lay_out(plots_.plans()); }

/// Returns series for the plots `plans`. Columns that match a column of the present plots keep their rows in `before`.
std::vector<PlotSeries> PlotRecorder::laid_out(const std::vector<PlotPlan>& plans,
                                               std::vector<PlotSeries> before) const {
  std::vector<PlotSeries> series(plans.size());
  for (std::size_t p = 0; p < plans.size(); ++p) {
    const PlotPlan& plan = plans[p];
    if (!plan.over_time) continue;
    const PlotPlan* former = find_plan(plans_, plan.name);
    const auto columns = matching_columns(former, plan);
    if (former == nullptr) {
      series[p].start(columns.size(), plan.params.span_s);
      continue;
    }
    PlotSeries& old = before[static_cast<std::size_t>(former - plans_.data())];
    if (is_same_layout(*former, plan, columns))
      series[p] = std::move(old);
    else
      series[p].start_from(old, columns, plan.params.span_s);
  }
  return series;
}

/// Arranges data_ for the plots `plans`. Columns that match a column of the present plots keep their data.
void PlotRecorder::lay_out(const std::vector<PlotPlan>& plans) {
  PlotData data;
  data.revision = data_.revision + 1;
  data.time_s = data_.time_s;
  data.series = laid_out(plans, std::move(data_.series));
  for (const PlotPlan& plan : plans) {
    const PlotPlan* before = find_plan(plans_, plan.name);
    for (const std::size_t c : matching_columns(before, plan))
      data.newest.push_back(c == no_column ? no_value : data_.newest[before->first_column + c]);
  }
  for (auto& [part, series] : others_)
    series = std::make_shared<const std::vector<PlotSeries>>(laid_out(plans, *series));
  data_ = std::move(data);
  plans_ = plans;
  show_others();
}

void PlotRecorder::show_others() {
  data_.others.clear();
  for (const auto& [part, series] : others_)
    if (part.run == part_.run) data_.others.push_back(series);
}

void PlotRecorder::adopt_next() {
  std::optional<PlotSet> next;
  std::vector<RenamedPart> renamed;
  {
    const std::lock_guard lock(mutex_);
    next.swap(next_);
    renamed.swap(renamed_);
  }
  if (!next) return;
  next->go_on_from(plots_, renamed.empty() ? PresentName() : present_names(renamed));
  plots_ = std::move(*next);
}

void PlotRecorder::take(const Snapshot& snapshot) {
  for (;;) {
    adopt_next();
    plots_.measure(snapshot, row_);
    const std::lock_guard lock(mutex_);
    if (next_) continue;  // the plots were replaced in the meantime, and the new plots must measure this snapshot
    publish(snapshot);
    return;
  }
}

/// Stores the series of the previous run or branch, and sets `data_.series` to the series of the snapshot's run and
/// branch.
void PlotRecorder::switch_series(const Snapshot& snapshot) {
  const Part now{snapshot.run, snapshot.place.branch};
  if (now == part_) return;
  const auto known =
      std::ranges::find(others_, now, &std::pair<Part, std::shared_ptr<const std::vector<PlotSeries>>>::first);
  const bool is_new_branch = known == others_.end() && now.run == part_.run;
  auto former = std::make_shared<const std::vector<PlotSeries>>(data_.series);
  if (known != others_.end()) {
    data_.series = *known->second;
    others_.erase(known);
  } else {
    for (PlotSeries& series : data_.series)
      is_new_branch ? series.drop_after(snapshot.place.branch_time_s) : series.clear();
  }
  others_.emplace_back(part_, std::move(former));
  if (others_.size() > others_limit) others_.erase(others_.begin());
  part_ = now;
  show_others();
}

void PlotRecorder::publish(const Snapshot& snapshot) {
  switch_series(snapshot);
  data_.time_s = snapshot.time_s;
  data_.newest = row_;
  for (std::size_t p = 0; p < data_.series.size(); ++p) {
    const PlotPlan& plan = plans_[p];
    PlotSeries& series = data_.series[p];
    const bool is_recorded = series.size() > 0 && series.time(series.size() - 1) >= snapshot.time_s;
    if (plan.over_time && !plan.is_over(snapshot) && !snapshot.place.is_past && !is_recorded)
      series.add(snapshot.time_s, data_.newest.data() + plan.first_column);
  }
  ++data_.revision;
}

void PlotRecorder::replace(PlotSet plots, std::span<const RenamedPart> renamed) {
  std::optional<PlotSet> never_used;  // declared before the lock, so that it is destroyed after the unlock
  const std::lock_guard lock(mutex_);
  if (!renamed.empty()) rename_parts(plans_, present_names(renamed));
  renamed_.insert(renamed_.end(), renamed.begin(), renamed.end());
  lay_out(plots.plans());
  never_used = std::exchange(next_, std::move(plots));
}

bool PlotRecorder::read(PlotData& out) const {
  const std::lock_guard lock(mutex_);
  if (out.revision == data_.revision) return false;
  out = data_;
  return true;
}

}  // namespace vw
