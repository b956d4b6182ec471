#include "app/cli/export/plot_export.h"

#include "sim/plot/plot_csv.h"
#include "sim/world/air/scene_air.h"

namespace vw::cli {

Result<PlotExport> PlotExport::open(const std::string& path, World& world, double every_s) {
  auto plots = PlotSet::compile(world.scene());
  if (!plots) return Unexpected(plots.error());
  if (plots->plans().empty()) return fail("--plots: this scene has no plots");
  if (plots->wants_air()) plots->set_air(make_air_gauge(world.scene()));
  Snapshot start;
  world.write_snapshot(start);
  if (auto known = plots->check_names(start); !known) return Unexpected(known.error());
  world.subscribe(plots->wanted());
  auto file = CsvFile::open(path, std::string(plot_rows_header));
  if (!file) return Unexpected(file.error());
  PlotExport out(std::move(*file), std::move(*plots));
  out.times_ = SampleTimes(world, every_s);
  return out;
}

Result<void> PlotExport::offer(World& world) {
  world.write_snapshot(snapshot_);
  plots_.measure(snapshot_, row_);
  if (!times_.take(world)) return {};
  for (const PlotPlan& plan : plots_.plans())
    for (std::size_t i = 0; i < plan.columns.size(); ++i)
      append_plot_row(file_.buffer, plan, plan.columns[i], world.time(), row_[plan.first_column + i]);
  return file_.flush();
}

}  // namespace vw::cli
