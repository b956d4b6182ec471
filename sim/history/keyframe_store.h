// Keyframes of a history: states of a run, packed on a thread of their own, within a budget of memory and of a spill
// file. If the budget is used up, keyframes are thinned: near the present they stay dense, and far from it they become
// sparse, at first at most one simulated second apart.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "sim/history/packed_state.h"
#include "sim/history/spill_file.h"
#include "sim/snapshot/timeline.h"

namespace vw {

/// Description of a keyframe: the state directly after the step that led to `tick`, before the commands of that tick.
struct KeyframeInfo {
  std::uint32_t branch = 0;
  std::uint64_t tick = 0;
  std::uint64_t commands = 0;  ///< commands applied since the start of the session, along the path of the branch
  double elapsed_s = 0;        ///< simulated time since the start of the session [s]
  std::uint64_t hash = 0;      ///< hash of the state; set by the store
};

/// The functions are called by one thread, the simulation thread. Packing, spilling and thinning run on the store's own
/// thread.
class KeyframeStore {
 public:
  explicit KeyframeStore(HistoryLimits limits);
  ~KeyframeStore();
  KeyframeStore(const KeyframeStore&) = delete;
  KeyframeStore& operator=(const KeyframeStore&) = delete;

  /// Returns an empty buffer for a state, or null if packing has fallen behind. The keyframe is left out then.
  [[nodiscard]] StateBlock* free_buffer();
  /// Adds a keyframe whose state is in `buffer`, which free_buffer() returned. A keyframe of the same branch and tick
  /// is kept instead of the new one.
  void add(const KeyframeInfo& keyframe, StateBlock* buffer);
  /// Waits until all added keyframes are packed.
  void wait_until_packed();

  /// Returns the last keyframe of the branch with at most these numbers of steps and commands.
  [[nodiscard]] std::optional<KeyframeInfo> last_before(std::uint32_t branch, std::uint64_t tick,
                                                        std::uint64_t commands) const;
  /// Returns the keyframe of the branch at this tick.
  [[nodiscard]] std::optional<KeyframeInfo> at(std::uint32_t branch, std::uint64_t tick) const;
  /// Restores the state of a keyframe. The error says that the keyframe is gone, or that the file cannot be read.
  [[nodiscard]] Result<void> load(const KeyframeInfo& keyframe, StateBlock& out);
  /// Removes all keyframes of a branch, whose number must not be used again.
  void remove_branch(std::uint32_t branch);

  struct Use {
    std::size_t keyframes = 0;
    std::uint64_t memory_bytes = 0, file_bytes = 0;
  };
  [[nodiscard]] Use use() const;
  /// Times since the start of the session [s] of the keyframes of a branch, in increasing order.
  [[nodiscard]] std::vector<float> times_of(std::uint32_t branch) const;
  [[nodiscard]] const HistoryLimits& limits() const { return limits_; }

 private:
  struct StoredKeyframe {
    KeyframeInfo keyframe;
    std::vector<std::byte> packed;  ///< empty if the state is in the spill file
    SpillFile::Place place;         ///< place in the spill file
    std::uint64_t order = 0;        ///< running number of the addition
    [[nodiscard]] std::uint64_t bytes() const { return packed.empty() ? place.size : packed.size(); }
  };
  using Branch = std::map<std::uint64_t, StoredKeyframe>;  // by tick
  struct Waiting {
    KeyframeInfo keyframe;
    StateBlock* buffer = nullptr;
  };

  void work();
  void keep(const KeyframeInfo& keyframe, std::vector<std::byte> packed);
  void enforce_budget();
  [[nodiscard]] bool spill_oldest();
  [[nodiscard]] std::uint64_t thin(std::uint64_t bytes, double longest_gap_s);
  void release_storage(StoredKeyframe& kept);

  const HistoryLimits limits_;
  StatePacker unpacker_;
  std::vector<StateBlock> buffers_;

  mutable std::mutex mutex_;
  std::condition_variable wake_, packed_;
  std::vector<StateBlock*> free_;
  std::vector<Waiting> waiting_;
  bool is_packing_ = false, stop_ = false;
  std::map<std::uint32_t, Branch> branches_;
  std::set<std::uint32_t> removed_;
  SpillFile spill_;
  double present_s_ = 0;
  std::uint64_t memory_bytes_ = 0, additions_ = 0;
  std::thread worker_;
};

}  // namespace vw
