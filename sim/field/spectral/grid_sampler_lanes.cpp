// SIMD interpolation of grids at many positions, as declared in grid_sampler.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/field/spectral/grid_sampler_lanes.cpp"
// The targets SSSE3 and AVX3_DL are left out. The remaining targets are scalar code and vectors of 128, 256 and 512
// bits.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/cache_control.h>

#include <algorithm>
#include <array>
#include <cassert>

#include "sim/field/spectral/grid_sampler.h"

#ifndef VOXWAKE_GRID_BLOCK
#define VOXWAKE_GRID_BLOCK
namespace vw {
/// A block of positions, grid coordinates and interpolated values. Components are interleaved, as in Vec3[].
struct GridBlock {
  /// Number of positions per block. Three times this number is a multiple of every vector length. In measurements, 64
  /// positions made sampling slower by a quarter. With 16 positions, the overhead between the loops was too large.
  static constexpr std::size_t size = 32, numbers = 3 * size;
  using Numbers = std::array<float, numbers>;
  std::size_t used = 0;
  const double* at = nullptr;  ///< Positions. All `numbers` entries can be read, even beyond `used`.
  alignas(64) std::array<std::uint64_t, numbers> place;  ///< Cell index and position within the cell, see place_of().
  alignas(64) Numbers way;                               ///< Position within the cell, from 0 to 1.
  /// Cell index times stride [floats]. The sum of the three components is the index of the first node around the
  /// position.
  alignas(64) std::array<std::uint32_t, numbers> node;
  alignas(64) std::array<Numbers, 4> weight;  ///< Weights of the nodes along each axis.
  alignas(64) std::array<Numbers, 4> slope;   ///< Derivatives of the weights [per spacing].
  /// Interpolated value, followed by its derivatives along the axes of the grid. A store writes four numbers, the
  /// fourth of which is overwritten by the next store.
  alignas(64) std::array<std::array<float, numbers + 16>, 4> found;
  alignas(64) Numbers sum;
  alignas(64) std::array<double, numbers> rest;  ///< Copy of the positions of an incomplete block.
};

/// A PlacedGrid in the form that the SIMD code needs. The grid coordinates of a position x [m] are map * x + shift, in
/// periods. Only members in use are set, because calls with few positions are frequent.
struct GridMap {
  const float* data;
  const NodePlanes* planes;
  Mat3 map;
  std::array<double, 3 * 8> shifts;           ///< Components of the shift, repeated.
  std::array<std::uint32_t, 3 * 16> strides;  ///< Distance of neighbouring nodes along x, y, z [floats], repeated.
  float turn[3][4];                           ///< Columns of gain * R, or of gain times the identity.
  bool turned, turns_values;
  std::size_t n;
};
}  // namespace vw
#endif

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using GridReals = hn::ScalableTag<double>;
using GridHalves = hn::Rebind<float, GridReals>;  ///< Vector of as many floats as GridReals has doubles.
using GridWords = hn::ScalableTag<std::uint64_t>;
using GridFloats = hn::ScalableTag<float>;
using GridFloat = hn::Vec<GridFloats>;

HWY_INLINE GridFloat constant(float value) { return hn::Set(GridFloats(), value); }

/// Returns the grid coordinate of the coordinate t (in periods) as a fixed-point number: the fraction of t (32 bits)
/// times the number n of nodes. The upper half of the word is the cell index, and the lower half is the position within
/// the cell. A fraction that rounds up to 1 becomes 0. NaN also yields a valid cell.
HWY_INLINE hn::Vec<GridWords> place_of(hn::Vec<GridReals> t, hn::Vec<GridWords> n) {
  const GridReals reals;
  const GridWords words;
  const auto one_to_two = hn::Add(hn::Sub(t, hn::Floor(t)), hn::Set(reals, 1.0));
  const auto bits = hn::ShiftRight<20>(hn::BitCast(words, one_to_two));
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(words, (hn::GetLane(bits) & 0xFFFFFFFF) * hn::GetLane(n));
#else
  const hn::Repartition<std::uint32_t, GridWords> halves;
  return hn::MulEven(hn::BitCast(halves, bits), hn::BitCast(halves, n));
#endif
}

/// Finds the cells of positions in a grid that is not rotated. All three axes have the same scale and differ in the
/// shift.
HWY_INLINE void locate_straight(const GridMap& grid, GridBlock& block) {
  const GridReals reals;
  const GridWords words;
  const std::size_t lanes = hn::Lanes(reals), end = 3 * block.used;
  const auto scale = hn::Set(reals, grid.map(0, 0));
  const auto n = hn::Set(words, static_cast<std::uint64_t>(grid.n));
  const hn::Vec<GridReals> shift[3] = {hn::LoadU(reals, &grid.shifts[0]), hn::LoadU(reals, &grid.shifts[lanes]),
                                       hn::LoadU(reals, &grid.shifts[2 * lanes])};
  const double* HWY_RESTRICT at = block.at;
  std::uint64_t* HWY_RESTRICT to = block.place.data();
  for (std::size_t k = 0; k < end; k += 3 * lanes)
    for (std::size_t part = 0; part < 3; ++part, at += lanes, to += lanes)
      hn::Store(place_of(hn::Add(hn::Mul(hn::LoadU(reals, at), scale), shift[part]), n), words, to);
}

HWY_INLINE void locate_turned(const GridMap& grid, GridBlock& block) {
  const GridReals reals;
  const GridWords words;
  const std::size_t lanes = hn::Lanes(reals), used = block.used;
  const double* HWY_RESTRICT const at = block.at;
  const auto n = hn::Set(words, static_cast<std::uint64_t>(grid.n));
  hn::Vec<GridReals> map[3][3], shift[3];
  for (int axis = 0; axis < 3; ++axis) {
    for (int k = 0; k < 3; ++k) map[axis][k] = hn::Set(reals, grid.map(axis, k));
    shift[axis] = hn::Set(reals, grid.shifts[static_cast<std::size_t>(axis)]);
  }
  for (std::size_t i = 0; i < used; i += lanes) {
    hn::Vec<GridReals> x, y, z;
    hn::LoadInterleaved3(reals, at + 3 * i, x, y, z);
    hn::Vec<GridReals> place[3];
    for (int axis = 0; axis < 3; ++axis) {
      const auto t = hn::Add(hn::Add(hn::Mul(x, map[axis][0]), hn::Mul(y, map[axis][1])), hn::Mul(z, map[axis][2]));
      place[axis] = hn::BitCast(reals, place_of(hn::Add(t, shift[axis]), n));
    }
    hn::StoreInterleaved3(place[0], place[1], place[2], reals, reinterpret_cast<double*>(block.place.data()) + 3 * i);
  }
}

/// Splits `place` into the position within the cell and the index of the node.
HWY_INLINE void split_places(const GridMap& grid, GridBlock& block) {
  constexpr float unit = 1.0F / (1 << 24);
  const std::size_t end = 3 * block.used;
#if HWY_TARGET == HWY_SCALAR
  for (std::size_t k = 0; k < end; ++k) {
    block.way[k] = unit * static_cast<float>((block.place[k] & 0xFFFFFFFF) >> 8);
    block.node[k] = static_cast<std::uint32_t>(block.place[k] >> 32) * grid.strides[k % 3];
  }
#else
  const GridFloats floats;
  const hn::Repartition<std::uint32_t, GridWords> halves;
  const hn::Repartition<std::int32_t, GridWords> ints;
  const std::size_t lanes = hn::Lanes(floats);
  for (std::size_t k = 0; k < end; k += 3 * lanes)
    for (std::size_t part = 0, at = k; part < 3; ++part, at += lanes) {
      const std::uint32_t* const from = reinterpret_cast<const std::uint32_t*>(&block.place[at]);
      const auto first = hn::Load(halves, from), second = hn::Load(halves, from + lanes);
      const auto way = hn::BitCast(ints, hn::ShiftRight<8>(hn::ConcatEven(halves, second, first)));
      hn::Store(hn::Mul(hn::ConvertTo(floats, way), constant(unit)), floats, &block.way[at]);
      hn::Store(hn::Mul(hn::ConcatOdd(halves, second, first), hn::LoadU(halves, &grid.strides[part * lanes])), halves,
                &block.node[at]);
    }
#endif
}

/// Returns the index of the first node around position i of the block [floats].
HWY_INLINE std::size_t first_node(const GridBlock& block, std::size_t i) {
  const std::uint32_t* const node = &block.node[3 * i];
  return node[0] + node[1] + node[2];
}

/// Returns the weights 1 - t and t of the two nodes along an axis.
HWY_INLINE void linear_weights(GridFloat t, GridFloat (&weight)[2]) {
  weight[0] = hn::Sub(constant(1), t);
  weight[1] = t;
}
HWY_INLINE void linear_slopes(GridFloat t, GridFloat (&slope)[2]) {
  slope[1] = hn::Add(constant(1), hn::Mul(t, constant(0)));  // NaN if t is NaN.
  slope[0] = hn::Neg(slope[1]);
}

/// Returns the weights of the uniform cubic B-spline (de Boor 1978): (1 - t)^3 / 6, (4 - 6 t^2 + 3 t^3) / 6, (4 - 6 s^2
/// + 3 s^3) / 6 with s = 1 - t, and t^3 / 6.
HWY_INLINE void cubic_weights(GridFloat t, GridFloat (&weight)[4]) {
  const GridFloat sixth = constant(1.0F / 6), s = hn::Sub(constant(1), t), tt = hn::Mul(t, t), ss = hn::Mul(s, s),
                  four = constant(4);
  weight[0] = hn::Mul(hn::Mul(ss, s), sixth);
  weight[1] = hn::Mul(hn::Add(four, hn::Mul(tt, hn::Sub(hn::Mul(constant(3), t), constant(6)))), sixth);
  weight[2] = hn::Mul(hn::Add(four, hn::Mul(ss, hn::Sub(hn::Mul(constant(3), s), constant(6)))), sixth);
  weight[3] = hn::Mul(hn::Mul(tt, t), sixth);
}
HWY_INLINE void cubic_slopes(GridFloat t, GridFloat (&slope)[4]) {
  const GridFloat half = constant(0.5F), s = hn::Sub(constant(1), t), two = constant(2), three = constant(1.5F);
  slope[0] = hn::Neg(hn::Mul(half, hn::Mul(s, s)));
  slope[1] = hn::Mul(t, hn::Sub(hn::Mul(three, t), two));
  slope[2] = hn::Mul(s, hn::Sub(two, hn::Mul(three, s)));
  slope[3] = hn::Mul(half, hn::Mul(t, t));
}

template <int kNodes, bool kSlopes>
HWY_INLINE void weigh(GridBlock& block) {
  const GridFloats floats;
  for (std::size_t k = 0; k < 3 * block.used; k += hn::Lanes(floats)) {
    const GridFloat t = hn::Load(floats, &block.way[k]);
    GridFloat weight[kNodes], slope[kNodes];
    if constexpr (kNodes == 2)
      linear_weights(t, weight);
    else
      cubic_weights(t, weight);
    for (std::size_t node = 0; node < kNodes; ++node) hn::Store(weight[node], floats, &block.weight[node][k]);
    if constexpr (kSlopes) {
      if constexpr (kNodes == 2)
        linear_slopes(t, slope);
      else
        cubic_slopes(t, slope);
      for (std::size_t node = 0; node < kNodes; ++node) hn::Store(slope[node], floats, &block.slope[node][k]);
    }
  }
}

/// Consecutive nodes along x, in as many registers as they need.
template <int kNodes>
struct NodeRow {
  using Tag = hn::CappedTag<float, 4 * kNodes>;
  static constexpr std::size_t lanes = hn::MaxLanes(Tag()), parts = 4 * kNodes / lanes;
  hn::Vec<Tag> part[parts];
};

template <int kNodes>
HWY_INLINE NodeRow<kNodes> load_row(const float* HWY_RESTRICT from) {
  NodeRow<kNodes> row;
  for (std::size_t p = 0; p < row.parts; ++p)
    row.part[p] = hn::LoadU(typename NodeRow<kNodes>::Tag(), from + p * row.lanes);
  return row;
}
HWY_INLINE void store_node(const NodeRow<1>& node, float* HWY_RESTRICT to) {
  for (std::size_t p = 0; p < node.parts; ++p) hn::StoreU(node.part[p], NodeRow<1>::Tag(), to + p * node.lanes);
}
template <int kNodes>
HWY_INLINE NodeRow<kNodes> times(NodeRow<kNodes> row, float weight) {
  const auto factor = hn::Set(typename NodeRow<kNodes>::Tag(), weight);
  for (auto& part : row.part) part = hn::Mul(part, factor);
  return row;
}
template <int kNodes>
HWY_INLINE NodeRow<kNodes> plus(NodeRow<kNodes> a, const NodeRow<kNodes>& b) {
  for (std::size_t p = 0; p < a.parts; ++p) a.part[p] = hn::Add(a.part[p], b.part[p]);
  return a;
}
/// Returns the linear interpolation a + t (b - a).
template <int kNodes>
HWY_INLINE NodeRow<kNodes> between(const NodeRow<kNodes>& a, NodeRow<kNodes> b, float t) {
  const auto share = hn::Set(typename NodeRow<kNodes>::Tag(), t);
  for (std::size_t p = 0; p < a.parts; ++p)
    b.part[p] = hn::Add(a.part[p], hn::Mul(share, hn::Sub(b.part[p], a.part[p])));
  return b;
}
/// Returns node k of a row.
template <int k, int kNodes>
HWY_INLINE NodeRow<1> node_of(const NodeRow<kNodes>& row) {
#if HWY_TARGET == HWY_SCALAR
  return {{row.part[4 * k], row.part[4 * k + 1], row.part[4 * k + 2], row.part[4 * k + 3]}};
#else
  const hn::CappedTag<float, 4> four;
  if constexpr (NodeRow<kNodes>::lanes == 4) {
    return {{row.part[k]}};
  } else if constexpr (NodeRow<kNodes>::lanes == 8) {
    return {{k % 2 == 0 ? hn::LowerHalf(four, row.part[k / 2]) : hn::UpperHalf(four, row.part[k / 2])}};
  } else {
    const hn::CappedTag<float, 8> eight;
    const auto half = k / 2 == 0 ? hn::LowerHalf(eight, row.part[0]) : hn::UpperHalf(eight, row.part[0]);
    return {{k % 2 == 0 ? hn::LowerHalf(four, half) : hn::UpperHalf(four, half)}};
  }
#endif
}

/// Returns the weighted sum of the nodes of a row, added in pairs. weight[node][k] is the weight of a node, with k = 3
/// i + a for the axis a of position i in the block.
template <int kNodes>
HWY_INLINE NodeRow<1> fold(const NodeRow<kNodes>& row, const std::array<GridBlock::Numbers, 4>& weight, std::size_t k) {
  const NodeRow<1> sum = plus(times(node_of<0>(row), weight[0][k]), times(node_of<1>(row), weight[1][k]));
  if constexpr (kNodes == 4)
    return plus(sum, plus(times(node_of<2>(row), weight[2][k]), times(node_of<3>(row), weight[3][k])));
  else
    return sum;
}

/// Returns the weighted sum of several rows, which begin `stride` floats apart.
template <int kNodes>
HWY_INLINE NodeRow<kNodes> sum_rows(const float* HWY_RESTRICT from, std::size_t stride,
                                    const std::array<GridBlock::Numbers, 4>& weight, std::size_t k) {
  NodeRow<kNodes> sum = times(load_row<kNodes>(from), weight[0][k]);
  for (std::size_t node = 1; node < kNodes; ++node)
    sum = plus(sum, times(load_row<kNodes>(from + node * stride), weight[node][k]));
  return sum;
}

/// Distance from one row to the next, and from one plane to the next [floats].
struct NodeStrides {
  std::size_t row, plane;
};

/// Interpolates the value at position i and, if kSlopes, its derivatives. The axes are processed in the order y, z, x.
template <int kNodes, bool kSlopes>
HWY_INLINE void sum_nodes(const NodeStrides stride, const float* HWY_RESTRICT from, std::size_t i, GridBlock& block) {
  const std::size_t x = 3 * i, y = x + 1, z = x + 2;
  NodeRow<kNodes> sum, slope_y, slope_z;
  for (std::size_t k = 0; k < kNodes; ++k, from += stride.plane) {
    const NodeRow<kNodes> value = sum_rows<kNodes>(from, stride.row, block.weight, y),
                          part = times(value, block.weight[k][z]);
    sum = k == 0 ? part : plus(sum, part);
    if constexpr (kSlopes) {
      const NodeRow<kNodes> part_y = times(sum_rows<kNodes>(from, stride.row, block.slope, y), block.weight[k][z]);
      const NodeRow<kNodes> part_z = times(value, block.slope[k][z]);
      slope_y = k == 0 ? part_y : plus(slope_y, part_y);
      slope_z = k == 0 ? part_z : plus(slope_z, part_z);
    }
  }
  store_node(fold(sum, block.weight, x), &block.found[0][3 * i]);
  if constexpr (kSlopes) {
    store_node(fold(sum, block.slope, x), &block.found[1][3 * i]);
    store_node(fold(slope_y, block.weight, x), &block.found[2][3 * i]);
    store_node(fold(slope_z, block.weight, x), &block.found[3][3 * i]);
  }
}

/// Interpolates the value at position i linearly, for which only the position within the cell is needed. `rows` points
/// to four rows of nodes, in the order (y, z) = (0, 0), (1, 0), (0, 1), (1, 1). `first` is the index of the first node
/// of the cell in each row [floats].
HWY_INLINE void mix_nodes(const float* const (&rows)[4], std::size_t first, std::size_t i, GridBlock& block) {
  const float x = block.way[3 * i], y = block.way[3 * i + 1], z = block.way[3 * i + 2];
  const NodeRow<2> low = between(load_row<2>(rows[0] + first), load_row<2>(rows[1] + first), y);
  const NodeRow<2> high = between(load_row<2>(rows[2] + first), load_row<2>(rows[3] + first), y);
  const NodeRow<2> row = between(low, high, z);
  store_node(between(node_of<0>(row), node_of<1>(row), x), &block.found[0][3 * i]);
}

template <int kNodes, bool kSlopes>
HWY_INLINE void sum_block(const GridMap& grid, GridBlock& block) {
  if (grid.turned)
    locate_turned(grid, block);
  else
    locate_straight(grid, block);
  if (grid.planes != nullptr) grid.planes->require(std::span(block.place).first(3 * block.used));
  split_places(grid, block);
  // With two nodes per axis, the first node is the node of the cell. With four nodes, the first node is the node before
  // it.
  const NodeStrides stride{grid.strides[1], grid.strides[2]};
  const float* const data = grid.data + (kNodes == 2 ? 4 + stride.row + stride.plane : 0);
  const std::size_t used = block.used;
  if constexpr (kNodes == 2 && !kSlopes) {
    const float* const rows[4] = {data, data + stride.row, data + stride.plane, data + stride.plane + stride.row};
    for (std::size_t i = 0; i < used; ++i) mix_nodes(rows, first_node(block, i), i, block);
  } else {
    weigh<kNodes, kSlopes>(block);
    for (std::size_t i = 0; i < used; ++i) sum_nodes<kNodes, kSlopes>(stride, data + first_node(block, i), i, block);
  }
}

/// Multiplies the interpolated values in `found` by gain * R, or only by gain if values do not rotate with the grid.
/// Stores the product in `sum` for the first grid, and adds it to `sum` for further grids.
template <bool kFirst>
HWY_INLINE void add_turned(const GridMap& grid, GridBlock& block) {
  const GridFloats floats;
  const std::size_t end = 3 * block.used;
  float gain = grid.turn[0][0];
  std::size_t from = 0;
  if (grid.turns_values) {
    const NodeRow<1> turn[3] = {load_row<1>(grid.turn[0]), load_row<1>(grid.turn[1]), load_row<1>(grid.turn[2])};
    for (std::size_t k = 0; k < end; k += 3) {
      const float* const found = &block.found[0][k];
      store_node(plus(plus(times(turn[0], found[0]), times(turn[1], found[1])), times(turn[2], found[2])),
                 &block.found[1][k]);
    }
    gain = 1;
    from = 1;
  }
  const GridFloat factor = constant(gain);
  for (std::size_t k = 0; k < end; k += hn::Lanes(floats)) {
    const GridFloat found = hn::Mul(factor, hn::Load(floats, &block.found[from][k]));
    hn::Store(kFirst ? found : hn::Add(hn::Load(floats, &block.sum[k]), found), floats, &block.sum[k]);
  }
}

void add_values(const GridMap& grid, GridSpline spline, bool first, GridBlock& block) {
  if (spline == GridSpline::linear)
    sum_block<2, false>(grid, block);
  else
    sum_block<4, false>(grid, block);
  if (first)
    add_turned<true>(grid, block);
  else
    add_turned<false>(grid, block);
}

void find_slopes(const GridMap& grid, GridSpline spline, GridBlock& block) {
  if (spline == GridSpline::linear)
    sum_block<2, true>(grid, block);
  else
    sum_block<4, true>(grid, block);
}

/// Computes out = out + sum + base, or out = sum + base. The result at positions that are not finite is NaN. `base`
/// contains the base vector, repeated.
template <GridStore kStore>
HWY_INLINE void store_sums(const GridBlock& block, const double* HWY_RESTRICT base, double* HWY_RESTRICT out) {
  const GridReals reals;
  const double* HWY_RESTRICT const at = block.at;
  const std::size_t lanes = hn::Lanes(reals), end = 3 * block.used;
  std::size_t k = 0, axis = 0;
  for (; k + lanes <= end; k += lanes) {
    const auto place = hn::LoadU(reals, at + k), none = hn::Sub(place, place);
    auto sum = hn::Add(hn::PromoteTo(reals, hn::Load(GridHalves(), &block.sum[k])), none);
    if constexpr (kStore == GridStore::add) sum = hn::Add(hn::LoadU(reals, out + k), sum);
    sum = hn::Add(sum, hn::LoadU(reals, base + axis));
    if constexpr (kStore == GridStore::stream)
      hn::Stream(sum, reals, out + k);
    else
      hn::StoreU(sum, reals, out + k);
    axis += lanes % 3;
    if (axis >= 3) axis -= 3;
  }
  for (; k < end; ++k) {
    const double sum = static_cast<double>(block.sum[k]) + (at[k] - at[k]);
    out[k] = (kStore == GridStore::add ? out[k] + sum : sum) + base[k % 3];
  }
}

void store_block(const GridBlock& block, GridStore store, const double* base, double* out) {
  switch (store) {
    case GridStore::add: return store_sums<GridStore::add>(block, base, out);
    case GridStore::set: return store_sums<GridStore::set>(block, base, out);
    case GridStore::stream: return store_sums<GridStore::stream>(block, base, out);
  }
}

void blend(std::span<const float* const> from, std::span<const float> weight, std::span<float> to) {
  const GridFloats floats;
  std::size_t i = 0;
  for (; i + hn::Lanes(floats) <= to.size(); i += hn::Lanes(floats)) {
    auto sum = hn::Mul(hn::LoadU(floats, from[0] + i), constant(weight[0]));
    for (std::size_t k = 1; k < from.size(); ++k)
      sum = hn::Add(sum, hn::Mul(hn::LoadU(floats, from[k] + i), constant(weight[k])));
    hn::StoreU(sum, floats, &to[i]);
  }
  for (; i < to.size(); ++i) {
    float sum = from[0][i] * weight[0];
    for (std::size_t k = 1; k < from.size(); ++k) sum += from[k][i] * weight[k];
    to[i] = sum;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw {
namespace {

HWY_EXPORT(add_values);
HWY_EXPORT(find_slopes);
HWY_EXPORT(store_block);
HWY_EXPORT(blend);

void set_map(const PlacedGrid& grid, GridMap& map) {
  map.data = grid.nodes->data();
  map.planes = grid.planes;
  map.map = grid.rotation.transpose() / grid.period_m;
  const Vec3 shift = -map.map * grid.origin;
  for (std::size_t k = 0; k < map.shifts.size(); ++k) map.shifts[k] = shift[static_cast<int>(k % 3)];
  const std::size_t strides[3] = {4, std::size_t{4} * static_cast<std::size_t>(grid.nodes->side()),
                                  grid.nodes->plane_floats()};
  for (std::size_t k = 0; k < map.strides.size(); ++k) map.strides[k] = static_cast<std::uint32_t>(strides[k % 3]);
  map.turned = grid.rotation != Mat3::Identity();
  map.turns_values = map.turned && grid.turns_values;
  const Mat3 turn = grid.value_turn();
  for (int column = 0; column < 3; ++column)
    for (int row = 0; row < 4; ++row) map.turn[column][row] = row < 3 ? static_cast<float>(turn(row, column)) : 0;
  map.n = static_cast<std::size_t>(grid.nodes->n());
}

class GridMaps {
 public:
  explicit GridMaps(std::span<const PlacedGrid> grids) : count_(grids.size()) {
    assert(grids.size() <= most_grids);
    for (std::size_t g = 0; g < count_; ++g) set_map(grids[g], maps_[g]);
  }
  [[nodiscard]] std::span<const GridMap> all() const { return std::span(maps_).first(count_); }

 private:
  std::array<GridMap, most_grids> maps_;
  std::size_t count_;
};

/// Prefetches the positions two blocks ahead, because the computation of one block takes about as long as the load of
/// one block.
void fetch_ahead(std::span<const Vec3> position) {
  constexpr std::size_t line = 64 / sizeof(double);
  if (position.size() < 3 * GridBlock::size) return;
  const double* const from = position[2 * GridBlock::size].data();
  for (std::size_t k = 0; k < GridBlock::numbers; k += line) hwy::Prefetch(from + k);
}

/// Loads the next positions, at most `most`. SIMD code reads complete blocks, so an incomplete block is padded with
/// zeros.
void load_block(std::span<const Vec3> position, std::size_t most, GridBlock& block) {
  block.used = std::min(most, position.size());
  block.at = position.front().data();
  if (block.used == GridBlock::size) return;
  std::fill(std::copy_n(block.at, 3 * block.used, block.rest.begin()), block.rest.end(), 0.0);
  block.at = block.rest.data();
}

}  // namespace

void add_grids(std::span<const PlacedGrid> grids, GridSpline spline, std::span<const Vec3> position,
               std::span<Vec3> out, GridStore store, const Vec3& base) {
  GridBlock block;
  const GridMaps maps(grids);
  std::array<double, 3 + 7> bases;
  for (std::size_t k = 0; k < bases.size(); ++k) bases[k] = base[static_cast<int>(k % 3)];
  if (grids.empty()) block.sum.fill(0);
  // Streaming stores need complete cache lines. The first block is therefore shortened so that each further block
  // begins at a cache line of `out`.
  const std::size_t lead =
      store == GridStore::stream ? 3 * (0 - reinterpret_cast<std::uintptr_t>(out.data()) / sizeof(double)) % 8 : 0;
  for (std::size_t first = 0; first < position.size(); first += block.used) {
    load_block(position.subspan(first), first < lead ? lead : GridBlock::size, block);
    fetch_ahead(position.subspan(first));
    // Prefetches the address translation of the output page, because a streaming store waits only for this translation.
    if (store == GridStore::stream) hwy::Prefetch(out[std::min(first + 4 * GridBlock::size, out.size() - 1)].data());
    for (const GridMap& map : maps.all())
      HWY_DYNAMIC_DISPATCH(add_values)(map, spline, &map == maps.all().data(), block);
    const bool lines = store != GridStore::stream || block.used == GridBlock::size;
    HWY_DYNAMIC_DISPATCH(store_block)(block, lines ? store : GridStore::set, bases.data(), out[first].data());
  }
  if (store == GridStore::stream) hwy::FlushStream();
}

void add_grid_gradients(std::span<const PlacedGrid> grids, GridSpline spline, std::span<const Vec3> position,
                        std::span<Mat3> out) {
  GridBlock block;
  const GridMaps maps(grids);
  for (std::size_t first = 0; first < position.size(); first += GridBlock::size) {
    load_block(position.subspan(first), GridBlock::size, block);
    for (std::size_t g = 0; g < grids.size(); ++g) {
      const GridMap& map = maps.all()[g];
      const Mat3 spacings = static_cast<double>(map.n) * map.map;  // Derivative of the grid coordinates [spacings/m].
      const Mat3 turn = grids[g].value_turn();
      HWY_DYNAMIC_DISPATCH(find_slopes)(map, spline, block);
      for (std::size_t i = 0; i < block.used; ++i) {
        Mat3 slope;
        for (int axis = 0; axis < 3; ++axis)
          for (int k = 0; k < 3; ++k)
            slope(k, axis) = static_cast<double>(
                block.found[static_cast<std::size_t>(axis) + 1][3 * i + static_cast<std::size_t>(k)]);
        out[first + i] += turn * slope * spacings;
      }
    }
  }
}

void blend_nodes(std::span<const float* const> from, std::span<const float> weight, std::span<float> to) {
  HWY_DYNAMIC_DISPATCH(blend)(from, weight, to);
}

}  // namespace vw
#endif
