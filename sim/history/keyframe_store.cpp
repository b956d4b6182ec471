#include "sim/history/keyframe_store.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace vw {
namespace {

/// Largest state [bytes] that is loaded from a session file. The limit bounds the memory for malicious files.
constexpr std::uint64_t largest_saved_state = std::uint64_t{2} << 30;
/// Number of states that may wait for packing.
constexpr std::size_t buffer_count = 3;
/// Longest simulated time [s] between two keyframes that thinning creates. A longer time results only if the budget
/// requires it.
constexpr double longest_gap_s = 1;
/// Fraction of the memory budget that thinning frees in addition to the required space, so that not every keyframe
/// causes a thinning.
constexpr double spare_share = 0.1;

std::uint64_t share_of(std::uint64_t bytes, double share) {
  return static_cast<std::uint64_t>(share * static_cast<double>(bytes));
}

}  // namespace

KeyframeStore::KeyframeStore(HistoryLimits limits, Observer on_packed)
    : limits_(std::move(limits)),
      on_packed_(std::move(on_packed)),
      buffers_(buffer_count),
      spill_(limits_.spill_folder, limits_.file_bytes) {
  for (StateBlock& buffer : buffers_) free_.push_back(&buffer);
  worker_ = std::thread([this] { work(); });
}

KeyframeStore::~KeyframeStore() { finish(); }

void KeyframeStore::finish() {
  if (!worker_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  worker_.join();
}

StateBlock* KeyframeStore::free_buffer() {
  const std::lock_guard lock(mutex_);
  if (free_.empty()) return nullptr;
  StateBlock* buffer = free_.back();
  free_.pop_back();
  return buffer;
}

void KeyframeStore::add(const KeyframeInfo& keyframe, StateBlock* buffer) {
  {
    const std::lock_guard lock(mutex_);
    present_s_ = keyframe.elapsed_s;
    waiting_.push_back({keyframe, buffer});
  }
  wake_.notify_one();
}

void KeyframeStore::wait_until_packed() {
  std::unique_lock lock(mutex_);
  packed_.wait(lock, [this] { return waiting_.empty() && !is_packing_; });
}

void KeyframeStore::work() {
  StatePacker packer;
  std::vector<std::byte> packed;
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stop_ || !waiting_.empty(); });
    if (stop_) return;
    Waiting next = waiting_.front();
    waiting_.erase(waiting_.begin());
    is_packing_ = true;
    lock.unlock();
    next.keyframe.hash = hash_of(*next.buffer);
    packer.pack(*next.buffer, packed);
    lock.lock();
    free_.push_back(next.buffer);
    const bool is_new = keep(next.keyframe, {packed.begin(), packed.end()});
    enforce_budget();
    if (is_new && on_packed_) {
      lock.unlock();
      on_packed_(next.keyframe, packed);
      lock.lock();
    }
    is_packing_ = false;
    if (waiting_.empty()) packed_.notify_all();
  }
}

// ---- With the mutex locked ------------------------------------------------------------------------------------------

/// Stores a keyframe. Returns false if the store already has a keyframe at this tick or if its branch was removed.
bool KeyframeStore::keep(const KeyframeInfo& keyframe, std::vector<std::byte> packed) {
  if (removed_.contains(keyframe.branch)) return false;
  const std::uint64_t bytes = packed.size();
  const auto [at, is_new] = branches_[keyframe.branch].try_emplace(
      keyframe.tick, StoredKeyframe{keyframe, std::move(packed), {}, {}, additions_});
  if (!is_new) return false;
  ++additions_;
  memory_bytes_ += bytes;
  return true;
}

const KeyframeStore::StoredKeyframe* KeyframeStore::find(const KeyframeInfo& keyframe) const {
  const auto branch = branches_.find(keyframe.branch);
  if (branch == branches_.end()) return nullptr;
  const auto kept = branch->second.find(keyframe.tick);
  return kept == branch->second.end() ? nullptr : &kept->second;
}

void KeyframeStore::release_storage(StoredKeyframe& kept) {
  if (kept.packed.empty())
    spill_.free(kept.place);  // frees nothing if the state is in a shared source, because the location is then empty
  else
    memory_bytes_ -= kept.packed.size();
}

void KeyframeStore::enforce_budget() {
  while (memory_bytes_ > limits_.memory_bytes) {
    if (spill_oldest()) continue;
    // The spill file is full or cannot be used.
    const std::uint64_t excess = memory_bytes_ - limits_.memory_bytes + share_of(limits_.memory_bytes, spare_share);
    if (thin(excess, longest_gap_s) == 0 && thin(excess, std::numeric_limits<double>::infinity()) == 0) return;
  }
}

/// Moves the oldest keyframe in memory to the spill file. Returns false if there is no such keyframe or if the file has
/// no space.
bool KeyframeStore::spill_oldest() {
  StoredKeyframe* oldest = nullptr;
  for (auto& [number, branch] : branches_)
    for (auto& [tick, kept] : branch)
      if (!kept.packed.empty() && (oldest == nullptr || kept.order < oldest->order)) oldest = &kept;
  if (oldest == nullptr) return false;
  const auto place = spill_.write(oldest->packed);
  if (!place) return false;
  memory_bytes_ -= oldest->packed.size();
  oldest->place = *place;
  std::vector<std::byte>().swap(oldest->packed);
  return true;
}

/// Removes keyframes until `bytes` are freed, if possible. Begins with keyframes whose neighbours are close to each
/// other compared with their distance from the present. A removal never leaves a gap of more than `longest_gap` [s].
/// The first and the last keyframe of a branch are kept. Returns the number of freed bytes.
std::uint64_t KeyframeStore::thin(std::uint64_t bytes, double longest_gap) {
  struct Candidate {
    double urgency = 0;
    Branch* branch = nullptr;
    Branch::iterator at;
  };
  std::vector<Candidate> candidates;
  for (auto& [number, branch] : branches_)
    for (auto at = branch.begin(); at != branch.end(); ++at) {
      const auto next = std::next(at);
      if (at == branch.begin() || next == branch.end() || at->second.saved) continue;
      const double gap = next->second.keyframe.elapsed_s - std::prev(at)->second.keyframe.elapsed_s;
      const double distance = std::abs(present_s_ - at->second.keyframe.elapsed_s);
      if (gap <= longest_gap) candidates.push_back({gap / std::max(distance, 1e-9), &branch, at});
    }
  std::ranges::sort(candidates, {}, &Candidate::urgency);
  std::uint64_t removed = 0;
  for (const Candidate& candidate : candidates) {
    if (removed >= bytes) break;
    // A neighbour may have been removed in this pass. If the gap has grown much, the keyframe is kept.
    const auto next = std::next(candidate.at);
    if (next == candidate.branch->end()) continue;
    const double gap = next->second.keyframe.elapsed_s - std::prev(candidate.at)->second.keyframe.elapsed_s;
    const double distance = std::abs(present_s_ - candidate.at->second.keyframe.elapsed_s);
    if (gap > longest_gap || gap / std::max(distance, 1e-9) > 2 * candidate.urgency) continue;
    removed += candidate.at->second.bytes();
    release_storage(candidate.at->second);
    candidate.branch->erase(candidate.at);
  }
  return removed;
}

// ---- For the simulation thread --------------------------------------------------------------------------------------

std::optional<KeyframeInfo> KeyframeStore::last_before(std::uint32_t branch, std::uint64_t tick,
                                                       std::uint64_t commands) const {
  const std::lock_guard lock(mutex_);
  const auto found = branches_.find(branch);
  if (found == branches_.end()) return {};
  for (auto at = found->second.upper_bound(tick); at != found->second.begin();)
    if ((--at)->second.keyframe.commands <= commands) return at->second.keyframe;
  return {};
}

std::optional<KeyframeInfo> KeyframeStore::at(std::uint32_t branch, std::uint64_t tick) const {
  const std::lock_guard lock(mutex_);
  const auto found = branches_.find(branch);
  if (found == branches_.end()) return {};
  const auto kept = found->second.find(tick);
  return kept == found->second.end() ? std::nullopt : std::optional(kept->second.keyframe);
}

/// Reads the packed state of a keyframe and returns its source.
Result<StateSource> KeyframeStore::read(const KeyframeInfo& keyframe, std::vector<std::byte>& packed) const {
  std::optional<SavedKeyframe> saved;
  {
    const std::lock_guard lock(mutex_);
    const StoredKeyframe* kept = find(keyframe);
    if (kept == nullptr) return fail("the keyframe was removed");
    saved = kept->saved;
    if (!kept->packed.empty())
      packed = kept->packed;
    else if (!saved)
      if (auto good = spill_.read(kept->place, packed); !good) return Unexpected(good.error());
  }
  if (!saved) return StateSource::memory;
  return source_->read_saved(*saved, packed);
}

Result<StateSource> KeyframeStore::load(const KeyframeInfo& keyframe, StateBlock& out) {
  std::vector<std::byte> packed;
  const auto source = read(keyframe, packed);
  if (!source) return source;
  auto good =
      *source == StateSource::file ? unpacker_.unpack(packed, out, largest_saved_state) : unpacker_.unpack(packed, out);
  if (!good) return Unexpected(good.error());
  return source;
}

Result<std::vector<std::byte>> KeyframeStore::packed(const KeyframeInfo& keyframe) const {
  std::vector<std::byte> packed;
  if (auto good = read(keyframe, packed); !good) return Unexpected(good.error());
  return packed;
}

void KeyframeStore::remove(const KeyframeInfo& keyframe) {
  const std::lock_guard lock(mutex_);
  const auto branch = branches_.find(keyframe.branch);
  if (branch == branches_.end()) return;
  const auto kept = branch->second.find(keyframe.tick);
  if (kept == branch->second.end()) return;
  release_storage(kept->second);
  branch->second.erase(kept);
}

void KeyframeStore::attach(std::shared_ptr<const KeyframeSource> source, std::span<const SavedKeyframe> keyframes) {
  const std::lock_guard lock(mutex_);
  source_ = std::move(source);
  for (const SavedKeyframe& saved : keyframes)
    branches_[saved.keyframe.branch].try_emplace(saved.keyframe.tick,
                                                 StoredKeyframe{saved.keyframe, {}, {}, saved, additions_++});
}

std::vector<KeyframeStore::SizedKeyframe> KeyframeStore::all() const {
  const std::lock_guard lock(mutex_);
  std::vector<SizedKeyframe> keyframes;
  for (const auto& [number, branch] : branches_)
    for (const auto& [tick, kept] : branch)
      keyframes.push_back({kept.keyframe, kept.saved ? kept.saved->size : kept.bytes()});
  return keyframes;
}

void KeyframeStore::remove_branch(std::uint32_t branch) {
  const std::lock_guard lock(mutex_);
  removed_.insert(branch);
  std::erase_if(waiting_, [&](const Waiting& next) {
    if (next.keyframe.branch != branch) return false;
    free_.push_back(next.buffer);
    return true;
  });
  const auto found = branches_.find(branch);
  if (found == branches_.end()) return;
  for (auto& [tick, kept] : found->second) release_storage(kept);
  branches_.erase(found);
}

KeyframeStore::Use KeyframeStore::use() const {
  const std::lock_guard lock(mutex_);
  Use sum{.keyframes = 0, .memory_bytes = memory_bytes_, .file_bytes = spill_.used_bytes()};
  for (const auto& [number, branch] : branches_) sum.keyframes += branch.size();
  return sum;
}

std::vector<float> KeyframeStore::times_of(std::uint32_t branch) const {
  const std::lock_guard lock(mutex_);
  std::vector<float> times;
  if (const auto found = branches_.find(branch); found != branches_.end())
    for (const auto& [tick, kept] : found->second) times.push_back(static_cast<float>(kept.keyframe.elapsed_s));
  return times;
}

}  // namespace vw
