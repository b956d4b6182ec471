// Waiting in tests: for a condition, never for a time. The minute turns a hang into a failure; on a machine under load it is not reached.
#pragma once

#include <chrono>
#include <thread>

namespace vw::test {

constexpr std::chrono::seconds patience{60};

/// Asks `done` again and again, until it says so or patience is at its end; whether it said so.
template <class Condition>
[[nodiscard]] bool in_time(Condition done) {
  for (const auto end = std::chrono::steady_clock::now() + patience;;) {
    if (done()) return true;
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

}  // namespace vw::test
