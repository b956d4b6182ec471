// The probe's inner loops, for the best instruction set that the machine has.
#pragma once

#include <cstddef>

namespace vw::bench {

/// Multiply-adds on independent accumulators, at least `count` of them. Returns floating-point operations done; `sink` keeps the result alive.
[[nodiscard]] double multiply_add(std::size_t count, float& sink);
/// a = b + factor c.
void triad(double* a, const double* b, const double* c, double factor, std::size_t count);
[[nodiscard]] const char* vector_target();

}  // namespace vw::bench
