// Structure of the matrix, its scaling and the conjugate gradient iteration.
#include "sim/system/voxel/implicit/block_system.h"

#include <algorithm>
#include <cmath>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

constexpr std::size_t block_voxel_grain = 256;  // voxels per parallel task, about 50 us of work
constexpr std::size_t factor_size = 6 * block_stride;
using Vec6f = Eigen::Matrix<float, 6, 1>;

void clear_held(std::uint8_t rows, std::uint8_t columns, Block6& block) {
  for (Eigen::Index i = 0; i < 6; ++i) {
    if ((rows >> i & 1U) != 0) block.row(i).setZero();
    if ((columns >> i & 1U) != 0) block.col(i).setZero();
  }
}

/// Writes the inverse of the lower Cholesky factor of the positive definite block `d` to `out`, in 6 columns of 8
/// floats. A pivot that rounding makes zero or negative is replaced by a small fraction of the diagonal entry.
void invert_factor(Block6& d, float* out) {
  double c[6][6], inverse[6][6] = {};
  for (int j = 0; j < 6; ++j) {
    double pivot = d(j, j);
    for (int k = 0; k < j; ++k) pivot -= c[j][k] * c[j][k];
    c[j][j] = std::sqrt(std::max(pivot, 1e-12 * std::abs(d(j, j)) + 1e-300));
    for (int i = j + 1; i < 6; ++i) {
      double sum = d(i, j);
      for (int k = 0; k < j; ++k) sum -= c[i][k] * c[j][k];
      c[i][j] = sum / c[j][j];
    }
  }
  for (int j = 0; j < 6; ++j) {
    inverse[j][j] = 1 / c[j][j];
    for (int i = j + 1; i < 6; ++i) {
      double sum = 0;
      for (int k = j; k < i; ++k) sum -= c[i][k] * inverse[k][j];
      inverse[i][j] = sum / c[i][i];
    }
  }
  for (std::size_t j = 0; j < 6; ++j)
    for (std::size_t i = 0; i < block_stride; ++i)
      out[block_stride * j + i] = i < 6 ? static_cast<float>(inverse[i][j]) : 0.0F;
}

/// Returns C^-1 x, or C^-T x if `transposed`. C is the Cholesky factor of a diagonal block. `factor` holds C^-1 in 6
/// columns of 8 floats.
Vec6f times_factor(const float* factor, const Vec6f& x, bool transposed) {
  const Eigen::Map<const Eigen::Matrix<float, 6, 6>, 0, Eigen::OuterStride<block_stride>> c(factor);
  return transposed ? Vec6f(c.transpose() * x) : Vec6f(c * x);
}

}  // namespace

bool BlockSystem::knows(const LatticeTopology& topology, std::span<const PairBlock> pairs) const {
  const auto same = [](const std::array<std::uint32_t, 2>& kept, const PairBlock& pair) {
    return kept[0] == pair.a && kept[1] == pair.b;
  };
  return bond_at_ == topology.bond_at && matrix_.voxels == topology.voxel_count() &&
         std::equal(paired_.begin(), paired_.end(), pairs.begin(), pairs.end(), same);
}

/// Rebuilds the sparsity structure if the bonds or pairs have changed since the last call.
void BlockSystem::prepare(const LatticeTopology& topology, std::span<const PairBlock> pairs) {
  BlockMatrix& m = matrix_;
  if (knows(topology, pairs)) return;
  bond_at_ = topology.bond_at;
  m.voxels = topology.voxel_count();
  paired_.clear();
  // For each pair, its voxel b and the bitwise complement of its index (as in bond_of_), sorted by b.
  std::vector<std::pair<std::uint32_t, std::int32_t>> later;
  for (const PairBlock& pair : pairs) {
    later.emplace_back(pair.b, ~static_cast<std::int32_t>(paired_.size()));
    paired_.push_back({pair.a, pair.b});
  }
  std::stable_sort(later.begin(), later.end(), [](const auto& p, const auto& q) { return p.first < q.first; });
  m.first.assign(1, 0);
  m.middle.clear(), m.column.clear(), bond_of_.clear();
  std::vector<std::pair<std::int32_t, std::int32_t>> found;
  std::size_t next_first = 0, next_later = 0;
  for (std::size_t v = 0; v < m.voxels; ++v) {
    found.clear();
    for (std::size_t face = 0; face < face_count; ++face)
      if (bond_at_[v][face] >= 0) found.emplace_back(topology.neighbour(v, static_cast<int>(face)), bond_at_[v][face]);
    for (; next_first < paired_.size() && paired_[next_first][0] == v; ++next_first)
      found.emplace_back(static_cast<std::int32_t>(paired_[next_first][1]), ~static_cast<std::int32_t>(next_first));
    for (; next_later < later.size() && later[next_later].first == v; ++next_later)
      found.emplace_back(static_cast<std::int32_t>(paired_[static_cast<std::size_t>(~later[next_later].second)][0]),
                         later[next_later].second);
    std::sort(found.begin(), found.end());
    const auto below = std::count_if(found.begin(), found.end(),
                                     [&](const auto& e) { return e.first < static_cast<std::int32_t>(v); });
    m.middle.push_back(static_cast<std::uint32_t>(m.column.size()) + static_cast<std::uint32_t>(below));
    for (const auto& [other, bond] : found) {
      m.column.push_back(static_cast<std::uint32_t>(other));
      bond_of_.push_back(bond);
    }
    m.first.push_back(static_cast<std::uint32_t>(m.column.size()));
  }
  mirror_.assign(m.column.size(), 0);
  for (std::size_t v = 0; v < m.voxels; ++v)
    for (std::uint32_t entry = m.first[v]; entry < m.first[v + 1]; ++entry)
      for (std::uint32_t back = m.first[m.column[entry]]; back < m.first[m.column[entry] + 1]; ++back)
        if (m.column[back] == v) mirror_[entry] = back;
  m.block.assign(36 * m.column.size() + block_stride, 0);
  factor_.assign(factor_size * m.voxels, 0);
  sums_.assign(m.voxels, 0);
  for (auto* vector : {&residual_, &direction_, &product_, &solution_, &inner_})
    vector->assign(block_stride * m.voxels, 0);
}

void BlockSystem::factor_voxel(const TangentStiffness& k, const Block6& diagonal, std::uint8_t held, std::size_t v) {
  Block6 d = k.diagonal(v) + diagonal;
  clear_held(held, held, d);
  for (Eigen::Index i = 0; i < 6; ++i)
    if ((held >> i & 1U) != 0) d(i, i) = 1;
  invert_factor(d, &factor_[factor_size * v]);
}

/// Computes the scaled blocks of voxel v below the diagonal, and their transposes above the diagonal.
void BlockSystem::scale_voxel(const TangentStiffness& k, std::span<const std::uint8_t> held,
                              std::span<const PairBlock> pairs, std::size_t v) {
  for (std::uint32_t entry = matrix_.first[v]; entry < matrix_.middle[v]; ++entry) {
    const std::size_t w = matrix_.column[entry];
    const std::int32_t bond = bond_of_[entry];
    // In a bond or pair, voxel a has the lower index. So `across`, the block (a, b), is the block (w, v).
    Block6 across =
        bond >= 0 ? k.bond(static_cast<std::size_t>(bond)).across() : pairs[static_cast<std::size_t>(~bond)].across;
    if ((held[v] | held[w]) != 0) clear_held(held[w], held[v], across);
    std::array<float, 36 + block_stride> plain{};
    for (Eigen::Index j = 0; j < 6; ++j)
      for (Eigen::Index i = 0; i < 6; ++i)
        plain[static_cast<std::size_t>(6 * j + i)] = static_cast<float>(across(i, j));
    // `across` belongs above the diagonal and its transpose below.
    scale_block(&factor_[factor_size * w], plain.data(), &factor_[factor_size * v], &matrix_.block[36 * mirror_[entry]],
                &matrix_.block[36 * entry]);
  }
}

/// Scales the strain gradients of voxel v by the Cholesky factors. Sets E to the negative diagonal block of V, so that
/// this block, which is part of the identity on the diagonal, does not count twice.
void BlockSystem::scale_strains(const TangentStiffness& k, std::span<const std::uint8_t> held, std::size_t v) {
  BlockMatrix& m = matrix_;
  const auto scaled = [&](std::size_t voxel, double sign, const StrainGradient& g) {
    Vec6f row;
    row << (sign * g.along).cast<float>(), g.arm.cast<float>();
    for (Eigen::Index i = 0; i < 6; ++i)
      if ((held[voxel] >> i & 1U) != 0) row[i] = 0;
    return times_factor(&factor_[factor_size * voxel], row, false);
  };
  Vec6f total = Vec6f::Zero();
  Eigen::Matrix<float, 6, 6> share = Eigen::Matrix<float, 6, 6>::Zero();
  for (std::uint32_t entry = m.first[v]; entry < m.first[v + 1]; ++entry) {
    if (bond_of_[entry] < 0) {
      std::fill_n(&m.strain_own[block_stride * entry], block_stride, 0.0F);
      std::fill_n(&m.strain_row[block_stride * entry], block_stride, 0.0F);
      continue;
    }
    const StrainGradient& g = k.strain_gradient(static_cast<std::size_t>(bond_of_[entry]));
    const double sign = entry < m.middle[v] ? 1 : -1;  // below the diagonal, v is voxel b of the bond
    const Vec6f own = scaled(v, sign, g), other = scaled(m.column[entry], -sign, g);
    total += own;
    share += m.volume_weight[m.column[entry]] * own * own.transpose();
    std::copy_n(own.data(), 6, &m.strain_own[block_stride * entry]);
    std::copy_n(other.data(), 6, &m.strain_row[block_stride * entry]);
  }
  share += m.volume_weight[v] * total * total.transpose();
  share = -share;
  std::copy_n(total.data(), 6, &m.strain_total[block_stride * v]);
  std::copy_n(share.data(), 36, &m.extra[36 * v]);
}

void BlockSystem::assemble(const TangentStiffness& k, std::span<const Block6> diagonal,
                           std::span<const std::uint8_t> held, std::span<const PairBlock> pairs) {
  prepare(k.topology(), pairs);
  BlockMatrix& m = matrix_;
  parallel_for(m.voxels, block_voxel_grain, [&](Range range, std::size_t) {
    for (std::size_t v = range.begin; v < range.end; ++v) factor_voxel(k, diagonal[v], held[v], v);
  });
  parallel_for(m.voxels, block_voxel_grain, [&](Range range, std::size_t) {
    for (std::size_t v = range.begin; v < range.end; ++v) scale_voxel(k, held, pairs, v);
  });
  const bool poisson = !k.volume_weight().empty();
  m.volume_weight.assign(k.volume_weight().begin(), k.volume_weight().end());
  m.strain_row.resize(poisson ? block_stride * m.column.size() : 0);
  m.strain_own.resize(m.strain_row.size());
  m.strain_total.resize(poisson ? block_stride * m.voxels : 0);
  m.extra.resize(poisson ? 36 * m.voxels + block_stride : 0);
  if (!poisson) return;
  parallel_for(m.voxels, block_voxel_grain, [&](Range range, std::size_t) {
    for (std::size_t v = range.begin; v < range.end; ++v) scale_strains(k, held, v);
  });
}

BlockSystem::Outcome BlockSystem::solve(std::span<const double> b, std::span<double> x, double tolerance,
                                        int max_iterations) {
  Outcome outcome;
  const std::size_t n = matrix_.voxels;
  double largest = 0;  // largest |b_i|, by which b is divided so that floats neither overflow nor underflow
  for (const double value : b) largest = std::max(largest, std::abs(value));
  std::fill(solution_.begin(), solution_.end(), 0.0F);
  if (!(largest > 0) || !std::isfinite(largest)) {
    std::fill(x.begin(), x.end(), 0.0);
    return {0, 0};
  }
  for (std::size_t v = 0; v < n; ++v) {
    const Vec6f scaled = (Eigen::Map<const Vec6>(b.data() + 6 * v) / largest).cast<float>();
    const Vec6f row = times_factor(&factor_[factor_size * v], scaled, false);
    std::copy_n(row.data(), 6, &residual_[block_stride * v]);
  }
  solve_lower(matrix_, residual_.data());
  std::copy(residual_.begin(), residual_.end(), direction_.begin());
  double rho = advance_solution(n, 0, direction_.data(), residual_.data(), solution_.data(), residual_.data());
  const double start = rho;
  while (outcome.iterations < max_iterations && rho > tolerance * tolerance * start) {
    const double curvature =
        multiply_preconditioned(matrix_, direction_.data(), inner_.data(), sums_.data(), product_.data());
    if (!(curvature > 0)) break;
    ++outcome.iterations;
    const auto alpha = static_cast<float>(rho / curvature);
    const double fresh =
        advance_solution(n, alpha, direction_.data(), product_.data(), solution_.data(), residual_.data());
    advance_direction(n, static_cast<float>(fresh / rho), residual_.data(), direction_.data());
    rho = fresh;
  }
  outcome.reduction = start > 0 ? std::sqrt(rho / start) : 0;
  solve_upper(matrix_, solution_.data(), inner_.data());
  for (std::size_t v = 0; v < n; ++v) {
    const Vec6f y = times_factor(&factor_[factor_size * v], Eigen::Map<const Vec6f>(&inner_[block_stride * v]), true);
    Eigen::Map<Vec6>(x.data() + 6 * v) = largest * y.cast<double>();
  }
  return outcome;
}

}  // namespace vw
