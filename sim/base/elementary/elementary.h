// Elementary functions whose results have the same bits on every processor, instruction set, compiler and C library.
// The simulation uses them instead of the functions of <cmath> (docs/design/elementary.md). The functions use only + -
// * / and square roots, each rounded once, and operations on bits. The errors are below 1 unit in the last place (ulp),
// except for erfc; tests measure the errors with MPFR. Infinities, NaN and signed zeros are treated as in the C
// standard (C17, annex F). The functions do not set errno, and the exception flags have no meaning after a call.
//
// A float argument is converted to double exactly. A caller that needs a float result rounds it; the error is then at
// most 0.5000001 ulp of float.
#pragma once

namespace vw::elementary {

struct SinCos {
  double sin, cos;
};
/// The functions from here to tan() take an angle [rad].
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
