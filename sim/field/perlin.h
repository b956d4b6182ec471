// Gradient noise at many points: gradient_noise() of noise.h in float vectors, with the widest instruction set of the
// machine. All instruction sets give the same bits. For the position as rounded to float, the value is within 1e-6 of
// that in double, and a derivative within 4e-6. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "sim/field/noise.h"

namespace vw {

/// Positions in lattice units: origin + offset, with one span of offsets per axis, all of the same length. A float has
/// a relative precision of 1e-7: choose an origin within some thousands of cells of the points. The origin may be
/// arbitrarily far away.
template <int N>
struct NoisePlaces {
  std::array<std::span<const float>, N> offset;
  std::array<double, N> origin{};
};

/// Positions of a grid: first + index * step along each axis, the first axis fastest.
template <int N>
struct NoiseGrid {
  std::array<double, N> first{}, step{};
  std::array<std::size_t, N> nodes{};
};

/// Output, overwritten. Empty spans are not computed. One component of the gradient costs as much as all of them.
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

/// A coordinate split into its cell, modulo 2^32, and the position within the cell, in [0, 1]. NaN if the coordinate is
/// not finite.
struct CellPlace {
  std::int32_t cell = 0;
  float t = 0;
};
[[nodiscard]] CellPlace cell_place(double x);

}  // namespace vw
