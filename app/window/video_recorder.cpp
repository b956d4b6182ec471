#include "app/window/video_recorder.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace vw {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

void VideoRecorder::start(std::shared_ptr<VideoWriter> writer, const RecordSettings& settings,
                          std::shared_ptr<SnapshotQueue> queue, double wall_s) {
  writer_ = std::move(writer);
  settings_ = settings;
  queue_ = std::move(queue);
  frames_ = 0;
  shown_ = {};
  shown_.fps = settings.video.fps;
  shown_.frame_s = settings.by_simulated_time ? 1.0 / settings.frames_per_simulated_s : 0;
  start_wall_s_ = wall_s;
  clock_.reset();
  due_blend_.reset();
}

bool VideoRecorder::pull() {
  std::swap(before_, after_);
  if (queue_->take(after_)) return true;
  std::swap(before_, after_);
  return false;
}

/// Takes snapshots from the queue until the next picture lies between before_ and after_. Sets `blend` to the
/// interpolation weight of the picture. Returns false if the queue has no snapshot that is late enough.
bool VideoRecorder::next_blend(float& blend) {
  for (;;) {
    if (!clock_) {
      if (!queue_->take(after_)) return false;
      before_ = after_;
      clock_.emplace(settings_.frames_per_simulated_s, after_.time_s);
    }
    if (const auto due = clock_->next()) {
      blend = *due;
      return true;
    }
    if (!pull()) return false;
    if (after_.epoch == before_.epoch) {
      clock_->advance(after_.time_s);
    } else {  // the simulation was reset, so continue from the new start time
      before_ = after_;
      clock_.emplace(settings_.frames_per_simulated_s, after_.time_s);
    }
  }
}

Result<void> VideoRecorder::pump_simulated(double budget_s, const Draw& draw, bool wait, const Ready& ready) {
  const auto start = Clock::now();
  do {
    float blend = 1;
    if (!due_blend_ && writer_->has_room() && next_blend(blend)) due_blend_ = blend;
    const Frame frame{&before_, &after_, due_blend_.value_or(1)};
    if (!due_blend_ || (ready && !ready(frame))) {
      if (!wait) return {};
      std::this_thread::sleep_for(std::chrono::microseconds(500));
      continue;
    }
    due_blend_.reset();
    auto image = draw(frame);
    if (!image) return tl::unexpected(image.error());
    if (auto added = writer_->add(std::move(*image)); !added) return added;
    shown_.add(after_, eye_, target_);
    ++frames_;
  } while (std::chrono::duration<double>(Clock::now() - start).count() < budget_s);
  return {};
}

std::size_t VideoRecorder::missing(double wall_s) const {
  const double elapsed = std::max(0.0, wall_s - start_wall_s_);
  const auto wanted = static_cast<std::size_t>(std::floor(elapsed * settings_.video.fps)) + 1;
  return wanted > frames_ ? wanted - frames_ : 0;
}

std::size_t VideoRecorder::due(double wall_s) const { return writer_->has_room() ? missing(wall_s) : 0; }

Result<void> VideoRecorder::add_live(const Image& image, std::size_t count, const Snapshot& shown) {
  if (count == 0) return {};
  const bool first = frames_ == 0;
  // Fill the missing pictures with the previous picture, because the window showed it until now.
  if (!first) {
    writer_->repeat(count - 1);
    shown_.repeat(count - 1);
  }
  if (auto added = writer_->add(fit_image(image, settings_.video.width, settings_.video.height)); !added) return added;
  shown_.add(shown, eye_, target_);
  if (first) {
    writer_->repeat(count - 1);
    shown_.repeat(count - 1);
  }
  frames_ += count;
  return {};
}

std::shared_ptr<VideoWriter> VideoRecorder::stop(double wall_s) {
  if (!settings_.by_simulated_time && frames_ > 0) {
    writer_->repeat(missing(wall_s));
    shown_.repeat(missing(wall_s));
  }
  shown_.is_complete = true;
  if (queue_ != nullptr) queue_->close();
  queue_.reset();
  return std::move(writer_);
}

Image fit_image(const Image& image, int width, int height) {
  if (image.width == width && image.height == height) return image;
  Image out{width, height,
            std::vector<std::uint8_t>(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height))};
  const auto row_bytes = 4 * static_cast<std::size_t>(std::min(width, image.width));
  for (int y = 0; y < std::min(height, image.height); ++y) {
    const auto* from = image.rgba.data() + 4 * static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width);
    std::copy_n(from, row_bytes, out.rgba.data() + 4 * static_cast<std::size_t>(y) * static_cast<std::size_t>(width));
  }
  return out;
}

}  // namespace vw
