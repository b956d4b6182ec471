// A team of threads that stays awake through many short phases: a barrier between phases costs about a microsecond, where handing out tasks costs
// many. Between runs the threads sleep. The caller is member 0.
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

  /// Runs work(member) on every member and returns when all have. Work must not throw, and every member must call `barrier` equally often.
  template <class Work>
  void run(const Work& work) {
    start({&work, [](const void* object, std::size_t member) { (*static_cast<const Work*>(object))(member); }});
  }
  /// Barriers of the last run at which the caller had to let others have its core, and all of them: many mean that there are fewer cores free
  /// than members, and that the work is done sooner by one.
  [[nodiscard]] std::size_t crowded_barriers() const { return crowded_; }
  [[nodiscard]] std::size_t barriers() const { return barriers_; }
  /// Waits until every member has come here. What was written before is seen by all after it.
  void barrier(std::size_t member);
  /// The same; the last who comes does `work` before anybody goes on. It counts for none of the numbers above: who waits for work is not crowded.
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
  bool watch(std::uint64_t phase);  ///< true when it had to let others have its core

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::uint64_t run_ = 0;  ///< counts runs; guarded by mutex_
  bool stop_ = false;
  WorkRef work_;
  std::size_t crowded_ = 0, barriers_ = 0;  ///< of member 0
  alignas(64) std::atomic<std::size_t> arrived_{0};
  alignas(64) std::atomic<std::uint64_t> phase_{0};
};

}  // namespace vw
