// Lets tests wait for a condition instead of a fixed time. The time limit turns a hang into a failure. It is one
// minute, so that tests also pass on a machine under load.
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
