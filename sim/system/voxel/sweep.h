// One substep of a lattice as one walk over its memory: bond loads are summed in a window that stays in cache, and a voxel moves as soon as its last
// bond is done. Vector code for every instruction set from one source (Highway); which one runs is decided when the program starts.
//
// Order of a substep for each slab: strain_pass (only for the Poisson effect and materials that yield) | cross_pass | sweep_pass, a barrier of all
// slabs between them.
// The bits depend neither on the number of slabs nor on which thread runs them: every voxel adds its bonds in one order (SweepPlan).
//
// What each stage computes in: positions, velocities, orientations and sums of forces in double, so that momentum is exact; the deformation of a
// bond in double up to the difference from its rest shape (so that its relative precision is float's whatever the size of the body or the strain);
// constitutive law, damping, the couple r x F and sums of moments in float: docs/precision.md. Precision::full does all of it in double.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/system/voxel/contact.h"
#include "sim/system/voxel/sweep_plan.h"
#include "sim/system/voxel/voxel_arrays.h"

namespace vw {

/// Constants of materials as columns, for broadcasts and gathers.
struct SweepTables {
  static constexpr std::size_t bond_rows = 8;
  /// Lateral, axial less lateral, bend, twist less bend, and the damping constants of the same.
  std::array<std::vector<float>, bond_rows> bond;
  std::array<std::vector<double>, bond_rows> bond_full;
  std::vector<double> mass, inverse_mass, inverse_inertia, drag, spin_drag, contact_stiffness, contact_damping;  ///< by voxel class
};
[[nodiscard]] SweepTables make_sweep_tables(const LatticeConstants& constants);

/// Called for lanes of a block that something scalar looks at when they have moved.
struct SweepHook {
  void* object = nullptr;
  void (*after_drift)(void* object, std::size_t first, std::uint32_t lanes) = nullptr;
};

/// Everything that a slab's passes read and write. Arrays are by voxel unless said.
struct SweepJob {
  const SweepPlan* plan = nullptr;
  const SweepTables* tables = nullptr;
  VoxelArrays* state = nullptr;
  bool full = false;     ///< Precision::full
  bool damped = false;   ///< some bond has damping
  bool dragged = false;  ///< some voxel has global damping
  double edge = 0;
  const double* half_edge = nullptr;         ///< null: edge / 2 everywhere
  const double* slack = nullptr;             ///< by axis * voxels + a: lasting elongation of the bond [m] (plastic); null: none
  const double* volume_stiffness = nullptr;  ///< s^2 beta_v [N], with padding; null: no Poisson effect
  float* tension = nullptr;                  ///< s^2 beta_v S_v [N], with padding; written by strain_pass
  double* tension_full = nullptr;            ///< the same in double: read with Precision::full; null: not wanted
  double* strain = nullptr;                  ///< elastic axial strain by axis * voxels + a; written by strain_pass; null: not wanted
  std::array<float*, 3> spin{};              ///< angular velocity as float, with padding; kept by sweep_pass. Precision::mixed only
  const std::int32_t* class_of = nullptr;    ///< by voxel, with padding; not read where all are of one class
  const double* mobility = nullptr;          ///< 1, or 0 for voxels that stand still; null: all move
  const SparseLoads* loads = nullptr;        ///< null: none
  const std::uint16_t* touching = nullptr;   ///< by block: exposed, free lanes that obstacles may reach; null: none
  const ContactInput* contact = nullptr;     ///< with `touching`
  ContactState* contacts = nullptr;          ///< with `touching`: of each voxel
  const std::uint16_t* hooked = nullptr;     ///< by block: lanes for the hook; null: none
  SweepHook hook;
  Vec3 gravity = Vec3::Zero();
  double dt = 0;
};

/// What belongs to one slab: its window of sums and what crosses its borders.
struct SlabScratch {
  /// Loads on the second voxels of bonds along y and z, until those are done: rings of plan.window rows, the first 16 again at the end.
  std::array<std::array<std::vector<float>, 6>, 3> waiting;
  std::array<std::array<PaddedArray, 6>, 3> waiting_full;  ///< for Precision::full
  /// Force and moment from earlier slabs, by voxel - slab.begin, up to the last voxel that gets any.
  std::array<PaddedArray, 6> incoming;
  PaddedArray strain_sum;               ///< by voxel - slab.begin
  PaddedArray cross;                    ///< 6 vectors for each of slab.out: force on a, moment on b
  std::array<PaddedArray, 6> own;       ///< what bonds that go out give to voxels from first_out on
  double fastest_squared = 0;           ///< of the slab's voxels after the sweep [m^2/s^2]
  std::vector<std::uint32_t> overbent;  ///< slots (axis * voxels + a) of bonds bent past pi
};
void prepare_scratch(const SweepPlan& plan, bool full, std::vector<SlabScratch>& scratch);

/// Lanes of the vectors that the passes run on here (1 for scalar code).
[[nodiscard]] std::size_t sweep_lanes();
/// "AVX3", "AVX2", "SSE2", ...
[[nodiscard]] const char* sweep_instruction_set();

void strain_pass(const SweepJob& job, std::size_t slab, std::vector<SlabScratch>& scratch);
void cross_pass(const SweepJob& job, std::size_t slab, std::vector<SlabScratch>& scratch);
void sweep_pass(const SweepJob& job, std::size_t slab, std::vector<SlabScratch>& scratch);

}  // namespace vw
