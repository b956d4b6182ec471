// Boundary samples of single shapes: lattices for planes and boxes, evenly spread points at depths of 0.5 and 1.5
// spacings for all other shapes. All functions depend only on the shape, the spacing and the region. The results have
// the same bits on any number of threads. sample_wall() in walls.h selects the method.
#pragma once

#include <optional>

#include "sim/system/fluid/walls/walls.h"

namespace vw {

/// Spacing and kernel of the samples, and the relative volumes (shares) that follow from them.
class SampleScale {
 public:
  SampleScale(double spacing_m, SphKernel kernel) : spacing_(spacing_m), kernel_(kernel) {}
  [[nodiscard]] double spacing() const { return spacing_; }
  /// Returns the relative volume of the samples of a thin wall with `layers` layers. The first layer lies `depth` below
  /// the surface, and each further layer lies `apart` below the previous one [spacings]. With this volume, fluid that
  /// touches the wall is as dense as in front of a full lattice.
  [[nodiscard]] double thin_share(double depth, int layers = 1, double apart = 0) const;
  /// weight(): kernel value at a distance [m]. wall_weight(): kernel sum over the first layer of a lattice wall, for
  /// fluid that touches the wall. Neither value is normalised.
  [[nodiscard]] double weight(double distance_m) const { return kernel_shape(kernel_, 0.5 * distance_m / spacing_); }
  [[nodiscard]] double wall_weight() const;

 private:
  double spacing_;
  SphKernel kernel_;
};

/// Edge length of a tile in cells. Tiles divide the samples of large walls. For planes, the tile index along y is 0.
inline constexpr std::int32_t tile_cells = 8;
/// Cells of the half space y < 0: half-open ranges along x and z. A cell is one spacing wide.
struct PlaneCells {
  std::int64_t x_begin = 0, x_end = 0, z_begin = 0, z_end = 0;
};
/// Appends the samples of `cells` to `out`.
void cover_cells(bool two_sided, const SampleScale& scale, const PlaneCells& cells, SurfaceSamples& out);
/// Samples the half space y < 0 within two spacings of `needed`. The samples form layers of a lattice about the origin,
/// whose points have coordinates at odd multiples of half a spacing. A two-sided sheet has two layers on each side, for
/// the fluid on the opposite side (thin_walls.h).
[[nodiscard]] SurfaceSamples cover_plane(bool two_sided, const SampleScale& scale, const Box3& needed);
/// If one edge of a solid box is shorter than the spacing and the other edges are not, returns the axis of that edge,
/// else -1. Each face of such a box has its own layers behind it, as a thick wall has. The layers of a face lie beyond
/// the midplane and act only on the fluid in front of that face (thin_walls.h).
[[nodiscard]] int thin_axis(const Vec3& half_extent_m, double spacing_m);
/// Cells of a solid box, of which the outer two layers carry samples. Cells are as wide as the spacing. If the spacing
/// does not divide an edge, inner cells are wider or narrower. For a room (a hollow box) the cells of the interior are
/// continued two layers outward. Cells are counted from the corner of the lowest coordinates. They are not stored,
/// because there may be more cells than memory could hold.
class BoxCells {
 public:
  BoxCells(const Vec3& half_extent_m, bool room, const SampleScale& scale);
  /// Returns the samples within a support radius of a region [m, relative to the box's centre].
  [[nodiscard]] SurfaceSamples cover(const Box3& needed) const;
  /// Returns the tile that contains a point, or the nearest tile.
  [[nodiscard]] WallTile tile_at(const Vec3& place) const;
  /// Appends the samples of a tile.
  void cover(const WallTile& tile, SurfaceSamples& out) const;

 private:
  static constexpr std::int64_t layers = 2;
  struct Span {
    std::int64_t begin = 0, end = 0;
  };
  /// Cells along one edge. The first and last `ends` cells are one spacing wide. The inner cells divide the remaining
  /// length equally.
  struct Edge {
    Edge() = default;
    Edge(double length_m, bool room, const SampleScale& scale);
    /// Returns the cells across a thin plate: the layers behind both faces.
    [[nodiscard]] static Edge across(double length_m, const SampleScale& scale);
    double spacing = 0, length = 0, width = 0;  ///< `width` is the width of inner cells.
    double inner_share = 0;                     ///< Relative volume of inner cells: width / spacing, or thin_share().
    std::int64_t count = 0, ends = 0;
    bool thin = false;  ///< True if the cells are the layers of both faces instead of a division of the edge.
    [[nodiscard]] bool is_end(std::int64_t cell) const { return cell < ends || cell >= count - ends; }
    [[nodiscard]] double from(std::int64_t cell) const;
    [[nodiscard]] double width_of(std::int64_t cell) const { return is_end(cell) ? spacing : width; }
    [[nodiscard]] double middle(std::int64_t cell) const;
    [[nodiscard]] double share(std::int64_t cell) const { return is_end(cell) ? 1.0 : inner_share; }
    /// Whether the cell is one of the outer two layers at either end.
    [[nodiscard]] bool is_outer(std::int64_t cell) const {
      return thin || from(cell) < 1.5 * spacing || from(cell) + width_of(cell) > length - 1.5 * spacing;
    }
    [[nodiscard]] std::int64_t cell_at(double at) const;
    /// Returns the cells whose centres lie between two bounds.
    [[nodiscard]] Span within(double low, double high) const;
  };
  void cover(const std::array<Span, 3>& near, SurfaceSamples& out) const;
  std::array<Edge, 3> edges_;
};
/// Returns the thickness [m] of a shape that is a thin wall everywhere: 0 for sheets (two-sided colliders, open
/// meshes), less than the spacing for flat cylinders and for closed meshes that are thin everywhere. The result is
/// empty for other shapes and for boxes (see thin_axis()). The samples of a face lie as far behind the face as the
/// samples of a thick wall do, and therefore mostly beyond the opposite face. The samples act only on the fluid in
/// front of their own face (thin_walls.h).
[[nodiscard]] std::optional<double> thin_wall(const Shape& shape, bool two_sided, double spacing_m);
/// Samples any bounded shape by signed-distance queries. Points are spread evenly over the offset surfaces at depths of
/// 0.5 and 1.5 spacings, and over the surface itself where the shape is too thin for these depths. An axis-parallel
/// face gets a lattice.
[[nodiscard]] SurfaceSamples cover_evenly(const Shape& shape, bool two_sided, const SampleScale& scale,
                                          const Box3& needed);

}  // namespace vw
