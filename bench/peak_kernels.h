// Inner loops of the peak measurement, compiled for the best instruction set of the machine.
#pragma once

#include <cstddef>

namespace vw::bench {

/// Performs at least `count` multiply-adds on independent accumulators. Returns the number of floating-point
/// operations; `sink` keeps the result from being optimised away.
[[nodiscard]] double multiply_add(std::size_t count, float& sink);
/// a = b + factor c.
void triad(double* a, const double* b, const double* c, double factor, std::size_t count);
[[nodiscard]] const char* vector_target();

}  // namespace vw::bench
