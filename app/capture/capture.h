// Pictures and video files. PNG files are read and written by libpng. Videos are MP4 (H.264), WebM (VP9), GIF or
// numbered PNG files. Without FFmpeg's libraries, there is no WebM, and numbered PNG files replace MP4.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "render/image.h"
#include "sim/base/error.h"

namespace vw {

/// Whether a file keeps the alpha channel of a picture. The channel has a meaning only if the background is
/// transparent.
enum class AlphaChannel : std::uint8_t { dropped, kept };

/// Returns the bytes of an 8-bit RGB or RGBA file.
[[nodiscard]] Result<std::string> png_bytes(const Image& image, AlphaChannel alpha = AlphaChannel::dropped);
/// Writes the bytes of png_bytes(). The write is atomic: the data go to a temporary file, which is then renamed. If
/// `moment` is not empty, the file contains these bytes of api::pack_moment() as compressed text (embedded_moment.h).
[[nodiscard]] Result<void> write_png(const Image& image, const std::string& path, std::string_view moment = {},
                                     AlphaChannel alpha = AlphaChannel::dropped);
/// Reads a picture of at most `limit_px` pixels. All PNG formats are converted to 8-bit RGBA.
[[nodiscard]] Result<Image> read_png(const std::string& path, std::size_t limit_px);

struct VideoOptions {
  int width = 1280, height = 720;  ///< size of the frames [pixels]. MP4 rounds odd values down.
  int fps = 60;
  int quality = 20;  ///< constant rate factor (CRF) of H.264; VP9 uses 12 more. Lower values mean higher quality.
};

/// Encoder with its own thread and a bounded queue. MP4 files are fragmented, so that an interrupted recording can be
/// played.
class VideoWriter {
 public:
  [[nodiscard]] static Result<std::unique_ptr<VideoWriter>> open(const std::string& path, const VideoOptions& options);
  virtual ~VideoWriter() = default;
  /// Adds one frame. If the queue is full, the call waits; no frame is dropped. Returns the first error of the encoder.
  [[nodiscard]] virtual Result<void> add(Image frame) = 0;
  /// Repeats the last picture `times` times. The call copies nothing and never waits. Before the first picture, the
  /// call has no effect.
  virtual void repeat(std::size_t times) = 0;
  /// Skips the next picture and returns true if pictures are written as numbered files and the file of this picture was
  /// already written at the time `since` or later. The picture counts as added.
  [[nodiscard]] virtual bool keep_next(std::filesystem::file_time_type since) {
    (void)since;
    return false;
  }
  /// Returns whether add() would return without waiting. The window calls this function before add(), so that drawing
  /// never waits.
  [[nodiscard]] virtual bool has_room() const = 0;
  /// Whether a moment was taken at the start of a recording or covers the whole recording.
  enum class MomentPart : std::uint8_t { start, whole };
  /// Sets the bytes of api::pack_moment() that the file stores (embedded_moment.h). Call this function once at the
  /// start, so that a killed recording can be opened, and once before finish(). The call copies nothing and never
  /// waits. A `start` that arrives after `whole` is ignored, and so is an empty text. Writers whose files store no
  /// moment ignore the call.
  virtual void set_moment(std::string bytes, MomentPart part) { (void)bytes, (void)part; }
  /// Flushes the encoder and closes the file. The destructor performs these actions if finish() was not called.
  [[nodiscard]] virtual Result<void> finish() = 0;
  [[nodiscard]] virtual std::size_t frames() const = 0;
};
/// Returns the name of the encoder, such as "libavcodec 59.37.100 (libx264)" or "PNG sequence".
[[nodiscard]] std::string video_backend();

}  // namespace vw
