// Tasks for robots: a benchmark that publications can cite. A task consists of a scene into which a robot is put, a
// score that a plot of the scene measures, and limits of the robot's body. A version of a task never changes. A task is
// a file in `benchmark/` of the assets, named NAME-VERSION.toml. sim/api/analysis/score.h runs a robot in a task.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/data/node.h"
#include "sim/scene/lab/lab_course.h"

namespace vw {

/// Bounds of a robot's body. All bounds are inclusive.
struct RobotLimits {
  Vec3 cells{8, 8, 8};  ///< largest number of cells of the occupied part of the lattice along x, y and z
  std::int64_t least_voxels = 1, most_voxels = 512;
  std::int64_t most_materials = 16;
  double least_height_m = 0;  ///< smallest height of the body
  double least_density = 100, most_density = 2000;
  double least_modulus_pa = 1e4, most_modulus_pa = 1e7;
  double most_strain = 0.2;     ///< largest free strain of a voxel: |cte * amplitude * scale|
  double least_period_s = 0.2;  ///< shortest period of the temperature wave
};

/// Point of a robot that is moved to RobotTask::place.
enum class RobotAnchor { bottom, center };

struct RobotTask {
  std::string name;  ///< name without the version: "walk"
  std::int64_t version = 1;
  std::string title, description;
  std::string scene;             ///< path of the scene
  std::string system = "robot";  ///< voxel body of the scene that the robot replaces
  double until_s = 10;           ///< end of the run [s]
  Vec3 place{0, 0, 0};           ///< point at which the robot starts [m]
  RobotAnchor anchor = RobotAnchor::bottom;
  double voxel_size_m = 0.02;  ///< edge of the voxels of every robot
  RobotLimits limits;
  LabCheck score;  ///< the number of the curve that is the score; larger is better
  [[nodiscard]] std::string id() const { return name + "-" + std::to_string(version); }
};

/// Parses a task. `file` is the name of the text in messages, `name` is its file name without the extension ("walk-1"),
/// and `folder` is the folder to which the path of the scene is relative. An error names the line and the key.
[[nodiscard]] Result<RobotTask> read_robot_task(std::string_view text, const std::string& file, const std::string& name,
                                                const std::string& folder);
/// Reads the tasks in `benchmark/` of assets_folder(), sorted by name and version.
[[nodiscard]] Result<std::vector<RobotTask>> packaged_robot_tasks();
/// Returns the task "walk-1", or the newest version of the task "walk". An error suggests the nearest name.
[[nodiscard]] Result<RobotTask> find_robot_task(const std::vector<RobotTask>& tasks, const std::string& name);

/// Returns the scene of the task with the robot in it. `robot` is a scene or design with exactly one voxel body. The
/// robot determines its lattice, its temperature wave, whether it collides with itself, and the moduli, densities,
/// Poisson's ratios, expansion and colours of its materials. The task determines the voxel size, friction, damping and
/// all other properties. An error states the first limit that the robot exceeds, or a feature that robots may not have
/// (held voxels, forces, muscles, plasticity, failure).
[[nodiscard]] Result<Node> scene_with_robot(const RobotTask& task, const std::string& robot);

}  // namespace vw
