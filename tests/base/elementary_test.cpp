// Elementary functions of the simulation: errors against MPFR, special values, equality of lanes and scalars, and
// results that every machine must reproduce.
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include "sim/base/elementary/elementary.h"
#include "tests/base/elementary_accuracy.h"
#include "tests/base/elementary_lanes.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

namespace e = elementary;
constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
constexpr double least = std::numeric_limits<double>::denorm_min(), largest = std::numeric_limits<double>::max();

/// Returns whether two numbers have the same bits, or are both NaN.
bool same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

TEST(Elementary, ErrorsAreBelowOneUlp) {
  for (const ElementaryFunction& function : elementary_functions()) {
    // MPFR needs 70 microseconds for a value of erfc and 1 to 5 for the others, so erfc is tested at fewer arguments.
    const LargestError error = largest_error(function, function.name == "erfc" ? 2000 : 20000);
    EXPECT_LE(error.ulp, function.allowed) << function.name << "(" << error.x << ", " << error.y << ")";
    RecordProperty(function.name, std::to_string(error.ulp));
  }
}

TEST(ElementaryValidation, ErrorsOfAMillionArgumentsAreBelowOneUlp) {
  for (const ElementaryFunction& function : elementary_functions()) {
    const LargestError error = largest_error(function, function.name == "erfc" ? 100000 : 2000000);
    EXPECT_LE(error.ulp, function.allowed) << function.name << "(" << error.x << ", " << error.y << ")";
    test::record_case("base", "elementary functions: largest error of " + function.name, error.ulp, 0, function.allowed,
                      "ulp");
  }
}

/// Doubles near multiples of pi / 2 are hardest to reduce. The nearest of all is 6381956970095103 2^797, at a distance
/// of 2^-60.9 (Muller, "Elementary Functions", section 11.1).
TEST(Elementary, AnglesNearestToMultiplesOfHalfPiAreReducedExactly) {
  Comparison comparison;
  for (std::size_t index = 0; index < 3; ++index) {  // sin, cos, tan
    const ElementaryFunction& function = elementary_functions()[index];
    for (const double x : {std::ldexp(6381956970095103.0, 797), 1e300, 1e22, largest, 2.0 * 3.141592653589793, 11.0,
                           710.0, 355.0, 103993.0, 49999.99999999999, 50000.0, 50000.00000000001})
      EXPECT_LE(comparison.error(function, x, 0), 0.51) << function.name << " of " << x;
  }
}

struct Special {
  double x, value;
};
void expect_values(Unary f, const char* name, const std::vector<Special>& rows) {
  for (const auto& [x, value] : rows)
    EXPECT_TRUE(same(f(x), value)) << name << "(" << x << ") = " << f(x) << ", expected " << value;
}
void expect_odd_zero(Unary f, const char* name) {
  expect_values(f, name, {{0.0, 0.0}, {-0.0, -0.0}, {least, least}, {-least, -least}, {nan, nan}});
}

TEST(Elementary, SpecialValuesFollowTheCStandard) {
  const std::vector<std::pair<const char*, Unary>> odd{{"sin", e::sin},   {"tan", e::tan},     {"asin", e::asin},
                                                       {"atan", e::atan}, {"expm1", e::expm1}, {"sinh", e::sinh},
                                                       {"tanh", e::tanh}, {"log1p", e::log1p}};
  for (const auto& [name, f] : odd) expect_odd_zero(f, name);
  expect_values(e::cbrt, "cbrt",
                {{0.0, 0.0}, {-0.0, -0.0}, {nan, nan}, {infinity, infinity}, {-infinity, -infinity}, {-27, -3}});
  expect_values(e::sin, "sin", {{infinity, nan}, {-infinity, nan}});
  expect_values(e::cos, "cos", {{infinity, nan}, {-infinity, nan}, {nan, nan}, {0, 1}, {-0.0, 1}, {least, 1}});
  expect_values(e::tan, "tan", {{infinity, nan}});
  const double half_pi = 0x1.921fb54442d18p0, whole_pi = 0x1.921fb54442d18p1;
  expect_values(e::asin, "asin", {{1, half_pi}, {-1, -half_pi}, {1.0000000000000002, nan}, {infinity, nan}});
  expect_values(e::acos, "acos", {{1, 0}, {-1, whole_pi}, {0, half_pi}, {-2, nan}, {nan, nan}});
  expect_values(e::atan, "atan", {{infinity, half_pi}, {-infinity, -half_pi}, {largest, half_pi}});
  expect_values(e::exp, "exp",
                {{0, 1},
                 {-0.0, 1},
                 {infinity, infinity},
                 {-infinity, 0},
                 {nan, nan},
                 {710, infinity},
                 {-746, 0},
                 {largest, infinity},
                 {-largest, 0},
                 {least, 1}});
  expect_values(e::exp2, "exp2",
                {{0, 1},
                 {10, 1024},
                 {-1074, least},
                 {-1076, 0},
                 {1023, 0x1p1023},
                 {1024, infinity},
                 {infinity, infinity},
                 {-infinity, 0},
                 {nan, nan},
                 {-1022, 0x1p-1022}});
  expect_values(e::expm1, "expm1", {{infinity, infinity}, {-infinity, -1}, {-1000, -1}, {1000, infinity}});
  expect_values(e::sinh, "sinh", {{infinity, infinity}, {-infinity, -infinity}, {-800, -infinity}});
  expect_values(e::cosh, "cosh", {{infinity, infinity}, {-infinity, infinity}, {nan, nan}, {0, 1}, {800, infinity}});
  expect_values(e::tanh, "tanh", {{infinity, 1}, {-infinity, -1}, {1e10, 1}});
  for (const Unary f : {e::log, e::log2, e::log10})
    expect_values(f, "log",
                  {{0.0, -infinity},
                   {-0.0, -infinity},
                   {1, 0},
                   {-1, nan},
                   {-least, nan},
                   {-infinity, nan},
                   {infinity, infinity},
                   {nan, nan}});
  expect_values(e::log2, "log2", {{8, 3}, {0x1p-1074, -1074}, {0x1p1023, 1023}, {0.5, -1}});
  expect_values(e::log10, "log10", {{1000, 3}, {1e22, 22}, {0.1, -1}});
  expect_values(e::log1p, "log1p", {{-1, -infinity}, {-2, nan}, {infinity, infinity}, {-infinity, nan}});
  expect_values(e::erfc, "erfc", {{infinity, 0}, {-infinity, 2}, {0, 1}, {-0.0, 1}, {nan, nan}, {40, 0}, {-40, 2}});
}

TEST(Elementary, SpecialValuesOfTwoArgumentsFollowTheCStandard) {
  // The C library implements all special cases of annex F of the C standard. The other results that are compared here
  // are exact or trivial, so the C library rounds them correctly.
  const std::vector<double> pool{0.0,   -0.0,   1,       -1,       2,        -2,        3,   -3,    0.5,    -0.5,
                                 least, -least, largest, -largest, infinity, -infinity, nan, 1e300, -1e300, 0x1p60};
  for (const double x : pool)
    for (const double y : pool) {
      const double power = std::pow(x, y), scaled = power * 64;
      // Ordinary results may differ in the last bit, so only special results and multiples of 1/64 are compared.
      if (!(std::abs(power) < 1e10) || std::trunc(scaled) == scaled) {
        EXPECT_TRUE(same(e::pow(x, y), power)) << x << " ^ " << y << " = " << e::pow(x, y);
      }
      if (x == 0 || y == 0 || std::isinf(x) || std::isinf(y) || std::isnan(x) || std::isnan(y)) {
        EXPECT_TRUE(same(e::atan2(y, x), std::atan2(y, x))) << "atan2(" << y << ", " << x << ") = " << e::atan2(y, x);
        EXPECT_TRUE(same(e::hypot(x, y), std::hypot(x, y))) << "hypot(" << x << ", " << y << ") = " << e::hypot(x, y);
      }
    }
  EXPECT_EQ(e::hypot(3, 4), 5);
  EXPECT_EQ(e::hypot(0x1p1023, 0x1p1023), 0x1.6a09e667f3bcdp1023);
  EXPECT_EQ(e::hypot(largest, largest), infinity);
  EXPECT_EQ(e::hypot(3 * least, 4 * least), 5 * least);
  EXPECT_EQ(e::pow(10, 22), 1e22);
  EXPECT_EQ(e::pow(-3, 3), -27);
  EXPECT_EQ(e::pow(0x1p-1074, 0.5), 0x1p-537);
}

TEST(Elementary, FunctionsAreMonotonicAcrossTableEntries) {
  struct Spot {
    Unary f;
    double x;
  };
  // At ln 2 / 256 (exp) and pi / 128 (sin), the nearest table entry changes.
  const double step = 0x1.62e42fefa39efp-9, turn = 0x1.921fb54442d18p-6;
  for (const auto& [f, x] :
       {Spot{e::exp, step},         Spot{e::exp, 3 * step}, Spot{e::exp2, 0x1p-8},    Spot{e::log, 0.998046875},
        Spot{e::log, 1.00390625},   Spot{e::log, 1},        Spot{e::log, 1.41015625}, Spot{e::sin, turn},
        Spot{e::sin, 5 * turn},     Spot{e::tan, turn},     Spot{e::atan, 0x1p-7},    Spot{e::atan, 1},
        Spot{e::asin, 0.5},         Spot{e::expm1, 0.0625}, Spot{e::sinh, 0.125},     Spot{e::tanh, 0.125},
        Spot{e::log1p, 0.00390625}, Spot{e::cbrt, 1},       Spot{e::cbrt, 2},         Spot{e::cbrt, 8}}) {
    double at = x - 0x1p-40 * x, before = f(at);
    for (int i = 0; i < 20000; ++i) {
      at = std::nextafter(at, infinity);
      const double value = f(at);
      ASSERT_LE(before, value) << "at " << at;
      before = value;
    }
  }
}

/// Returns the special values, followed by random arguments from all regions of a function. Their number is a multiple
/// of 64, as evaluate_lanes() requires.
std::vector<double> many_arguments(const std::vector<Region>& regions, const std::string& name, std::uint64_t lane) {
  std::vector<double> out{0.0,    -0.0,    1,        -1,  infinity, -infinity, nan, least,
                          -least, largest, -largest, 1e5, 700,      -700,      720, -750};
  for (std::uint64_t i = 0; out.size() < 64 * 300; ++i)
    out.push_back(drawn(regions[i % regions.size()], {11, stream_id(name)}, i, lane));
  return out;
}

TEST(Elementary, LanesHaveTheBitsOfScalarsOnEveryInstructionSet) {
  const std::vector<std::pair<LaneFunction, std::string>> lane_functions{
      {LaneFunction::exp, "exp"},         {LaneFunction::exp2, "exp2"}, {LaneFunction::log, "log"},
      {LaneFunction::sin, "sin"},         {LaneFunction::cos, "cos"},   {LaneFunction::sin_of_both, "sin"},
      {LaneFunction::cos_of_both, "cos"}, {LaneFunction::pow, "pow"}};
  int targets = 0;
  for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1, ++targets) {
    hwy::SetSupportedTargetsForTest(left & -left);
    for (const auto& row : lane_functions) {
      const LaneFunction lane_function = row.first;
      const std::string& name = row.second;
      const auto function = std::find_if(elementary_functions().begin(), elementary_functions().end(),
                                         [&](const ElementaryFunction& f) { return f.name == name; });
      // Sorting puts similar arguments into the same vector, so most vectors hold no special case. The first 64
      // arguments stay unsorted and mix special and ordinary values within a vector.
      std::vector<double> x = many_arguments(function->x, name, 0);
      std::sort(x.begin() + 64, x.end());
      const std::vector<double> y = function->y.empty() ? x : many_arguments(function->y, name, 1);
      std::vector<double> out(x.size());
      EXPECT_TRUE(evaluate_lanes(lane_function, x, y, out)) << name << ", " << hwy::TargetName(left & -left);
      for (std::size_t i = 0; i < x.size(); ++i)
        ASSERT_TRUE(same(out[i], function->unary != nullptr ? function->unary(x[i]) : function->binary(x[i], y[i])))
            << name << "(" << x[i] << ", " << y[i] << "), " << hwy::TargetName(left & -left);
    }
  }
  hwy::SetSupportedTargetsForTest(0);
  EXPECT_GE(targets, 1);
}

TEST(Elementary, SineAndCosineTogetherHaveTheBitsOfEach) {
  for (const double x : many_arguments(elementary_functions()[0].x, "sin", 0)) {
    const e::SinCos both = e::sin_cos(x);
    ASSERT_TRUE(same(both.sin, e::sin(x)) && same(both.cos, e::cos(x))) << x;
  }
}

/// Returns the FNV-1a hash of the bits of results. All NaNs count as the same value.
std::uint64_t hash_of_results(const ElementaryFunction& function) {
  const std::vector<double> x = many_arguments(function.x, function.name, 0);
  const std::vector<double> y = function.y.empty() ? x : many_arguments(function.y, function.name, 1);
  std::uint64_t hash = 0xcbf29ce484222325;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double value = function.unary != nullptr ? function.unary(x[i]) : function.binary(x[i], y[i]);
    hash = (hash ^ std::bit_cast<std::uint64_t>(std::isnan(value) ? nan : value)) * 0x100000001b3;
  }
  return hash;
}

/// The hashes were computed with gcc 12 for x86-64. Every compiler and processor must reproduce them. They change only
/// with the algorithms, and then the hashes of all scenes change too.
TEST(Elementary, ResultsHaveTheSameBitsOnEveryMachine) {
  const std::vector<std::pair<std::string, std::uint64_t>> expected{
      {"sin", 0x1b1ca8fdfa4ce0db},   {"cos", 0x3cf554049f297fa3},   {"tan", 0xa255bc570d852db4},
      {"asin", 0x549456670ba2d42f},  {"acos", 0xf94323ec040c68bf},  {"atan", 0xd8b1dd6fa4831a16},
      {"atan2", 0x32e35596feb16956}, {"exp", 0xaad8f91e6ee3f588},   {"exp2", 0x9800ee3ccd39812c},
      {"expm1", 0xf121fa6bf190934f}, {"sinh", 0x7b5493a7b5bc3434},  {"cosh", 0x92ce995245363698},
      {"tanh", 0xb44b60fa6fd021fd},  {"log", 0xfedb3817b164a855},   {"log1p", 0xf21e87cea3c83437},
      {"log2", 0x9b8b7781dc9e0c7f},  {"log10", 0x602e89dc13a7f569}, {"pow", 0x93afa689d3af5cca},
      {"cbrt", 0x9626c2f6f31c5200},  {"hypot", 0x5e7e5d87904c1b23}, {"erfc", 0x6c67769f7e784ea9},
  };
  ASSERT_EQ(expected.size(), elementary_functions().size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(expected[i].first, elementary_functions()[i].name);
    EXPECT_EQ(expected[i].second, hash_of_results(elementary_functions()[i]))
        << "{\"" << elementary_functions()[i].name << "\", 0x" << std::hex << hash_of_results(elementary_functions()[i])
        << "},";
  }
}

}  // namespace
}  // namespace vw
