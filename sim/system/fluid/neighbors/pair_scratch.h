// Working memory of one thread while it builds neighbour lists: candidates around a brick and unfinished lists. A pool
// lends the memory for one chunk at a time, so the size of the pool grows with the number of threads and not with the
// number of particles.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "sim/system/fluid/rows/sph_rows.h"

namespace vw {

/// Consecutive rows of a source. `code` is the list entry of the first row.
struct RowRun {
  const Float4* rows;
  std::uint32_t code, count;
};

struct PairScratch {
  std::vector<RowRun> runs;
  // Positions of the candidates relative to a point near all of them, and squared distances from that point, sorted by
  // cell.
  std::vector<float> x, y, z, squared;
  std::vector<std::uint32_t> code;
  // Unfinished lists of one chunk.
  std::vector<std::uint16_t> near;
  std::vector<std::uint32_t> walls;
  std::vector<std::uint32_t> pages;          ///< Page tables of all windows (see PagedRows).
  std::vector<std::uint16_t> lines;          ///< See PairChunk.
  std::vector<std::uint16_t> slot_of_page;   ///< Slot of each page in the current window plus 1, or 0.
  std::vector<std::uint32_t> pages_at_hand;  ///< Pages that have a slot in the current window.
  [[nodiscard]] std::size_t bytes() const {
    return runs.capacity() * sizeof(RowRun) +
           4 * (4 * x.capacity() + code.capacity() + walls.capacity() + pages.capacity()) +
           2 * (near.capacity() + slot_of_page.capacity() + lines.capacity()) + 4 * pages_at_hand.capacity();
  }
};

/// Pool of scratch memory that is not in use. A copy of a pool is empty.
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
  /// Memory of the pool [bytes]. Scratch that is lent does not count, so call this function while none is lent.
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
