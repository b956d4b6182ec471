// Removes the noise of path-traced pictures by non-local means (A. Buades, B. Coll & J.-M. Morel 2005). The filter uses
// the variance of each pixel (F. Rousselle, C. Knaus & M. Zwicker, "Adaptive rendering with non-local means filtering",
// 2012). Albedo, normal and distance guide the filter (F. Rousselle, M. Manzi & M. Zwicker, "Robust denoising using
// feature and color information", 2013).
#pragma once

#include <functional>
#include <vector>

#include <glm/glm.hpp>

namespace vw::film {

/// Picture in linear RGB with the features of its pixels that guide the denoiser. Rows run from top to bottom.
struct FilmPicture {
  int width = 0, height = 0;
  std::vector<glm::vec3> radiance;        ///< mean over the samples
  std::vector<glm::vec3> variance;        ///< variance of this mean
  std::vector<glm::vec3> albedo, normal;  ///< means over the samples
  std::vector<float> distance;            ///< mean distance to the first surface [m]; samples of the sky count as 0
  /// Sets the size and fills all arrays with zeros.
  void resize(int wide, int high);
};

struct DenoiserParams {
  int window_px = 7;       ///< largest offset along each axis between pixels that are averaged [px]
  float strength = 0.75F;  ///< factor on the standard deviation of the noise (k in Rousselle et al. 2012)
  /// Differences at which the weight of a pixel falls to about a third: of albedo, of normal, and of distance relative
  /// to the sum of both distances.
  float albedo_width = 0.08F, normal_width = 0.35F, distance_width = 0.05F;
};

/// Returns the filtered radiance. The result has the same bits at any number of threads. `is_cancelled` may be called
/// on any thread. If it returns true, the result is incomplete.
[[nodiscard]] std::vector<glm::vec3> denoised(const FilmPicture& picture, const DenoiserParams& params = {},
                                              const std::function<bool()>& is_cancelled = {});

}  // namespace vw::film
