#include "sim/field/spectral/key_frames.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/base/elementary/elementary.h"
#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

double interval_of(const SpectralModes& modes) {
  const SpectralRecipe& recipe = modes.recipe();
  const double rate = recipe.spread_mps * modes.asked_spectrum().highest;
  if (recipe.time == SpectralTime::frozen || !(rate > 0)) return 0;
  const double longest = KeyFrames::turn_a_frame / rate;
  // A periodic field must have a whole number of key frames per period.
  return recipe.time == SpectralTime::periodic ? recipe.repeat_s / std::ceil(recipe.repeat_s / longest) : longest;
}

/// The key frames that exist in this process, by their modes.
struct FramesInUse {
  std::mutex mutex;
  std::map<const SpectralModes*, std::weak_ptr<KeyFrames>> frames;
};
FramesInUse& frames_in_use() {
  static FramesInUse all;
  return all;
}

}  // namespace

std::shared_ptr<KeyFrames> KeyFrames::of(std::shared_ptr<const SpectralModes> modes) {
  const std::scoped_lock lock(frames_in_use().mutex);
  std::erase_if(frames_in_use().frames, [](const auto& entry) { return entry.second.expired(); });
  auto& entry = frames_in_use().frames[modes.get()];
  if (auto same = entry.lock()) return same;
  auto made = std::make_shared<KeyFrames>(std::move(modes));
  entry = made;
  return made;
}

KeyFrames::KeyFrames(std::shared_ptr<const SpectralModes> modes)
    : modes_(std::move(modes)), interval_s_(interval_of(*modes_)) {}

KeyFrames::~KeyFrames() {
  {
    const std::scoped_lock lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  if (worker_.joinable()) worker_.join();
}

KeyFrames::Frame KeyFrames::make(std::int64_t index) const {
  GridValues values;
  modes_->values_at(static_cast<double>(index) * interval_s_, values);
  auto frame = std::make_shared<NodeGrid>(values.n);
  frame->load(values.x, values.y, values.z);
  return frame;
}

KeyFrames::Frame KeyFrames::at(std::int64_t index) {
  std::unique_lock lock(mutex_);
  const auto find = [&] {
    return std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.index == index; });
  };
  for (auto entry = find(); entry != entries_.end(); entry = find()) {
    entry->used = ++clock_;
    if (entry->frame) return entry->frame;
    changed_.wait(lock);
  }
  entries_.push_back({index, nullptr, ++clock_});
  lock.unlock();
  Frame frame;
  try {
    frame = make(index);
  } catch (...) {  // Memory is exhausted. Threads that wait for this frame then compute it themselves.
    lock.lock();
    entries_.erase(find());
    changed_.notify_all();
    throw;
  }
  lock.lock();
  find()->frame = frame;
  make_room();
  changed_.notify_all();
  return frame;
}

void KeyFrames::make_room() {
  while (entries_.size() > most_frames) {
    const auto oldest = std::min_element(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) {
      return std::pair(a.frame == nullptr, a.used) < std::pair(b.frame == nullptr, b.used);
    });
    if (!oldest->frame) return;
    entries_.erase(oldest);
  }
}

void KeyFrames::ahead(std::int64_t index) {
  if (thread_count() < 2) return;
  const std::scoped_lock lock(mutex_);
  const bool known =
      std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.index == index; });
  if (known || std::find(wanted_.begin(), wanted_.end(), index) != wanted_.end()) return;
  wanted_.assign(1, index);  // Earlier requests are obsolete.
  if (!worker_.joinable()) worker_ = std::thread([this] { work(); });
  changed_.notify_all();
}

void KeyFrames::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return over_ || !wanted_.empty(); });
    if (over_) return;
    const std::int64_t index = wanted_.back();
    wanted_.clear();
    lock.unlock();
    try {
      (void)at(index);
    } catch (const std::bad_alloc&) {  // The thread that needs the frame will report the error.
    }
    lock.lock();
  }
}

double KeyFrames::correlation(double lag_s) const {
  const NominalSpectrum asked = modes_->asked_spectrum();
  const SpectralRecipe& recipe = modes_->recipe();
  const double low = elementary::log(std::max(asked.lowest, 2 * pi / recipe.period_m)),
               high = elementary::log(asked.highest);
  const int steps = 400;
  double sum = 0, whole = 0;
  for (int i = 0; i < steps; ++i) {  // Weight of a wave number: the energy E dk = E k d(log k).
    const double k = elementary::exp(low + (high - low) * (i + 0.5) / steps), energy = k * asked.energy(k),
                 turn = recipe.spread_mps * k * lag_s;
    whole += energy;
    sum += energy * elementary::exp(-0.5 * turn * turn);
  }
  return whole > 0 ? sum / whole : 1;
}

BlendedFrames::BlendedFrames(std::shared_ptr<KeyFrames> frames) : frames_(std::move(frames)) {
  if (frames_->interval_s() == 0) return;
  for (std::size_t k = 0; k < 4; ++k)
    correlation_[k] = frames_->correlation(static_cast<double>(k) * frames_->interval_s());
  blended_ = NodeGrid(frames_->modes().recipe().nodes);
  state_ = std::vector<std::atomic<State>>(static_cast<std::size_t>(blended_.side()));
}

void BlendedFrames::set_time(double time) {
  const double interval = frames_->interval_s();
  const double frame = interval == 0 || !std::isfinite(time) ? 0 : time / interval, below = std::floor(frame),
               f = frame - below;
  const auto index = static_cast<std::int64_t>(std::clamp(below, -9e15, 9e15));
  whole_ = f == 0;
  if (whole_) {
    from_[0] = frames_->at(index);
    return;
  }
  for (std::size_t k = 0; k < 4; ++k) from_[k] = frames_->at(index - 1 + static_cast<std::int64_t>(k));
  frames_->ahead(index + 3);
  const std::array<double, 4> spline{f * (f * (2 - f) - 1) / 2, (f * f * (3 * f - 5) + 2) / 2,
                                     f * (f * (4 - 3 * f) + 1) / 2, f * f * (f - 1) / 2};
  double variance = 0;
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = 0; b < 4; ++b) variance += spline[a] * spline[b] * correlation_[a > b ? a - b : b - a];
  for (std::size_t k = 0; k < 4; ++k) weight_[k] = static_cast<float>(spline[k] / std::sqrt(variance));
  for (auto& state : state_) state.store(old, std::memory_order_relaxed);
  ready_count_.store(0, std::memory_order_relaxed);
}

void BlendedFrames::require(std::span<const std::uint64_t> place) const {
  if (ready_count_.load(std::memory_order_acquire) == state_.size()) return;
  std::size_t last = state_.size();
  for (std::size_t i = 2; i < place.size(); i += 3) {
    const std::size_t first = place[i] >> 32;
    if (first == last) continue;
    for (std::size_t plane = first; plane < first + 4; ++plane) make_ready(plane);
    last = first;
  }
}

void BlendedFrames::make_ready(std::size_t plane) const {
  std::atomic<State>& state = state_[plane];
  State seen = state.load(std::memory_order_acquire);
  if (seen == ready) return;
  if (seen == old && state.compare_exchange_strong(seen, in_work)) {
    std::array<const float*, 4> from;
    for (std::size_t k = 0; k < 4; ++k) from[k] = from_[k]->plane(static_cast<int>(plane)).data();
    blend_nodes(from, weight_, blended_.plane(static_cast<int>(plane)));
    state.store(ready, std::memory_order_release);
    state.notify_all();
    ready_count_.fetch_add(1, std::memory_order_release);
    return;
  }
  for (; seen != ready; seen = state.load(std::memory_order_acquire)) state.wait(in_work, std::memory_order_acquire);
}

}  // namespace vw
