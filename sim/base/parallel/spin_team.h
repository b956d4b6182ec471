// A thread team for work that consists of many short phases. Its threads spin between phases, so a barrier costs about
// a microsecond, whereas distributing tasks would cost many microseconds. Between runs, the threads sleep. The calling
// thread is member 0.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>
#include <vector>

namespace vw {

class SpinTeam {
 public:
  /// Starts members - 1 threads. Throws std::system_error if the system provides no more threads.
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
  /// Returns the largest fraction of the last run's wall time that a member lost at barriers in waits of at least 0.5
  /// ms. Such a wait is caused by another program on the core of another member. If the fraction is large, fewer cores
  /// are free than the team has members, and a single thread would finish sooner.
  [[nodiscard]] double stalled_fraction() const { return stalled_fraction_; }
  /// Waits until every member has arrived. All data written before the barrier are visible to all members after it.
  void barrier(std::size_t member);
  /// Barrier at which the last member to arrive calls `work` before the others continue. The time of `work` does not
  /// count for stalled_fraction().
  template <class Work>
  void barrier_with(std::size_t member, const Work& work) {
    const std::uint64_t phase = phase_.load(std::memory_order_acquire);
    if (!is_last()) {
      const Clock::duration waited = watch(phase);
      return add_stall(member, waited, work_time_);  // work_time_ is valid only after the wait
    }
    const Clock::time_point start = Clock::now();
    work();
    work_time_ = Clock::now() - start;
    phase_.store(phase + 1, std::memory_order_release);
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct WorkRef {
    const void* object = nullptr;
    void (*call)(const void* object, std::size_t member) = nullptr;
  };
  void start(WorkRef work);
  void serve(std::size_t member);
  void end_threads();
  bool is_last();
  Clock::duration watch(std::uint64_t phase);
  Clock::duration wait_for_all();
  void add_stall(std::size_t member, Clock::duration waited, Clock::duration worked);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::uint64_t run_ = 0;  ///< number of runs; guarded by mutex_
  bool stop_ = false;
  WorkRef work_;
  /// Time that a member has lost in long waits during the present run. Only this member writes it.
  struct alignas(64) Stall {
    Clock::duration time{};
  };
  std::vector<Stall> stalled_;
  Clock::duration work_time_{};  ///< time of the last `work` of barrier_with()
  double stalled_fraction_ = 0;
  alignas(64) std::atomic<std::size_t> arrived_{0};
  alignas(64) std::atomic<std::uint64_t> phase_{0};
};

}  // namespace vw
