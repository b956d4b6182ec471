// How wide to draw a disc so that its pixels' coverage sums up to its area. A pixel's coverage is taken as clamp(R + 1/2 - d, 0, 1), d being its
// middle's distance: over the plane that is pi (R^2 + 1/12), but over a grid of pixels it wavers with the place of the centre by some per cent where
// R is small. The table holds the R for which the sum is pi r^2, by radius and place.
#pragma once

#include <cstddef>
#include <vector>

namespace vw::soft {

/// Smaller discs are drawn with this radius and so much less opacity.
inline constexpr float least_disc_px = 0.75F;

class DiscTable {
 public:
  DiscTable();
  /// `x`, `y`: of the centre, in pixels; `r` >= least_disc_px.
  [[nodiscard]] float ramp_radius(float r, float x, float y) const;

 private:
  static constexpr std::size_t radii = 109, places = 17;  ///< places by 1/32 from a pixel's middle to its rim, which by symmetry is all
  static constexpr float steps_per_px = 32;
  static constexpr float largest_px = least_disc_px + (radii - 1) / steps_per_px;
  std::vector<float> less_;  ///< r - R
};

/// The table, made on first use.
[[nodiscard]] const DiscTable& disc_table();

}  // namespace vw::soft
