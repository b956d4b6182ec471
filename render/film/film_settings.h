// Settings of film quality, and the report on a finished picture.
#pragma once

#include <cstdint>
#include <functional>

namespace vw {

/// Budgets and camera of a path-traced picture. The first budget that is reached ends the picture. If all budgets are
/// 0, the picture has `default_samples` samples per pixel.
struct FilmSettings {
  static constexpr std::int64_t default_samples = 64, most_samples = 1'000'000;
  std::int64_t samples = 0;  ///< per pixel; 0: no limit
  double time_s = 0;  ///< time for the samples [s]; 0: no limit. With this budget the samples depend on the machine
  /// Relative mean square error of the picture before the denoiser, estimated from the variance of the samples, at
  /// which it is finished; 0: no limit.
  double noise = 0;
  bool denoise = true;
  std::uint64_t seed = 0;
  double aperture_m = 0;  ///< diameter of the lens [m]; 0: everything is in focus
  double focus_m = 0;     ///< distance of the plane in focus [m]; 0: the distance of the camera's target
  /// Called from time to time with the finished part of the picture, in [0, 1]. If it returns false, the picture ends
  /// with the samples so far.
  std::function<bool(double)> keep_going = {};
  /// Called often, on any thread. If it returns true, drawing ends at once, without a picture.
  std::function<bool()> is_cancelled = {};
};

struct FilmReport {
  std::int64_t samples = 0;                        ///< of the pixels with the most samples
  double mean_samples = 0;                         ///< per pixel
  double noise = 0;                                ///< as in FilmSettings
  double scene_s = 0, trace_s = 0, denoise_s = 0;  ///< wall time [s]
};

}  // namespace vw
