// Lock-free hand-over of the newest value from one writer thread to one reader thread. The reader keeps the last two
// values that it took. Neither thread ever waits.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace vw {

/// Quadruple buffer. One slot belongs to the writer, two belong to the reader (newest and previous), and one is the
/// exchange slot. A single atomic word holds the index of the exchange slot and whether its value is fresh. Slots and
/// their buffers are reused, so the steady state allocates nothing.
template <class T>
class Exchange {
 public:
  /// back() returns the slot to fill, and publish() offers the filled slot to the reader. Only the writer thread may
  /// call them.
  [[nodiscard]] T& back() { return slots_[writer_]; }
  void publish() { writer_ = between_.exchange(writer_ | fresh, std::memory_order_acq_rel) & index; }

  /// Takes the newest value and returns true if a value was published since the last call. The former newest value
  /// becomes previous(). Only the reader thread may call this.
  bool acquire() {
    if ((between_.load(std::memory_order_relaxed) & fresh) == 0) return false;
    const std::uint32_t taken = between_.exchange(previous_, std::memory_order_acq_rel) & index;
    previous_ = newest_;
    newest_ = taken;
    return true;
  }
  [[nodiscard]] const T& newest() const { return slots_[newest_]; }
  [[nodiscard]] const T& previous() const { return slots_[previous_]; }

 private:
  static constexpr std::uint32_t index = 3, fresh = 4;
  std::array<T, 4> slots_{};
  std::uint32_t writer_ = 0;                 // used by the writer only
  std::uint32_t newest_ = 1, previous_ = 2;  // used by the reader only
  std::atomic<std::uint32_t> between_{3};
};

}  // namespace vw
