// Positions of particles that fill a solid shape, slice by slice (Fang & Chen 2000, "Hardware accelerated
// voxelization", Computers & Graphics 24).
#pragma once

#include <vector>

#include "sim/base/error.h"
#include "sim/collision/shape/shape.h"

namespace vw {

/// Returns the centres of those lattice cells of edge `diameter_m` that lie inside the shape (cells_inside.h), in the
/// shape's frame [m]. The lattice is centred on the bounds of the shape, with the number of cells along each axis that
/// best matches them. The centres are ordered by slices along the longest axis. If no centre lies inside, the result is
/// one particle at the centre of the bounds. Returns an error for a shape without a bounded inside, and for more than
/// eight million cells. The computation runs in parallel, with bit-identical results for any number of threads.
[[nodiscard]] Result<std::vector<Vec3>> fill_with_particles(const Shape& shape, double diameter_m);

}  // namespace vw
