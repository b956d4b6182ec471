// One explicit substep of a lattice as a single walk over its memory: bond loads are summed in a window that stays in
// cache, and a voxel moves as soon as its last bond is done. One source gives vector code for every instruction set
// (Highway); the program chooses one when it starts.
//
// In a substep each slab runs strain_pass (only for the Poisson effect and for materials that yield or break),
// cross_pass and sweep_pass, with a barrier of all slabs between passes. The bits depend neither on the number of slabs
// nor on the threads, because every voxel adds its bonds in one order (SweepPlan).
//
// Precision: positions, velocities, orientations and sums of forces are in double, so that momentum is exact. A bond's
// deformation is in double up to the difference from its rest shape, so that its relative precision is that of float
// whatever the size of the body or the strain. Constitutive law, damping, the couple r x F and sums of moments are in
// float (docs/precision.md). Precision::full does everything in double.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/system/voxel/contact.h"
#include "sim/system/voxel/sweep_plan.h"
#include "sim/system/voxel/voxel_arrays.h"

namespace vw {

/// Material constants as columns, for broadcasts and gathers.
struct SweepTables {
  static constexpr std::size_t bond_rows = 8;
  /// Rows: lateral, axial less lateral, bend, twist less bend, and the damping constants in the same order.
  std::array<std::vector<float>, bond_rows> bond;
  std::array<std::vector<double>, bond_rows> bond_full;  ///< the same in double
  /// Constants by voxel class.
  std::vector<double> mass, inverse_mass, inverse_inertia, drag, spin_drag, contact_stiffness, contact_damping;
};
[[nodiscard]] SweepTables make_sweep_tables(const LatticeConstants& constants);

/// Scalar callback for lanes of a block whose voxels have just moved. `first` is the block's first voxel.
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
  const double* half_edge = nullptr;  ///< null: edge / 2 for all voxels
  /// Plastic elongation of each bond [m], by axis * voxels + a. Null: none.
  const double* slack = nullptr;
  const double* volume_stiffness = nullptr;  ///< s^2 beta_v [N], with padding; null: no Poisson effect
  float* tension = nullptr;                  ///< s^2 beta_v S_v [N], with padding; written by strain_pass
  /// Volumetric tension in double, for Precision::full and for material laws. Null: not wanted.
  double* tension_full = nullptr;
  /// Elastic axial strain of each bond, by axis * voxels + a; written by strain_pass. Null: not wanted.
  double* strain = nullptr;
  /// Angular velocity as float, with padding; updated by sweep_pass. Precision::mixed only.
  std::array<float*, 3> spin{};
  /// Voxel class, with padding. Not read if all voxels are of one class.
  const std::int32_t* class_of = nullptr;
  const double* mobility = nullptr;    ///< 1, or 0 for fixed voxels; null: all move
  const SparseLoads* loads = nullptr;  ///< null: none
  /// By block: exposed, free lanes that obstacles may reach. Null: none.
  const std::uint16_t* touching = nullptr;
  const ContactInput* contact = nullptr;  ///< with `touching`
  ContactState* contacts = nullptr;       ///< state of each voxel; with `touching`
  const std::uint16_t* hooked = nullptr;  ///< by block: lanes for the hook; null: none
  SweepHook hook;
  Vec3 gravity = Vec3::Zero();
  double dt = 0;
};

/// Scratch of one slab: its window of sums and the loads that cross its borders.
struct SlabScratch {
  /// Loads on the second voxels of bonds along y and z until those voxels move: rings of plan.window rows, whose first
  /// 16 rows are repeated at the end.
  std::array<std::array<std::vector<float>, 6>, 3> waiting;
  std::array<std::array<PaddedArray, 6>, 3> waiting_full;  ///< for Precision::full
  /// Force and moment from earlier slabs, by voxel - slab.begin, up to the last voxel that receives any.
  std::array<PaddedArray, 6> incoming;
  PaddedArray strain_sum;               ///< sums of bond strains, by voxel - slab.begin
  PaddedArray cross;                    ///< 6 vectors for each entry of slab.out: force on a, moment on b
  std::array<PaddedArray, 6> own;       ///< loads of outgoing bonds on voxels from first_out on
  double fastest_squared = 0;           ///< largest squared speed after the sweep [m^2/s^2]
  std::vector<std::uint32_t> overbent;  ///< slots (axis * voxels + a) of bonds bent past pi
};
/// Allocates the scratch of all slabs; `full` for Precision::full.
void prepare_scratch(const SweepPlan& plan, bool full, std::vector<SlabScratch>& scratch);

/// Lanes of the vectors on which the passes run on this machine (1 for scalar code).
[[nodiscard]] std::size_t sweep_lanes();
/// Name of the instruction set in use: "AVX3", "AVX2", "SSE2", ...
[[nodiscard]] const char* sweep_instruction_set();

/// Computes the bond strains and volumetric tensions of a slab.
void strain_pass(const SweepJob& job, std::size_t slab, std::vector<SlabScratch>& scratch);
/// Computes the loads of bonds that lead out of a slab.
void cross_pass(const SweepJob& job, std::size_t slab, std::vector<SlabScratch>& scratch);
/// Sums all loads on a slab's voxels and moves them.
void sweep_pass(const SweepJob& job, std::size_t slab, std::vector<SlabScratch>& scratch);

}  // namespace vw
