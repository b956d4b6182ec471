// Pictures and video files. PNG by libpng; MP4 (H.264) by FFmpeg's libraries where built in, else a numbered PNG sequence.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

#include "render/image.h"
#include "sim/base/error.h"

namespace vw {

/// Atomic: written beside and renamed. 8-bit RGB (alpha dropped).
[[nodiscard]] Result<void> write_png(const Image& image, const std::string& path);
/// A picture of at most `limit_px` pixels; any PNG is converted to 8-bit RGBA.
[[nodiscard]] Result<Image> read_png(const std::string& path, std::size_t limit_px);

struct VideoOptions {
  int width = 1280, height = 720;  ///< made even
  int fps = 60;
  int quality = 20;  ///< CRF; lower is better
};

/// Encodes on its own thread behind a bounded queue. Fragmented MP4, so that a recording that is interrupted still plays.
class VideoWriter {
 public:
  [[nodiscard]] static Result<std::unique_ptr<VideoWriter>> open(const std::string& path, const VideoOptions& options);
  virtual ~VideoWriter() = default;
  /// Hands over one frame; waits while the queue is full (never drops). The error is the encoder's first.
  [[nodiscard]] virtual Result<void> add(Image frame) = 0;
  /// The last picture again, so many times: copies nothing and never waits. Nothing before the first picture.
  virtual void repeat(std::size_t times) = 0;
  /// True when add() would return at once (the window uses it so that drawing never waits).
  [[nodiscard]] virtual bool has_room() const = 0;
  /// Flushes and closes; also done by the destructor.
  [[nodiscard]] virtual Result<void> finish() = 0;
  [[nodiscard]] virtual std::size_t frames() const = 0;
};
/// "libavcodec 59.37.100 (libx264)" or "PNG sequence".
[[nodiscard]] std::string video_backend();

}  // namespace vw
