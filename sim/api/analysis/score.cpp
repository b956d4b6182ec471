#include "sim/api/analysis/score.h"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/api/analysis/checked_curves.h"
#include "sim/api/analysis/fields.h"
#include "sim/api/run.h"
#include "sim/scene/scene.h"

namespace vw::api {

Result<RobotScore> score_robot(const RobotTask& task, const std::string& robot, const ScoreOptions& options) {
  auto root = scene_with_robot(task, robot);
  if (!root) return Unexpected(root.error());
  OpenedScene scene{fmt::format("{} in {}", robot, task.id()), std::move(*root), {}, {}};
  scene.text = write_scene_toml(scene.root);
  auto plots = PlotSet::compile(scene.root);
  if (!plots) return Unexpected(plots.error());
  if (plots->wants_air()) plots->set_air(make_air_gauge(scene.root));
  auto compiled = compile_check(*plots, task.score);
  if (!compiled) return Unexpected(compiled.error());
  std::vector<CompiledCheck> checks{std::move(*compiled)};
  auto run = Run::create(std::move(scene), options.journal);
  if (!run) return Unexpected(run.error());
  run->subscribe(plots->wanted());
  const auto done = measure_checks(*run, *plots, checks, task.until_s, options.go_on);
  const auto written = run->finish();  // also after a failed health check, so that the journal is complete
  if (!done) {
    if (options.failure != nullptr) *options.failure = run->failure();
    return Unexpected(done.error());
  }
  if (!written) return Unexpected(written.error());
  const double score = checks.front().measured.number(task.score.value);
  if (!std::isfinite(score))
    return fail(fmt::format("{}: no score in {}, because the measured curve has no finite value", robot, task.id()));
  return RobotScore{.task = task.id(),
                    .score = score,
                    .unit = checks.front().unit,
                    .hash = run->hash(),
                    .steps = run->step_count(),
                    .wall_s = run->wall_s()};
}

}  // namespace vw::api
