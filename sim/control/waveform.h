// Periodic functions of time that drive actuators.
#pragma once

#include <cstdint>

namespace vw {

/// Shape of one period of a wave with the amplitude A.
/// sine: A sin(2 pi c), with the number of cycles c.
/// square: A during the fraction `duty` at the start of a period, and -A in the rest.
/// triangle: straight lines from 0 to A, from A to -A, and from -A back to 0.
/// sawtooth: a straight line from -A to A.
/// pulse: A during the fraction `duty` at the start of a period, and 0 in the rest.
enum class Waveform : std::uint8_t { sine, square, triangle, sawtooth, pulse };

/// Returns the value of a wave with the amplitude 1 after `cycles` periods. `duty` is between 0 and 1.
[[nodiscard]] double wave_value(Waveform shape, double cycles, double duty);

}  // namespace vw
