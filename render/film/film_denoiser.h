// Removes the noise of path-traced pictures by non-local means (A. Buades, B. Coll & J.-M. Morel 2005) with the known
// variance of each pixel (F. Rousselle, C. Knaus & M. Zwicker, "Adaptive rendering with non-local means filtering",
// 2012), guided by albedo, normal and distance (the same, "Robust denoising using feature and color information",
// 2013).
#pragma once

#include <functional>
#include <vector>

#include <glm/glm.hpp>

namespace vw::film {

/// Linear picture with the guides of its pixels, rows from top to bottom.
struct FilmPicture {
  int width = 0, height = 0;
  std::vector<glm::vec3> radiance;  ///< mean over the samples
  std::vector<glm::vec3> variance;  ///< of that mean
  std::vector<glm::vec3> albedo, normal;
  std::vector<float> distance;  ///< [m]; 0: sky
  void resize(int wide, int high);
};

struct DenoiserParams {
  int window_px = 7;       ///< largest offset of pixels that are averaged
  float strength = 0.75F;  ///< standard deviations by which similar pixels may differ
  float albedo_width = 0.08F, normal_width = 0.35F, distance_width = 0.05F;
};

/// Returns the filtered radiance. The result has the same bits at any number of threads. If `is_cancelled`, which is
/// called on any thread, returns true, the result is incomplete.
[[nodiscard]] std::vector<glm::vec3> denoised(const FilmPicture& picture, const DenoiserParams& params = {},
                                              const std::function<bool()>& is_cancelled = {});

}  // namespace vw::film
