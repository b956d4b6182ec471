// Natural frequencies and mode shapes of a lattice: the lowest eigenpairs of K phi = w^2 M phi, with the stiffness
// matrix K, the mass matrix M, the angular frequency w and the mode shape phi. Input: topology, constants, constrained
// degrees of freedom and the shape about which the body vibrates. Output: frequencies, and a displacement and a
// rotation for each voxel and mode. Damping and contact are ignored. Rigid motions are constructed geometrically and
// not found by the eigensolver. A piece (connected part) without constrained degrees of freedom has six rigid motions.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/linear_algebra/lowest_pairs.h"
#include "sim/system/voxel/explicit/bond_force.h"
#include "sim/system/voxel/lattice/regions.h"

namespace vw {

struct ModalBody {
  const LatticeTopology* topology = nullptr;
  const LatticeConstants* constants = nullptr;
  const ResolvedRegions* regions = nullptr;
  std::span<const Vec3> position;  ///< shape about which the body vibrates
  std::span<const Quat> orientation;
  std::span<const double> half_edge;  ///< half edge of each voxel [m], as in VoxelView
  std::span<const double> slack;      ///< plastic elongation of the bonds [m] (BondView::slack); empty means 0
  /// True if the shape is an equilibrium under load. The bond forces then add geometric stiffness.
  bool stressed = false;
};

struct ModalOptions {
  int count = 12;                       ///< number of modes, rigid ones included
  std::size_t memory_limit = 3u << 30;  ///< limit for the factorised stiffness [bytes]
  /// Largest number of rows for which all eigenpairs are computed by a dense solver.
  Eigen::Index dense_rows = 240;
  /// Called with the stage and the number of solves. If the callback returns false, find_modes() stops with an error.
  std::function<bool(PairStage stage, int solves)> progress = {};
};
inline constexpr int max_mode_count = 500;
/// Largest number of voxels for which modes are computed. The memory of the factorised stiffness of a compact body
/// grows with the number of voxels to the power 4/3.
inline constexpr std::size_t max_modal_voxels = 50000;

enum class ModeKind {
  /// Rigid motion of a piece, in which no bond is deformed; `hertz` is 0.
  rigid,
  flexible,
  /// Mode with w^2 < 0, in which the body would buckle. Such modes occur only under load; `hertz` is 0.
  unstable
};
[[nodiscard]] std::string_view mode_kind_name(ModeKind kind);

struct Mode {
  ModeKind kind = ModeKind::flexible;
  double hertz = 0;
  double omega_squared = 0;  ///< [1/s^2]
  /// Effective modal mass (phi . M r)^2 / (phi . M phi) along x, y, z [kg], where r is the unit displacement of all
  /// voxels along the axis. This is the mass that vibrates in this mode when the ground moves along the axis.
  Vec3 effective_mass = Vec3::Zero();
  double modal_mass = 0;  ///< modal mass phi . M phi [kg]
  /// Relative residual |A y - w^2 y| / (d |y|) of the mass-scaled problem (modes.cpp). d is |w^2| or, if it is larger,
  /// the smallest |w^2| that exceeds a small fraction of an upper bound of all w^2. If no w^2 does, d is that bound.
  double residual = 0;
  /// Displacement and rotation of each voxel in the mode. The mode is scaled so that the largest value of
  /// |displacement| and |rotation| s / 2 (the displacement of a face of a voxel with edge s) is 1 and the largest
  /// component is positive.
  std::vector<Vec3> displacement, rotation;
};

struct ModalAnalysis {
  std::vector<Mode> modes;  ///< ascending by w^2
  // Number of voxels, of free degrees of freedom, and of all rigid modes (including those not in `modes`).
  std::size_t voxels = 0, freedoms = 0, rigid = 0;
  double free_mass = 0;  ///< mass of the voxels with a free translation [kg]
  int solves = 0;
  std::size_t factor_bytes = 0;
};

/// Finds the lowest modes. Errors: a count outside [1, max_mode_count], more than max_modal_voxels voxels, no
/// unconstrained degree of freedom, or an error of lowest_pairs().
[[nodiscard]] Result<ModalAnalysis> find_modes(const ModalBody& body, const ModalOptions& options);

}  // namespace vw
