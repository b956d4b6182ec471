// Renders a picture in film quality (path tracing) on a background thread while the window stays usable.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include "render/film/film_settings.h"
#include "render/image.h"
#include "render/renderer.h"

namespace vw {

/// Settings of film quality in the window.
struct FilmChoice {
  int samples = 64;     ///< samples per pixel
  int aperture_mm = 0;  ///< diameter of the lens opening [mm]; 0: everything is in focus
};

/// Contents and settings of a picture in film quality.
struct FilmPlan {
  Snapshot shown;
  Camera camera;
  ViewParams view;
  int width = 1280, height = 720;
  FilmSettings settings;
};

/// Progress of a picture, shared by the drawing thread and the thread that traces the picture. Any thread may call the
/// functions.
class FilmProgress {
 public:
  FilmProgress() : begun_(std::chrono::steady_clock::now()) {}
  [[nodiscard]] double share() const { return share_; }  ///< finished part of the picture, in [0, 1]
  /// Expected time until the picture is finished [s]; negative while it is not known.
  [[nodiscard]] double remaining_s() const;
  [[nodiscard]] bool is_done() const { return done_; }
  /// Ends the picture with the samples so far.
  void finish_early() { ends_early_ = true; }
  /// Ends the picture at once, without a result.
  void cancel() { cancelled_ = true; }
  [[nodiscard]] bool is_cancelled() const { return cancelled_; }

  // Only the thread that traces the picture calls the following functions.
  /// Sets share(). Returns false after finish_early().
  [[nodiscard]] bool report(double share);
  void set_done() { done_ = true; }

 private:
  const std::chrono::steady_clock::time_point begun_;
  std::atomic<double> share_{0};
  std::atomic<bool> done_{false}, ends_early_{false}, cancelled_{false};
};

/// Traces the picture and returns when it is finished. A cancelled picture is an error.
[[nodiscard]] Result<Image> trace_film_picture(const FilmPlan& plan, FilmProgress& progress);

}  // namespace vw
