// The inner loops of the block solver, for every instruction set of the machine. Eight logical lanes and separate multiplications and additions
// everywhere, so that all instruction sets give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vw {

/// Floats a voxel in vectors: six freedoms and two that nobody reads.
inline constexpr std::size_t block_stride = 8;

/// A matrix I + L + U over voxels in the scale of its preconditioner, and the volumetric part of the Poisson effect as gradients.
struct BlockMatrix {
  std::size_t voxels = 0;
  std::vector<std::uint32_t> first;   ///< voxels + 1: a voxel's blocks, ascending by the other voxel
  std::vector<std::uint32_t> middle;  ///< its first block above it
  std::vector<std::uint32_t> column;  ///< voxel of each block
  std::vector<float> block;           ///< 36 a block, column by column
  std::vector<float> extra;           ///< E, 36 a voxel; empty: none
  std::vector<float> strain_row;      ///< gradient of each block's bond strain by the other voxel, 8 a block; empty: no Poisson effect
  std::vector<float> strain_own;      ///< by the voxel itself
  std::vector<float> strain_total;    ///< sum of those of a voxel, 8 a voxel
  std::vector<float> volume_weight;
};

/// t = (I + U)^-1 v.
void solve_upper(const BlockMatrix& m, const float* v, float* t);
/// x = (I + L)^-1 x.
void solve_lower(const BlockMatrix& m, float* x);
/// out = (I + L)^-1 (I + L + U + E + V) (I + U)^-1 v by way of t; `sums` is scratch, a float a voxel. Returns v . out.
double multiply_preconditioned(const BlockMatrix& m, const float* v, float* t, float* sums, float* out);
/// x += alpha p, r -= alpha q; returns r . r.
double advance_solution(std::size_t voxels, float alpha, const float* p, const float* q, float* x, float* r);
/// p = r + beta p.
void advance_direction(std::size_t voxels, float beta, const float* r, float* p);
/// out = left * block * right^T and its transpose for 6 x 6 blocks, column by column; `left` and `right` are lower triangular with 8 floats a column.
void scale_block(const float* left, const float* block, const float* right, float* out, float* transposed);

}  // namespace vw
