// Strain rates of the flow, and the error that SPH density rates have in the flow. In a disordered particle
// arrangement, and more so in a sheared lattice, SPH sums report compression in pure shear. A pressure solve that
// corrects this spurious compression makes the fluid resist shear as a crystal does. Input: a workspace with neighbour
// lists and velocities in `motion`. Output: strain rate and error of each particle, from velocity gradients that are
// exact for linear velocity fields (Randles & Libersky 1996, eq. 4.13).
#pragma once

#include <span>
#include <vector>

#include "sim/system/fluid/pressure/sweeps.h"

namespace vw {

struct StrainRow {
  /// Deviatoric strain rate (grad v + grad v^T) / 2 without its trace [1/s].
  float xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
  /// Error of rate_sweep() [1/s]: the density rate that rate_sweep() computes minus the rate of the actual divergence.
  float spurious = 0;
  /// Factor from 0 to 1. It is 1 if there are neighbours on all sides, and 0 at a free surface or near a wall. If it is
  /// 0, all other members are 0.
  float inside = 0;
};

/// Computes the strain rates. `density`: results of density_sweep() for the same particles, to detect walls.
void strain_sweep(const SweepInput& in, std::span<const DensityRow> density, std::span<StrainRow> out);

/// Corrects the viscosity of each particle for the arrangement of its neighbours. Afterwards the dissipation of central
/// pair forces (ViscosityMethod::implicit) matches the requested viscosity even in a lattice stretched to twice its
/// width. The correction factor is limited to [1/2, 2].
void correct_viscosity_sweep(const SweepInput& in, std::span<const StrainRow> strain, std::span<float> viscosity);

}  // namespace vw
