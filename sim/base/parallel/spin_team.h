// A thread team for work that consists of many short phases. Its threads spin between phases. A barrier costs about a
// microsecond, whereas distributing tasks costs many microseconds. Between runs the threads sleep. The calling thread
// is member 0.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace vw {

class SpinTeam {
 public:
  /// Starts members - 1 threads.
  explicit SpinTeam(std::size_t members);
  ~SpinTeam();
  SpinTeam(const SpinTeam&) = delete;
  SpinTeam& operator=(const SpinTeam&) = delete;
  [[nodiscard]] std::size_t size() const { return threads_.size() + 1; }

  /// Runs work(member) on every member and returns when all have finished. `work` must not throw, and every member must
  /// call `barrier` the same number of times.
  template <class Work>
  void run(const Work& work) {
    start({&work, [](const void* object, std::size_t member) { (*static_cast<const Work*>(object))(member); }});
  }
  /// crowded_barriers() is the number of barriers of the last run at which the calling thread had to yield its core.
  /// barriers() is the number of all barriers of that run. A high ratio of the two means that fewer cores are free than
  /// the team has members, and that one thread alone would finish sooner.
  [[nodiscard]] std::size_t crowded_barriers() const { return crowded_; }
  [[nodiscard]] std::size_t barriers() const { return barriers_; }
  /// Waits until every member has arrived. Everything written before the barrier is visible to all members after it.
  void barrier(std::size_t member);
  /// Like barrier(), but the last member to arrive calls `work` before the others continue. These barriers are not
  /// counted, because waiting for `work` does not indicate a lack of cores.
  template <class Work>
  void barrier_with(const Work& work) {
    const std::uint64_t phase = phase_.load(std::memory_order_acquire);
    if (!is_last()) return static_cast<void>(watch(phase));
    work();
    phase_.store(phase + 1, std::memory_order_release);
  }

 private:
  struct WorkRef {
    const void* object = nullptr;
    void (*call)(const void* object, std::size_t member) = nullptr;
  };
  void start(WorkRef work);
  void serve(std::size_t member);
  bool is_last();
  bool watch(std::uint64_t phase);  ///< returns true if the thread had to yield its core

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::uint64_t run_ = 0;  ///< number of runs; guarded by mutex_
  bool stop_ = false;
  WorkRef work_;
  std::size_t crowded_ = 0, barriers_ = 0;  ///< barriers at which member 0 yielded its core, and all barriers
  alignas(64) std::atomic<std::size_t> arrived_{0};
  alignas(64) std::atomic<std::uint64_t> phase_{0};
};

}  // namespace vw
