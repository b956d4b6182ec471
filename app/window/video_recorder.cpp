#include "app/window/video_recorder.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace vw {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds longest_addition{100};  // of copies of one picture, to a recording by real time

}  // namespace

void VideoRecorder::start(std::unique_ptr<VideoWriter> writer, const RecordSettings& settings, std::shared_ptr<SnapshotQueue> queue, double wall_s) {
  writer_ = std::move(writer);
  settings_ = settings;
  queue_ = std::move(queue);
  frames_ = 0;
  start_wall_s_ = wall_s;
  clock_.reset();
}

bool VideoRecorder::pull() {
  std::swap(before_, after_);
  if (queue_->take(after_)) return true;
  std::swap(before_, after_);
  return false;
}

/// Moves on until the next picture's moment lies between the two snapshots; false when the snapshots do not reach it yet.
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
    } else {  // a reset: go on from the new start
      before_ = after_;
      clock_.emplace(settings_.frames_per_simulated_s, after_.time_s);
    }
  }
}

Result<void> VideoRecorder::pump_simulated(double budget_s, const Draw& draw, bool wait) {
  const auto start = Clock::now();
  float blend = 1;
  do {
    if (!writer_->has_room() || !next_blend(blend)) {
      if (!wait) return {};
      std::this_thread::sleep_for(std::chrono::microseconds(500));
      continue;
    }
    auto image = draw(Frame{&before_, &after_, blend});
    if (!image) return tl::unexpected(image.error());
    if (auto added = writer_->add(std::move(*image)); !added) return added;
    ++frames_;
  } while (std::chrono::duration<double>(Clock::now() - start).count() < budget_s);
  return {};
}

int VideoRecorder::due(double wall_s) const {
  if (!writer_->has_room()) return 0;
  const double elapsed = std::max(0.0, wall_s - start_wall_s_);
  const auto wanted = static_cast<std::size_t>(std::floor(elapsed * settings_.video.fps)) + 1;
  return wanted > frames_ ? static_cast<int>(wanted - frames_) : 0;
}

Result<void> VideoRecorder::add_live(const Image& image, int count) {
  const Image fitted = fit_image(image, settings_.video.width, settings_.video.height);
  // Where copying a picture takes longer than it lasts, adding all of them would leave more to add: the window must go on all the same.
  const auto start = Clock::now();
  for (int i = 0; i < count && writer_->has_room() && Clock::now() - start < longest_addition; ++i) {
    if (auto added = writer_->add(fitted); !added) return added;
    ++frames_;
  }
  return {};
}

std::unique_ptr<VideoWriter> VideoRecorder::stop() {
  if (queue_ != nullptr) queue_->close();
  queue_.reset();
  return std::move(writer_);
}

Image fit_image(const Image& image, int width, int height) {
  if (image.width == width && image.height == height) return image;
  Image out{width, height, std::vector<std::uint8_t>(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height))};
  const auto row_bytes = 4 * static_cast<std::size_t>(std::min(width, image.width));
  for (int y = 0; y < std::min(height, image.height); ++y) {
    const auto* from = image.rgba.data() + 4 * static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width);
    std::copy_n(from, row_bytes, out.rgba.data() + 4 * static_cast<std::size_t>(y) * static_cast<std::size_t>(width));
  }
  return out;
}

}  // namespace vw
