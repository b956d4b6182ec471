// Linear light to the bytes of sRGB (IEC 61966-2-1), rounded to the nearest.
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
  std::array<float, 256> least_;           ///< the least light that a byte stands for
  std::array<std::uint8_t, slots> start_;  ///< the byte of a slot's lower end
};

}  // namespace vw::soft
