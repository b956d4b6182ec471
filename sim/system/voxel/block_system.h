// A symmetric positive definite system over voxels in blocks of 6 x 6, and its solution by preconditioned conjugate gradients in single precision.
// In: a tangent stiffness and what is added to its diagonal blocks. Out: a step towards the solution; the caller refines it in double precision.
//
// The system is scaled by the Cholesky factors of its diagonal blocks, D = C C^T, so that these become identities (block Jacobi). In that scale the
// matrix is I + L + U, and the iteration runs on (I + L)^-1 (I + L + U) (I + U)^-1: symmetric block Gauss-Seidel at the price of one product, after
// Eisenstat 1981, "Efficient implementation of a class of preconditioned conjugate gradient methods".
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/system/voxel/tangent.h"

namespace vw {

/// Floats a voxel in vectors: six freedoms and two zeros, so that a voxel is one or two registers.
inline constexpr std::size_t block_stride = 8;

class BlockSystem {
 public:
  /// Takes the structure over when the bonds are others than before.
  void prepare(const LatticeTopology& topology);

  /// A = K + diagonal; `held` freedoms (bits) keep their place: their rows and columns are those of the identity.
  void assemble(const TangentStiffness& k, std::span<const Block6> diagonal, std::span<const std::uint8_t> held);

  struct Outcome {
    int iterations = 0;
    double reduction = 1;  ///< residual over the right-hand side in the preconditioner's norm
  };
  /// x = A^-1 b to a relative residual of `tolerance`; 6 doubles a voxel.
  Outcome solve(std::span<const double> b, std::span<double> x, double tolerance, int max_iterations);

 private:
  void factor_diagonals(const TangentStiffness& k, std::span<const Block6> diagonal, std::span<const std::uint8_t> held);
  void scale_neighbours(const TangentStiffness& k, std::span<const std::uint8_t> held);
  void apply(const std::vector<float>& v, std::vector<float>& out);
  void add_volume(const std::vector<float>& t, std::vector<float>& out);

  std::vector<std::array<std::int32_t, 6>> bond_at_;  ///< the structure that everything here was made for
  std::size_t voxels_ = 0;
  std::vector<std::uint32_t> first_;                   ///< voxels + 1: a voxel's blocks; those below it come first
  std::vector<std::uint32_t> middle_;                  ///< its first block above it
  std::vector<std::uint32_t> column_;                  ///< voxel of each block
  std::vector<std::int32_t> bond_of_;                  ///< of each block
  std::vector<float> block_;                           ///< 36 a block, column by column
  std::vector<Block6> factor_inverse_;                 ///< C^-1, lower triangular
  std::vector<float> strain_row_;                      ///< Poisson effect: scaled gradient of each block's bond strain by the other voxel, 8 a block
  std::vector<float> strain_own_;                      ///< by the voxel itself, 8 a block
  std::vector<float> volume_weight_, volume_sum_;
  std::vector<float> residual_, direction_, product_, solution_, inner_;
};

}  // namespace vw
