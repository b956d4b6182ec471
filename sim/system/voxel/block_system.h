// Solves a symmetric positive definite system over voxels in 6 x 6 blocks by preconditioned conjugate gradients in
// single precision. In: a tangent stiffness and additions to its diagonal blocks. Out: an approximate solution, which
// the caller refines in double precision.
//
// The Cholesky factors of the diagonal blocks, D = C C^T, scale the system, so that its diagonal blocks become
// identities. The scaled matrix is I + L + U + V, where V couples second neighbours by the Poisson effect. The
// iteration runs on (I + L)^-1 (I + L + U + V) (I + U)^-1. This is symmetric block Gauss-Seidel at the cost of one
// product (Eisenstat 1981, "Efficient implementation of a class of preconditioned conjugate gradient methods").
// Incomplete Cholesky factors saved 10 % of the iterations but made each 15 % more expensive; because a cubic lattice
// has no triangles, they change the diagonal blocks alone.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/system/voxel/block_kernels.h"
#include "sim/system/voxel/tangent.h"

namespace vw {

/// Off-diagonal block (a, b) of two voxels, a < b, that no bond joins, such as a contact. Its additions to the diagonal
/// blocks are passed with `diagonal`.
struct PairBlock {
  std::uint32_t a = 0, b = 0;
  Block6 across = Block6::Zero();
};

class BlockSystem {
 public:
  /// Sets A = K + diagonal + pairs, with one block of `diagonal` per voxel. `pairs` ascend by their voxels. Bits of
  /// `held` mark constrained freedoms, whose rows and columns become those of the identity.
  void assemble(const TangentStiffness& k, std::span<const Block6> diagonal, std::span<const std::uint8_t> held,
                std::span<const PairBlock> pairs = {});

  struct Outcome {
    int iterations = 0;
    double reduction = 1;  ///< norm of the residual over that of b, in the preconditioned system
  };
  /// Solves A x = b to a relative residual of `tolerance` or for `max_iterations`; b and x have 6 doubles per voxel. x
  /// is 0 if b is zero or not finite.
  Outcome solve(std::span<const double> b, std::span<double> x, double tolerance, int max_iterations);

 private:
  void prepare(const LatticeTopology& topology, std::span<const PairBlock> pairs);
  [[nodiscard]] bool knows(const LatticeTopology& topology, std::span<const PairBlock> pairs) const;
  void factor_voxel(const TangentStiffness& k, const Block6& diagonal, std::uint8_t held, std::size_t v);
  void scale_voxel(const TangentStiffness& k, std::span<const std::uint8_t> held, std::span<const PairBlock> pairs,
                   std::size_t v);
  void scale_strains(const TangentStiffness& k, std::span<const std::uint8_t> held, std::size_t v);

  BlockMatrix matrix_;
  std::vector<std::array<std::int32_t, 6>> bond_at_;  ///< the bonds for which the arrays below were built
  std::vector<std::array<std::uint32_t, 2>> paired_;  ///< the pairs for which they were built
  std::vector<std::int32_t> bond_of_;                 ///< bond of each block; ~i: pair i
  std::vector<std::uint32_t> mirror_;                 ///< index of the transpose of each block
  std::vector<float> factor_;                         ///< C^-1 of each voxel: lower triangular, 6 columns of 8 floats
  std::vector<float> residual_, direction_, product_, solution_, inner_, sums_;
};

}  // namespace vw
