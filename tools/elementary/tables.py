#!/usr/bin/env python3
"""Writes sim/base/elementary/tables.h: polynomial coefficients, tables and constants of the elementary functions.

Usage: tools/elementary/tables.py > sim/base/elementary/tables.h     (requires python3-mpmath)

A polynomial interpolates its function at the Chebyshev nodes of the interval, computed with 60 digits (Muller,
"Elementary Functions", 3rd ed., section 3.3). The coefficients are then rounded to double. The comment of each
polynomial in tables.h states the largest error of the rounded polynomial at 2000 points. The tables hold values of the
functions that their comments name, rounded to double or to the stated number of bits.
"""
import mpmath as mp

mp.mp.dps = 60


def double(x):
    return mp.mpf(float(x))  # float() rounds an mpf to the nearest double.


def hexadecimal(x):
    """Shortest hexadecimal literal of a double."""
    mantissa, exponent = float(x).hex().split("p")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}p{int(exponent)}"


def truncated(x, bits):
    """Returns x with its significand truncated to `bits` bits."""
    if x == 0:
        return mp.mpf(0)
    step = mp.mpf(2) ** (mp.floor(mp.log(abs(x), 2)) - bits + 1)
    return mp.sign(x) * mp.floor(abs(x) / step) * step


def multiple(x, step):
    return mp.nint(x / step) * step


def interpolated(f, low, high, degree):
    nodes = [(low + high) / 2 + (high - low) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * degree + 2)) for i in range(degree + 1)]
    matrix = mp.matrix(degree + 1, degree + 1)
    for i, t in enumerate(nodes):
        for j in range(degree + 1):
            matrix[i, j] = t ** j
    return [double(c) for c in mp.lu_solve(matrix, mp.matrix([f(t) for t in nodes]))]


def array(name, values, per_line=4):
    print(f"inline constexpr std::array<double, {len(values)}> {name}{{")
    for i in range(0, len(values), per_line):
        print("    " + ", ".join(hexadecimal(v) for v in values[i:i + per_line]) + ",")
    print("};")


def polynomial(name, text, f, low, high, degree, factor):
    """Prints the coefficients of a polynomial that approximates f, lowest power first.

    factor(t) converts the error of f at t to the relative error of the elementary function that is computed from f.
    """
    low, high = mp.mpf(low), mp.mpf(high)
    coefficients = interpolated(f, low, high, degree)
    worst = mp.mpf(0)
    for i in range(1, 2001):
        t = low + (high - low) * i / 2000
        if t != 0:
            worst = max(worst, abs((mp.polyval(coefficients[::-1], t) - f(t)) * factor(t)))
    print(f"/// Polynomial for {text}")
    print(f"/// Its degree is {degree} on [{mp.nstr(low, 6)}, {mp.nstr(high, 6)}]. Its error, relative to the function computed with it, is 2^{mp.nstr(mp.log(worst, 2), 4)}.")
    array(name, coefficients)


def constant(name, text, value):
    print(f"/// {text}")
    print(f"inline constexpr double {name} = {hexadecimal(value)};")


def logarithm_table():
    """Returns the numbers of log_table, and the largest |z/c - 1| of a significand z in its interval.

    The significands are divided into 128 intervals, each with a centre c. The row of an interval holds 1/c, rounded to
    a multiple of 2^-19, then log(c) in two parts, then 0.
    """
    start, width = 0x3FE6900000000000, 1 << 45
    rows, largest = [], mp.mpf(0)

    def of_bits(bits):
        exponent = (bits >> 52) - 1023
        return (1 + mp.mpf(bits & ((1 << 52) - 1)) / 2 ** 52) * mp.mpf(2) ** exponent

    for i in range(128):
        low, high = of_bits(start + i * width), of_bits(start + (i + 1) * width)
        inverse = mp.mpf(1) if low < 1 < high else multiple(2 / (low + high), mp.mpf(2) ** -19)
        largest = max(largest, abs(low * inverse - 1), abs(high * inverse - 1))
        upper = multiple(-mp.log(inverse), mp.mpf(2) ** -42)
        rows += [inverse, upper, double(-mp.log(inverse) - upper), mp.mpf(0)]
    return rows, largest


print("""// Coefficients, tables and constants of the elementary functions. tools/elementary/tables.py writes this file.
#pragma once

#include <array>
#include <cstdint>

// clang-format off
namespace vw::elementary::tables {
""")
ln2 = mp.log(2)
print("// Exponential functions.\n")
r = ln2 / 256 * (1 + mp.mpf(2) ** -20)
polynomial("exp_series", "(e^r - 1 - r) / r^2.", lambda t: (mp.expm1(t) - t) / t ** 2, -r, r, 3, lambda t: t ** 2)
polynomial("exp2_series", "(2^r - 1) / r.", lambda t: mp.expm1(t * ln2) / t, mp.mpf(-1) / 256, mp.mpf(1) / 256, 4, lambda t: t)
polynomial("expm1_series", "(e^x - 1 - x - x^2 / 2) / x^3.", lambda t: (mp.expm1(t) - t - t * t / 2) / t ** 3, -1 / mp.mpf(16), 1 / mp.mpf(16), 7, lambda t: t ** 2)
polynomial("sinh_series", "(sinh(x) - x) / x^3 as a function of x^2.", lambda z: (mp.sinh(mp.sqrt(z)) - mp.sqrt(z)) / mp.sqrt(z) ** 3, 0, mp.mpf(1) / 64, 4, lambda z: z)
polynomial("tanh_series", "(tanh(x) - x) / x^3 as a function of x^2.", lambda z: (mp.tanh(mp.sqrt(z)) - mp.sqrt(z)) / mp.sqrt(z) ** 3, 0, mp.mpf(1) / 64, 6, lambda z: z)
constant("exp_steps", "128 / ln 2.", double(128 / ln2))
upper = truncated(ln2 / 128, 35)
constant("exp_step_upper", "Upper 35 bits of ln 2 / 128.", upper)
constant("exp_step_lower", "ln 2 / 128 - exp_step_upper.", double(ln2 / 128 - upper))
rows = []
for i in range(128):
    power = mp.mpf(2) ** (mp.mpf(i) / 128)
    rows += [double(power), double((power - double(power)) / double(power))]
print("/// Pairs t, e with 2^(i / 128) = t (1 + e), for i = 0 to 127.")
array("exp_table", rows)

print("\n// Logarithms.\n")
rows, largest = logarithm_table()
polynomial("log_series", "(log(1 + r) - r) / r^2.", lambda t: (mp.log1p(t) - t) / t ** 2, -largest, largest, 5, lambda t: t)
polynomial("log_long_series", "(log(1 + r) - r + r^2 / 2) / r^3.", lambda t: (mp.log1p(t) - t + t * t / 2) / t ** 3, -largest, largest, 5, lambda t: t * t)
step = mp.mpf(2) ** -42
constant("ln2_upper", "ln 2, rounded to a multiple of 2^-42.", multiple(ln2, step))
constant("ln2_lower", "ln 2 - ln2_upper.", double(ln2 - multiple(ln2, step)))
for name, text, value in (("log2_e", "1 / ln 2", 1 / ln2), ("log10_e", "1 / ln 10", 1 / mp.log(10))):
    constant(f"{name}_upper", f"Upper 26 bits of {text}.", truncated(value, 26))
    constant(f"{name}_lower", f"{text} - {name}_upper.", double(value - truncated(value, 26)))
constant("log10_2_upper", "log10(2), rounded to a multiple of 2^-42.", multiple(mp.log10(2), step))
constant("log10_2_lower", "log10(2) - log10_2_upper.", double(mp.log10(2) - multiple(mp.log10(2), step)))
print("/// Four numbers for each interval of significands z: 1 / c, the upper and the lower part of log(c), and 0. c is near z.")
print("/// 1 / c has 20 bits, and the upper part is a multiple of 2^-42. Interval i contains the z whose bits, minus those of")
print("/// 0.705078125, are in [i 2^45, (i + 1) 2^45).")
array("log_table", rows)

print("\n// Trigonometric functions.\n")
r = mp.pi / 128 * (1 + mp.mpf(2) ** -20)
polynomial("sin_series", "(sin(r) - r) / r^3 as a function of r^2.", lambda z: (mp.sin(mp.sqrt(z)) - mp.sqrt(z)) / mp.sqrt(z) ** 3, 0, r * r, 2, lambda z: z)
polynomial("cos_series", "(cos(r) - 1 + r^2 / 2) / r^4 as a function of r^2.", lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z ** 2, 0, r * r, 1, lambda z: z * z)
constant("turn_steps", "64 / pi.", double(64 / mp.pi))
part1 = truncated(mp.pi / 64, 33)
part2 = truncated(mp.pi / 64 - part1, 33)
constant("turn_step_1", "Upper 33 bits of pi / 64.", part1)
constant("turn_step_2", "Next 33 bits of pi / 64.", part2)
constant("turn_step_3", "pi / 64 - turn_step_1 - turn_step_2.", double(mp.pi / 64 - part1 - part2))
constant("turn_step_upper", "pi / 64, rounded to the nearest double.", double(mp.pi / 64))
constant("turn_step_lower", "pi / 64 - turn_step_upper.", double(mp.pi / 64 - double(mp.pi / 64)))
rows = []
for i in range(160):
    value = mp.mpf(0) if i % 64 == 0 else mp.sin(mp.pi * i / 64)
    if i % 32 == 0:
        value = mp.nint(value)
    rows += [truncated(value, 26), double(value - truncated(value, 26))]
print("/// Upper 26 bits and remainder of sin(pi i / 64), for i = 0 to 159. cos(pi i / 64) is the sine at i + 32.")
array("sin_table", rows)
mp.mp.dps = 420
digits = int(mp.floor(2 / mp.pi * mp.mpf(2) ** (64 * 20)))
mp.mp.dps = 60
words = [0] + [(digits >> (64 * (19 - i))) & (2 ** 64 - 1) for i in range(20)]
print("/// 2 / pi in binary: a word of zeros, then the 1280 bits after the point.")
print(f"inline constexpr std::array<std::uint64_t, {len(words)}> two_over_pi{{")
for i in range(0, len(words), 4):
    print("    " + ", ".join(f"0x{w:016x}" for w in words[i:i + 4]) + ",")
print("};")

print("\n// Inverse trigonometric functions.\n")
r = mp.mpf(1) / 128 * (1 + mp.mpf(2) ** -20)
polynomial("atan_series", "(atan(r) - r) / r^3 as a function of r^2.", lambda z: (mp.atan(mp.sqrt(z)) - mp.sqrt(z)) / mp.sqrt(z) ** 3, 0, r * r, 2, lambda z: z)
polynomial("asin_series", "(asin(x) - x) / x^3 as a function of x^2.", lambda z: (mp.asin(mp.sqrt(z)) - mp.sqrt(z)) / mp.sqrt(z) ** 3, 0, mp.mpf(1) / 4, 12, lambda z: z)
constant("half_pi_upper", "pi / 2, rounded to the nearest double.", double(mp.pi / 2))
constant("half_pi_lower", "pi / 2 - half_pi_upper.", double(mp.pi / 2 - double(mp.pi / 2)))
rows = []
for i in range(65):
    value = mp.atan(mp.mpf(i) / 64)
    rows += [double(value), double(value - double(value))]
print("/// atan(i / 64), rounded to the nearest double, and the remainder, for i = 0 to 64.")
array("atan_table", rows)

print("\n// Cube root.\n")
polynomial("cbrt_series", "the cube root of x.", lambda t: mp.cbrt(t), 1, 2, 4, lambda t: 1 / mp.cbrt(t))
constant("cbrt_2", "Cube root of 2.", double(mp.cbrt(2)))
constant("cbrt_4", "Cube root of 4.", double(mp.cbrt(4)))
print("\n// Complementary error function.\n")


def scaled_erfc(u):
    """erfc(x) e^(x^2) (1 + x) as a function of u = (x - 3) / (x + 3)."""
    x = 3 * (1 + u) / (1 - u)
    return mp.erfc(x) * mp.exp(x * x) * (1 + x)


end = (mp.mpf(27.5) - 3) / (mp.mpf(27.5) + 3)
polynomial("erfc_series", "erfc(x) e^(x^2) (1 + x) as a function of (x - 3) / (x + 3), for x in [0, 27.5].", scaled_erfc, -1, end, 22, lambda u: 1 / scaled_erfc(u))
print("\n}  // namespace vw::elementary::tables\n// clang-format on")
