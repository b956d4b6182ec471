// Inner loops of the peak measurement, compiled for the best instruction set of the machine.
#pragma once

#include <cstddef>

namespace vw::bench {

/// Performs at least `count` multiply-adds on independent accumulators and returns the number of floating-point
/// operations. Storing to `sink` keeps the compiler from removing the computation.
[[nodiscard]] double multiply_add(std::size_t count, float& sink);
/// Computes a = b + factor * c.
void triad(double* a, const double* b, const double* c, double factor, std::size_t count);
[[nodiscard]] const char* vector_target();

}  // namespace vw::bench
