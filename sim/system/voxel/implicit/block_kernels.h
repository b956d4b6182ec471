// Inner loops of the block solver (block_system.h), compiled for several instruction sets, of which the program uses
// the widest available one. All loops use eight logical lanes and separate multiplications and additions, so that every
// instruction set gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vw {

/// Number of floats per voxel in a vector: six degrees of freedom and two unused floats.
inline constexpr std::size_t block_stride = 8;

/// Matrix I + L + U + E + V over voxels in 6 x 6 blocks, scaled by its preconditioner (block_system.h). L and U are the
/// blocks below and above the diagonal. V is the volumetric part of the Poisson effect, stored as gradients of bond
/// strains. The scaling turns the whole diagonal into I, including the diagonal blocks of V. E subtracts these blocks,
/// so that they do not count twice.
struct BlockMatrix {
  std::size_t voxels = 0;
  /// For each voxel: index of the first block of its row. One more entry marks the end. The blocks of a row ascend by
  /// column.
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> middle;  ///< index of the first block above the diagonal in each voxel's row
  std::vector<std::uint32_t> column;  ///< voxel index of the column of each block
  std::vector<float> block;           ///< entries of L and U, 36 per block, column by column
  std::vector<float> extra;           ///< entries of E, 36 per voxel; empty without a Poisson effect
  /// Gradient of the strain of each block's bond with respect to the degrees of freedom of the column's voxel, 8 floats
  /// per block. Empty without a Poisson effect.
  std::vector<float> strain_row;
  /// Gradient of the strain of each block's bond with respect to the degrees of freedom of the row's voxel, 8 floats
  /// per block.
  std::vector<float> strain_own;
  std::vector<float> strain_total;   ///< sum of strain_own over the blocks of each voxel's row, 8 floats per voxel
  std::vector<float> volume_weight;  ///< s^3 beta_v of each voxel (TangentStiffness::volume_weight())
};

/// Solves (I + U) t = v.
void solve_upper(const BlockMatrix& m, const float* v, float* t);
/// Solves (I + L) y = x in place.
void solve_lower(const BlockMatrix& m, float* x);
/// Computes out = (I + L)^-1 (I + L + U + E + V) (I + U)^-1 v and returns v . out. `t` receives (I + U)^-1 v. `sums` is
/// scratch memory of one float per voxel.
double multiply_preconditioned(const BlockMatrix& m, const float* v, float* t, float* sums, float* out);
/// Adds alpha p to x, subtracts alpha q from r, and returns the new r . r.
double advance_solution(std::size_t voxels, float alpha, const float* p, const float* q, float* x, float* r);
/// Sets p = r + beta p.
void advance_direction(std::size_t voxels, float beta, const float* r, float* p);
/// Writes left * block * right^T to `out` and its transpose to `transposed`, column by column. All matrices are 6 x 6.
/// `left` and `right` are lower triangular and have 8 floats per column.
void scale_block(const float* left, const float* block, const float* right, float* out, float* transposed);

}  // namespace vw
