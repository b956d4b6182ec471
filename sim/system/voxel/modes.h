// Natural frequencies and mode shapes of a lattice: K phi = w^2 M phi, the lowest of them.
// In: topology, constants, held freedoms and the shape that it swings about. Out: frequencies, a displacement and a rotation a voxel and mode.
// Damping and contact have no part in it. Rigid motions of free pieces are known, not computed: each piece of which nothing is held has six.
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
  std::span<const Vec3> position;  ///< what it swings about
  std::span<const Quat> orientation;
  std::span<const double> half_edge;  ///< rest lengths, as in VoxelView
  std::span<const double> slack;      ///< as in BondView; may be empty
  bool stressed = false;              ///< the shape is an equilibrium under load: the bonds' forces count
};

struct ModalOptions {
  int count = 12;                                             ///< rigid ones included
  std::size_t memory_limit = 3u << 30;                        ///< [bytes] of the factorised stiffness
  Eigen::Index dense_rows = 240;                              ///< see PairOptions
  std::function<bool(PairStage stage, int solves)> progress;  ///< false stops
};
inline constexpr int max_mode_count = 500;
/// Above this no attempt is made: the factor of a compact body grows with the voxels' number to the power 4/3.
inline constexpr std::size_t max_modal_voxels = 50000;

enum class ModeKind {
  rigid,  ///< of a piece that nothing holds: no stiffness resists it (below 1e-9 of the stiffest motion's w^2)
  flexible,
  unstable  ///< under load only: it would buckle; hertz is 0
};
[[nodiscard]] std::string_view mode_kind_name(ModeKind kind);

struct Mode {
  ModeKind kind = ModeKind::flexible;
  double hertz = 0;
  double omega_squared = 0;  ///< [1/s^2]
  /// Mass that swings along when the ground moves along an axis: (phi . M r)^2 / (phi . M phi) [kg].
  Vec3 effective_mass = Vec3::Zero();
  double modal_mass = 0;  ///< phi . M phi [kg]
  double residual = 0;    ///< |K phi - w^2 M phi| / |w^2 M phi|, masses scaled to 1; of rigid ones relative to the lowest flexible w^2
  /// Scaled so that the largest of |displacement| and |rotation| s / 2 (what a voxel's face moves) is 1; its largest component is positive.
  std::vector<Vec3> displacement, rotation;
};

struct ModalAnalysis {
  std::vector<Mode> modes;                          ///< ascending
  std::size_t voxels = 0, freedoms = 0, rigid = 0;  ///< rigid: all that there are, listed or not
  double free_mass = 0;                             ///< [kg], of voxels that can move
  int solves = 0;
  std::size_t factor_bytes = 0;
};

[[nodiscard]] Result<ModalAnalysis> find_modes(const ModalBody& body, const ModalOptions& options);

}  // namespace vw
