// Periodic functions of time that drive actuators.
#pragma once

#include <cstdint>

namespace vw {

/// Shape of one period of a wave with the amplitude A.
/// sine: A sin(2 pi c), with the number of cycles c.
/// square: A in the first part of a period, the `duty`, and -A in the rest.
/// triangle: from 0 to A, to -A and back to 0, in straight lines.
/// sawtooth: from -A to A in a straight line.
/// pulse: A in the first part of a period, the `duty`, and 0 in the rest.
enum class Waveform : std::uint8_t { sine, square, triangle, sawtooth, pulse };

/// Returns the value of a wave with the amplitude 1 after `cycles` periods. `duty` is between 0 and 1.
[[nodiscard]] double wave_value(Waveform shape, double cycles, double duty);

}  // namespace vw
