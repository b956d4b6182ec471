#include "sim/system/voxel/lattice/region_shape.h"

namespace vw {
namespace {

// Tolerance in units of the voxel edge. It is needed because regions often end exactly at a voxel face, such as at 1/3
// of 9 voxels.
constexpr double edge_tolerance = 1e-9;

bool overlaps(double low, double high, double cell) {
  if (high - low < edge_tolerance) return low > cell - edge_tolerance && low < cell + 1 + edge_tolerance;
  return cell + 1 > low + edge_tolerance && cell < high - edge_tolerance;
}

/// Shape of one region. Coordinates are in units of the voxel edge, with the origin at the lattice's lower corner.
class PlacedRegion {
 public:
  PlacedRegion(const VoxelLattice& lattice, const VoxelRegion& region)
      : kind_(region.shape),
        low_(region.min.cwiseProduct(extent(lattice))),
        high_(region.max.cwiseProduct(extent(lattice))),
        center_(region.center.cwiseProduct(extent(lattice))),
        axis_(region.axis.cwiseProduct(extent(lattice))),
        radius_(region.radius * extent(lattice).maxCoeff()) {}

  [[nodiscard]] bool touches(const std::array<int, 3>& cell) const {
    const Vec3 corner(cell[0], cell[1], cell[2]);
    const Vec3 middle = corner + Vec3::Constant(0.5) - center_;
    if (kind_ == RegionShape::sphere) return middle.norm() < radius_ + edge_tolerance;
    if (kind_ == RegionShape::cylinder) return in_cylinder(middle);
    return overlaps(low_[0], high_[0], corner[0]) && overlaps(low_[1], high_[1], corner[1]) &&
           overlaps(low_[2], high_[2], corner[2]);
  }

 private:
  static Vec3 extent(const VoxelLattice& lattice) {
    return {double(lattice.nx), double(lattice.ny), double(lattice.nz)};
  }

  [[nodiscard]] bool in_cylinder(const Vec3& middle) const {
    const double length = axis_.norm();
    if (length < edge_tolerance) return false;  // a cylinder without length contains nothing
    const double along = middle.dot(axis_) / length;
    return along > -edge_tolerance && along < length + edge_tolerance &&
           (middle - (along / length) * axis_).norm() < radius_ + edge_tolerance;
  }

  RegionShape kind_;
  Vec3 low_, high_, center_, axis_;
  double radius_;
};

}  // namespace

std::vector<std::size_t> voxels_in(const VoxelLattice& lattice, const VoxelRegion& region) {
  const PlacedRegion shape(lattice, region);
  std::vector<std::size_t> found;
  for (std::size_t v = 0; v < lattice.cell.size(); ++v)
    if (shape.touches(lattice.cell[v])) found.push_back(v);
  return found;
}

}  // namespace vw
