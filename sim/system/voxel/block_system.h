// A symmetric positive definite system over voxels in blocks of 6 x 6, and its solution by preconditioned conjugate gradients in single precision.
// In: a tangent stiffness and what is added to its diagonal blocks. Out: a step towards the solution; the caller refines it in double precision.
//
// The system is scaled by the Cholesky factors of its diagonal blocks, D = C C^T, so that these become identities. In that scale the matrix is
// I + L + U + V, V the second neighbours of the Poisson effect, and the iteration runs on (I + L)^-1 (I + L + U + V) (I + U)^-1: symmetric block
// Gauss-Seidel at the price of one product, after Eisenstat 1981, "Efficient implementation of a class of preconditioned conjugate gradient methods".
// Incomplete Cholesky factors (a cubic lattice has no triangles: only the diagonal blocks change) saved 10 % of the iterations and cost 15 % each.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/system/voxel/block_kernels.h"
#include "sim/system/voxel/tangent.h"

namespace vw {

/// What couples two voxels, a < b, that no bond joins: the block of (a, b). Their shares of the diagonal come with the diagonal.
struct PairBlock {
  std::uint32_t a = 0, b = 0;
  Block6 across = Block6::Zero();
};

class BlockSystem {
 public:
  /// A = K + diagonal + pairs, which ascend by their voxels; `held` freedoms (bits) keep their place: their rows and columns are those of the
  /// identity.
  void assemble(const TangentStiffness& k, std::span<const Block6> diagonal, std::span<const std::uint8_t> held,
                std::span<const PairBlock> pairs = {});

  struct Outcome {
    int iterations = 0;
    double reduction = 1;  ///< residual over the right-hand side in the preconditioner's norm
  };
  /// x = A^-1 b to a relative residual of `tolerance`; 6 doubles a voxel.
  Outcome solve(std::span<const double> b, std::span<double> x, double tolerance, int max_iterations);

 private:
  void prepare(const LatticeTopology& topology, std::span<const PairBlock> pairs);
  [[nodiscard]] bool knows(const LatticeTopology& topology, std::span<const PairBlock> pairs) const;
  void factor_voxel(const TangentStiffness& k, const Block6& diagonal, std::uint8_t held, std::size_t v);
  void scale_voxel(const TangentStiffness& k, std::span<const std::uint8_t> held, std::span<const PairBlock> pairs, std::size_t v);
  void scale_strains(const TangentStiffness& k, std::span<const std::uint8_t> held, std::size_t v);

  BlockMatrix matrix_;
  std::vector<std::array<std::int32_t, 6>> bond_at_;  ///< the structure that everything here was made for
  std::vector<std::array<std::uint32_t, 2>> paired_;  ///< likewise
  std::vector<std::int32_t> bond_of_;                 ///< of each block; ~i: of pair i
  std::vector<std::uint32_t> mirror_;                 ///< the transposed block of each
  std::vector<float> factor_;                         ///< C^-1, lower triangular, 6 columns of 8 a voxel
  std::vector<float> residual_, direction_, product_, solution_, inner_, sums_;
};

}  // namespace vw
