// How far voxels of a body that steps implicitly give way to pushes from outside. Such a push is a fixed load of a whole long substep: a spring
// behind it has to be soft against what the body itself sets against it, or it throws off what it should stop.
#pragma once

#include <span>
#include <vector>

#include "sim/system/voxel/block_system.h"
#include "sim/system/voxel/pieces.h"
#include "sim/system/voxel/regions.h"

namespace vw {

/// The body as it is when the substep begins.
struct GiveInput {
  const LatticeTopology* topology = nullptr;
  const LatticeConstants* constants = nullptr;
  const ResolvedRegions* regions = nullptr;
  const Elements* elements = nullptr;
  std::span<const double> slack;  ///< as in BondView
  double dt = 0;
};

class ContactGive {
 public:
  /// For each voxel of `pressed` [m/N]: the largest eigenvalue of (M / h^2 + C / h + K)^-1 over the pressed voxels of its piece, K with what
  /// it stands on. Springs of k on each of them work on the body with (w h)^2 = k times this. Never more than h^2 over a voxel's mass; 0 where all is
  /// held.
  void evaluate(const GiveInput& in, std::span<const std::uint32_t> pressed, std::vector<double>& out);

 private:
  void assemble(const GiveInput& in);
  void take_way(std::span<const std::uint32_t> pressed);

  TangentStiffness tangent_;
  BlockSystem system_;
  Pieces pieces_;
  std::vector<std::uint8_t> held_;
  std::vector<Block6> diagonal_;
  std::vector<double> push_, way_;
  std::vector<double> give_, length_, weight_;  ///< of each piece: what comes out, its push's length, scratch
};

}  // namespace vw
