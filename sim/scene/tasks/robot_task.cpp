#include "sim/scene/tasks/robot_task.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "sim/base/files/file.h"
#include "sim/scene/scene.h"

namespace vw {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t max_task_bytes = std::uint64_t{1} << 20;

const ParamTable<RobotTask>& task_params() {
  using P = RobotTask;
  static const ParamTable<P> table{
      Param<P>{.member = &P::title, .key = "title", .doc = "Title of the task in one line."},
      Param<P>{.member = &P::description, .key = "description", .doc = "What a robot has to do, and its score."},
      Param<P>{.member = &P::scene, .key = "scene", .doc = "Scene of the task, relative to this file."},
      Param<P>{.member = &P::system, .key = "system", .doc = "Voxel body of the scene that the robot replaces."},
      Param<P>{
          .member = &P::until_s, .key = "until", .unit = Unit::second, .range = {1e-3, 1e4}, .doc = "End of the run."},
      Param<P>{.member = &P::place,
               .key = "place",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .doc = "Point at which the robot starts."},
      Param<P>{.member = &P::anchor,
               .key = "anchor",
               .choices = {"bottom", "center"},
               .doc = "Part of the robot that starts at `place`."},
      Param<P>{.member = &P::voxel_size_m,
               .key = "voxel_size",
               .unit = Unit::meter,
               .range = {1e-6, 1000},
               .doc = "Edge of the voxels of every robot."},
  };
  return table;
}

const ParamTable<RobotLimits>& limit_params() {
  using P = RobotLimits;
  constexpr double any = 1e12;
  static const ParamTable<P> table{
      Param<P>{.member = &P::cells,
               .key = "cells",
               .range = {1, 1000},
               .doc = "Largest allowed number of cells along x, y and z."},
      Param<P>{.member = &P::least_voxels,
               .key = "least_voxels",
               .range = {1, 1e6},
               .doc = "Smallest allowed number of voxels."},
      Param<P>{.member = &P::most_voxels,
               .key = "most_voxels",
               .range = {1, 1e6},
               .doc = "Largest allowed number of voxels."},
      Param<P>{.member = &P::most_materials,
               .key = "most_materials",
               .range = {1, 1000},
               .doc = "Largest allowed number of materials in use."},
      Param<P>{.member = &P::least_height_m,
               .key = "least_height",
               .unit = Unit::meter,
               .range = {0, 1000},
               .doc = "Smallest allowed height of the body."},
      Param<P>{.member = &P::least_density,
               .key = "least_density",
               .unit = Unit::kilogram_per_m3,
               .range = {0, any},
               .doc = "Smallest allowed density of a material."},
      Param<P>{.member = &P::most_density,
               .key = "most_density",
               .unit = Unit::kilogram_per_m3,
               .range = {0, any},
               .doc = "Largest allowed density of a material."},
      Param<P>{.member = &P::least_modulus_pa,
               .key = "least_modulus",
               .unit = Unit::pascal,
               .range = {0, any},
               .doc = "Smallest allowed Young's modulus of a voxel."},
      Param<P>{.member = &P::most_modulus_pa,
               .key = "most_modulus",
               .unit = Unit::pascal,
               .range = {0, any},
               .doc = "Largest allowed Young's modulus of a voxel."},
      Param<P>{.member = &P::most_strain,
               .key = "most_strain",
               .range = {0, 1},
               .doc = "Largest allowed strain that the temperature wave causes in a voxel without load."},
      Param<P>{.member = &P::least_period_s,
               .key = "least_period",
               .unit = Unit::second,
               .range = {0, any},
               .doc = "Shortest allowed period of the temperature wave."},
  };
  return table;
}

const Schema& task_schema() {
  static const Schema limits{"limits", "Bounds of a robot's body.", limit_params().specs(), {}};
  static const Schema score{"score", "The score.", lab_check_params().specs(), {}};
  static const Schema task{"task",
                           "A task for robots.",
                           task_params().specs(),
                           {{.name = "limits", .many = false, .kinds = {&limits}, .doc = "Bounds of a robot's body."},
                            {.name = "score", .many = false, .kinds = {&score}, .doc = "The score."}}};
  return task;
}

Unexpected wrong_task(const std::string& file, int line, std::string key, std::string expected) {
  Error error;
  error.file = file;
  error.line = line;
  error.key = std::move(key);
  error.expected = std::move(expected);
  return fail(std::move(error));
}

/// Splits "walk-1" into the name and the version.
bool split_id(const std::string& id, RobotTask& task) {
  const std::size_t dash = id.rfind('-');
  if (dash == std::string::npos || dash == 0) return false;
  const char *begin = id.data() + dash + 1, *end = id.data() + id.size();
  const auto [at, bad] = std::from_chars(begin, end, task.version);
  task.name = id.substr(0, dash);
  return bad == std::errc{} && at == end && task.version >= 1;
}

}  // namespace

Result<RobotTask> read_robot_task(std::string_view text, const std::string& file, const std::string& name,
                                  const std::string& folder) {
  const auto root = read_toml_node(text, file, task_schema());
  if (!root) return Unexpected(root.error());
  RobotTask task = task_params().read(root->values);
  if (!split_id(name, task)) return wrong_file(file, "a task is named NAME-VERSION.toml, such as walk-1.toml");
  task.limits = limit_params().read(root->only("limits")->values);
  task.score = lab_check_params().read(root->only("score")->values);
  const int score_line = root->only("score")->line;
  for (const auto& [key, value] : {std::pair<const char*, const std::string*>{"title", &task.title},
                                   {"description", &task.description},
                                   {"scene", &task.scene},
                                   {"system", &task.system}})
    if (value->empty()) return wrong_task(file, 1, key, "is missing");
  for (const auto& [key, value] : {std::pair<const char*, const std::string*>{"score.title", &task.score.title},
                                   {"score.plot", &task.score.plot},
                                   {"score.curve", &task.score.curve}})
    if (value->empty()) return wrong_task(file, score_line, key, "is missing");
  if (is_of_spectrum(task.score.value) || task.score.value == LabValue::difference)
    return wrong_task(file, score_line, "score.value",
                      "must be last, first, max, min, mean, rms, period, zero_period or rate");
  if (task.score.from_s > task.score.to_s) return wrong_task(file, score_line, "score.from", "must not be after `to`");
  if (!fs::path(task.scene).is_absolute()) task.scene = (fs::path(folder) / task.scene).lexically_normal().string();
  return task;
}

Result<std::vector<RobotTask>> packaged_robot_tasks() {
  const std::string folder = (fs::path(assets_folder()) / "benchmark").string();
  std::error_code error;
  std::vector<RobotTask> tasks;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    RobotTask named;
    const fs::path path = entry->path();
    if (path.extension() != ".toml" || !split_id(path.stem().string(), named)) continue;
    const auto text = read_file(path.string(), max_task_bytes);
    if (!text) return Unexpected(text.error());
    auto task = read_robot_task(*text, path.string(), path.stem().string(), folder);
    if (!task) return Unexpected(task.error());
    tasks.push_back(std::move(*task));
  }
  std::ranges::sort(tasks, [](const RobotTask& a, const RobotTask& b) {
    return std::tie(a.name, a.version) < std::tie(b.name, b.version);
  });
  if (tasks.empty()) return wrong_file(folder, "contains no tasks for robots");
  return tasks;
}

Result<RobotTask> find_robot_task(const std::vector<RobotTask>& tasks, const std::string& name) {
  const RobotTask* newest = nullptr;
  std::vector<std::string> names;
  for (const RobotTask& task : tasks) {
    if (task.id() == name) return task;
    if (task.name == name && (newest == nullptr || task.version > newest->version)) newest = &task;
    names.push_back(task.name);
    names.push_back(task.id());
  }
  if (newest != nullptr) return *newest;
  Error error = fail(fmt::format("there is no task \"{}\" for robots", name)).value();
  error.hint = nearest_word(name, names);
  return fail(std::move(error));
}

}  // namespace vw
