// How a flow strains, and what sums over neighbours err by in it. On rows out of order, and more so in a lattice that a flow has drawn out, pure
// shear seems to press rows together: a solve that believes it stops the flow as a crystal would. In: a workspace whose lists are made, velocities in
// motion. Out: a row each, from slopes that are exact wherever the velocity is linear (Randles & Libersky 1996, eq. 4.13).
#pragma once

#include <span>
#include <vector>

#include "sim/system/fluid/sweeps.h"

namespace vw {

struct StrainRow {
  float xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;  ///< (grad v + grad v^T) / 2 [1/s], without what changes volume
  float spurious = 0;                                    ///< rate of density that rate_sweep() finds in it though none is there [1/s]
  float inside = 0;                                      ///< 1: neighbours all round; 0: beside a free surface or a wall, and all of the above is 0
};

/// `density`: of the same rows, for whether walls are near.
void strain_sweep(const SweepInput& in, std::span<const DensityRow> density, std::span<StrainRow> out);

/// Multiplies each row's viscosity by what makes up for how its neighbours lie: what central forces (ViscosityMethod::implicit) take from the strain
/// is then what the viscosity asked for takes, in a lattice drawn out to twice its breadth, too. By no more than twice, no less than half.
void even_sweep(const SweepInput& in, std::span<const StrainRow> strain, std::span<float> viscosity);

}  // namespace vw
