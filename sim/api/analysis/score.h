// Runs a robot in a task of the benchmark (sim/scene/tasks/robot_task.h) and measures its score. This file is part of
// the library's stable interface.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sim/base/error.h"
#include "sim/scene/tasks/robot_task.h"

namespace vw::api {

/// Outcome of a robot in a task.
struct RobotScore {
  std::string task;         ///< name and version: "walk-1"
  double score = 0;         ///< larger is better
  std::string unit;         ///< unit of the score
  std::uint64_t hash = 0;   ///< hash of the final state; the same on every machine
  std::uint64_t steps = 0;  ///< steps to the end
  double wall_s = 0;
};

struct ScoreOptions {
  std::string journal = {};                ///< file for the journal of the run; none if empty
  std::function<bool(double)> go_on = {};  ///< called after every step with the time [s]; if it returns false, the
                                           ///< result is an error
  /// If not null, receives the sentence of the health check that stopped the run, or an empty text for other errors of
  /// the run. It is not changed if the run does not start.
  std::string* failure = nullptr;
};

/// Puts the robot into the scene of the task and runs the scene to the end. `robot` names a scene or a design with one
/// voxel body. Returns an error if the robot does not fit the task or cannot be read, or if a health check fails.
[[nodiscard]] Result<RobotScore> score_robot(const RobotTask& task, const std::string& robot,
                                             const ScoreOptions& options = {});

}  // namespace vw::api
