// What turns pictures into a video, one after another on one thread. VideoWriter (capture.h) puts a queue and a thread before it.
#pragma once

#include <memory>
#include <string>

#include "app/capture/capture.h"

namespace vw {

class FrameEncoder {
 public:
  virtual ~FrameEncoder() = default;
  [[nodiscard]] virtual Result<void> write(const Image& frame) = 0;
  /// The last written frame once more.
  [[nodiscard]] virtual Result<void> repeat() = 0;
  /// Writes what is still held back and closes the file.
  [[nodiscard]] virtual Result<void> finish() = 0;
};

/// `folder/frame_000001.png` and so on; makes the folder.
[[nodiscard]] Result<std::unique_ptr<FrameEncoder>> open_png_sequence(const std::string& folder);

/// Fragmented H.264 MP4. Frames of options.width x options.height; an odd last column or row is left out.
[[nodiscard]] Result<std::unique_ptr<FrameEncoder>> open_mp4(const std::string& path, const VideoOptions& options);

}  // namespace vw
