// Contact of a body with itself inside an implicit step: the springs of pair_contact.h at the end of the step, and
// friction as a spring against the step's slip, limited by the cone. In: pairs that may touch, the start of the step
// and a guess of its end. Out: loads on the voxels, and 6 x 6 blocks of their derivatives.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sim/system/voxel/block_system.h"
#include "sim/system/voxel/pair_contact.h"

namespace vw {

using VoxelPair = std::pair<std::uint32_t, std::uint32_t>;

/// The step at the current guess, one row per voxel.
struct PairGuess {
  std::span<const Vec3> start, position;  ///< at the start of the step, and at the guess
  std::span<const Vec3> shift, turn;      ///< displacement and rotation vector from the start to the guess
  std::span<const Vec3> before;           ///< velocities at the start of the step
  std::span<const double> half_edge;
  const LatticeConstants* constants = nullptr;
  double dt = 0;
  double gravity = 0;  ///< [m/s^2]
};

class ImplicitPairs {
 public:
  /// Starts a step and discards the data of the last one. `pairs` ascend, contain all pairs that may touch in the step,
  /// and must stay valid during it.
  void begin(std::span<const VoxelPair> pairs);
  [[nodiscard]] std::size_t size() const { return pairs_.size(); }
  /// Marks as expected the pairs that the guess closes or that were closed at the start: evaluate() with `awaits`
  /// treats them as closed, even if their spring then pulls. Returns the fraction of the guess's motion up to the first
  /// meeting; `met` receives the pairs that limit it.
  double expect(const PairGuess& in, std::vector<VoxelPair>& met);

  /// Computes the loads of all pairs at the guess. The friction springs are those of the last
  /// update_friction_springs(), also for pairs that have separated since, so that the loads are continuous.
  void evaluate(const PairGuess& in, bool awaits);
  /// Adapts the friction spring of each pair to the cone at the last guess; 0 if the pair did not press. Returns false
  /// if no spring changed.
  bool update_friction_springs(const PairGuess& in);
  [[nodiscard]] const Vec3& force(std::size_t voxel) const { return force_[voxel]; }
  [[nodiscard]] const Vec3& moment(std::size_t voxel) const { return moment_[voxel]; }
  /// Pairs that press on each other at the last guess.
  [[nodiscard]] std::span<const VoxelPair> touching() const { return touching_; }
  /// True if some pair was in contact at any guess of this step.
  [[nodiscard]] bool met() const { return met_; }

  /// Adds -d load / d motion to the voxels' diagonal blocks, and stores the blocks between voxels for blocks().
  void add_stiffness(std::vector<Block6>& diagonal);
  [[nodiscard]] std::span<const PairBlock> blocks() const { return blocks_; }

 private:
  /// Linearised contact of a pair; the lever arms lead from the voxels' centres to the point of contact.
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
  std::vector<double> friction_;  ///< lateral spring of each pair [N/m]
  std::vector<double> normal_;    ///< normal force of each pair [N]
  std::vector<Vec3> force_, moment_;
  std::vector<VoxelPair> touching_;
  std::vector<Spring> springs_;
  std::vector<PairBlock> blocks_;
};

}  // namespace vw
