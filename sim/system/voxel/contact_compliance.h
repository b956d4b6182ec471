// Compliance of a body with the implicit integrator against contact forces from other systems. Such a force is constant
// over a whole long substep. If its spring were stiff compared with the body's own resistance, it would throw the other
// element off instead of stopping it. The compliance bounds that spring (sim/interaction/voxels_voxels.h).
#pragma once

#include <span>
#include <vector>

#include "sim/system/voxel/block_system.h"
#include "sim/system/voxel/pieces.h"
#include "sim/system/voxel/regions.h"

namespace vw {

/// The body's state when the substep begins.
struct GiveInput {
  const LatticeTopology* topology = nullptr;
  const LatticeConstants* constants = nullptr;
  const ResolvedRegions* regions = nullptr;
  const Elements* elements = nullptr;
  std::span<const double> slack;  ///< plastic elongation, as in BondView
  double dt = 0;                  ///< length of the substep h [s]
};

class ContactCompliance {
 public:
  /// Writes the compliance [m/N] of each voxel of `pressed` to `out`: the largest eigenvalue of
  /// (M / h^2 + C / h + K)^-1 over the pressed voxels of its piece. Held freedoms are constrained; the stiffness of
  /// contact with obstacles is left out, which overestimates the compliance. Springs of stiffness k on each of these
  /// voxels act on the body with (w h)^2 = k times this. The compliance never exceeds h^2 over a voxel's mass; it is 0
  /// if all freedoms are held.
  void evaluate(const GiveInput& in, std::span<const std::uint32_t> pressed, std::vector<double>& out);

 private:
  void assemble(const GiveInput& in);
  void take_way(std::span<const std::uint32_t> pressed);

  TangentStiffness tangent_;
  BlockSystem system_;
  Pieces pieces_;
  std::vector<std::uint8_t> held_;
  std::vector<Block6> diagonal_;
  // push_: load of the next power iteration; way_: displacement that the last one caused.
  std::vector<double> push_, way_;
  std::vector<double> give_, length_, weight_;  ///< per piece: compliance, norm of its push, scratch
};

}  // namespace vw
