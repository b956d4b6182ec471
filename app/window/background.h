// Small jobs that must not hold up drawing: writing a PNG, finishing a video, joining a simulation that is being replaced.
#pragma once

#include <functional>
#include <thread>
#include <vector>

namespace vw {

class Background {
 public:
  Background() = default;
  /// Waits for what is still running.
  ~Background() {
    for (std::thread& worker : workers_) worker.join();
  }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;
  void run(std::function<void()> job) { workers_.emplace_back(std::move(job)); }

 private:
  std::vector<std::thread> workers_;
};

}  // namespace vw
