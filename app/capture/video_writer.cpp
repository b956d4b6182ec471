// Queue and thread of an encoder. The drawing thread adds pictures to the queue. The encoder's thread encodes them.
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "app/capture/frame_encoder.h"
#include "sim/base/text.h"

namespace vw {
namespace {

constexpr std::size_t queue_bytes = std::size_t{256} << 20;  // maximum total size of the pictures in the queue
constexpr std::size_t longest_queue = 16;

class QueuedWriter final : public VideoWriter {
 public:
  QueuedWriter(std::unique_ptr<FrameEncoder> encoder, std::string path, std::size_t capacity)
      : encoder_(std::move(encoder)), path_(std::move(path)), capacity_(capacity), thread_([this] { encode_all(); }) {}
  ~QueuedWriter() override { (void)finish(); }
  QueuedWriter(const QueuedWriter&) = delete;
  QueuedWriter& operator=(const QueuedWriter&) = delete;

  Result<void> add(Image frame) override;
  void repeat(std::size_t times) override;
  [[nodiscard]] bool keep_next(std::filesystem::file_time_type since) override;
  [[nodiscard]] bool has_room() const override;
  void set_moment(std::string bytes, MomentPart part) override;
  Result<void> finish() override;
  [[nodiscard]] std::size_t frames() const override;

 private:
  /// Entry of the queue: a picture and the number of its repetitions. If `fresh` is false, the entry has no picture and
  /// repeats the preceding picture. If `kept` is true, the file of the picture exists already and is not written again.
  struct Waiting {
    bool fresh = false;
    Image frame;
    std::size_t repeats = 0;
    bool kept = false;
  };

  void encode_all();
  [[nodiscard]] Result<void> encode(const Waiting& waiting);
  [[nodiscard]] std::optional<Waiting> take();
  void note(const Result<void>& outcome);
  /// Passes a moment that was set since the last call to the encoder.
  [[nodiscard]] Result<void> embed_moment();

  std::unique_ptr<FrameEncoder> encoder_;
  std::string path_;
  std::size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> queue_;
  std::size_t added_ = 0;
  std::string moment_;  ///< bytes that the encoder has not received yet
  bool has_whole_moment_ = false;
  bool ending_ = false;
  std::optional<Error> error_;
  std::thread thread_;  // declared last, so that all other members are initialised when the thread starts
};

Result<void> QueuedWriter::add(Image frame) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return queue_.size() < capacity_ || error_ || ending_; });
  if (error_) return fail(*error_);
  if (ending_) return wrong_file(path_, "the video is finished, so no picture can be added");
  queue_.push_back({true, std::move(frame), 0});
  ++added_;
  changed_.notify_all();
  return {};
}

void QueuedWriter::repeat(std::size_t times) {
  const std::lock_guard lock(mutex_);
  if (error_ || ending_ || added_ == 0 || times == 0) return;
  if (queue_.empty()) queue_.emplace_back();
  queue_.back().repeats += times;
  added_ += times;
  changed_.notify_all();
}

bool QueuedWriter::keep_next(std::filesystem::file_time_type since) {
  std::unique_lock lock(mutex_);
  if (error_ || ending_ || !encoder_->has(added_ + 1, since)) return false;
  changed_.wait(lock, [this] { return queue_.size() < capacity_ || error_ || ending_; });
  if (error_ || ending_) return false;
  queue_.push_back({false, {}, 0, true});
  ++added_;
  changed_.notify_all();
  return true;
}

bool QueuedWriter::has_room() const {
  const std::lock_guard lock(mutex_);
  return queue_.size() < capacity_ || error_ || ending_;
}

void QueuedWriter::set_moment(std::string bytes, MomentPart part) {
  const std::lock_guard lock(mutex_);
  if (ending_ || bytes.empty() || (has_whole_moment_ && part == MomentPart::start)) return;
  moment_ = std::move(bytes);
  has_whole_moment_ = part == MomentPart::whole;
}

Result<void> QueuedWriter::embed_moment() {
  std::string moment;
  {
    const std::lock_guard lock(mutex_);
    moment = std::exchange(moment_, {});
  }
  return moment.empty() ? Result<void>{} : encoder_->embed(std::move(moment));
}

std::size_t QueuedWriter::frames() const {
  const std::lock_guard lock(mutex_);
  return added_;
}

Result<void> QueuedWriter::finish() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
  if (error_) return fail(*error_);
  return {};
}

std::optional<QueuedWriter::Waiting> QueuedWriter::take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !queue_.empty() || ending_; });
  if (queue_.empty()) return {};
  Waiting waiting = std::move(queue_.front());
  queue_.pop_front();
  changed_.notify_all();
  return waiting;
}

/// Stores the first error and wakes all waiting threads, because no thread may wait for a failed encoder.
void QueuedWriter::note(const Result<void>& outcome) {
  if (outcome) return;
  const std::lock_guard lock(mutex_);
  if (!error_) error_ = outcome.error();
  changed_.notify_all();
}

Result<void> QueuedWriter::encode(const Waiting& waiting) {
  if (waiting.kept) encoder_->keep();
  if (waiting.fresh)
    if (auto written = encoder_->write(waiting.frame); !written) return written;
  for (std::size_t i = 0; i < waiting.repeats; ++i)
    if (auto written = encoder_->repeat(); !written) return written;
  return {};
}

void QueuedWriter::encode_all() {
  bool failed = false;
  while (const auto waiting = take()) {
    if (failed) continue;  // drop the remaining pictures after an error
    auto written = embed_moment();
    if (written) written = encode(*waiting);
    failed = !written;
    note(written);
  }
  if (!failed) note(embed_moment());
  note(encoder_->finish());
}

bool ends_in(const std::filesystem::path& path, std::string_view ending) {
  return lowercase(path.extension().string()) == ending;
}

Result<std::unique_ptr<FrameEncoder>> open_encoder(const std::string& path, const VideoOptions& options) {
  const std::filesystem::path name(path);
  if (name.extension().empty() || name.filename().empty()) return open_png_sequence(path);
  if (ends_in(name, ".gif")) {
    constexpr int fastest_gif = 50;  // players show frames of less than 0.02 s for 0.1 s
    if (options.fps > fastest_gif)
      return wrong_file(path,
                        fmt::format("{} frames per second: expected at most {} in a GIF", options.fps, fastest_gif));
    return open_gif(path, options);
  }
  if (!ends_in(name, ".mp4") && !ends_in(name, ".webm"))
    return wrong_file(path,
                      "must end in .mp4, .webm or .gif, or have no extension for a folder of numbered PNG pictures");
#ifdef VOXWAKE_HAVE_FFMPEG
  return ends_in(name, ".webm") ? open_webm(path, options) : open_mp4(path, options);
#else
  if (ends_in(name, ".webm")) return wrong_file(path, "WebM requires FFmpeg, but this program was built without it");
  (void)options;
  return open_png_sequence(std::filesystem::path(path).replace_extension().string());
#endif
}

}  // namespace

Result<std::unique_ptr<VideoWriter>> VideoWriter::open(const std::string& path, const VideoOptions& options) {
  constexpr int largest = 16384, fastest = 1000;
  if (options.width < 2 || options.height < 2 || options.width > largest || options.height > largest)
    return wrong_file(path, fmt::format("video size {} x {} pixels: expected each side in [2, {}]", options.width,
                                        options.height, largest));
  if (options.fps < 1 || options.fps > fastest)
    return wrong_file(path, fmt::format("{} frames per second: expected a value in [1, {}]", options.fps, fastest));
  auto encoder = open_encoder(path, options);
  if (!encoder) return Unexpected(encoder.error());
  const std::size_t frame_bytes =
      4 * static_cast<std::size_t>(options.width) * static_cast<std::size_t>(options.height);
  return std::make_unique<QueuedWriter>(std::move(*encoder), path,
                                        std::clamp<std::size_t>(queue_bytes / frame_bytes, 1, longest_queue));
}

#ifndef VOXWAKE_HAVE_FFMPEG
std::string video_backend() { return "PNG sequence"; }
#endif

}  // namespace vw
