// Vectors of four lanes under Highway's names, implemented with the vector extensions of the compiler. They are for
// processors that have only SSE2, for which Highway has no vector target here and would process one number at a time.
// Each operation gives the same bits as Highway's wider targets. For these processors, perlin-inl.h includes this file,
// which defines the namespace hn in place of Highway's.

namespace four_lanes {

template <class T>
struct ScalableTag {
  using Lane = T;
  typedef T Lanes __attribute__((vector_size(16)));
};
template <class D>
using Vec = typename D::Lanes;
using Reals = Vec<ScalableTag<float>>;
using Words = Vec<ScalableTag<std::uint32_t>>;
using Wholes = Vec<ScalableTag<std::int32_t>>;
/// Mask of four lanes. Either all bits of a lane are set or none.
template <class D>
using Mask = Wholes;

template <class D>
constexpr std::size_t Lanes(D /*tag*/) {
  return 4;
}
template <class D>
HWY_INLINE Vec<D> Set(D /*tag*/, typename D::Lane value) {
  return Vec<D>{value, value, value, value};
}
template <class D>
HWY_INLINE Vec<D> LoadU(D /*tag*/, const typename D::Lane* from) {
  Vec<D> v;
  std::memcpy(&v, from, sizeof v);
  return v;
}
template <class D>
HWY_INLINE void StoreU(Vec<D> v, D /*tag*/, typename D::Lane* to) {
  std::memcpy(to, &v, sizeof v);
}
template <class D, class V>
HWY_INLINE Vec<D> BitCast(D /*tag*/, V v) {
  return reinterpret_cast<Vec<D>>(v);
}
template <class D>
HWY_INLINE Wholes RebindMask(D /*tag*/, Wholes mask) {
  return mask;
}

// Integer operations wrap around on overflow.
HWY_INLINE Reals Add(Reals a, Reals b) { return a + b; }
HWY_INLINE Wholes Add(Wholes a, Wholes b) {
  return reinterpret_cast<Wholes>(reinterpret_cast<Words>(a) + reinterpret_cast<Words>(b));
}
HWY_INLINE Words Add(Words a, Words b) { return a + b; }
HWY_INLINE Reals Sub(Reals a, Reals b) { return a - b; }
HWY_INLINE Reals Mul(Reals a, Reals b) { return a * b; }
/// Returns the products of the even lanes. The even lanes of the result contain the low halves of the products.
HWY_INLINE Words even_product(Words a, Words b) {
  return reinterpret_cast<Words>(_mm_mul_epu32(reinterpret_cast<__m128i>(a), reinterpret_cast<__m128i>(b)));
}
/// Returns lanes 0 and 2 of `a`, followed by lanes 0 and 2 of `b`.
HWY_INLINE Words even_lanes(Words a, Words b) {
  return reinterpret_cast<Words>(
      _mm_shuffle_ps(reinterpret_cast<__m128>(a), reinterpret_cast<__m128>(b), _MM_SHUFFLE(2, 0, 2, 0)));
}
/// Moves lanes 0 and 1 to the even lanes of the result. second_half() moves lanes 2 and 3.
HWY_INLINE Words first_half(Words v) {
  return reinterpret_cast<Words>(_mm_unpacklo_epi32(reinterpret_cast<__m128i>(v), reinterpret_cast<__m128i>(v)));
}
HWY_INLINE Words second_half(Words v) {
  return reinterpret_cast<Words>(_mm_unpackhi_epi32(reinterpret_cast<__m128i>(v), reinterpret_cast<__m128i>(v)));
}
HWY_INLINE Words Mul(Words a, Words b) {
  return even_lanes(even_product(first_half(a), first_half(b)), even_product(second_half(a), second_half(b)));
}

template <class V>
HWY_INLINE V And(V a, V b) {
  return reinterpret_cast<V>(reinterpret_cast<Words>(a) & reinterpret_cast<Words>(b));
}
template <class V>
HWY_INLINE V Or(V a, V b) {
  return reinterpret_cast<V>(reinterpret_cast<Words>(a) | reinterpret_cast<Words>(b));
}
template <class V>
HWY_INLINE V Xor(V a, V b) {
  return reinterpret_cast<V>(reinterpret_cast<Words>(a) ^ reinterpret_cast<Words>(b));
}
template <int bits, class V>
HWY_INLINE V ShiftLeft(V v) {
  return reinterpret_cast<V>(reinterpret_cast<Words>(v) << bits);
}
template <int bits>
HWY_INLINE Words ShiftRight(Words v) {
  return v >> bits;
}

template <class V>
HWY_INLINE Wholes Lt(V a, V b) {
  return a < b;
}
template <class V>
HWY_INLINE Wholes Gt(V a, V b) {
  return a > b;
}
template <class V>
HWY_INLINE Wholes Ge(V a, V b) {
  return a >= b;
}
template <class V>
HWY_INLINE V IfThenElseZero(Wholes mask, V v) {
  return And(v, reinterpret_cast<V>(mask));
}
template <class V>
HWY_INLINE V IfThenZeroElse(Wholes mask, V v) {
  return And(v, reinterpret_cast<V>(~mask));
}
template <class V>
HWY_INLINE V IfThenElse(Wholes mask, V yes, V no) {
  return Xor(no, IfThenElseZero(mask, Xor(yes, no)));  // yes ^ no is often known at compile time.
}

/// If an argument is NaN, Min() and Max() return the second argument.
HWY_INLINE Reals Min(Reals a, Reals b) { return IfThenElse(a < b, a, b); }
HWY_INLINE Reals Max(Reals a, Reals b) { return IfThenElse(a > b, a, b); }

HWY_INLINE Reals sign_of(Reals v) { return And(v, Reals{-0.0F, -0.0F, -0.0F, -0.0F}); }
HWY_INLINE Reals Abs(Reals v) { return Xor(v, sign_of(v)); }
HWY_INLINE Reals CopySign(Reals size, Reals sign) { return Or(Abs(size), sign_of(sign)); }

HWY_INLINE Wholes ConvertTo(ScalableTag<std::int32_t> /*tag*/, Reals v) { return __builtin_convertvector(v, Wholes); }
/// Rounds down. Values from 2^23 on are integers and do not change. Infinities, NaN and the sign of -0 do not change
/// either.
HWY_INLINE Reals Floor(Reals v) {
  const Reals toward_zero = __builtin_convertvector(__builtin_convertvector(v, Wholes), Reals), one{1, 1, 1, 1},
              large{0x1p23F, 0x1p23F, 0x1p23F, 0x1p23F};
  const Reals down = toward_zero - IfThenElseZero(toward_zero > v, one);
  return IfThenElse(Abs(v) < large, Or(down, sign_of(v)), v);
}

HWY_INLINE Reals GatherIndex(ScalableTag<float> /*tag*/, const float* from, Wholes at) {
  return Reals{from[at[0]], from[at[1]], from[at[2]], from[at[3]]};
}

}  // namespace four_lanes
namespace hn = four_lanes;
