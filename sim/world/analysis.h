// What can be asked of a voxel body beside its motion: its equilibrium under load and its natural frequencies. For the command line and the window.
// In: a scene's tree and the body's name. Out: see sim/system/voxel/statics.h and modes.h.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/system/voxel/modes.h"
#include "sim/system/voxel/statics.h"
#include "sim/system/voxel/voxel_body.h"

namespace vw {

/// Names of a scene's voxel bodies, in the scene's order.
[[nodiscard]] std::vector<std::string> voxel_body_names(const Node& scene);
/// The body of that name, or the only one where no name is given. The error names those that there are.
[[nodiscard]] Result<std::string> choose_voxel_body(const Node& scene, std::string_view name);
/// That body alone, at its start.
[[nodiscard]] Result<std::unique_ptr<VoxelBody>> build_voxel_body(const Node& scene, std::string_view name);

/// Substep of a body's implicit integrator [s], where no rule asks for a shorter one: what numerical_damping_ratio() takes. 0 where its integrator is
/// the explicit one, which does not damp.
[[nodiscard]] double implicit_substep(const Node& scene, std::string_view name);

/// Moves the body to its equilibrium from where it is, under the scene's gravity, its regions and these colliders as they stand; at rest afterwards.
[[nodiscard]] Result<StaticSolution> settle(VoxelBody& body, const Node& scene, std::span<const Collider> colliders, const StaticOptions& options);
/// The same with the scene's colliders as they are at that time, where nothing has carried them anywhere yet.
[[nodiscard]] Result<StaticSolution> settle(VoxelBody& body, const Node& scene, double time, const StaticOptions& options);

/// An equilibrium as it is told of.
struct Equilibrium {
  std::string system;
  StaticSolution solution;
  std::size_t voxels = 0, farthest = 0;  ///< farthest: the voxel of the largest displacement
  Vec3 displacement = Vec3::Zero();      ///< of that voxel, from the scene's start [m]
  Vec3 center_of_mass = Vec3::Zero();
  double wall_s = 0;  ///< that the search took
};
/// Of a body that settle() has moved.
[[nodiscard]] Equilibrium describe_equilibrium(const VoxelBody& body, const StaticSolution& solution);

enum class ModesAbout {
  rest,     ///< the shape that the scene declares, free of stress
  present,  ///< where the body is: its equilibrium, after settle()
};
[[nodiscard]] Result<ModalAnalysis> modes_of(const VoxelBody& body, ModesAbout about, const ModalOptions& options);

}  // namespace vw
