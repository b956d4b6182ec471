// Encodes linear light as sRGB bytes (IEC 61966-2-1), rounded to the nearest byte.
#pragma once

#include <array>
#include <cstdint>

namespace vw::soft {

class SrgbEncoder {
 public:
  SrgbEncoder();
  [[nodiscard]] std::uint8_t operator()(float linear) const;

 private:
  static constexpr std::size_t slots = 4096;
  std::array<float, 256> least_;           ///< smallest linear value that is rounded to each byte
  std::array<std::uint8_t, slots> start_;  ///< byte for the lower end of each slot
};

}  // namespace vw::soft
