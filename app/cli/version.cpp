#include "app/cli/version.h"

#include "app/capture/capture.h"
#include "sim/world/build_info.h"

namespace vw {

std::string version_text() {
  const std::string video = video_backend();
  std::string text = build_description() + "\n";
#ifdef VOXWAKE_HAVE_WINDOW
  text += "graphics: OpenGL 4.5 core; window by GLFW and Dear ImGui, pictures without a display by EGL or in software\n";
#else
  text += "graphics: OpenGL 4.5 core; no window in this build, pictures without a display by EGL or in software\n";
#endif
  text += "video:    " + video + "\n";
  text += "licence:  MIT";
  if (video.find("libx264") != std::string::npos)
    text +=
        "; this build writes video through FFmpeg with x264 (GPL 2 or later), so whoever passes on the program together with them does so under the "
        "GPL";
  return text;
}

}  // namespace vw
