// Interface of encoders, which write pictures to a video in sequence on one thread. VideoWriter (capture.h) adds a
// queue and a thread.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "app/capture/capture.h"

namespace vw {

class FrameEncoder {
 public:
  virtual ~FrameEncoder() = default;
  [[nodiscard]] virtual Result<void> write(const Image& frame) = 0;
  /// Writes the last frame again.
  [[nodiscard]] virtual Result<void> repeat() = 0;
  /// Returns whether the file of picture `number` (counted from 1) exists and was written at the time `since` or later.
  /// Returns false for encoders that write a single file. Thread-safe.
  [[nodiscard]] virtual bool has(std::size_t number, std::filesystem::file_time_type since) const {
    (void)number, (void)since;
    return false;
  }
  /// Counts the next picture, which exists already, as written.
  virtual void keep() {}
  /// Stores the bytes of a moment in the video and replaces earlier bytes. The encoder may delay the write, at most
  /// until finish().
  [[nodiscard]] virtual Result<void> embed(std::string moment) = 0;
  /// Writes all buffered data and closes the file.
  [[nodiscard]] virtual Result<void> finish() = 0;
};

/// Creates `folder` and writes the files `folder/frame_000001.png` and so on.
[[nodiscard]] Result<std::unique_ptr<FrameEncoder>> open_png_sequence(const std::string& folder);

/// Writes an animated GIF that repeats without end. The frame rate is at most 50 frames per second. The file stores no
/// moment.
[[nodiscard]] Result<std::unique_ptr<FrameEncoder>> open_gif(const std::string& path, const VideoOptions& options);

/// Writes WebM (VP9). finish() writes the whole file. The file stores no moment. Sizes are treated as in open_mp4().
[[nodiscard]] Result<std::unique_ptr<FrameEncoder>> open_webm(const std::string& path, const VideoOptions& options);

/// Writes fragmented MP4 (H.264). Frames must have the size options.width x options.height. If the width or height is
/// odd, the last column or row is omitted.
[[nodiscard]] Result<std::unique_ptr<FrameEncoder>> open_mp4(const std::string& path, const VideoOptions& options);

}  // namespace vw
