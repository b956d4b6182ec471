// Vectorised elementary functions, applied to arrays and compiled for every instruction set.
#pragma once

#include <cstddef>
#include <span>

namespace vw {

enum class LaneFunction { exp, exp2, log, sin, cos, sin_of_both, cos_of_both, pow };
/// Computes out[i] = f(x[i]), or f(x[i], y[i]) if f has two arguments, with vectors of the instruction set that Highway
/// selects. Also evaluates the elements with vectors of one and two lanes, and returns whether all widths give the same
/// bits. All spans have the same length, a multiple of 64.
bool evaluate_lanes(LaneFunction f, std::span<const double> x, std::span<const double> y, std::span<double> out);

}  // namespace vw
