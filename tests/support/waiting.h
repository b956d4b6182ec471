// Lets tests wait for a condition instead of a fixed time. The limit of one minute turns a hang into a failure. A
// machine under load does not reach the limit.
#pragma once

#include <chrono>
#include <thread>

namespace vw::test {

constexpr std::chrono::seconds patience{60};

/// Polls `done` until it returns true or the time limit is reached. Returns whether `done` became true.
template <class Condition>
[[nodiscard]] bool in_time(Condition done) {
  for (const auto end = std::chrono::steady_clock::now() + patience;;) {
    if (done()) return true;
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

}  // namespace vw::test
