// Lock-free hand-over of the newest value from one writer thread to one reader thread that keeps its last two. Neither ever waits.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace vw {

/// Four slots: one belongs to the writer, two to the reader (newest and the one before), one lies between them. A single atomic word names
/// the slot between and whether it is fresh. Slots are reused, so their buffers' capacity is kept: steady state allocates nothing.
template <class T>
class Exchange {
 public:
  /// Writer: the slot to fill. Then publish().
  [[nodiscard]] T& back() { return slots_[writer_]; }
  void publish() { writer_ = between_.exchange(writer_ | fresh, std::memory_order_acq_rel) & index; }

  /// Reader: takes the newest value if there is one since the last call; the former newest becomes previous().
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
  std::uint32_t writer_ = 0;                 // writer's own
  std::uint32_t newest_ = 1, previous_ = 2;  // reader's own
  std::atomic<std::uint32_t> between_{3};
};

}  // namespace vw
