#include "sim/system/voxel/lattice/region_notes.h"

#include <fmt/format.h>

#include "sim/system/voxel/lattice/region_shape.h"
#include "sim/system/voxel/lattice/regions.h"

namespace vw {
namespace {

std::string point_text(const Vec3& point) {
  return fmt::format("({:.3g}, {:.3g}, {:.3g})", point.x(), point.y(), point.z());
}

/// Describes the shape of a region. Lengths are fractions of the lattice's extent, as in the region's parameters.
std::string shape_text(const VoxelRegion& region) {
  const std::string center = point_text(region.center);
  if (region.shape == RegionShape::box)
    return fmt::format("the box from {} to {}", point_text(region.min), point_text(region.max));
  if (region.shape == RegionShape::sphere)
    return fmt::format("the sphere of radius {:g} about {}", region.radius, center);
  return fmt::format("the cylinder of radius {:g} from {} to {}", region.radius, center,
                     point_text(region.center + region.axis));
}

}  // namespace

void note_empty_regions(const std::string& name, const VoxelLattice& lattice, const Node& self,
                        std::vector<std::string>& notes) {
  const Vec3 extent(lattice.nx, lattice.ny, lattice.nz);
  const auto regions = read_regions(self);
  if (!regions) return;
  for (std::size_t i = 0; i < regions->size(); ++i) {
    const VoxelRegion& region = (*regions)[i];
    const bool acts = region.fixed || !region.force.isZero(0) || !region.torque.isZero(0);
    if (!acts || !voxels_in(lattice, region).empty()) continue;
    Vec3 low = extent, high = Vec3::Zero();
    for (const auto& [x, y, z] : lattice.cell) {
      low = low.cwiseMin(Vec3(x, y, z));
      high = high.cwiseMax(Vec3(x + 1, y + 1, z + 1));
    }
    notes.push_back(
        fmt::format("{}: region {} contains no voxel: {} {} of the voxels, which extend from {} to {} (as fractions of "
                    "the edge lengths of the lattice)",
                    name, self.all("region")[i]->name, shape_text(region),
                    region.shape == RegionShape::box ? "overlaps none" : "contains the centre of none",
                    point_text(low.cwiseQuotient(extent)), point_text(high.cwiseQuotient(extent))));
  }
}

}  // namespace vw
