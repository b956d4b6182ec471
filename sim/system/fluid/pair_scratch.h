// What one thread needs while it lists pairs: candidates around a brick, lists in the making. A few are made and lent from chunk to chunk, so memory
// is by threads, not by rows.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "sim/system/fluid/sph_rows.h"

namespace vw {

/// Consecutive rows of a source; `code` is the first one's entry in lists.
struct RowRun {
  const Float4* rows;
  std::uint32_t code, count;
};

struct PairScratch {
  std::vector<RowRun> runs;
  // Candidates about a place near all of them, by cell.
  std::vector<float> x, y, z, squared;
  std::vector<std::uint32_t> code;
  // Lists in the making, of a whole chunk.
  std::vector<std::uint16_t> near;
  std::vector<std::uint32_t> walls;
  std::vector<std::uint32_t> pages;          ///< of all windows
  std::vector<std::uint16_t> lines;          ///< see PairChunk
  std::vector<std::uint16_t> slot_of_page;   ///< 1 + the slot in the window at hand; 0: none
  std::vector<std::uint32_t> pages_at_hand;  ///< that slot_of_page knows
  [[nodiscard]] std::size_t bytes() const {
    return runs.capacity() * sizeof(RowRun) + 4 * (4 * x.capacity() + code.capacity() + walls.capacity() + pages.capacity()) +
           2 * (near.capacity() + slot_of_page.capacity() + lines.capacity()) + 4 * pages_at_hand.capacity();
  }
};

/// Scratch that nobody uses at the moment. Copies have none.
class ScratchPool {
 public:
  ScratchPool() = default;
  ScratchPool(const ScratchPool&) {}
  ScratchPool& operator=(const ScratchPool&) { return *this; }
  [[nodiscard]] std::unique_ptr<PairScratch> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<PairScratch>();
    std::unique_ptr<PairScratch> one = std::move(free_.back());
    free_.pop_back();
    return one;
  }
  void give_back(std::unique_ptr<PairScratch> one) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(one));
  }
  /// When none is lent.
  [[nodiscard]] std::size_t bytes() const {
    std::size_t sum = 0;
    for (const auto& one : free_) sum += one->bytes();
    return sum;
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<PairScratch>> free_;
};

}  // namespace vw
