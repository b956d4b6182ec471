// Structure, scaling and the iteration. Products are in block order of each row, lanes are fixed: the same bits on any machine.
#include "sim/system/voxel/block_system.h"

#include <algorithm>
#include <cmath>

#include <Eigen/Cholesky>

namespace vw {
namespace {

using Lanes = std::array<float, block_stride>;

/// acc -= B x, B column by column. Lanes 6 and 7 take what follows in memory: nobody reads them.
inline void subtract_product(const float* block, const float* x, Lanes& acc) {
  for (std::size_t j = 0; j < voxel_freedoms; ++j)
    for (std::size_t i = 0; i < block_stride; ++i) acc[i] -= block[voxel_freedoms * j + i] * x[j];
}

inline Lanes load(const float* x) {
  Lanes out;
  std::copy_n(x, block_stride, out.begin());
  return out;
}

inline void store(const Lanes& lanes, float* out) { std::copy_n(lanes.begin(), voxel_freedoms, out); }

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  constexpr std::size_t rows = 64 * block_stride;  // floats are summed over 64 voxels, then doubles
  double total = 0;
  for (std::size_t begin = 0; begin < a.size(); begin += rows) {
    Lanes sum{};
    const std::size_t end = std::min(a.size(), begin + rows);
    for (std::size_t i = begin; i < end; i += block_stride)
      for (std::size_t lane = 0; lane < block_stride; ++lane) sum[lane] += a[i + lane] * b[i + lane];
    for (const float s : sum) total += static_cast<double>(s);
  }
  return total;
}

void add_scaled(std::vector<float>& y, double factor, const std::vector<float>& x) {
  const auto f = static_cast<float>(factor);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += f * x[i];
}

}  // namespace

void BlockSystem::prepare(const LatticeTopology& topology) {
  if (bond_at_ == topology.bond_at && voxels_ == topology.voxel_count()) return;
  bond_at_ = topology.bond_at;
  voxels_ = topology.voxel_count();
  first_.assign(1, 0);
  middle_.clear(), column_.clear(), bond_of_.clear();
  for (std::size_t v = 0; v < voxels_; ++v) {
    std::array<std::pair<std::int32_t, std::int32_t>, face_count> found;
    std::size_t count = 0;
    for (std::size_t face = 0; face < face_count; ++face)
      if (bond_at_[v][face] >= 0) found[count++] = {topology.neighbour(v, static_cast<int>(face)), bond_at_[v][face]};
    std::sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count));
    for (std::size_t i = 0; i < count; ++i) {
      column_.push_back(static_cast<std::uint32_t>(found[i].first));
      bond_of_.push_back(found[i].second);
    }
    first_.push_back(static_cast<std::uint32_t>(column_.size()));
    const auto below = std::count_if(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count),
                                     [&](const auto& entry) { return entry.first < static_cast<std::int32_t>(v); });
    middle_.push_back(first_[v] + static_cast<std::uint32_t>(below));
  }
  block_.assign(36 * column_.size() + block_stride, 0);
  factor_inverse_.resize(voxels_);
  for (auto* vector : {&residual_, &direction_, &product_, &solution_, &inner_}) vector->assign(block_stride * voxels_, 0);
}

void BlockSystem::factor_diagonals(const TangentStiffness& k, std::span<const Block6> diagonal, std::span<const std::uint8_t> held) {
  for (std::size_t v = 0; v < voxels_; ++v) {
    Block6 d = k.diagonal(v) + diagonal[v];
    for (Eigen::Index i = 0; i < 6; ++i)
      if ((held[v] >> i & 1U) != 0) {
        d.row(i).setZero();
        d.col(i).setZero();
        d(i, i) = 1;
      }
    Eigen::LLT<Block6> factor(d);
    factor_inverse_[v] = factor.matrixL().solve(Block6::Identity());
  }
}

void BlockSystem::scale_neighbours(const TangentStiffness& k, std::span<const std::uint8_t> held) {
  const bool poisson = !k.volume_weight().empty();
  strain_row_.assign(poisson ? block_stride * column_.size() : 0, 0);
  strain_own_.assign(strain_row_.size(), 0);
  volume_weight_.assign(k.volume_weight().begin(), k.volume_weight().end());
  volume_sum_.assign(volume_weight_.size(), 0);
  const auto mask = [&](std::size_t v, Eigen::Matrix<double, 6, 1> row) {
    for (Eigen::Index i = 0; i < 6; ++i)
      if ((held[v] >> i & 1U) != 0) row[i] = 0;
    return row;
  };
  for (std::size_t v = 0; v < voxels_; ++v) {
    for (std::uint32_t entry = first_[v]; entry < first_[v + 1]; ++entry) {
      const std::size_t w = column_[entry];
      const auto bond = static_cast<std::size_t>(bond_of_[entry]);
      const bool is_first = static_cast<std::size_t>(k.topology().bonds[bond].a) == v;
      Block6 across = k.bond(bond).across();
      if (!is_first) across.transposeInPlace();
      for (Eigen::Index i = 0; i < 6; ++i) {
        if ((held[v] >> i & 1U) != 0) across.row(i).setZero();
        if ((held[w] >> i & 1U) != 0) across.col(i).setZero();
      }
      const Block6 scaled = factor_inverse_[v] * across * factor_inverse_[w].transpose();
      for (Eigen::Index i = 0; i < 36; ++i) block_[36 * entry + static_cast<std::size_t>(i)] = static_cast<float>(scaled.data()[i]);
      if (!poisson) continue;
      const StrainGradient& g = k.strain_gradient(bond);
      Eigen::Matrix<double, 6, 1> own, other;
      own << (is_first ? -1.0 : 1.0) * g.along, g.arm;
      other << (is_first ? 1.0 : -1.0) * g.along, g.arm;
      own = factor_inverse_[v] * mask(v, own);
      other = factor_inverse_[w] * mask(w, other);
      for (std::size_t i = 0; i < 6; ++i) {
        strain_own_[block_stride * entry + i] = static_cast<float>(own[static_cast<Eigen::Index>(i)]);
        strain_row_[block_stride * entry + i] = static_cast<float>(other[static_cast<Eigen::Index>(i)]);
      }
    }
  }
}

void BlockSystem::assemble(const TangentStiffness& k, std::span<const Block6> diagonal, std::span<const std::uint8_t> held) {
  prepare(k.topology());
  factor_diagonals(k, diagonal, held);
  scale_neighbours(k, held);
}

/// out += (volumetric matrix - its diagonal blocks) t. The diagonal blocks are part of the identity already.
void BlockSystem::add_volume(const std::vector<float>& t, std::vector<float>& out) {
  for (std::size_t v = 0; v < voxels_; ++v) {
    float sum = 0;
    for (std::uint32_t entry = first_[v]; entry < first_[v + 1]; ++entry) {
      const float *row = &strain_row_[block_stride * entry], *own = &strain_own_[block_stride * entry];
      const float *other = &t[block_stride * column_[entry]], *mine = &t[block_stride * v];
      for (std::size_t i = 0; i < voxel_freedoms; ++i) sum += row[i] * other[i] + own[i] * mine[i];
    }
    volume_sum_[v] = volume_weight_[v] * sum;
  }
  for (std::size_t v = 0; v < voxels_; ++v) {
    // What the voxel itself contributed to each sum that comes back to it is the diagonal block's share.
    float total_own[voxel_freedoms] = {};
    float mine = 0;
    for (std::uint32_t entry = first_[v]; entry < first_[v + 1]; ++entry)
      for (std::size_t i = 0; i < voxel_freedoms; ++i) {
        total_own[i] += strain_own_[block_stride * entry + i];
        mine += strain_own_[block_stride * entry + i] * t[block_stride * v + i];
      }
    const float centre = volume_sum_[v] - volume_weight_[v] * mine;
    for (std::uint32_t entry = first_[v]; entry < first_[v + 1]; ++entry) {
      const std::size_t w = column_[entry];
      float share = 0;
      for (std::size_t i = 0; i < voxel_freedoms; ++i) share += strain_own_[block_stride * entry + i] * t[block_stride * v + i];
      const float tension = volume_sum_[w] - volume_weight_[w] * share;
      for (std::size_t i = 0; i < voxel_freedoms; ++i) out[block_stride * v + i] += tension * strain_own_[block_stride * entry + i];
    }
    for (std::size_t i = 0; i < voxel_freedoms; ++i) out[block_stride * v + i] += centre * total_own[i];
  }
}

/// out = t + (I + L)^-1 (v - t + V t) with t = (I + U)^-1 v: Eisenstat's product.
void BlockSystem::apply(const std::vector<float>& v, std::vector<float>& out) {
  for (std::size_t i = voxels_; i-- > 0;) {
    Lanes acc = load(&v[block_stride * i]);
    for (std::uint32_t entry = middle_[i]; entry < first_[i + 1]; ++entry)
      subtract_product(&block_[36 * entry], &inner_[block_stride * column_[entry]], acc);
    store(acc, &inner_[block_stride * i]);
  }
  for (std::size_t i = 0; i < v.size(); ++i) out[i] = v[i] - inner_[i];
  if (!volume_weight_.empty()) add_volume(inner_, out);
  for (std::size_t i = 0; i < voxels_; ++i) {
    Lanes acc = load(&out[block_stride * i]);
    for (std::uint32_t entry = first_[i]; entry < middle_[i]; ++entry) subtract_product(&block_[36 * entry], &out[block_stride * column_[entry]], acc);
    store(acc, &out[block_stride * i]);
  }
  for (std::size_t i = 0; i < v.size(); ++i) out[i] += inner_[i];
}

BlockSystem::Outcome BlockSystem::solve(std::span<const double> b, std::span<double> x, double tolerance, int max_iterations) {
  using Vec6 = Eigen::Matrix<double, 6, 1>;
  Outcome outcome;
  // r^ = (I + L)^-1 C^-1 b, scaled to unit size so that floats neither overflow nor vanish.
  double largest = 0;
  std::vector<float>& r = residual_;
  for (const double value : b) largest = std::max(largest, std::abs(value));
  std::fill(solution_.begin(), solution_.end(), 0.0F);
  if (!(largest > 0)) {
    std::fill(x.begin(), x.end(), 0.0);
    return {0, 0};
  }
  for (std::size_t v = 0; v < voxels_; ++v) {
    const Vec6 scaled = factor_inverse_[v] * (Eigen::Map<const Vec6>(b.data() + 6 * v) / largest);
    Lanes acc{};
    for (std::size_t i = 0; i < voxel_freedoms; ++i) acc[i] = static_cast<float>(scaled[static_cast<Eigen::Index>(i)]);
    for (std::uint32_t entry = first_[v]; entry < middle_[v]; ++entry) subtract_product(&block_[36 * entry], &r[block_stride * column_[entry]], acc);
    store(acc, &r[block_stride * v]);
  }
  direction_ = r;
  double rho = dot(r, r);
  const double start = rho;
  while (outcome.iterations < max_iterations && rho > tolerance * tolerance * start) {
    apply(direction_, product_);
    const double curvature = dot(direction_, product_);
    if (!(curvature > 0)) break;
    ++outcome.iterations;
    const double alpha = rho / curvature;
    add_scaled(solution_, alpha, direction_);
    add_scaled(r, -alpha, product_);
    const double fresh = dot(r, r);
    const auto beta = static_cast<float>(fresh / rho);
    for (std::size_t i = 0; i < r.size(); ++i) direction_[i] = r[i] + beta * direction_[i];
    rho = fresh;
  }
  outcome.reduction = std::sqrt(rho / start);
  // x = C^-T (I + U)^-1 x^
  for (std::size_t v = voxels_; v-- > 0;) {
    Lanes acc = load(&solution_[block_stride * v]);
    for (std::uint32_t entry = middle_[v]; entry < first_[v + 1]; ++entry)
      subtract_product(&block_[36 * entry], &inner_[block_stride * column_[entry]], acc);
    store(acc, &inner_[block_stride * v]);
    Vec6 y;
    for (std::size_t i = 0; i < voxel_freedoms; ++i) y[static_cast<Eigen::Index>(i)] = static_cast<double>(acc[i]);
    Eigen::Map<Vec6>(x.data() + 6 * v) = largest * (factor_inverse_[v].transpose() * y);
  }
  return outcome;
}

}  // namespace vw
