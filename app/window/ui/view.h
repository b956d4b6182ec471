// The picture of the scene in the window: camera and selection, renderer, screenshots and video. Drawing thread only.
#pragma once

#include <memory>
#include <string>

#include "app/window/ui/viewport.h"
#include "app/window/video_recorder.h"

namespace vw::ui {

struct CaptureSettings {
  int screenshot_size = 0;  ///< index into screenshot_sizes (capture_sizes.h)
  bool screenshot_interface = false;
  RecordSettings record;
  /// True once the user has chosen the timing. Until then, a simulation slower than real time is recorded by simulated
  /// time.
  bool timing_chosen = false;
  int video_size = 1;  ///< index into video_sizes (capture_sizes.h)
  std::string folder;  ///< output folder. Empty means the user's Pictures, Videos and Documents folders.
};

/// Screenshot of the whole window, taken at the end of this frame.
struct PendingScreenshot {
  bool wanted = false;
  std::string path;
};

struct View {
  std::unique_ptr<Renderer> renderer;  ///< null in tests without OpenGL
  Viewport viewport;
  VideoRecorder recorder;
  std::string recording_path;
  CaptureSettings capture;
  PendingScreenshot window_screenshot;
  std::string gl_name;
};

}  // namespace vw::ui
