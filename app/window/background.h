// Runs small jobs that must not delay drawing. Each job has its own thread. Examples are writing a PNG file, finishing
// a video and destroying a simulation that was replaced.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace vw {

class Background {
 public:
  Background() = default;
  /// Waits for all running jobs.
  ~Background() {
    for (Worker& worker : workers_) worker.thread.join();
  }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// Starts the job on a new thread and joins the threads that have finished.
  void run(std::function<void()> job) {
    std::erase_if(workers_, [](Worker& worker) {
      if (!worker.done->load()) return false;
      worker.thread.join();
      return true;
    });
    auto done = std::make_shared<std::atomic<bool>>(false);
    std::thread thread([job = std::move(job), done] {
      job();
      done->store(true);
    });
    workers_.push_back({std::move(thread), std::move(done)});
  }

 private:
  struct Worker {
    std::thread thread;
    std::shared_ptr<std::atomic<bool>> done;
  };
  std::vector<Worker> workers_;
};

}  // namespace vw
