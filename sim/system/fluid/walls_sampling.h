// How single shapes are covered with samples: what is flat by lattices, everything else evenly over surfaces at half a spacing's depth. Pure
// functions of the shape, the spacing and the region, the same bits on any number of threads. sample_wall() of walls.h chooses among them.
#pragma once

#include "sim/system/fluid/walls.h"

namespace vw {

/// What covers depend on: the spacing and what samples count at a depth.
class SampleScale {
 public:
  SampleScale(double spacing_m, SphKernel kernel) : spacing_(spacing_m), kernel_(kernel) {}
  [[nodiscard]] double spacing() const { return spacing_; }
  /// Share of the samples of a wall that has layers from a depth [spacings] on, as far from each other as told, such that fluid that touches the wall
  /// is as dense as it is before a lattice.
  [[nodiscard]] double thin_share(double depth, int layers = 1, double apart = 0) const;
  /// Kernel at a distance [m], and what it comes to over a wall that goes on as a lattice, for fluid that touches it; both not normalised.
  [[nodiscard]] double weight(double distance_m) const { return kernel_shape(kernel_, 0.5 * distance_m / spacing_); }
  [[nodiscard]] double wall_weight() const;

 private:
  double spacing_;
  SphKernel kernel_;
};

/// Square parts of planes, as the walls of fluids are extended by.
inline constexpr std::int32_t tile_cells = 8;
/// Cells of the half space y < 0 from one number to before another along x and z, a spacing wide.
struct PlaneCells {
  std::int64_t x_begin = 0, x_end = 0, z_begin = 0, z_end = 0;
};
/// Adds the samples of those cells.
void cover_cells(bool two_sided, const SampleScale& scale, const PlaneCells& cells, SurfaceSamples& out);
/// Where the half space y < 0 is needed: layers of a lattice about the origin, whose points have halves of spacings as coordinates. A sheet has one
/// layer.
[[nodiscard]] SurfaceSamples cover_plane(bool two_sided, const SampleScale& scale, const Box3& needed);
/// A solid box: the outer two layers of cells as wide as the spacing; where that does not divide an edge, cells in its middle are wider or narrower.
[[nodiscard]] SurfaceSamples cover_box(const Vec3& half_extent_m, const SampleScale& scale, const Box3& needed);
/// A box turned inside out: the same cells as in the room go on two layers beyond it.
[[nodiscard]] SurfaceSamples cover_room(const Vec3& half_extent_m, const SampleScale& scale, const Box3& needed);
/// Any bounded shape by its distances: points spread evenly over the surfaces at half a spacing's depth and one and a half, at the surface itself
/// where the shape is thinner. An axis-parallel face is covered by a lattice.
[[nodiscard]] SurfaceSamples cover_evenly(const Shape& shape, bool two_sided, const SampleScale& scale, const Box3& needed);

}  // namespace vw
