// Internal loads of a lattice at a given shape: bonds, volumetric part of the Poisson effect, local damping. Input:
// positions, orientations, velocities, rest lengths. Output: a force and a moment per voxel. Solvers and measures that
// need the loads of all voxels at once use this file. Explicit substeps use sweep.h instead.
#pragma once

#include <vector>

#include "sim/system/voxel/explicit/load_sums.h"

namespace vw {

class LatticeLoads {
 public:
  /// Evaluates all loads at the shape of `voxels`. VoxelView::volume_tension is computed here and need not be set. If
  /// `damped`, local damping at the velocities of `voxels` is added. `slack` is the plastic elongation
  /// (BondView::slack); empty means 0.
  void evaluate(const LatticeTopology& topology, const LatticeConstants& constants, const VoxelView& voxels,
                bool damped, std::span<const double> slack = {});
  [[nodiscard]] std::span<const Vec3> force() const { return force_; }
  [[nodiscard]] std::span<const Vec3> moment() const { return moment_; }
  /// Returns the volumetric tension of each voxel [N] (VoxelView::volume_tension). Empty without a Poisson effect.
  [[nodiscard]] std::span<const double> volume_tension() const { return tension_; }

 private:
  std::vector<BondLoad> loads_;
  std::vector<double> strain_, tension_;
  std::vector<Vec3> force_, moment_;
};

}  // namespace vw
