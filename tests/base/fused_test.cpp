// Vectorised fused multiply-adds have the same bits as those of the C library, with every instruction set. The same
// holds for the software version, which is used where the processor has no such instruction.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <sstream>
#include <string>
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
bool is_same(T expected, T found) {
  return std::isnan(expected) ? std::isnan(found) : std::bit_cast<Bits>(expected) == std::bit_cast<Bits>(found);
}

template <class T>
std::string fault_text(T a, T b, T c, T found, T expected) {
  std::ostringstream text;
  text.precision(std::numeric_limits<T>::max_digits10);
  text << "a = " << a << ", b = " << b << ", c = " << c << ": " << found << " and not " << expected;
  return text.str();
}

/// Describes the first result of each instruction set that differs from that of the library. The text is empty if there
/// is no such result.
template <class T, class Bits>
std::string first_faults() {
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
  if (results.empty()) return "no instruction set was tested";
  std::string faults;
  for (const FusedResults<T>& result : results)
    for (std::size_t i = 0; i < 4 * n; ++i) {
      if (is_same<T, Bits>(expected[i], result.values[i])) continue;
      faults += result.instruction_set + ", form " + std::to_string(i / n) + ", " +
                fault_text(in.a[i % n], in.b[i % n], in.c[i % n], result.values[i], expected[i]) + "\n";
      break;
    }
  return faults;
}

TEST(FusedLanes, FloatsAreThoseOfTheLibrary) { EXPECT_EQ((first_faults<float, std::uint32_t>()), ""); }
TEST(FusedLanes, DoublesAreThoseOfTheLibrary) { EXPECT_EQ((first_faults<double, std::uint64_t>()), ""); }

/// Describes the first result of the software version that differs from that of the library. The text is empty if there
/// is no such result.
template <class T, class Bits>
std::string first_fault_of_software() {
  const Arguments<T, Bits> in;
  for (std::size_t i = 0; i < in.a.size(); ++i) {
    const T x = in.a[i], y = in.b[i], z = in.c[i], expected = std::fma(x, y, z), found = fused_in_software(x, y, z);
    if (!is_same<T, Bits>(expected, found)) return fault_text(x, y, z, found, expected);
  }
  return {};
}

TEST(FusedSoftware, FloatsAreThoseOfTheLibrary) { EXPECT_EQ((first_fault_of_software<float, std::uint32_t>()), ""); }
TEST(FusedSoftware, DoublesAreThoseOfTheLibrary) { EXPECT_EQ((first_fault_of_software<double, std::uint64_t>()), ""); }

}  // namespace
}  // namespace vw
