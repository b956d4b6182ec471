// Fused multiply-adds of vectors have the same bits as those of the C library, with every instruction set, and so have
// those without an instruction.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "sim/base/elementary/fused_software.h"
#include "tests/base/fused_lanes.h"

namespace vw {
namespace {

/// Arguments of three kinds. Random bit patterns often overflow, underflow or are NaN. In the second kind, the sum
/// nearly cancels. In the third kind, the sum differs by a small term from the midpoint between two floating-point
/// numbers.
template <class T, class Bits>
struct Arguments {
  std::vector<T> a, b, c;
  Arguments() {
    std::mt19937_64 random(7);
    const auto any = [&] { return std::bit_cast<T>(static_cast<Bits>(random())); };
    const auto near = [&] { return static_cast<T>(random() >> 11U) * static_cast<T>(0x1p-53) + static_cast<T>(0.5); };
    for (int i = 0; i < 100000; ++i) add(any(), any(), any());
    for (int i = 0; i < 100000; ++i) {
      const T x = near(), y = near();
      add(x, y, -x * y);
      add(x, y, near() * std::numeric_limits<T>::epsilon());
      add(x, y, near());
    }
    const T step = std::numeric_limits<T>::epsilon(), small = std::numeric_limits<T>::denorm_min();
    for (const T x : {T(1), 1 + step, 1 - step / 2, T(3)})
      for (const T y : {step / 2, step / 4, -step / 2, step, small, -small, T(0)})
        for (const T z : {T(1), 1 + step, -1 - step, small, T(0), -T(0), std::numeric_limits<T>::infinity()})
          add(x, y, z);
    while (a.size() % 16 != 0) add(0, 0, 0);
  }
  void add(T x, T y, T z) { a.push_back(x), b.push_back(y), c.push_back(z); }
};

template <class T, class Bits>
void check_all() {
  const Arguments<T, Bits> in;
  const std::size_t n = in.a.size();
  std::vector<T> expected(4 * n);
  for (std::size_t i = 0; i < n; ++i) {
    expected[i] = std::fma(in.a[i], in.b[i], in.c[i]);
    expected[n + i] = std::fma(in.a[i], in.b[i], -in.c[i]);
    expected[2 * n + i] = std::fma(-in.a[i], in.b[i], in.c[i]);
    expected[3 * n + i] = std::fma(-in.a[i], in.b[i], -in.c[i]);
  }
  const auto results = fused_everywhere<T>(in.a, in.b, in.c);
  ASSERT_FALSE(results.empty());
  for (const FusedResults<T>& result : results) {
    std::size_t wrong = 0, first = 0;
    for (std::size_t i = 0; i < 4 * n; ++i) {
      const bool same = std::isnan(expected[i])
                            ? std::isnan(result.values[i])
                            : std::bit_cast<Bits>(expected[i]) == std::bit_cast<Bits>(result.values[i]);
      if (!same && wrong++ == 0) first = i;
    }
    EXPECT_EQ(wrong, 0U) << result.instruction_set << ", first a = " << in.a[first % n] << ", b = " << in.b[first % n]
                         << ", c = " << in.c[first % n] << ": " << result.values[first] << " and not "
                         << expected[first];
  }
}

TEST(FusedLanes, FloatsAreThoseOfTheLibrary) { check_all<float, std::uint32_t>(); }
TEST(FusedLanes, DoublesAreThoseOfTheLibrary) { check_all<double, std::uint64_t>(); }

template <class T, class Bits>
void check_software() {
  const Arguments<T, Bits> in;
  for (std::size_t i = 0; i < in.a.size(); ++i) {
    const T x = in.a[i], y = in.b[i], z = in.c[i], expected = std::fma(x, y, z), found = fused_in_software(x, y, z);
    if (std::isnan(expected))
      ASSERT_TRUE(std::isnan(found)) << x << " * " << y << " + " << z;
    else
      ASSERT_EQ(std::bit_cast<Bits>(found), std::bit_cast<Bits>(expected)) << x << " * " << y << " + " << z;
  }
}

TEST(FusedSoftware, FloatsAreThoseOfTheLibrary) { check_software<float, std::uint32_t>(); }
TEST(FusedSoftware, DoublesAreThoseOfTheLibrary) { check_software<double, std::uint64_t>(); }

}  // namespace
}  // namespace vw
