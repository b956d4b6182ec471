// voxwake score: lists the tasks for robots, and measures the score of a robot.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/commands/commands.h"
#include "app/cli/options.h"
#include "app/cli/output_path.h"
#include "app/cli/progress.h"
#include "sim/api/analysis/score.h"
#include "sim/base/system/interrupt.h"
#include "sim/base/text.h"
#include "sim/scene/scene.h"

namespace vw::cli {
namespace {

struct ScoreRunOptions {
  std::string robot, task, scene, journal;
  bool json = false;
  std::int64_t threads = 0;
};

void list_tasks(const std::vector<RobotTask>& tasks) {
  for (const RobotTask& task : tasks)
    fmt::print("{:<8}  {} ({:g} s)\n          {}\n", task.id(), task.title, task.until_s, task.description);
}

std::string hash_digits(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

nlohmann::ordered_json json_of(const api::RobotScore& score, const std::string& robot) {
  return {{"task", score.task},
          {"robot", robot},
          {"score", score.score},
          {"unit", score.unit},
          {"final_state_hash", hash_digits(score.hash)},
          {"steps", score.steps},
          {"wall_s", score.wall_s}};
}

/// `failure` receives the sentence of a failed health check.
Result<api::RobotScore> score_in(const RobotTask& task, const ScoreRunOptions& options, std::string& failure) {
  Progress progress(0, task.until_s);
  const auto go_on = [&](double time_s) {
    progress.show(time_s);
    return !interrupted();
  };
  auto score = api::score_robot(task, options.robot, {.journal = options.journal, .go_on = go_on, .failure = &failure});
  progress.clear();
  return score;
}

/// Scores the robot in each task. If there are several tasks, those that the robot does not fit are reported and
/// skipped.
int score_in_tasks(const std::vector<RobotTask>& tasks, const ScoreRunOptions& options) {
  catch_interrupts();
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  std::size_t failed = 0;
  int code_of_failures = exit_bad_input;
  for (const RobotTask& task : tasks) {
    std::string failure;
    const auto score = score_in(task, options, failure);
    if (!score) {
      if (!failure.empty()) code_of_failures = exit_failed;
      if (tasks.size() == 1 && !interrupted()) {
        report_error(score.error());
        return code_of_failures;
      }
      say(fmt::format("{}: {}", task.id(), score.error().message()));
      if (interrupted()) return exit_failed;
      ++failed;
      continue;
    }
    if (options.json)
      rows.push_back(json_of(*score, options.robot));
    else
      fmt::print("{:<8}  {:.6g}{}{}, state hash {}\n", score->task, score->score, score->unit.empty() ? "" : " ",
                 score->unit, hash_digits(score->hash));
  }
  if (options.json) fmt::print("{}\n", rows.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  return failed == tasks.size() ? code_of_failures : exit_done;
}

int visit_score(const ScoreRunOptions& options) {
  ignore_closed_pipes();
  auto tasks = packaged_robot_tasks();
  if (!tasks) return report_error(tasks.error());
  if (options.robot.empty()) {
    list_tasks(*tasks);
    return exit_done;
  }
  if (!options.task.empty()) {
    auto task = find_robot_task(*tasks, options.task);
    if (!task) return report_error(task.error());
    tasks->assign(1, std::move(*task));
  }
  if (!options.scene.empty())
    if (auto good = check_ending(options.scene, ".toml", "a scene"); !good) return report_error(good.error());
  SceneOptions robot;
  robot.scene = options.robot;
  if (auto good = check_outputs({options.scene, options.journal}, files_read(robot)); !good)
    return report_error(good.error());
  use_threads(options.threads);
  if (!options.scene.empty()) {
    const auto scene = scene_with_robot(tasks->front(), options.robot);
    if (!scene) return report_error(scene.error());
    if (auto saved = save_scene(*scene, options.scene); !saved) return report_error(saved.error());
  }
  return score_in_tasks(*tasks, options);
}

}  // namespace

void add_score(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<ScoreRunOptions>();
  CLI::App& command = add_command(program, "score", "List the tasks for robots, or measure the score of a robot");
  add_text(command, "ROBOT", options->robot, "Design or scene with one voxel body (default: list the tasks)", "");
  const Option task = add_name(command, "--task", options->task,
                               "Task, such as walk, or walk-1 for a version (default: all tasks)", "NAME");
  add_flag(command, "--json", options->json, "Print the scores as one JSON array");
  add_file(command, "--scene", options->scene, "Write the scene of the task with the robot in it").needs(task);
  add_file(command, "--journal", options->journal, "Write a journal for `voxwake replay`").needs(task);
  add_threads(command, options->threads);
  when_typed(command, [options, &chosen] {
    if (options->robot.empty() && (!options->task.empty() || options->json)) refuse_usage("score requires a ROBOT");
    chosen = [options] { return visit_score(*options); };
  });
}

}  // namespace vw::cli
