// Warnings about the regions of a voxel body.
#pragma once

#include <string>
#include <vector>

#include "sim/base/data/node.h"
#include "sim/system/voxel/lattice/lattice.h"

namespace vw {

/// Adds a warning to `notes` for each region that is fixed or loaded but contains no voxel. A region that is neither
/// fixed nor loaded gives no warning, because a later edit may fix or load it. `name` is the name of the body and
/// `self` its node.
void note_empty_regions(const std::string& name, const VoxelLattice& lattice, const Node& self,
                        std::vector<std::string>& notes);

}  // namespace vw
