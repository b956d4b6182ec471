// Keyframes of a history: states of a run, packed on the store's own thread, within a budget of memory and of a spill
// file. If the budget is used up, keyframes are thinned: they stay dense near the present and become sparse far from
// it. While the budget permits, neighbouring keyframes are at most one simulated second apart.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "sim/history/keyframe_info.h"
#include "sim/history/packed_state.h"
#include "sim/history/session_file.h"
#include "sim/history/spill_file.h"
#include "sim/snapshot/timeline.h"

namespace vw {

/// All functions must be called by one thread, the simulation thread. Exceptions are all(), packed() and read_saved(),
/// which any thread may call. Packing, spilling and thinning run on the store's own thread.
class KeyframeStore : public KeyframeSource {
 public:
  /// Receives each new keyframe with its packed state, on the store's thread.
  using Observer = std::function<void(const KeyframeInfo& keyframe, std::span<const std::byte> packed)>;
  explicit KeyframeStore(HistoryLimits limits, Observer on_packed = {});
  ~KeyframeStore() override;
  KeyframeStore(const KeyframeStore&) = delete;
  KeyframeStore& operator=(const KeyframeStore&) = delete;

  /// Returns an empty buffer for a state, or null if packing is delayed; the caller then skips the keyframe.
  [[nodiscard]] StateBlock* free_buffer();
  /// Adds a keyframe whose state is in `buffer`, which free_buffer() must have returned. If the branch already has a
  /// keyframe at this tick, the existing keyframe is kept.
  void add(const KeyframeInfo& keyframe, StateBlock* buffer);
  /// Waits until all added keyframes are packed.
  void wait_until_packed();

  /// Returns the last keyframe of the branch with at most `tick` steps and at most `commands` commands.
  [[nodiscard]] std::optional<KeyframeInfo> last_before(std::uint32_t branch, std::uint64_t tick,
                                                        std::uint64_t commands) const;
  /// Returns the keyframe of the branch at this tick, or nullopt if there is none.
  [[nodiscard]] std::optional<KeyframeInfo> at(std::uint32_t branch, std::uint64_t tick) const;
  /// Unpacks the state of a keyframe into `out` and returns its source. Values from a session file must be checked.
  /// Returns an error if the keyframe was removed or the file cannot be read.
  [[nodiscard]] Result<StateSource> load(const KeyframeInfo& keyframe, StateBlock& out);
  /// Removes a keyframe, for example because its data are damaged.
  void remove(const KeyframeInfo& keyframe);
  /// Adds keyframes of another source. Their states are read on demand and do not count towards the limits.
  void attach(std::shared_ptr<const KeyframeSource> source, std::span<const SavedKeyframe> keyframes);
  struct SizedKeyframe {
    KeyframeInfo keyframe;
    std::uint64_t packed_bytes = 0;
  };
  /// Returns all keyframes, by branch and tick.
  [[nodiscard]] std::vector<SizedKeyframe> all() const;
  /// Returns the packed state of a keyframe, for files.
  [[nodiscard]] Result<std::vector<std::byte>> packed(const KeyframeInfo& keyframe) const;
  /// Reads a keyframe for another run that shares this history. `keyframe` must be one of all().
  [[nodiscard]] Result<StateSource> read_saved(const SavedKeyframe& keyframe,
                                               std::vector<std::byte>& packed) const override {
    return read(keyframe.keyframe, packed);
  }
  /// Stops the packing of keyframes. Existing keyframes can still be read. The observer is not called any more.
  void finish();
  /// Removes all keyframes of a branch, whose number must not be used again.
  void remove_branch(std::uint32_t branch);

  struct Use {
    std::size_t keyframes = 0;
    std::uint64_t memory_bytes = 0, file_bytes = 0;
  };
  [[nodiscard]] Use use() const;
  /// Returns the times since the start of the session [s] of the keyframes of a branch, in increasing order.
  [[nodiscard]] std::vector<float> times_of(std::uint32_t branch) const;
  [[nodiscard]] const HistoryLimits& limits() const { return limits_; }

 private:
  struct StoredKeyframe {
    KeyframeInfo keyframe;
    std::vector<std::byte> packed;       ///< empty if the state is in a file
    SpillFile::Place place;              ///< location in the spill file
    std::optional<SavedKeyframe> saved;  ///< location in the other source, if the state is stored there
    std::uint64_t order = 0;             ///< sequence number of the addition
    /// Returns the bytes that count towards the limits.
    [[nodiscard]] std::uint64_t bytes() const { return packed.empty() ? place.size : packed.size(); }
  };
  using Branch = std::map<std::uint64_t, StoredKeyframe>;  // by tick
  struct Waiting {
    KeyframeInfo keyframe;
    StateBlock* buffer = nullptr;
  };

  void work();
  bool keep(const KeyframeInfo& keyframe, std::vector<std::byte> packed);
  void enforce_budget();
  [[nodiscard]] bool spill_oldest();
  [[nodiscard]] std::uint64_t thin(std::uint64_t bytes, double longest_gap_s);
  void release_storage(StoredKeyframe& kept);
  [[nodiscard]] const StoredKeyframe* find(const KeyframeInfo& keyframe) const;
  [[nodiscard]] Result<StateSource> read(const KeyframeInfo& keyframe, std::vector<std::byte>& packed) const;

  const HistoryLimits limits_;
  const Observer on_packed_;
  std::shared_ptr<const KeyframeSource> source_;
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
