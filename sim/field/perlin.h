// Gradient noise at many points: gradient_noise() of noise.h in float vectors, by the widest instruction set of the machine. The same bits on each of
// them; within 1e-6 of the value in double, 4e-6 of a derivative, for the place as a float has it. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "sim/field/noise.h"

namespace vw {

/// Places in lattice units: origin + offset, one span of offsets an axis, all of one length. A float says 1e-7 of itself: choose an origin within
/// some thousands of cells; it may be as far off as one likes.
template <int N>
struct NoisePlaces {
  std::array<std::span<const float>, N> offset;
  std::array<double, N> origin{};
};

/// Places in a grid, first + index * step along each axis, the first axis fastest.
template <int N>
struct NoiseGrid {
  std::array<double, N> first{}, step{};
  std::array<std::size_t, N> nodes{};
};

/// Where answers go, overwritten; empty spans are not asked for. Asking for one component of the gradient costs as much as for all.
template <int N>
struct NoiseRows {
  std::span<float> value;
  std::array<std::span<float>, N> gradient;
};

/// For N = 2, 3, 4.
template <int N>
void gradient_noise(const NoisePlaces<N>& places, std::uint64_t seed, const NoiseRows<N>& out);
template <int N>
void gradient_noise(const NoiseGrid<N>& grid, std::uint64_t seed, const NoiseRows<N>& out);

/// A coordinate as the cell it lies in, modulo 2^32, and where in it, in [0, 1]; NaN where it is no number.
struct CellPlace {
  std::int32_t cell = 0;
  float t = 0;
};
[[nodiscard]] CellPlace cell_place(double x);

}  // namespace vw
