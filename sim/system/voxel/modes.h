// Natural frequencies and mode shapes of a lattice: the lowest eigenpairs of K phi = w^2 M phi. In: topology,
// constants, held freedoms and the shape about which the body vibrates. Out: frequencies, and a displacement and a
// rotation per voxel and mode. Damping and contact are ignored. The rigid motions of free pieces are constructed, not
// computed: a piece without held freedoms has six.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/lowest_pairs.h"
#include "sim/system/voxel/bond_force.h"
#include "sim/system/voxel/regions.h"

namespace vw {

struct ModalBody {
  const LatticeTopology* topology = nullptr;
  const LatticeConstants* constants = nullptr;
  const ResolvedRegions* regions = nullptr;
  std::span<const Vec3> position;  ///< shape about which the body vibrates
  std::span<const Quat> orientation;
  std::span<const double> half_edge;  ///< rest lengths, as in VoxelView
  std::span<const double> slack;      ///< as in BondView; may be empty
  /// True if the shape is an equilibrium under load: then the bonds' forces add geometric stiffness.
  bool stressed = false;
};

struct ModalOptions {
  int count = 12;                                             ///< number of modes, rigid ones included
  std::size_t memory_limit = 3u << 30;                        ///< of the factorised stiffness [bytes]
  Eigen::Index dense_rows = 240;                              ///< see PairOptions
  std::function<bool(PairStage stage, int solves)> progress;  ///< return false to stop
};
inline constexpr int max_mode_count = 500;
/// Largest number of voxels that is attempted: the factor of a compact body grows with the number of voxels to the
/// power 4/3.
inline constexpr std::size_t max_modal_voxels = 50000;

enum class ModeKind {
  /// Motion of a piece that nothing holds: no stiffness resists it (w^2 below 1e-9 of the stiffest motion's).
  rigid,
  flexible,
  unstable  ///< w^2 < 0, under load only: the body would buckle; hertz is 0
};
[[nodiscard]] std::string_view mode_kind_name(ModeKind kind);

struct Mode {
  ModeKind kind = ModeKind::flexible;
  double hertz = 0;
  double omega_squared = 0;  ///< [1/s^2]
  /// Effective modal mass along x, y, z: (phi . M r)^2 / (phi . M phi) [kg], with r the unit displacement along the
  /// axis. It is the mass that vibrates in this mode when the ground moves along the axis.
  Vec3 effective_mass = Vec3::Zero();
  double modal_mass = 0;  ///< phi . M phi [kg]
  /// |K phi - w^2 M phi| / |w^2 M phi| with masses scaled to 1; for rigid modes relative to the lowest flexible w^2.
  double residual = 0;
  /// Mode shape, scaled so that the largest of |displacement| and |rotation| s / 2 (the motion of a voxel's face) is 1
  /// and the largest component is positive.
  std::vector<Vec3> displacement, rotation;
};

struct ModalAnalysis {
  std::vector<Mode> modes;  ///< ascending by w^2
  /// `rigid` counts all rigid modes, listed or not.
  std::size_t voxels = 0, freedoms = 0, rigid = 0;
  double free_mass = 0;  ///< mass of the voxels that can move [kg]
  int solves = 0;
  std::size_t factor_bytes = 0;
};

/// Finds the lowest modes. Errors: a count outside [1, max_mode_count], more than max_modal_voxels voxels, no free
/// freedom, or an error of lowest_pairs().
[[nodiscard]] Result<ModalAnalysis> find_modes(const ModalBody& body, const ModalOptions& options);

}  // namespace vw
