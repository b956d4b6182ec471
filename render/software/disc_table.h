// Corrected radius of discs, chosen such that the pixels' coverage adds up to the area of the disc. The coverage of a
// pixel is clamp(R + 1/2 - d, 0, 1), with d the distance of its centre. Over the plane, this integrates to pi (R^2 +
// 1/12); over a pixel grid, the sum varies with the centre's position by some per cent if R is small. The table holds
// the R for which the sum equals pi r^2, by radius and position.
#pragma once

#include <cstddef>
#include <vector>

namespace vw::soft {

/// Smaller discs are drawn with this radius and correspondingly lower opacity.
inline constexpr float least_disc_px = 0.75F;

class DiscTable {
 public:
  DiscTable();
  /// `x` and `y`: centre in pixels; `r` >= least_disc_px.
  [[nodiscard]] float ramp_radius(float r, float x, float y) const;

 private:
  /// Positions in steps of 1/32 px from a pixel's centre to its edge; the rest follows by symmetry
  static constexpr std::size_t radii = 109, places = 17;
  static constexpr float steps_per_px = 32;
  static constexpr float largest_px = least_disc_px + (radii - 1) / steps_per_px;
  std::vector<float> less_;  ///< r - R
};

/// The table, computed on first use.
[[nodiscard]] const DiscTable& disc_table();

}  // namespace vw::soft
