// Solids as particles: the places that fill a shape, slice by slice (Fang & Chen 2000, "Hardware accelerated voxelization", Computers & Graphics 24).
#pragma once

#include <vector>

#include "sim/base/error.h"
#include "sim/collision/shape/shape.h"

namespace vw {

/// The middles of the cells of a lattice of edge `diameter_m` about the middle of the shape's bounds that lie inside of it, in the shape's frame [m],
/// slice by slice along its longest axis, ordered by place. Holes, self-intersections and unlike windings of a mesh are borne: a cell is inside where
/// most of the shape's crossings say so. Never empty for a shape with volume: at least the middle. Errors: a shape without an inside, more than eight
/// million cells.
[[nodiscard]] Result<std::vector<Vec3>> fill_with_particles(const Shape& shape, double diameter_m);

}  // namespace vw
