// Pictures and video files: PNG by libpng; MP4 (H.264) by FFmpeg's libraries if built in, otherwise a numbered PNG
// sequence.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>

#include "render/image.h"
#include "sim/base/error.h"

namespace vw {

/// Writes atomically (to a temporary file that is renamed). 8-bit RGB; alpha is dropped.
[[nodiscard]] Result<void> write_png(const Image& image, const std::string& path);
/// Reads a picture of at most `limit_px` pixels. Any PNG is converted to 8-bit RGBA.
[[nodiscard]] Result<Image> read_png(const std::string& path, std::size_t limit_px);

struct VideoOptions {
  int width = 1280, height = 720;  ///< rounded to even sizes
  int fps = 60;
  int quality = 20;  ///< CRF; lower is better
};

/// Encodes on its own thread, fed by a bounded queue. Writes fragmented MP4, so that an interrupted recording can still
/// be played.
class VideoWriter {
 public:
  [[nodiscard]] static Result<std::unique_ptr<VideoWriter>> open(const std::string& path, const VideoOptions& options);
  virtual ~VideoWriter() = default;
  /// Adds one frame. Waits while the queue is full (never drops frames). Returns the first error of the encoder.
  [[nodiscard]] virtual Result<void> add(Image frame) = 0;
  /// Repeats the last picture `times` times. Copies nothing and never waits. Has no effect before the first picture.
  virtual void repeat(std::size_t times) = 0;
  /// True if add() would return at once. The window checks this so that drawing never waits.
  [[nodiscard]] virtual bool has_room() const = 0;
  /// Flushes and closes the file. The destructor does the same.
  [[nodiscard]] virtual Result<void> finish() = 0;
  [[nodiscard]] virtual std::size_t frames() const = 0;
};
/// Name of the encoder: "libavcodec 59.37.100 (libx264)" or "PNG sequence".
[[nodiscard]] std::string video_backend();

}  // namespace vw
