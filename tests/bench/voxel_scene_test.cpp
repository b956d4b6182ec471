// The shapes that the voxel benchmark measures have the stated number of voxels and bonds and are connected.
#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "bench/cases/voxel/voxel_scene.h"

namespace vw::bench {
namespace {

/// Returns the number of voxels that are connected to the first one through shared faces.
std::size_t reached(CubeShape shape, int n) {
  std::set<std::array<int, 3>> seen;
  std::vector<std::array<int, 3>> open{cells_of(shape, n).front()};
  while (!open.empty()) {
    const auto cell = open.back();
    open.pop_back();
    if (!seen.insert(cell).second) continue;
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (const int step : {-1, 1}) {
        auto next = cell;
        next[axis] += step;
        if (next[axis] >= 0 && next[axis] < n && is_filled(shape, n, next[0], next[1], next[2])) open.push_back(next);
      }
  }
  return seen.size();
}

TEST(BenchmarkShapes, AreConnected) {
  for (const CubeShape shape : {CubeShape::dense, CubeShape::hollow, CubeShape::sparse})
    for (const int n : {2, 3, 10, 11, 12, 20}) EXPECT_EQ(reached(shape, n), cells_of(shape, n).size()) << n;
}

TEST(BenchmarkShapes, SparseIsAboutAThirdFull) {
  for (const int n : {10, 20, 40, 64}) {
    const double fill = static_cast<double>(cells_of(CubeShape::sparse, n).size()) / (1.0 * n * n * n);
    EXPECT_GT(fill, 0.25) << n;
    EXPECT_LT(fill, 0.36) << n;
  }
}

TEST(BenchmarkShapes, AShellIsOneVoxelThick) { EXPECT_EQ(cells_of(CubeShape::hollow, 10).size(), 1000U - 512U); }

TEST(BenchmarkShapes, BondsJoinCellsThatShareAFace) {
  EXPECT_EQ(bond_count(CubeShape::dense, 4), 3 * 4 * 4 * 3);
  EXPECT_EQ(bond_count(CubeShape::sparse, 3), 6);  // three struts of three cells from one corner
}

}  // namespace
}  // namespace vw::bench
