// Static and modal analysis of voxel bodies: equilibrium under load, natural frequencies and mode shapes. This file is
// part of the library's stable interface. The types of the results are declared in sim/system/equilibrium.h and
// sim/system/voxel/analysis/modes.h.
//
//   auto body = vw::api::BodyAnalysis::create(scene->root, "beam");
//   auto settled = body->settle();  // modes() then gives the modes about the equilibrium under load
//   auto found = body->modes({.count = 12});
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/api/run.h"
#include "sim/system/voxel/analysis/modes.h"
#include "sim/world/equilibrium.h"

namespace vw {
class VoxelBody;
}

namespace vw::api {

/// Returns the names of the scene's voxel bodies, in the scene's order.
[[nodiscard]] std::vector<std::string> voxel_body_names(const Node& scene);
/// Returns the name of the voxel body to analyse: `name` or, if `name` is empty, the scene's only voxel body. Returns
/// an error that lists the voxel bodies of the scene if no body has this name, or if `name` is empty and the scene does
/// not have exactly one voxel body.
[[nodiscard]] Result<std::string> choose_voxel_body(const Node& scene, std::string_view name);

/// Moves a system of a run to its static equilibrium under the scene's gravity, with the colliders in their poses at
/// the present time. Colliders that other systems carry are in their initial poses. The elements are at rest
/// afterwards. Returns an error if there is no such system or no equilibrium; the elements may then have moved. The
/// journal does not record the move. If the run is to be replayed, apply the command Settle instead, which has no
/// options.
[[nodiscard]] Result<Equilibrium> settle(Run& run, const std::string& system, const StaticOptions& options = {});

/// One voxel body of a scene, apart from any run. The object owns its data and keeps no reference to the scene.
class BodyAnalysis {
 public:
  /// Builds the voxel body `body` in its initial state.
  [[nodiscard]] static Result<BodyAnalysis> create(const Node& scene, const std::string& body);
  ~BodyAnalysis();
  BodyAnalysis(BodyAnalysis&& other) noexcept;
  BodyAnalysis& operator=(BodyAnalysis&& other) noexcept;

  /// Moves the body to its equilibrium under the scene's gravity, with the colliders in their initial poses.
  [[nodiscard]] Result<StaticSolution> settle(const StaticOptions& options = {});
  /// Computes the modes about the stress-free rest shape or, after settle(), about the equilibrium.
  [[nodiscard]] Result<ModalAnalysis> modes(const ModalOptions& options = {}) const;

  /// Returns the positions [m] and orientations of the voxels in the state about which modes() linearises.
  [[nodiscard]] std::vector<Vec3> positions() const;
  [[nodiscard]] const std::vector<Quat>& orientations() const;
  [[nodiscard]] double voxel_edge_m() const;  ///< edge of a voxel [m]

 private:
  BodyAnalysis(Node scene, std::unique_ptr<VoxelBody> body);
  Node scene_;
  std::unique_ptr<VoxelBody> body_;
  bool settled_ = false;
};

/// Returns the substep [s] of the body's implicit integrator if no rule requires a shorter one. Returns 0 if the scene
/// has no such voxel body. Also returns 0 for the explicit integrator, which has no numerical damping.
[[nodiscard]] double implicit_substep(const Node& scene, std::string_view body);
/// Returns the damping ratio (damping divided by critical damping) that the implicit integrator causes numerically at
/// the frequency `hertz` [Hz] with a substep of `step_s` [s].
[[nodiscard]] double numerical_damping(double hertz, double step_s);

}  // namespace vw::api
