// Corrected radius R of discs, chosen such that the coverage of all pixels adds up to the area of the disc. The
// coverage of a pixel is clamp(R + 1/2 - d, 0, 1), where d is the distance of the pixel's centre from the disc's
// centre. The integral of this function over the plane is pi (R^2 + 1/12). If R is small, the sum over pixels differs
// from the integral by some per cent, depending on the position of the centre. The table contains the R for which the
// sum equals pi r^2, as a function of r and of the position.
#pragma once

#include <cstddef>
#include <vector>

namespace vw::soft {

/// Minimum radius [px]. Smaller discs are drawn with this radius, and with an opacity reduced by the ratio of the
/// areas.
inline constexpr float least_disc_px = 0.75F;

class DiscTable {
 public:
  DiscTable();
  /// Corrected radius R of a disc. `x`, `y`: centre [px]. `r`: radius, at least least_disc_px.
  [[nodiscard]] float ramp_radius(float r, float x, float y) const;

 private:
  /// Numbers of radii and of positions per axis in the table, both in steps of 1/32 px. Positions run from the centre
  /// of a pixel to its edge. Other positions follow by symmetry.
  static constexpr std::size_t radii = 109, places = 17;
  static constexpr float steps_per_px = 32;
  static constexpr float largest_px = least_disc_px + (radii - 1) / steps_per_px;
  std::vector<float> less_;  ///< differences r - R [px], indexed by radius, y and x
};

/// Returns the table, which is computed on first use.
[[nodiscard]] const DiscTable& disc_table();

}  // namespace vw::soft
