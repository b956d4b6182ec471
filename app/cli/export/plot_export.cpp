#include "app/cli/export/plot_export.h"

#include "sim/api/analysis/fields.h"
#include "sim/plot/plot_csv.h"

namespace vw::cli {

Result<PlotExport> PlotExport::open(const std::string& path, api::Run& run, double every_s) {
  auto plots = PlotSet::compile(run.scene());
  if (!plots) return Unexpected(plots.error());
  if (plots->plans().empty()) return fail("--plots: this scene has no plots");
  if (plots->wants_air()) plots->set_air(api::make_air_gauge(run.scene()));
  Snapshot start;
  run.snapshot(start);
  if (auto known = plots->check_names(start); !known) return Unexpected(known.error());
  run.subscribe(plots->wanted());
  auto file = CsvFile::open(path, std::string(plot_rows_header));
  if (!file) return Unexpected(file.error());
  PlotExport out(std::move(*file), std::move(*plots));
  out.times_ = SampleTimes(run, every_s);
  return out;
}

Result<void> PlotExport::offer(api::Run& run) {
  run.snapshot(snapshot_);
  plots_.measure(snapshot_, row_);
  if (!times_.take(run)) return {};
  for (const PlotPlan& plan : plots_.plans())
    for (std::size_t i = 0; i < plan.columns.size(); ++i)
      append_plot_row(file_.buffer, plan, plan.columns[i], run.time_s(), row_[plan.first_column + i]);
  return file_.flush();
}

}  // namespace vw::cli
