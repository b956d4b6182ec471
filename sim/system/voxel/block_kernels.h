// Inner loops of the block solver (block_system.h), compiled for every instruction set of the machine. All use eight
// logical lanes and separate multiplications and additions, so that every instruction set gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vw {

/// Floats per voxel in a vector: six degrees of freedom and two that are not used.
inline constexpr std::size_t block_stride = 8;

/// Matrix I + L + U + E + V over voxels in 6 x 6 blocks, scaled by its preconditioner (block_system.h). L and U are the
/// blocks below and above the diagonal. V is the volumetric part of the Poisson effect, stored as gradients of bond
/// strains. E removes from the diagonal blocks the share that V adds to them.
struct BlockMatrix {
  std::size_t voxels = 0;
  std::vector<std::uint32_t> first;   ///< voxels + 1: a voxel's first block; blocks ascend by column
  std::vector<std::uint32_t> middle;  ///< a voxel's first block above the diagonal
  std::vector<std::uint32_t> column;  ///< column of each block: the other voxel
  std::vector<float> block;           ///< L and U, 36 entries per block, column by column
  std::vector<float> extra;           ///< E, 36 entries per voxel; empty: none
  /// Gradient of each block's bond strain with respect to the freedoms of the other voxel, 8 per block. Empty: no
  /// Poisson effect.
  std::vector<float> strain_row;
  std::vector<float> strain_own;     ///< the same with respect to the freedoms of the voxel itself
  std::vector<float> strain_total;   ///< sum of strain_own over a voxel's blocks, 8 per voxel
  std::vector<float> volume_weight;  ///< s^3 beta_v of each voxel
};

/// Solves (I + U) t = v.
void solve_upper(const BlockMatrix& m, const float* v, float* t);
/// Solves (I + L) y = x in place.
void solve_lower(const BlockMatrix& m, float* x);
/// out = (I + L)^-1 (I + L + U + E + V) (I + U)^-1 v. Leaves (I + U)^-1 v in t. `sums` is scratch of one float per
/// voxel. Returns v . out.
double multiply_preconditioned(const BlockMatrix& m, const float* v, float* t, float* sums, float* out);
/// x += alpha p, r -= alpha q; returns r . r.
double advance_solution(std::size_t voxels, float alpha, const float* p, const float* q, float* x, float* r);
/// p = r + beta p.
void advance_direction(std::size_t voxels, float beta, const float* r, float* p);
/// Writes out = left * block * right^T for 6 x 6 blocks, column by column, and its transpose. `left` and `right` are
/// lower triangular with 8 floats per column.
void scale_block(const float* left, const float* block, const float* right, float* out, float* transposed);

}  // namespace vw
