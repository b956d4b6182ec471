// Numbers on which the algorithms of core-inl.h operate: `double`, and Lanes<D> for the lanes of a vector. Both have
// the operators + - * /, each rounded once as IEEE 754 requires. There is no fused multiply-add, because its result
// differs from that of a product and a sum. This file is included once for each instruction set (Highway).
#if defined(VOXWAKE_ELEMENTARY_NUMBERS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VOXWAKE_ELEMENTARY_NUMBERS_INL_H_
#undef VOXWAKE_ELEMENTARY_NUMBERS_INL_H_
#else
#define VOXWAKE_ELEMENTARY_NUMBERS_INL_H_
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace vw::elementary {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

HWY_INLINE std::uint64_t bits_of(double x) { return std::bit_cast<std::uint64_t>(x); }
HWY_INLINE double real_of(std::uint64_t bits) { return std::bit_cast<double>(bits); }
HWY_INLINE double entry(const double* table, std::uint64_t index) { return table[index]; }

/// Bit patterns of the lanes of a vector of doubles with the tag D. The operators are free functions, because gcc does
/// not compile friends defined within a class with the options of the instruction set.
template <class D>
struct LaneBits {
  using Tag = hn::RebindToUnsigned<D>;
  hn::Vec<Tag> v;
  HWY_INLINE explicit LaneBits(hn::Vec<Tag> lanes) : v(lanes) {}
  HWY_INLINE explicit LaneBits(std::uint64_t value) : v(hn::Set(Tag(), value)) {}
};
template <class D>
HWY_INLINE LaneBits<D> operator+(LaneBits<D> a, LaneBits<D> b) {
  return LaneBits<D>(hn::Add(a.v, b.v));
}
template <class D>
HWY_INLINE LaneBits<D> operator+(LaneBits<D> a, std::uint64_t b) {
  return a + LaneBits<D>(b);
}
template <class D>
HWY_INLINE LaneBits<D> operator-(LaneBits<D> a, LaneBits<D> b) {
  return LaneBits<D>(hn::Sub(a.v, b.v));
}
template <class D>
HWY_INLINE LaneBits<D> operator-(LaneBits<D> a, std::uint64_t b) {
  return a - LaneBits<D>(b);
}
template <class D>
HWY_INLINE LaneBits<D> operator&(LaneBits<D> a, std::uint64_t b) {
  return LaneBits<D>(hn::And(a.v, LaneBits<D>(b).v));
}
template <class D>
HWY_INLINE LaneBits<D> operator<<(LaneBits<D> a, int count) {
  return LaneBits<D>(hn::ShiftLeftSame(a.v, count));
}
template <class D>
HWY_INLINE LaneBits<D> operator>>(LaneBits<D> a, int count) {
  return LaneBits<D>(hn::ShiftRightSame(a.v, count));
}

/// Lanes of a vector of doubles with the tag D.
template <class D>
struct Lanes {
  hn::Vec<D> v;
  HWY_INLINE explicit Lanes(hn::Vec<D> lanes) : v(lanes) {}
  HWY_INLINE explicit Lanes(double value) : v(hn::Set(D(), value)) {}
};
template <class D>
HWY_INLINE Lanes<D> operator+(Lanes<D> a, Lanes<D> b) {
  return Lanes<D>(hn::Add(a.v, b.v));
}
template <class D>
HWY_INLINE Lanes<D> operator-(Lanes<D> a, Lanes<D> b) {
  return Lanes<D>(hn::Sub(a.v, b.v));
}
template <class D>
HWY_INLINE Lanes<D> operator*(Lanes<D> a, Lanes<D> b) {
  return Lanes<D>(hn::Mul(a.v, b.v));
}
template <class D>
HWY_INLINE Lanes<D> operator/(Lanes<D> a, Lanes<D> b) {
  return Lanes<D>(hn::Div(a.v, b.v));
}
template <class D>
HWY_INLINE LaneBits<D> bits_of(Lanes<D> x) {
  return LaneBits<D>(hn::BitCast(typename LaneBits<D>::Tag(), x.v));
}
template <class D>
HWY_INLINE Lanes<D> real_of(LaneBits<D> bits) {
  return Lanes<D>(hn::BitCast(D(), bits.v));
}
template <class D>
HWY_INLINE Lanes<D> entry(const double* table, LaneBits<D> index) {
  return Lanes<D>(hn::GatherIndex(D(), table, hn::BitCast(hn::RebindToSigned<D>(), index.v)));
}
}  // namespace HWY_NAMESPACE
}  // namespace vw::elementary
HWY_AFTER_NAMESPACE();

#endif  // VOXWAKE_ELEMENTARY_NUMBERS_INL_H_
