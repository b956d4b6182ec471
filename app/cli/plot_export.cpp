#include "app/cli/plot_export.h"

#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace vw::cli {

Result<PlotExport> PlotExport::open(const std::string& path, const World& world, double every_s) {
  auto plots = PlotSet::compile(world.scene());
  if (!plots) return Unexpected(plots.error());
  if (plots->plans().empty()) return fail("--plots: this scene has no plots");
  Snapshot start;
  world.write_snapshot(start, {});
  if (auto known = plots->check_names(start); !known) return Unexpected(known.error());
  auto file = CsvFile::open(path);
  if (!file) return Unexpected(file.error());
  PlotExport out(std::move(*file), std::move(*plots));
  out.times_ = SampleTimes(world, every_s);
  out.file_.buffer = "time,plot,curve,system,x,y\n";
  if (auto good = out.file_.flush(); !good) return Unexpected(good.error());
  return out;
}

Result<void> PlotExport::offer(const World& world) {
  world.write_snapshot(snapshot_, plots_.channels());
  plots_.measure(snapshot_, row_);
  if (!times_.take(world)) return {};
  for (const PlotPlan& plan : plots_.plans())
    for (std::size_t i = 0; i < plan.columns.size(); ++i) {
      const PlotColumn& column = plan.columns[i];
      const double y = row_[plan.first_column + i];
      if (!std::isfinite(y)) continue;
      fmt::format_to(std::back_inserter(file_.buffer), "{},{},{},{},{},{}\n", world.time(), plan.name, plan.curves[column.curve].name, column.system,
                     plan.over_time ? world.time() : column.x, y);
    }
  return file_.flush();
}

}  // namespace vw::cli
