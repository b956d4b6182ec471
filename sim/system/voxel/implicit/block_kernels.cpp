// The six degrees of freedom of a voxel occupy six of eight lanes, and a 6 x 6 block is stored as six such columns. The
// product of a block and a vector therefore takes six broadcasts. Sums over voxels are accumulated in float within
// groups of 64 voxels. The group sums are added in double.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/system/voxel/implicit/block_kernels.cpp"
// Eight floats fill one 256-bit or two 128-bit vectors, so wider targets give no gain. SVE and RVV are disabled because
// vectors of unknown length cannot be array elements.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "sim/system/voxel/implicit/block_kernels.h"

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<float, 8>;
constexpr std::size_t lanes = HWY_LANES(float) < 8 ? HWY_LANES(float) : 8;
constexpr std::size_t parts = 8 / lanes;

/// Eight floats, stored in one or more vectors.
struct Eight {
  hn::Vec<Tag> part[parts];
};

HWY_INLINE Eight load(const float* x) {
  Eight out;
  for (std::size_t i = 0; i < parts; ++i) out.part[i] = hn::LoadU(Tag(), x + i * lanes);
  return out;
}
HWY_INLINE void store(const Eight& x, float* out) {
  for (std::size_t i = 0; i < parts; ++i) hn::StoreU(x.part[i], Tag(), out + i * lanes);
}
HWY_INLINE Eight operator+(Eight a, const Eight& b) {
  for (std::size_t i = 0; i < parts; ++i) a.part[i] = hn::Add(a.part[i], b.part[i]);
  return a;
}
HWY_INLINE Eight operator-(Eight a, const Eight& b) {
  for (std::size_t i = 0; i < parts; ++i) a.part[i] = hn::Sub(a.part[i], b.part[i]);
  return a;
}
HWY_INLINE Eight operator*(Eight a, const Eight& b) {
  for (std::size_t i = 0; i < parts; ++i) a.part[i] = hn::Mul(a.part[i], b.part[i]);
  return a;
}
HWY_INLINE Eight operator*(float s, Eight a) {
  for (std::size_t i = 0; i < parts; ++i) a.part[i] = hn::Mul(hn::Set(Tag(), s), a.part[i]);
  return a;
}
HWY_INLINE Eight zero() {
  Eight out;
  for (std::size_t i = 0; i < parts; ++i) out.part[i] = hn::Zero(Tag());
  return out;
}
/// Returns the sum of lanes 0 to 5. The order of additions is the same on every target.
HWY_INLINE float sum_of_six(const Eight& x) {
  alignas(32) float lane[8];
  store(x, lane);
  return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + (lane[4] + lane[5]);
}

/// Returns the product of a block and a vector. The columns are summed as a tree, which takes less time than a chain of
/// additions. The time matters because the next voxel of a sweep needs this result.
HWY_INLINE Eight product(const float* block, const float* x) {
  const Eight a = x[0] * load(block) + x[1] * load(block + 6);
  const Eight b = x[2] * load(block + 12) + x[3] * load(block + 18);
  const Eight c = x[4] * load(block + 24) + x[5] * load(block + 30);
  return a + b + c;
}

void upper_sweep(const BlockMatrix& m, const float* v, float* t) {
  for (std::size_t i = m.voxels; i-- > 0;) {
    Eight acc = load(v + block_stride * i);
    for (std::uint32_t entry = m.first[i + 1]; entry-- > m.middle[i];)
      acc = acc - product(&m.block[36 * entry], t + block_stride * m.column[entry]);
    store(acc, t + block_stride * i);
  }
}

void lower_sweep(const BlockMatrix& m, float* x) {
  for (std::size_t i = 0; i < m.voxels; ++i) {
    Eight acc = load(x + block_stride * i);
    for (std::uint32_t entry = m.first[i]; entry < m.middle[i]; ++entry)
      acc = acc - product(&m.block[36 * entry], x + block_stride * m.column[entry]);
    store(acc, x + block_stride * i);
  }
}

/// Adds V t to `out`, where V is the volumetric part of the Poisson effect (BlockMatrix).
void add_volume(const BlockMatrix& m, const float* t, float* sums, float* out) {
  for (std::size_t i = 0; i < m.voxels; ++i) {
    Eight acc = load(&m.strain_total[block_stride * i]) * load(t + block_stride * i);
    for (std::uint32_t entry = m.first[i]; entry < m.first[i + 1]; ++entry)
      acc = acc + load(&m.strain_row[block_stride * entry]) * load(t + block_stride * m.column[entry]);
    sums[i] = m.volume_weight[i] * sum_of_six(acc);
  }
  for (std::size_t i = 0; i < m.voxels; ++i) {
    Eight acc = load(out + block_stride * i) + sums[i] * load(&m.strain_total[block_stride * i]);
    for (std::uint32_t entry = m.first[i]; entry < m.first[i + 1]; ++entry)
      acc = acc + sums[m.column[entry]] * load(&m.strain_own[block_stride * entry]);
    store(acc, out + block_stride * i);
  }
}

/// Returns the sum of lanes 0 to 5 of term(offset) over all voxels. `offset` is the index of a voxel's first float.
template <class Term>
HWY_INLINE double sum_over(std::size_t voxels, const Term& term) {
  constexpr std::size_t chunk = 64;
  double total = 0;
  for (std::size_t begin = 0; begin < voxels; begin += chunk) {
    Eight sum = zero();
    for (std::size_t i = begin; i < std::min(voxels, begin + chunk); ++i) sum = sum + term(block_stride * i);
    total += static_cast<double>(sum_of_six(sum));
  }
  return total;
}

double eisenstat_product(const BlockMatrix& m, const float* v, float* t, float* sums, float* out) {
  upper_sweep(m, v, t);
  for (std::size_t i = 0; i < m.voxels; ++i) {
    Eight left = load(v + block_stride * i) - load(t + block_stride * i);
    if (!m.extra.empty()) left = left + product(&m.extra[36 * i], t + block_stride * i);
    store(left, out + block_stride * i);
  }
  if (!m.volume_weight.empty()) add_volume(m, t, sums, out);
  lower_sweep(m, out);
  return sum_over(m.voxels, [&](std::size_t i) HWY_ATTR {
    const Eight y = load(out + i) + load(t + i);
    store(y, out + i);
    return y * load(v + i);
  });
}

double step_solution(std::size_t voxels, float alpha, const float* p, const float* q, float* x, float* r) {
  return sum_over(voxels, [&](std::size_t i) HWY_ATTR {
    store(load(x + i) + alpha * load(p + i), x + i);
    const Eight left = load(r + i) - alpha * load(q + i);
    store(left, r + i);
    return left * left;
  });
}

void turn_direction(std::size_t voxels, float beta, const float* r, float* p) {
  for (std::size_t i = 0; i < block_stride * voxels; i += block_stride) store(load(r + i) + beta * load(p + i), p + i);
}

void scale_six(const float* left, const float* block, const float* right, float* out, float* transposed) {
  Eight half[6], scaled[6];
  for (std::size_t j = 0; j < 6; ++j) {
    half[j] = right[j] * load(block);
    for (std::size_t k = 1; k <= j; ++k) half[j] = half[j] + right[8 * k + j] * load(block + 6 * k);
  }
  for (std::size_t j = 0; j < 6; ++j) {
    alignas(32) float column[8];
    store(half[j], column);
    scaled[j] = column[0] * load(left);
    for (std::size_t k = 1; k < 6; ++k) scaled[j] = scaled[j] + column[k] * load(left + 8 * k);
  }
  for (std::size_t j = 0; j < 6; ++j) {
    alignas(32) float column[8];
    store(scaled[j], column);
    for (std::size_t i = 0; i < 6; ++i) {
      out[6 * j + i] = column[i];
      transposed[6 * i + j] = column[i];
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw {

HWY_EXPORT(upper_sweep);
HWY_EXPORT(lower_sweep);
HWY_EXPORT(eisenstat_product);
HWY_EXPORT(step_solution);
HWY_EXPORT(turn_direction);
HWY_EXPORT(scale_six);

void solve_upper(const BlockMatrix& m, const float* v, float* t) { HWY_DYNAMIC_DISPATCH(upper_sweep)(m, v, t); }
void solve_lower(const BlockMatrix& m, float* x) { HWY_DYNAMIC_DISPATCH(lower_sweep)(m, x); }
double multiply_preconditioned(const BlockMatrix& m, const float* v, float* t, float* sums, float* out) {
  return HWY_DYNAMIC_DISPATCH(eisenstat_product)(m, v, t, sums, out);
}
double advance_solution(std::size_t voxels, float alpha, const float* p, const float* q, float* x, float* r) {
  return HWY_DYNAMIC_DISPATCH(step_solution)(voxels, alpha, p, q, x, r);
}
void advance_direction(std::size_t voxels, float beta, const float* r, float* p) {
  HWY_DYNAMIC_DISPATCH(turn_direction)(voxels, beta, r, p);
}
void scale_block(const float* left, const float* block, const float* right, float* out, float* transposed) {
  HWY_DYNAMIC_DISPATCH(scale_six)(left, block, right, out, transposed);
}

}  // namespace vw
#endif
