// One explicit substep of a lattice in a single sweep over memory. Bond loads wait in a buffer that stays in the cache,
// and a voxel moves as soon as all of its bonds are evaluated. The vector code is compiled from one source for every
// instruction set (Highway), and the program selects an instruction set when it starts.
//
// In a substep each slab runs strain_pass (only for the Poisson effect and for materials that yield or break),
// cross_pass (only if there are several slabs) and sweep_pass, with a barrier of all slabs between passes. Results are
// bitwise independent of the numbers of slabs and threads, because every voxel sums the loads of its bonds in a fixed
// order (SweepPlan).
//
// Precision: positions, velocities, orientations and sums of forces are in double, so that momentum is conserved to the
// precision of double. The difference of a bond from its rest shape is computed in double and then rounded to float.
// The deformation therefore has the relative precision of float, whatever the size of the body and the strain.
// Constitutive law, damping, the couple r x F and sums of moments are in float (docs/precision.md). Precision::full
// computes everything in double.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/system/voxel/contact/contact.h"
#include "sim/system/voxel/explicit/sweep_plan.h"
#include "sim/system/voxel/voxel_arrays.h"

namespace vw {

/// Constants of bonds and voxel classes, stored as columns for vector broadcasts and gathers.
struct SweepTables {
  static constexpr std::size_t bond_rows = 8;
  /// Bond constants in float: lateral, axial - lateral, bend, twist - bend, and the damping constants in the same
  /// order.
  std::array<std::vector<float>, bond_rows> bond;
  std::array<std::vector<double>, bond_rows> bond_full;  ///< bond constants in double, in the order of `bond`
  // Constants of each voxel class.
  std::vector<double> mass, inverse_mass, inverse_inertia, drag, spin_drag, contact_stiffness, contact_damping;
};
[[nodiscard]] SweepTables make_sweep_tables(const LatticeConstants& constants);

/// Function that sweep_pass() calls after a block has moved. `first` is the block's first voxel, and `lanes` (bits)
/// marks the voxels of the block that require the callback.
struct SweepHook {
  void* object = nullptr;
  void (*after_drift)(void* object, std::size_t first, std::uint32_t lanes) = nullptr;
};

/// Input and output of the passes. Arrays have one entry per voxel unless stated otherwise.
struct SweepJob {
  const SweepPlan* plan = nullptr;
  const SweepTables* tables = nullptr;
  VoxelArrays* state = nullptr;
  bool full = false;     ///< all arithmetic in double (Precision::full)
  bool damped = false;   ///< at least one bond has damping
  bool dragged = false;  ///< at least one voxel has global damping
  double edge = 0;
  const double* half_edge = nullptr;  ///< half edge of each voxel [m]; null if all are edge / 2
  /// Plastic elongation of each bond [m], at index axis * (number of voxels) + Bond::a. Null if no bond has yielded.
  const double* slack = nullptr;
  const double* volume_stiffness = nullptr;  ///< volumetric stiffness [N], with padding; null without a Poisson effect
  float* tension = nullptr;                  ///< volumetric tension [N], with padding; written by strain_pass
  /// Volumetric tension in double [N], for Precision::full and for material laws. Null if it is not needed.
  double* tension_full = nullptr;
  /// Elastic axial strain of each bond, at index axis * (number of voxels) + Bond::a. Written by strain_pass. Null if
  /// it is not needed.
  double* strain = nullptr;
  /// Angular velocity in float, with padding. Updated by sweep_pass. Used only with Precision::mixed.
  std::array<float*, 3> spin{};
  /// Class of each voxel, with padding. Not read if all voxels have the same class.
  const std::int32_t* class_of = nullptr;
  const double* mobility = nullptr;    ///< 0 for fixed voxels, 1 for all others; null if no voxel is fixed
  const SparseLoads* loads = nullptr;  ///< external loads; null if there are none
  /// Lanes (bits) of each block whose voxels are exposed, not fixed, and may touch an obstacle. Null if no voxel may
  /// touch an obstacle.
  const std::uint16_t* touching = nullptr;
  const ContactInput* contact = nullptr;  ///< used only if `touching` is not null
  ContactState* contacts = nullptr;       ///< contact state of each voxel; used only if `touching` is not null
  const std::uint16_t* hooked = nullptr;  ///< lanes (bits) of each block for which `hook` is called; may be null
  SweepHook hook;
  Vec3 gravity = Vec3::Zero();
  double dt = 0;
};

/// Scratch memory of one slab: bond loads that wait for their second voxels, and loads that cross the borders of the
/// slab.
struct SlabScratch {
  /// Loads on the second voxels of bonds along y and z, stored until these voxels move. Each column is a ring buffer of
  /// SweepPlan::window rows, whose first 16 rows are repeated at the end.
  std::array<std::array<std::vector<float>, 6>, 3> waiting;
  std::array<std::array<PaddedArray, 6>, 3> waiting_full;  ///< loads as in `waiting`, in double, for Precision::full
  /// Force and moment of bonds from earlier slabs, at index voxel - slab.begin. The number of entries covers the last
  /// voxel that receives such a load and is rounded up to a multiple of 16.
  std::array<PaddedArray, 6> incoming;
  PaddedArray strain_sum;  ///< sum of bond strains of each voxel, at index voxel - slab.begin
  /// For each entry of SweepSlab::out, six groups of SweepPlan::lanes doubles: the force components on the first
  /// voxels, then the moment components on the second voxels.
  PaddedArray cross;
  /// Loads of outgoing bonds on their first voxels. Index 0 is the first voxel of the block that contains
  /// SweepSlab::first_out.
  std::array<PaddedArray, 6> own;
  double fastest_squared = 0;  ///< largest squared speed after the sweep [m^2/s^2]
  /// Bonds whose voxels are rotated by more than pi relative to each other, as indices axis * (number of voxels) +
  /// Bond::a.
  std::vector<std::uint32_t> overbent;
};
/// Allocates the scratch memory of all slabs. `full` is true for Precision::full.
void prepare_scratch(const SweepPlan& plan, bool full, std::vector<SlabScratch>& scratch);

/// Returns the number of vector lanes that the passes use on this machine (1 for scalar code).
[[nodiscard]] std::size_t sweep_lanes();
/// Returns the name of the instruction set in use, such as "AVX3", "AVX2" or "SSE2".
[[nodiscard]] const char* sweep_instruction_set();

/// Computes the bond strains and volumetric tensions of a slab.
void strain_pass(const SweepJob& job, std::size_t slab, std::vector<SlabScratch>& scratch);
/// Computes the loads of bonds that lead out of a slab.
void cross_pass(const SweepJob& job, std::size_t slab, std::vector<SlabScratch>& scratch);
/// Sums all loads on a slab's voxels and moves them.
void sweep_pass(const SweepJob& job, std::size_t slab, std::vector<SlabScratch>& scratch);

}  // namespace vw
