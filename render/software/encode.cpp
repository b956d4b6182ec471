#include "render/software/encode.h"

#include <cmath>

#include "sim/base/srgb.h"

namespace vw::soft {

SrgbEncoder::SrgbEncoder() {
  least_[0] = 0;
  for (std::size_t i = 1; i < least_.size(); ++i)
    least_[i] = static_cast<float>(linear_of_srgb((static_cast<double>(i) - 0.5) / 255));
  std::size_t byte = 0;
  for (std::size_t i = 0; i < slots; ++i) {
    while (byte < 255 && least_[byte + 1] <= static_cast<float>(i) / slots) ++byte;
    start_[i] = static_cast<std::uint8_t>(byte);
  }
}

std::uint8_t SrgbEncoder::operator()(float linear) const {
  if (!(linear > 0)) return 0;
  if (linear >= 1) return 255;
  std::size_t byte = start_[static_cast<std::size_t>(linear * slots)];
  while (byte < 255 && least_[byte + 1] <= linear) ++byte;
  return static_cast<std::uint8_t>(byte);
}

}  // namespace vw::soft
