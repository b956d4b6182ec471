// Settings of film quality, and the report on a finished picture.
#pragma once

#include <cstdint>
#include <functional>

namespace vw {

/// Budgets and camera of a path-traced picture. The first budget that is reached ends the picture. If all budgets are
/// 0, the picture has `default_samples` samples per pixel.
struct FilmSettings {
  static constexpr std::int64_t default_samples = 64, most_samples = 1'000'000;
  std::int64_t samples = 0;  ///< samples per pixel; 0 means no limit
  /// Time for the samples [s]; 0 means no limit. With this budget, the number of samples depends on the speed of the
  /// machine.
  double time_s = 0;
  /// Relative mean square error at which the picture is finished. It is the error before denoising, estimated from the
  /// variance of the samples. 0 means no limit.
  double noise = 0;
  bool denoise = true;
  std::uint64_t seed = 0;
  double aperture_m = 0;  ///< diameter of the lens [m]; 0 means that everything is in focus
  double focus_m = 0;     ///< distance of the plane in focus [m]; 0 means the distance of the camera's target
  /// Called after every few samples per pixel with the finished fraction of the picture, in [0, 1]. If the function
  /// returns false, the picture consists of the samples so far.
  std::function<bool(double)> keep_going = {};
  /// Called often, on any thread. If the function returns true, drawing ends at once, without a picture.
  std::function<bool()> is_cancelled = {};
};

struct FilmReport {
  std::int64_t samples = 0;                        ///< largest number of samples of a pixel
  double mean_samples = 0;                         ///< mean number of samples per pixel
  double noise = 0;                                ///< relative mean square error, as in FilmSettings
  double scene_s = 0, trace_s = 0, denoise_s = 0;  ///< wall times for the scene, the samples and the denoiser [s]
};

}  // namespace vw
