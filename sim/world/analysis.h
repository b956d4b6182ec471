// Static and modal analysis of a voxel body: its equilibrium under load and its natural frequencies, for the command
// line and the window. In: a scene's tree and the body's name. Out: see sim/system/equilibrium.h and
// sim/system/voxel/analysis/modes.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/system/equilibrium.h"
#include "sim/system/voxel/analysis/modes.h"
#include "sim/system/voxel/voxel_body.h"

namespace vw {

/// Names of the scene's voxel bodies, in the scene's order.
[[nodiscard]] std::vector<std::string> voxel_body_names(const Node& scene);
/// Checks that a voxel body of that name exists. An empty name selects the only voxel body. An error lists the voxel
/// bodies of the scene.
[[nodiscard]] Result<std::string> choose_voxel_body(const Node& scene, std::string_view name);
/// Builds the voxel body of that name alone, in its initial state.
[[nodiscard]] Result<std::unique_ptr<VoxelBody>> build_voxel_body(const Node& scene, std::string_view name);

/// Substep of the body's implicit integrator [s] in this scene, for numerical_damping_ratio(). Shorter substeps that
/// rules may require are not considered. The result is 0 for the explicit integrator, which has no numerical damping.
[[nodiscard]] double implicit_substep(const Node& scene, std::string_view name);

/// Moves the system to its equilibrium (EquilibriumSolver::solve_equilibrium) under the scene's gravity, with the
/// scene's colliders in their poses at `time` [s]. Carried colliders have their initial poses. It is an error if the
/// system has no equilibrium_solver().
[[nodiscard]] Result<StaticSolution> settle(System& system, const Node& scene, double time,
                                            const StaticOptions& options);

/// Result of an equilibrium search, for display.
struct Equilibrium {
  std::string system;
  StaticSolution solution;
  std::size_t voxels = 0, farthest = 0;  ///< `farthest`: the voxel with the largest displacement
  Vec3 displacement = Vec3::Zero();      ///< displacement of that voxel from its position in the initial state [m]
  Vec3 center_of_mass = Vec3::Zero();
  double wall_s = 0;  ///< wall time of the search [s]
};
/// Describes the equilibrium of a system that its equilibrium_solver() has moved.
[[nodiscard]] Equilibrium describe_equilibrium(System& system, const StaticSolution& solution);

enum class ModesAbout {
  rest,     ///< the initial shape of the scene, free of stress
  present,  ///< the body's present configuration: its equilibrium after settle()
};
[[nodiscard]] Result<ModalAnalysis> modes_of(const VoxelBody& body, ModesAbout about, const ModalOptions& options);

}  // namespace vw
