// Solves a symmetric positive definite system, with one 6 x 6 block per voxel and bond, by preconditioned conjugate
// gradients in single precision. Input: a tangent stiffness and additions to its diagonal blocks. Output: an
// approximate solution with at most the accuracy of single precision.
//
// Each diagonal block D has the Cholesky factor C, D = C C^T. Scaling the system by C^-1 turns the diagonal blocks into
// identities. The scaled matrix is I + L + U + V, with the identity I. L and U are the blocks below and above the
// diagonal. V is the volumetric part of the Poisson effect without its diagonal blocks (E + V in block_kernels.h). It
// also couples second neighbours. Conjugate gradients run on (I + L)^-1 (I + L + U + V) (I + U)^-1. This is symmetric
// block Gauss-Seidel preconditioning at the cost of one matrix product per iteration (Eisenstat 1981, "Efficient
// implementation of a class of preconditioned conjugate gradient methods").
//
// An incomplete Cholesky preconditioner is not worthwhile: it saves 10 % of the iterations but makes each iteration 15
// % more expensive. A cubic lattice has no triangles, so this factorisation changes only the diagonal blocks.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/system/voxel/implicit/block_kernels.h"
#include "sim/system/voxel/implicit/tangent.h"

namespace vw {

/// Off-diagonal block of row a and column b, a < b, for two voxels that a contact joins instead of a bond. The diagonal
/// blocks of the contact are passed in the argument `diagonal` of BlockSystem::assemble().
struct PairBlock {
  std::uint32_t a = 0, b = 0;
  Block6 across = Block6::Zero();
};

class BlockSystem {
 public:
  /// Sets A = K + diagonal + pairs, with one block of `diagonal` per voxel. `pairs` ascend by voxel a, then by voxel b.
  /// The bits of `held` mark constrained degrees of freedom. Rows and columns of constrained degrees of freedom become
  /// rows and columns of the identity.
  void assemble(const TangentStiffness& k, std::span<const Block6> diagonal, std::span<const std::uint8_t> held,
                std::span<const PairBlock> pairs = {});

  struct Outcome {
    int iterations = 0;
    double reduction = 1;  ///< |residual| / |b| in the preconditioned system
  };
  /// Solves A x = b until the relative residual is at most `tolerance`, or for `max_iterations`. b and x have 6 doubles
  /// per voxel. If b is zero or not finite, x is set to 0.
  Outcome solve(std::span<const double> b, std::span<double> x, double tolerance, int max_iterations);

 private:
  void prepare(const LatticeTopology& topology, std::span<const PairBlock> pairs);
  [[nodiscard]] bool knows(const LatticeTopology& topology, std::span<const PairBlock> pairs) const;
  void factor_voxel(const TangentStiffness& k, const Block6& diagonal, std::uint8_t held, std::size_t v);
  void scale_voxel(const TangentStiffness& k, std::span<const std::uint8_t> held, std::span<const PairBlock> pairs,
                   std::size_t v);
  void scale_strains(const TangentStiffness& k, std::span<const std::uint8_t> held, std::size_t v);

  BlockMatrix matrix_;
  std::vector<std::array<std::int32_t, 6>> bond_at_;  ///< bonds of the topology for which matrix_ was built
  std::vector<std::array<std::uint32_t, 2>> paired_;  ///< voxel pairs for which matrix_ was built
  /// For each block: index of its bond. If contact pair i forms the block, the bitwise complement ~i.
  std::vector<std::int32_t> bond_of_;
  std::vector<std::uint32_t> mirror_;  ///< for each block: index of its transposed block
  std::vector<float> factor_;          ///< C^-1 of each voxel: lower triangular, 6 columns of 8 floats
  std::vector<float> residual_, direction_, product_, solution_, inner_, sums_;
};

}  // namespace vw
