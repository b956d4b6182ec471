// Solids as particles: the places that fill a shape, slice by slice (Fang & Chen 2000, "Hardware accelerated voxelization", Computers & Graphics 24).
#pragma once

#include <vector>

#include "sim/base/error.h"
#include "sim/collision/shape/shape.h"

namespace vw {

/// The middles of the cells of a lattice of edge `diameter_m` about the middle of the shape's bounds that lie inside of it (cells_inside.h), in the
/// shape's frame [m], slice by slice along its longest axis, ordered by place. Along each axis there are as many cells as come nearest to its size.
/// Never empty: what no middle lies in is one particle in the middle of its bounds. Errors: a shape without an inside that ends, more than eight
/// million cells. Parallel; the same bits on any number of threads.
[[nodiscard]] Result<std::vector<Vec3>> fill_with_particles(const Shape& shape, double diameter_m);

}  // namespace vw
