// Contact of a body with itself inside an implicit step: the springs of pair_contact.h at the step's end, friction as a spring against the slip of
// the step until it would exceed the cone. In: pairs that may meet, the step's start and a guess of its end. Out: loads on the voxels, and the 6 x 6
// blocks by which they change.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sim/system/voxel/block_system.h"
#include "sim/system/voxel/pair_contact.h"

namespace vw {

using VoxelPair = std::pair<std::uint32_t, std::uint32_t>;

/// The step so far.
struct PairGuess {
  std::span<const Vec3> start, position;  ///< of each voxel at the step's start, and now
  std::span<const Vec3> shift, turn;      ///< from there to here; rotation vectors
  std::span<const Vec3> before;           ///< velocities at the start
  std::span<const double> half_edge;
  const LatticeConstants* constants = nullptr;
  double dt = 0;
  double gravity = 0;  ///< [m/s^2]
};

class ImplicitPairs {
 public:
  /// Forgets what the last step knew. `pairs` ascend and hold all that may meet in the step.
  void begin(std::span<const VoxelPair> pairs);
  [[nodiscard]] std::size_t size() const { return pairs_.size(); }
  /// Marks pairs that the guess closes or that were closed: they count as such in an evaluate() that awaits them, though they would have to pull.
  /// Returns the share of the guess's way that can be gone until the first of them has met; `met` lists those that stand in the way of more.
  double expect(const PairGuess& in, std::vector<VoxelPair>& met);

  /// Loads of all pairs at the guess. Friction is a spring as soft as soften_friction() left it, in pairs that have parted since as well: so the
  /// loads are continuous.
  void evaluate(const PairGuess& in, bool awaits);
  /// Makes the friction of each pair as soft as the cone asks for at the last guess; none where nothing pressed. False when all of it was so.
  bool soften_friction(const PairGuess& in);
  [[nodiscard]] const Vec3& force(std::size_t voxel) const { return force_[voxel]; }
  [[nodiscard]] const Vec3& moment(std::size_t voxel) const { return moment_[voxel]; }
  /// Pairs that press on each other.
  [[nodiscard]] std::span<const VoxelPair> touching() const { return touching_; }
  /// Whether some pair pressed at some guess of this step.
  [[nodiscard]] bool met() const { return met_; }

  /// Adds -d load / d motion to the voxels' own blocks; blocks between voxels into blocks().
  void add_stiffness(std::vector<Block6>& diagonal);
  [[nodiscard]] std::span<const PairBlock> blocks() const { return blocks_; }

 private:
  /// A pair whose force changes with its motion.
  struct Spring {
    VoxelPair voxels;
    Vec3 arm_a, arm_b;
    Mat3 stiffness;
  };
  void press(const PairGuess& in, std::size_t row, bool awaits);
  [[nodiscard]] Vec3 slip_of(const PairGuess& in, std::size_t row, const Vec3& normal, const Vec3& arm_a, const Vec3& arm_b) const;
  [[nodiscard]] double rub(const PairGuess& in, std::size_t row) const;

  std::span<const VoxelPair> pairs_;
  bool met_ = false;
  std::vector<std::uint8_t> expected_;
  std::vector<double> friction_;  ///< lateral spring of each pair [N/m]
  std::vector<double> normal_;    ///< force with which it presses [N]
  std::vector<Vec3> force_, moment_;
  std::vector<VoxelPair> touching_;
  std::vector<Spring> springs_;
  std::vector<PairBlock> blocks_;
};

}  // namespace vw
