// Elementary functions whose results have the same bits on every processor, instruction set, compiler and C library.
// The simulation uses them in place of those of <cmath> (docs/design/elementary.md). They use only + - * / and square
// roots, each rounded once, and operations on bits. The largest error is below 1 unit in the last place (ulp) for each
// function but erfc; the tests compare it with MPFR. Infinities, NaN and signed zeros are treated as in the C standard
// (C17, annex F). The functions set neither errno nor meaningful exception flags.
//
// An argument in float is converted to double without an error. A caller that wants a float rounds the result, which is
// then wrong by 0.5000001 ulp of float at most.
#pragma once

namespace vw::elementary {

struct SinCos {
  double sin, cos;
};
/// Sine, cosine and tangent of an angle [rad].
[[nodiscard]] double sin(double x);
[[nodiscard]] double cos(double x);
[[nodiscard]] SinCos sin_cos(double x);  ///< Returns the same bits as sin(x) and cos(x), in less time.
[[nodiscard]] double tan(double x);

[[nodiscard]] double asin(double x);
[[nodiscard]] double acos(double x);
[[nodiscard]] double atan(double x);
/// Returns the angle [rad] from the x axis to the vector (x, y), in [-pi, pi].
[[nodiscard]] double atan2(double y, double x);

[[nodiscard]] double exp(double x);
[[nodiscard]] double exp2(double x);
[[nodiscard]] double expm1(double x);  ///< e^x - 1.
[[nodiscard]] double sinh(double x);
[[nodiscard]] double cosh(double x);
[[nodiscard]] double tanh(double x);

[[nodiscard]] double log(double x);
[[nodiscard]] double log1p(double x);  ///< log(1 + x).
[[nodiscard]] double log2(double x);
[[nodiscard]] double log10(double x);

[[nodiscard]] double pow(double x, double y);
[[nodiscard]] double cbrt(double x);
/// Returns sqrt(x^2 + y^2) without overflow or underflow of the squares.
[[nodiscard]] double hypot(double x, double y);

/// Returns the complementary error function, with an error below 4 ulp.
[[nodiscard]] double erfc(double x);

}  // namespace vw::elementary
