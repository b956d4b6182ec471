// Compliance of an implicitly integrated body against contact forces from other systems. Such a force stays constant
// during a substep, and implicit substeps are long. If the contact spring were stiff compared with the body, the spring
// would push the other element back too strongly instead of stopping it. The compliance therefore bounds the stiffness
// of the contact spring (sim/interaction/bodies/voxels_voxels.h).
#pragma once

#include <span>
#include <vector>

#include "sim/system/voxel/implicit/block_system.h"
#include "sim/system/voxel/lattice/pieces.h"
#include "sim/system/voxel/lattice/regions.h"

namespace vw {

/// State of the body at the start of the substep.
struct GiveInput {
  const LatticeTopology* topology = nullptr;
  const LatticeConstants* constants = nullptr;
  const ResolvedRegions* regions = nullptr;
  const Elements* elements = nullptr;
  std::span<const double> slack;  ///< plastic elongation of the bonds (BondView::slack); empty means 0
  double dt = 0;                  ///< length h of the substep [s]
};

class ContactCompliance {
 public:
  /// Writes the compliance [m/N] of each voxel of `pressed` to `out`. The compliance is the largest eigenvalue of (M /
  /// h^2 + C / h + K)^-1 restricted to the pressed voxels of the voxel's piece (connected part of the lattice), with
  /// mass M, damping C and stiffness K. Constrained degrees of freedom do not move. The stiffness of contact with
  /// obstacles is left out, which overestimates the compliance. The body on contact springs of stiffness k at the
  /// pressed voxels is an oscillator of angular frequency w with (w h)^2 = k * compliance. The compliance is at most
  /// h^2 / m, where m is the mass of a voxel, and 0 if all degrees of freedom are constrained.
  void evaluate(const GiveInput& in, std::span<const std::uint32_t> pressed, std::vector<double>& out);

 private:
  void assemble(const GiveInput& in);
  void update_push(std::span<const std::uint32_t> pressed);

  TangentStiffness tangent_;
  BlockSystem system_;
  Pieces pieces_;
  std::vector<std::uint8_t> held_;
  std::vector<Block6> diagonal_;
  // push_ is the load of the next power iteration. displacement_ is the displacement due to the previous load.
  std::vector<double> push_, displacement_;
  std::vector<double> compliance_, length_, weight_;  ///< compliance, norm of the load and scratch value of each piece
};

}  // namespace vw
