// Self-contact of a body in an implicit step. The springs of pair_contact.h are evaluated at the end of the step.
// Friction is a spring that resists the slip in the step. Its force is limited by the friction cone. Input: pairs that
// may touch, the state at the start of the step and the current iterate of the state at the end. Output: loads on the
// voxels, and the derivatives of the loads as 6 x 6 blocks.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sim/system/voxel/contact/pair_contact.h"
#include "sim/system/voxel/implicit/block_system.h"

namespace vw {

using VoxelPair = std::pair<std::uint32_t, std::uint32_t>;

/// State of the step at the current iterate, one row per voxel.
struct PairGuess {
  std::span<const Vec3> start, position;  ///< positions at the start of the step and at the iterate
  std::span<const Vec3> shift, turn;      ///< displacements and rotation vectors since the start of the step
  std::span<const Vec3> before;           ///< velocities at the start of the step
  std::span<const double> half_edge;
  const LatticeConstants* constants = nullptr;
  double dt = 0;
  double gravity = 0;  ///< magnitude of gravity [m/s^2]
};

class ImplicitPairs {
 public:
  /// Starts a step and discards the data of the previous step. `pairs` must ascend, contain all pairs that may touch in
  /// the step, and stay valid during the step.
  void begin(std::span<const VoxelPair> pairs);
  [[nodiscard]] std::size_t size() const { return pairs_.size(); }
  /// Marks the pairs that are closed at the initial guess, or were closed at the start of the step, as expected. While
  /// the gap of an expected pair is small, evaluate() with `awaits` treats the pair as closed, even if its spring then
  /// pulls. Returns the fraction of the initial guess's displacement at which the first pair has closed its gap and
  /// gained a small depth. `met` receives the pairs that limit this fraction.
  double expect(const PairGuess& in, std::vector<VoxelPair>& met);

  /// Computes the loads of all pairs at the iterate `in`. The friction springs have the stiffness that the last call of
  /// update_friction_springs() computed, even for pairs that have separated since that call. This makes the loads
  /// continuous.
  void evaluate(const PairGuess& in, bool awaits);
  /// Adapts the friction spring of each pair to the friction cone at the last evaluated iterate. The stiffness is 0 if
  /// the pair did not press. Returns false if no spring changed.
  bool update_friction_springs(const PairGuess& in);
  [[nodiscard]] const Vec3& force(std::size_t voxel) const { return force_[voxel]; }
  [[nodiscard]] const Vec3& moment(std::size_t voxel) const { return moment_[voxel]; }
  /// Returns the pairs that press on each other at the last evaluated iterate.
  [[nodiscard]] std::span<const VoxelPair> touching() const { return touching_; }
  /// True if some pair was in contact, or was treated as closed, at any iterate of this step.
  [[nodiscard]] bool met() const { return met_; }

  /// Adds the negative derivative of the loads to the voxels' diagonal blocks in `diagonal`. Afterwards blocks()
  /// returns the off-diagonal blocks.
  void add_stiffness(std::vector<Block6>& diagonal);
  [[nodiscard]] std::span<const PairBlock> blocks() const { return blocks_; }

 private:
  /// Linearised contact of a pair. The lever arms lead from the voxels' centres to the contact point.
  struct Spring {
    VoxelPair voxels;
    Vec3 arm_a, arm_b;
    Mat3 stiffness;
  };
  void press(const PairGuess& in, std::size_t row, bool awaits);
  [[nodiscard]] Vec3 slip_of(const PairGuess& in, std::size_t row, const Vec3& normal, const Vec3& arm_a,
                             const Vec3& arm_b) const;
  [[nodiscard]] double rub(const PairGuess& in, std::size_t row) const;

  std::span<const VoxelPair> pairs_;
  bool met_ = false;
  std::vector<std::uint8_t> expected_;
  std::vector<double> friction_;  ///< stiffness of the friction spring of each pair [N/m]
  std::vector<double> normal_;    ///< normal force of each pair [N]
  std::vector<Vec3> force_, moment_;
  std::vector<VoxelPair> touching_;
  std::vector<Spring> springs_;
  std::vector<PairBlock> blocks_;
};

}  // namespace vw
