// The transfer function of sRGB (IEC 61966-2-1) for components in [0, 1].
#pragma once

#include "sim/base/elementary/elementary.h"

namespace vw {

[[nodiscard]] inline double linear_of_srgb(double c) {
  return c <= 0.04045 ? c / 12.92 : elementary::pow((c + 0.055) / 1.055, 2.4);
}
[[nodiscard]] inline double srgb_of_linear(double c) {
  return c <= 0.0031308 ? 12.92 * c : 1.055 * elementary::pow(c, 1 / 2.4) - 0.055;
}

}  // namespace vw
