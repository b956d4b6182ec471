// Transfers the newest value from one writer thread to one reader thread without locks. The reader keeps the last two
// values that it took. Neither thread ever waits for the other.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace vw {

/// Quadruple buffer. The writer uses one slot, and the reader uses two slots (the newest and the previous value). The
/// fourth slot is exchanged between the threads. A single atomic word contains the index of the exchanged slot and
/// whether its value is fresh. Slots and their buffers are reused, so no memory is allocated after the first exchanges.
template <class T>
class Exchange {
 public:
  /// back() returns the slot to fill, and publish() offers the filled slot to the reader. Only the writer thread may
  /// call them.
  [[nodiscard]] T& back() { return slots_[writer_]; }
  void publish() { writer_ = between_.exchange(writer_ | fresh, std::memory_order_acq_rel) & index; }

  /// Takes the newest value and returns true if a value was published since the last call. The value that was the
  /// newest until now becomes previous(). Only the reader thread may call this function.
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
