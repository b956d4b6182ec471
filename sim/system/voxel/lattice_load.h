// Internal loads of a lattice at a given shape: bonds, volumetric part of the Poisson effect, local damping. In:
// positions, orientations, velocities, rest lengths. Out: a force and a moment per voxel. For solvers and measures that
// need a whole residual; explicit substeps use sweep.h.
#pragma once

#include <vector>

#include "sim/system/voxel/load_sums.h"

namespace vw {

class LatticeLoads {
 public:
  /// Evaluates all loads at the shape of `voxels`; its volume_tension is not read but computed here. `damped` adds
  /// local damping at the velocities of `voxels`. `slack` is as in BondView.
  void evaluate(const LatticeTopology& topology, const LatticeConstants& constants, const VoxelView& voxels,
                bool damped, std::span<const double> slack = {});
  [[nodiscard]] std::span<const Vec3> force() const { return force_; }
  [[nodiscard]] std::span<const Vec3> moment() const { return moment_; }
  /// s^2 beta_v S_v of each voxel [N]. Empty without a Poisson effect.
  [[nodiscard]] std::span<const double> volume_tension() const { return tension_; }

 private:
  std::vector<BondLoad> loads_;
  std::vector<double> strain_, tension_;
  std::vector<Vec3> force_, moment_;
};

}  // namespace vw
