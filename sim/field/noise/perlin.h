// gradient_noise() of noise.h at many points, in float vectors with the widest instruction set of the machine. All
// instruction sets give the same bits. At a position rounded to float, a value differs from that computed in double by
// at most 1e-6, and a derivative by at most 4e-6. Any thread may call these functions.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "sim/field/noise/noise.h"

namespace vw {

/// Positions in lattice units: origin + offset, with one span of offsets per axis, all of the same length. Offsets are
/// floats with a relative precision of 1e-7, so the origin should be within some thousands of cells of the points. The
/// origin itself may be at any distance from 0.
template <int N>
struct NoisePlaces {
  std::array<std::span<const float>, N> offset;
  std::array<double, N> origin{};
};

/// Positions of a grid: first + index * step along each axis. In outputs, the index of the first axis varies fastest.
template <int N>
struct NoiseGrid {
  std::array<double, N> first{}, step{};
  std::array<std::size_t, N> nodes{};
};

/// Output arrays, which are overwritten. Values whose array is empty are not computed. One component of the gradient
/// costs as much as all components.
template <int N>
struct NoiseRows {
  std::span<float> value;
  std::array<std::span<float>, N> gradient;
};

/// Evaluates the noise at scattered points or on a grid. N is 2, 3 or 4.
template <int N>
void gradient_noise(const NoisePlaces<N>& places, std::uint64_t seed, const NoiseRows<N>& out);
template <int N>
void gradient_noise(const NoiseGrid<N>& grid, std::uint64_t seed, const NoiseRows<N>& out);

/// A coordinate as the index of its cell modulo 2^32 and the position within the cell in [0, 1]. The position is NaN if
/// the coordinate is not finite.
struct CellPlace {
  std::int32_t cell = 0;
  float t = 0;
};
[[nodiscard]] CellPlace cell_place(double x);

}  // namespace vw
