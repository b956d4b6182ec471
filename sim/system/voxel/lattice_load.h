// All loads of a lattice's own on its voxels at a given shape: bonds, the volumetric part of the Poisson effect, local damping.
// In: positions, orientations, velocities, rest lengths. Out: a force and a moment a voxel. Used where a whole residual is wanted, not a substep.
#pragma once

#include <vector>

#include "sim/system/voxel/load_sums.h"

namespace vw {

class LatticeLoads {
 public:
  /// Evaluates everything (`slack` as in BondView); `damped` adds local damping at the velocities of `voxels` (whose volume_tension is replaced by
  /// this object's).
  void evaluate(const LatticeTopology& topology, const LatticeConstants& constants, const VoxelView& voxels, bool damped,
                std::span<const double> slack = {});
  [[nodiscard]] std::span<const Vec3> force() const { return force_; }
  [[nodiscard]] std::span<const Vec3> moment() const { return moment_; }
  [[nodiscard]] std::span<const double> volume_tension() const { return tension_; }  ///< empty without a Poisson effect

 private:
  std::vector<BondLoad> loads_;
  std::vector<double> strain_, tension_;
  std::vector<Vec3> force_, moment_;
};

}  // namespace vw
