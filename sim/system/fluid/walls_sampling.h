// How single shapes are covered with samples: what is flat by lattices, everything else evenly over surfaces at half a spacing's depth. Pure
// functions of the shape, the spacing and the region, the same bits on any number of threads. sample_wall() of walls.h chooses among them.
#pragma once

#include <optional>

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

/// Parts of walls that are wide: so many cells along each axis. Those of planes have no number along y.
inline constexpr std::int32_t tile_cells = 8;
/// Cells of the half space y < 0 from one number to before another along x and z, a spacing wide.
struct PlaneCells {
  std::int64_t x_begin = 0, x_end = 0, z_begin = 0, z_end = 0;
};
/// Adds the samples of those cells.
void cover_cells(bool two_sided, const SampleScale& scale, const PlaneCells& cells, SurfaceSamples& out);
/// Where the half space y < 0 is needed: layers of a lattice about the origin, whose points have halves of spacings as coordinates. A sheet has two
/// layers on each side, for the fluid on the other side (thin_walls.h).
[[nodiscard]] SurfaceSamples cover_plane(bool two_sided, const SampleScale& scale, const Box3& needed);
/// The axis along which a solid box is thinner than the spacing while it is wider along the other two, or -1. Each of its faces has layers of its own
/// behind it, as a thick wall has, which lie beyond the box's middle and are there for the fluid before that face alone (thin_walls.h).
[[nodiscard]] int thin_axis(const Vec3& half_extent_m, double spacing_m);
/// A solid box: the outer two layers of cells as wide as the spacing; where that does not divide an edge, cells in its middle are wider or narrower.
/// Or a room, a box turned inside out: the same cells as in the room go on two layers beyond it. Cells are counted from the corner of the least
/// coordinates; there may be more than could be stored.
class BoxCells {
 public:
  BoxCells(const Vec3& half_extent_m, bool room, const SampleScale& scale);
  /// What reaches to within a support radius of a region [m, about the box's middle].
  [[nodiscard]] SurfaceSamples cover(const Box3& needed) const;
  /// The tile that holds a place, or the nearest one.
  [[nodiscard]] WallTile tile_at(const Vec3& place) const;
  /// Adds what a tile has.
  void cover(const WallTile& tile, SurfaceSamples& out) const;

 private:
  static constexpr std::int64_t layers = 2;
  struct Span {
    std::int64_t begin = 0, end = 0;
  };
  /// Cells along an edge: as many as told at either end are a spacing wide, the others in between share what is left.
  struct Edge {
    Edge() = default;
    Edge(double length_m, bool room, const SampleScale& scale);
    /// Across a thin plate.
    [[nodiscard]] static Edge across(double length_m, const SampleScale& scale);
    double spacing = 0, length = 0, width = 0;  ///< width: of the inner ones
    double inner_share = 0;                     ///< width / spacing, or what makes up for it where the edge is thin
    std::int64_t count = 0, ends = 0;
    bool thin = false;  ///< layers of either face, not cells of its length
    [[nodiscard]] bool is_end(std::int64_t cell) const { return cell < ends || cell >= count - ends; }
    [[nodiscard]] double from(std::int64_t cell) const;
    [[nodiscard]] double width_of(std::int64_t cell) const { return is_end(cell) ? spacing : width; }
    [[nodiscard]] double middle(std::int64_t cell) const;
    [[nodiscard]] double share(std::int64_t cell) const { return is_end(cell) ? 1.0 : inner_share; }
    /// One of the two cells next to either end.
    [[nodiscard]] bool is_outer(std::int64_t cell) const {
      return thin || from(cell) < 1.5 * spacing || from(cell) + width_of(cell) > length - 1.5 * spacing;
    }
    [[nodiscard]] std::int64_t cell_at(double at) const;
    /// Cells whose middle lies between two bounds.
    [[nodiscard]] Span within(double low, double high) const;
  };
  void cover(const std::array<Span, 3>& near, SurfaceSamples& out) const;
  std::array<Edge, 3> edges_;
};
/// Thickness of a shape that is a thin wall as a whole [m]: 0 of sheets (two-sided colliders, open meshes), less than the spacing of flat cylinders
/// and of closed meshes that are thin everywhere; none of others, and of boxes (thin_axis()). Samples of such a wall stand as far behind each face as
/// those of a thick one, so mostly beyond the opposite face, and are there for the fluid before that face alone (thin_walls.h).
[[nodiscard]] std::optional<double> thin_wall(const Shape& shape, bool two_sided, double spacing_m);
/// Any bounded shape by its distances: points spread evenly over the surfaces at half a spacing's depth and one and a half, at the surface itself
/// where the shape is thinner. An axis-parallel face is covered by a lattice.
[[nodiscard]] SurfaceSamples cover_evenly(const Shape& shape, bool two_sided, const SampleScale& scale, const Box3& needed);

}  // namespace vw
