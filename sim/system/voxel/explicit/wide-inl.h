// Vector type VD of doubles with as many lanes as a vector of floats. It consists of two Highway vectors of doubles.
// The operations on VD have the names of Highway's operations, so that one source handles state in double and
// arithmetic in float. In scalar code both types have one lane, and VD is a Highway vector. The file is included inside
// HWY_NAMESPACE once per target. It has no include guard, because foreach_target.h reads it again for every instruction
// set.

template <class V>
struct TagOfVector {
  using Tag = hn::DFromV<V>;
};

#if HWY_TARGET == HWY_SCALAR

using W = hn::ScalableTag<double>;
using VD = hn::Vec<W>;
using MD = hn::Mask<W>;
template <class Tag>
using VectorOf = hn::Vec<Tag>;
template <class Tag>
using MaskOf = hn::Mask<Tag>;
template <class V>
using TagOf = typename TagOfVector<V>::Tag;

HWY_INLINE hn::Vec<hn::ScalableTag<float>> to_float(VD v) { return hn::DemoteTo(hn::ScalableTag<float>(), v); }
HWY_INLINE VD to_double(hn::Vec<hn::ScalableTag<float>> v) { return hn::PromoteTo(W(), v); }
HWY_INLINE VD gather(const double* column, const std::int64_t* index) { return hn::Set(W(), column[index[0]]); }
HWY_INLINE VD gather_rows(W d, const double* column, const std::int32_t* rows) { return hn::Set(d, column[rows[0]]); }
HWY_INLINE VD shifted(VD v, VD& carry) {
  const VD before = carry;
  carry = v;
  return before;
}
HWY_INLINE double first_lane(VD v) { return hn::GetLane(v); }
HWY_INLINE double largest(VD v) { return hn::GetLane(v); }
template <class Tag>
HWY_INLINE MaskOf<Tag> mask_of(Tag d, std::uint32_t lanes) {
  return hn::FirstN(d, lanes & 1);
}
template <class Tag>
HWY_INLINE std::uint32_t bits_of(Tag d, MaskOf<Tag> mask) {
  return hn::AllTrue(d, mask) ? 1 : 0;
}
HWY_INLINE hn::Vec<hn::ScalableTag<float>> gather_rows(hn::ScalableTag<float> d, const float* column,
                                                       const std::int32_t* rows) {
  return hn::Set(d, column[rows[0]]);
}

#else

using Half = hn::ScalableTag<double>;  // tag of one of the two vectors
struct W {};
struct VD {
  hn::Vec<Half> lo, hi;
};
struct MD {
  hn::Mask<Half> lo, hi;
};
template <>
struct TagOfVector<VD> {
  using Tag = W;
};
template <class V>
using TagOf = typename TagOfVector<V>::Tag;
template <class Tag>
struct TypesOf {
  using Vector = hn::Vec<Tag>;
  using Mask = hn::Mask<Tag>;
};
template <>
struct TypesOf<W> {
  using Vector = VD;
  using Mask = MD;
};
template <class Tag>
using VectorOf = typename TypesOf<Tag>::Vector;
template <class Tag>
using MaskOf = typename TypesOf<Tag>::Mask;

HWY_INLINE std::size_t Lanes(W /*d*/) { return 2 * hn::Lanes(Half()); }
HWY_INLINE VD Set(W /*d*/, double x) { return {hn::Set(Half(), x), hn::Set(Half(), x)}; }
HWY_INLINE VD Zero(W /*d*/) { return {hn::Zero(Half()), hn::Zero(Half())}; }
HWY_INLINE VD LoadU(W /*d*/, const double* p) {
  return {hn::LoadU(Half(), p), hn::LoadU(Half(), p + hn::Lanes(Half()))};
}
HWY_INLINE VD Load(W /*d*/, const double* p) { return {hn::Load(Half(), p), hn::Load(Half(), p + hn::Lanes(Half()))}; }
HWY_INLINE void StoreU(VD v, W /*d*/, double* p) {
  hn::StoreU(v.lo, Half(), p);
  hn::StoreU(v.hi, Half(), p + hn::Lanes(Half()));
}
HWY_INLINE void Store(VD v, W /*d*/, double* p) {
  hn::Store(v.lo, Half(), p);
  hn::Store(v.hi, Half(), p + hn::Lanes(Half()));
}
HWY_INLINE VD Add(VD a, VD b) { return {hn::Add(a.lo, b.lo), hn::Add(a.hi, b.hi)}; }
HWY_INLINE VD Sub(VD a, VD b) { return {hn::Sub(a.lo, b.lo), hn::Sub(a.hi, b.hi)}; }
HWY_INLINE VD Mul(VD a, VD b) { return {hn::Mul(a.lo, b.lo), hn::Mul(a.hi, b.hi)}; }
HWY_INLINE VD Div(VD a, VD b) { return {hn::Div(a.lo, b.lo), hn::Div(a.hi, b.hi)}; }
HWY_INLINE VD Max(VD a, VD b) { return {hn::Max(a.lo, b.lo), hn::Max(a.hi, b.hi)}; }
HWY_INLINE VD Min(VD a, VD b) { return {hn::Min(a.lo, b.lo), hn::Min(a.hi, b.hi)}; }
HWY_INLINE VD Neg(VD a) { return {hn::Neg(a.lo), hn::Neg(a.hi)}; }
HWY_INLINE VD Sqrt(VD a) { return {hn::Sqrt(a.lo), hn::Sqrt(a.hi)}; }
HWY_INLINE VD mul_add(VD a, VD b, VD c) { return {mul_add(a.lo, b.lo, c.lo), mul_add(a.hi, b.hi, c.hi)}; }
HWY_INLINE VD mul_sub(VD a, VD b, VD c) { return {mul_sub(a.lo, b.lo, c.lo), mul_sub(a.hi, b.hi, c.hi)}; }
HWY_INLINE VD neg_mul_sub(VD a, VD b, VD c) { return {neg_mul_sub(a.lo, b.lo, c.lo), neg_mul_sub(a.hi, b.hi, c.hi)}; }
HWY_INLINE VD neg_mul_add(VD a, VD b, VD c) { return {neg_mul_add(a.lo, b.lo, c.lo), neg_mul_add(a.hi, b.hi, c.hi)}; }
HWY_INLINE MD Lt(VD a, VD b) { return {hn::Lt(a.lo, b.lo), hn::Lt(a.hi, b.hi)}; }
HWY_INLINE MD Gt(VD a, VD b) { return {hn::Gt(a.lo, b.lo), hn::Gt(a.hi, b.hi)}; }
HWY_INLINE MD Le(VD a, VD b) { return {hn::Le(a.lo, b.lo), hn::Le(a.hi, b.hi)}; }
HWY_INLINE MD And(MD a, MD b) { return {hn::And(a.lo, b.lo), hn::And(a.hi, b.hi)}; }
HWY_INLINE MD Or(MD a, MD b) { return {hn::Or(a.lo, b.lo), hn::Or(a.hi, b.hi)}; }
HWY_INLINE MD Not(MD a) { return {hn::Not(a.lo), hn::Not(a.hi)}; }
HWY_INLINE bool AllTrue(W /*d*/, MD m) { return hn::AllTrue(Half(), m.lo) && hn::AllTrue(Half(), m.hi); }
HWY_INLINE bool AllFalse(W /*d*/, MD m) { return hn::AllFalse(Half(), m.lo) && hn::AllFalse(Half(), m.hi); }
HWY_INLINE VD IfThenElse(MD m, VD a, VD b) {
  return {hn::IfThenElse(m.lo, a.lo, b.lo), hn::IfThenElse(m.hi, a.hi, b.hi)};
}
HWY_INLINE VD IfThenElseZero(MD m, VD a) { return {hn::IfThenElseZero(m.lo, a.lo), hn::IfThenElseZero(m.hi, a.hi)}; }
HWY_INLINE MD FirstN(W /*d*/, std::size_t n) {
  const std::size_t half = hn::Lanes(Half());
  return {hn::FirstN(Half(), HWY_MIN(n, half)), hn::FirstN(Half(), n > half ? n - half : 0)};
}

HWY_INLINE hn::Vec<hn::ScalableTag<float>> to_float(VD v) {
  const hn::Half<hn::ScalableTag<float>> h;
  return hn::Combine(hn::ScalableTag<float>(), hn::DemoteTo(h, v.hi), hn::DemoteTo(h, v.lo));
}
HWY_INLINE VD to_double(hn::Vec<hn::ScalableTag<float>> v) {
  const hn::Half<hn::ScalableTag<float>> h;
  return {hn::PromoteTo(Half(), hn::LowerHalf(h, v)), hn::PromoteTo(Half(), hn::UpperHalf(h, v))};
}
HWY_INLINE VD gather(const double* column, const std::int64_t* index) {
  const hn::RebindToSigned<Half> di;
  return {hn::GatherIndex(Half(), column, hn::LoadU(di, index)),
          hn::GatherIndex(Half(), column, hn::LoadU(di, index + hn::Lanes(Half())))};
}
HWY_INLINE VD gather_rows(W /*d*/, const double* column, const std::int32_t* rows) {
  std::int64_t index[16];
  for (std::size_t lane = 0; lane < Lanes(W()); ++lane) index[lane] = rows[lane];
  return gather(column, index);
}
HWY_INLINE hn::Vec<hn::ScalableTag<float>> gather_rows(hn::ScalableTag<float> d, const float* column,
                                                       const std::int32_t* rows) {
  return hn::GatherIndex(d, column, hn::LoadU(hn::RebindToSigned<hn::ScalableTag<float>>(), rows));
}
/// Moves the value of each lane to the next lane, and the value of the last lane to the first lane.
HWY_INLINE hn::Vec<Half> rotated(hn::Vec<Half> v) {
  HWY_ALIGN std::int64_t index[8];
  const std::size_t width = hn::Lanes(Half());
  for (std::size_t lane = 0; lane < width; ++lane) index[lane] = static_cast<std::int64_t>((lane + width - 1) % width);
  return hn::TableLookupLanes(v, hn::SetTableIndices(Half(), index));
}
/// Moves the value of each lane to the next lane. The first lane receives the last lane of the previous block, which
/// `carry` holds. `carry` receives the last lane of v for the next call.
HWY_INLINE VD shifted(VD v, VD& carry) {
  const auto first = hn::FirstN(Half(), 1);
  const hn::Vec<Half> lo = rotated(v.lo), hi = rotated(v.hi);
  const VD out{hn::IfThenElse(first, carry.lo, lo), hn::IfThenElse(first, lo, hi)};
  carry.lo = hi;
  return out;
}
HWY_INLINE double first_lane(VD v) { return hn::GetLane(v.lo); }
HWY_INLINE double largest(VD v) { return hn::GetLane(hn::MaxOfLanes(Half(), hn::Max(v.lo, v.hi))); }

template <class Tag>
HWY_INLINE MaskOf<Tag> mask_of(Tag d, std::uint32_t lanes) {
  if constexpr (std::is_same_v<Tag, W>) {
    return {mask_of(Half(), lanes), mask_of(Half(), lanes >> hn::Lanes(Half()))};
  } else {
    const std::uint64_t bits = lanes;
    return hn::LoadMaskBits(d, reinterpret_cast<const std::uint8_t*>(&bits));
  }
}
template <class Tag>
HWY_INLINE std::uint32_t bits_of(Tag d, MaskOf<Tag> mask) {
  if constexpr (std::is_same_v<Tag, W>) {
    return bits_of(Half(), mask.lo) | bits_of(Half(), mask.hi) << hn::Lanes(Half());
  } else {
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(d, mask, bits);
    return static_cast<std::uint32_t>(bits[0]) | static_cast<std::uint32_t>(bits[1]) << 8;
  }
}

#endif
