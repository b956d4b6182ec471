#include "sim/control/waveform.h"

#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/base/math.h"

namespace vw {

double wave_value(Waveform shape, double cycles, double duty) {
  const double part = cycles - std::floor(cycles);  // elapsed fraction of the current period, from 0 to 1
  switch (shape) {
    case Waveform::sine: return elementary::sin(2 * pi * part);
    case Waveform::square: return part < duty ? 1 : -1;
    case Waveform::triangle: return part < 0.25 ? 4 * part : part < 0.75 ? 2 - 4 * part : 4 * part - 4;
    case Waveform::sawtooth: return 2 * part - 1;
    case Waveform::pulse: return part < duty ? 1 : 0;
  }
  return 0;
}

}  // namespace vw
