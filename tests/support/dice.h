// Pseudo-random numbers for tests: a sequence (xorshift) that is the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vw::test {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(0x9e3779b97f4a7c15ULL * (seed + 1)) {}
  std::size_t below(std::size_t n) {
    state_ ^= state_ << 13U, state_ ^= state_ >> 7U, state_ ^= state_ << 17U;
    return static_cast<std::size_t>(state_ % n);
  }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[below(list.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace vw::test
