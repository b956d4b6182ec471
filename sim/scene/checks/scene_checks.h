// Checks of a scene while it is edited: unusual densities, coarse fluids, bodies that start inside obstacles, missing
// rules, expensive steps. The inputs are the tree of a scene and, if a world of the scene is running, its substeps and
// times. The results are findings. A finding consists of a sentence, the node concerned and remedies. No world is built
// or stepped.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/data/node.h"
#include "sim/collision/collider_kinds.h"

namespace vw {

struct Snapshot;

/// Facts about a system of a running world.
struct SystemRunFacts {
  std::string name;
  std::size_t elements = 0;
  int substeps = 0;         ///< substeps of the last step
  double substep_dt_s = 0;  ///< length of a substep [s]
  double stable_dt_s = 0;   ///< longest stable substep [s]
  double wall_s = 0;        ///< wall time of the last step [s]
  double fastest_mps = 0;   ///< speed of the fastest element [m/s]
};
/// Facts about a running world. Only the checks of substeps, cost and speed use them.
struct RunningFacts {
  std::uint64_t step = 0;  ///< number of steps since the start
  double dt_s = 0;         ///< length of a step [s]
  double step_wall_s = 0;  ///< wall time of a step [s]
  double asked_speed = 1;  ///< requested ratio of simulated to wall time
  std::vector<SystemRunFacts> systems;
};
[[nodiscard]] RunningFacts run_facts(const Snapshot& snapshot);

enum class CheckKind : std::uint8_t { substeps, density, resolution, placement, coupling, cost, speed };
enum class CheckSeverity : std::uint8_t {
  note,     ///< may be intended
  warning,  ///< the result is probably wrong, or the simulation is slow
};

/// A change of the scene that removes the cause of a finding.
struct SceneRemedy {
  std::string label;  ///< label of a button: "Use the implicit integrator"
  std::vector<Assignment> assignments = {};
  std::vector<Node> rules = {};  ///< rules to add to the scene
};
struct SceneFinding {
  CheckKind kind = CheckKind::density;
  CheckSeverity severity = CheckSeverity::warning;
  std::string sentence;
  std::string path;  ///< path of the node concerned: "system.crates.body.ball"
  std::vector<SceneRemedy> remedies = {};
};

/// Limits of the checks.
struct CheckLimits {
  int substeps = 300;         ///< substeps per step of a system that is not a fluid
  int fluid_substeps = 60;    ///< substeps per step of a fluid; a substep costs about as much as ten substeps of a
                              ///< voxel body
  double density_ratio = 10;  ///< ratio of the densities of a body and a fluid, in either direction
  /// Smallest accepted ratio of the thinnest side of a body to the spacing of the fluid. Thinner bodies are not
  /// resolved by the particles.
  double resolution = 1;
  double slow_factor = 0.2;   ///< real-time factor below which a step counts as expensive
  std::uint64_t settled = 5;  ///< steps after which wall times are meaningful
};

/// Runs the checks. The object keeps the shapes of obstacles, so that their files are read only once. It may be used by
/// only one thread at a time.
class SceneChecks {
 public:
  explicit SceneChecks(const CheckLimits& limits = {}) : limits_(limits) {}
  /// Checks a scene that could be opened. If `facts` is null, only the tree is checked. The findings are sorted:
  /// warnings before notes, then in the order of CheckKind, then in the order of the scene. If there are many findings
  /// of one kind about one system, they are merged into one.
  [[nodiscard]] std::vector<SceneFinding> look(const Node& scene, const RunningFacts* facts = nullptr);

 private:
  CheckLimits limits_;
  ShapeStore shapes_;
};

}  // namespace vw
