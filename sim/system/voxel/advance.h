// From bond loads to new positions: the voxel side of a substep, as kernels over ranges.
#pragma once

#include <cstdint>
#include <span>

#include "sim/system/system.h"
#include "sim/system/voxel/bond_force.h"

namespace vw {

/// Sums of loads on voxels.
struct VoxelLoads {
  std::span<Vec3> force;   ///< [N]
  std::span<Vec3> moment;  ///< [N m]
};

/// Each voxel of [begin, end) reads the rows of its bonds in the order of its faces: the same bits whoever wrote them.
void gather_bond_loads(const LatticeTopology& topology, std::span<const BondLoad> bonds, const VoxelLoads& out, Range range);

/// s^2 beta_v times the sum of a voxel's bond strains (SPEC 1, Poisson effect).
void sum_volume_tension(const LatticeTopology& topology, std::span<const double> strain, std::span<const double> volume_stiffness,
                        std::span<double> out, Range range);

/// Adds weight, the regions' forces (may be empty) and global damping (at the old velocity).
void add_body_forces(const LatticeConstants& constants, const Elements& elements, const Vec3& gravity, std::span<const Vec3> region_force,
                     const VoxelLoads& loads, Range range);

/// v += (F dt + J) / m, w likewise; consumes the impulses. Voxels that are `fixed` stand still and swallow theirs.
void kick(const LatticeConstants& constants, const VoxelLoads& loads, std::span<const std::uint8_t> fixed, double dt, Elements& elements,
          Range range);

/// x += v dt, q turns by w dt and is normalised.
void drift(double dt, Elements& elements, Range range);

}  // namespace vw
