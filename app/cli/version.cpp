#include "app/cli/version.h"

#include <fmt/format.h>

#include "app/capture/capture.h"
#include "sim/field/fourier.h"
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
  const bool x264 = video.find("libx264") != std::string::npos, fftw = best_fourier() == FourierCode::fftw;
  text += fmt::format("spectra:  Fourier transforms by {}\n", fftw ? "FFTW" : "Eigen");
  text += "licence:  MIT";
  if (x264 || fftw)
    text += fmt::format(
        "; this build links {}{}{} (GPL 2 or later) beside libraries under the Apache License 2.0 (oneTBB, Highway), so the program as built may be "
        "distributed under the GPL version 3 or later only",
        fftw ? "FFTW" : "", fftw && x264 ? " and " : "", x264 ? "FFmpeg with x264" : "");
  return text;
}

}  // namespace vw
