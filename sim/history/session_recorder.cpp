#include "sim/history/session_recorder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "sim/base/files/atomic_file.h"

namespace vw {
namespace {

/// Simulated time [s] between two written keyframes of a branch while the file is less than half full.
constexpr double shortest_interval_s = 1;
/// If more bytes than this wait to be written, keyframes are skipped. Commands are never skipped.
constexpr std::uint64_t most_waiting_bytes = std::uint64_t{64} << 20;

}  // namespace

Result<std::unique_ptr<SessionRecorder>> SessionRecorder::begin(const std::string& path, const SessionStart& start,
                                                                std::uint64_t limit_bytes) {
  const std::string head = session_head(start);
  auto file = begin_growing_file(path, head);
  if (!file) return Unexpected(file.error());
  auto made = std::unique_ptr<SessionRecorder>(new SessionRecorder(path, std::move(*file), limit_bytes));
  made->bytes_ = head.size();
  return made;
}

SessionRecorder::SessionRecorder(std::string path, FileDescriptor file, std::uint64_t limit_bytes)
    : path_(std::move(path)), limit_(limit_bytes), file_(std::move(file)) {
  worker_ = std::thread([this] { work(); });
}

SessionRecorder::~SessionRecorder() {
  put(end_record());
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  worker_.join();
}

void SessionRecorder::put(std::string bytes) {
  if (bytes.empty()) return;
  {
    const std::lock_guard lock(mutex_);
    if (has_failed_) return;
    waiting_bytes_ += bytes.size();
    waiting_.push_back(std::move(bytes));
  }
  wake_.notify_one();
}

void SessionRecorder::update(const BranchTree& tree, const RunMoment& present) {
  std::string records = written_.changes(tree);
  std::string shown = present_record(tree, present);
  if (shown != last_present_) records += last_present_ = std::move(shown);
  put(std::move(records));
}

void SessionRecorder::set_display(std::string display) { put(display_record(display)); }

/// Returns the simulated time between written keyframes [s]. It doubles each time half of the remaining space has been
/// used. The limit is therefore never reached, and there are always keyframes near the present.
double SessionRecorder::interval_s() const {
  const double used =
      static_cast<double>(bytes_ + waiting_bytes_) / static_cast<double>(std::max<std::uint64_t>(1, limit_));
  if (used >= 1) return HUGE_VAL;
  double interval = shortest_interval_s;
  for (double rest = 0.5; 1 - used < rest; rest /= 2) interval *= 2;
  return interval;
}

bool SessionRecorder::is_wanted(const KeyframeInfo& keyframe, std::map<BranchNumber, double>& last_s) {
  const std::lock_guard lock(mutex_);
  if (has_failed_ || waiting_bytes_ > most_waiting_bytes) return false;
  const double interval = interval_s();
  if (!(interval < HUGE_VAL)) return false;
  const auto last = last_s.find(keyframe.branch);
  // Keyframes are at multiples of a tenth of a second, except for rounding errors.
  constexpr double slack_s = 1e-3;
  if (last != last_s.end() && std::abs(keyframe.elapsed_s - last->second) < interval - slack_s) return false;
  last_s[keyframe.branch] = keyframe.elapsed_s;
  return true;
}

void SessionRecorder::add_keyframe(const KeyframeInfo& keyframe, std::span<const std::byte> packed) {
  if (is_wanted(keyframe, last_written_s_)) put(keyframe_record(keyframe, packed));
}

void SessionRecorder::copy_keyframes(std::shared_ptr<const SessionKeyframes> file,
                                     std::vector<SavedKeyframe> keyframes) {
  {
    const std::lock_guard lock(mutex_);
    copied_file_ = std::move(file);
    copied_ = std::move(keyframes);
    std::ranges::reverse(copied_);
  }
  wake_.notify_one();
}

std::optional<Error> SessionRecorder::take_error() {
  const std::lock_guard lock(mutex_);
  return std::exchange(error_, std::nullopt);
}

void SessionRecorder::write(const std::string& bytes) {
  const auto written = file_.write(bytes);
  const std::lock_guard lock(mutex_);
  waiting_bytes_ -= std::min<std::uint64_t>(waiting_bytes_, bytes.size());
  bytes_ += written.bytes;
  if (written.reason == 0) return;
  has_failed_ = true;
  waiting_.clear();
  copied_.clear();
  Error error;
  error.file = path_;
  error.what =
      std::string("the session is no longer recorded, because writing failed: ") + std::strerror(written.reason);
  error_ = std::move(error);
}

void SessionRecorder::work() {
  std::vector<std::byte> packed;
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stop_ || !waiting_.empty() || !copied_.empty(); });
    if (!waiting_.empty()) {
      const std::string bytes = std::move(waiting_.front());
      waiting_.pop_front();
      lock.unlock();
      write(bytes);
      lock.lock();
      continue;
    }
    if (stop_) return;
    const SavedKeyframe next = copied_.back();
    copied_.pop_back();
    lock.unlock();
    if (is_wanted(next.keyframe, last_copied_s_) && copied_file_->read(next, packed)) {
      const std::string bytes = keyframe_record(next.keyframe, packed);
      {
        const std::lock_guard counted(mutex_);
        waiting_bytes_ += bytes.size();
      }
      write(bytes);
    }
    lock.lock();
    if (copied_.empty()) copied_file_.reset();
  }
}

}  // namespace vw
