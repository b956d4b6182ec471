// Measures, connected parts, visible faces and picking of the voxel editor, each compared with a brute-force
// computation.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "app/window/voxel_edit/brush_shapes.h"
#include "app/window/voxel_edit/cells/voxel_faces.h"
#include "app/window/voxel_edit/cells/voxel_pick.h"
#include "app/window/voxel_edit/voxel_checks.h"
#include "app/window/voxel_edit/voxel_edits.h"

namespace vw {
namespace {

VoxelGrid scattered_grid(const VoxelBox& box, double share, unsigned seed) {
  std::mt19937 random(seed);
  VoxelGrid grid(box, {"soft", "hard"});
  for (std::size_t i = 0; i < grid.cell_count(); ++i)
    if (static_cast<double>(random() % 1000) < 1000 * share)
      grid.set_code(i, static_cast<std::uint16_t>(1 + random() % 2));
  return grid;
}

TEST(VoxelChecks, MassAndCentreAreSumsOverVoxels) {
  const VoxelGrid grid = scattered_grid({{-3, 2, 5}, {6, 4, 7}}, 0.5, 1);
  const std::vector<double> densities{1000, 2500};
  const VoxelMeasures measures = measures_of(grid, densities, 0.02);
  double mass = 0, count = 0;
  Vec3 moment = Vec3::Zero();
  for (std::size_t i = 0; i < grid.cell_count(); ++i) {
    if (grid.codes()[i] == 0) continue;
    const double m = densities[grid.codes()[i] - 1U] * 8e-6;
    mass += m;
    moment += m * (grid.cell_at(i).cast<double>() + Vec3::Constant(0.5));
    ++count;
  }
  EXPECT_EQ(static_cast<double>(measures.voxels), count);
  EXPECT_EQ(measures.voxels_of_code[0] + measures.voxels_of_code[1] + measures.voxels_of_code[2], grid.cell_count());
  EXPECT_NEAR(measures.volume_m3, count * 8e-6, 1e-12);
  EXPECT_NEAR(measures.mass_kg, mass, 1e-9 * mass);
  EXPECT_LT((measures.center_of_mass - moment / mass).norm(), 1e-9);
  EXPECT_EQ(measures_of(VoxelGrid(), {}, 1).mass_kg, 0);
}

TEST(VoxelChecks, PartsAreTheConnectedComponents) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const VoxelGrid grid = scattered_grid({{1, -2, 0}, {7, 5, 6}}, 0.3, seed);
    const auto parts = connected_parts(grid);
    CellSet all;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const CellSet part = connected_cells(grid, parts[k].first, CellMatch::filled);
      EXPECT_EQ(part.count(), parts[k].voxels);
      EXPECT_TRUE(part.common(all).is_empty());
      all = all.united(part);
      if (k > 0) {
        EXPECT_GE(parts[k - 1].voxels, parts[k].voxels);
      }
    }
    EXPECT_EQ(all, cells_with_code(grid, any_material));
  }
  EXPECT_TRUE(connected_parts(VoxelGrid()).empty());
}

/// A face as a tuple that can be sorted: cell, direction, material code, and whether it belongs to the onion skin (the
/// translucent neighbouring layers).
using FaceKey = std::tuple<std::uint32_t, int, int, bool>;

std::vector<FaceKey> keys_of(const VoxelFaceList& list) {
  std::vector<FaceKey> keys;
  for (int y = list.layers().begin; y < list.layers().end; ++y)
    for (const VoxelFace& face : list.faces(y))
      keys.emplace_back(face.cell, static_cast<int>(face.face), face.code, face.is_onion_skin);
  std::ranges::sort(keys);
  return keys;
}

/// Appends the faces of the voxels of a box that adjoin an empty cell or a cell outside the box.
void add_faces(const VoxelGrid& grid, const VoxelBox& shown, bool is_onion, std::vector<FaceKey>& keys) {
  for (std::size_t i = 0; i < grid.cell_count(); ++i) {
    const VoxelCell cell = grid.cell_at(i);
    if (grid.codes()[i] == 0 || !shown.contains(cell)) continue;
    for (int face = 0; face < 6; ++face) {
      const VoxelCell next = cell + normal_of(static_cast<CellFace>(face));
      if (!shown.contains(next) || grid.code(next) == 0)
        keys.emplace_back(static_cast<std::uint32_t>(i), face, grid.codes()[i], is_onion);
    }
  }
}

TEST(VoxelFaces, AreThoseOfVoxelsNextToEmptyOrHiddenCells) {
  const VoxelGrid grid = scattered_grid({{-5, 3, 1}, {70, 5, 6}}, 0.6, 2);  // each row has more than one word of bits
  const VoxelBox section{{-2, 4, 2}, {66, 3, 3}};
  VoxelFaceList list;
  list.update(grid, {}, {});
  std::vector<FaceKey> expected;
  add_faces(grid, grid.box(), false, expected);
  std::ranges::sort(expected);
  EXPECT_EQ(keys_of(list), expected);
  EXPECT_EQ(list.face_count(), expected.size());
  list.update(grid, {.section = section}, {});
  expected.clear();
  add_faces(grid, section, false, expected);
  std::ranges::sort(expected);
  EXPECT_EQ(keys_of(list), expected);
  for (int axis = 0; axis < 3; ++axis) {
    const int at = section.lower[axis] + 1;
    list.update(grid, {.section = section, .layer = VoxelVisibility::Layer{.axis = axis, .coordinate = at}}, {});
    expected.clear();
    for (int k = -1; k <= 1; ++k) {
      VoxelBox slab = section;
      slab.lower[axis] = at + k;
      slab.size[axis] = 1;
      add_faces(grid, slab, k != 0, expected);
    }
    std::ranges::sort(expected);
    EXPECT_EQ(keys_of(list), expected);
  }
  const int most = std::numeric_limits<int>::max();
  list.update(grid, {.section = VoxelBox{{most, most, most}, {most, most, most}}}, {});
  EXPECT_EQ(list.face_count(), 0U);
  list.update(grid, {.layer = VoxelVisibility::Layer{.axis = 0, .coordinate = most}}, {});
  EXPECT_EQ(list.face_count(), 0U);
}

TEST(VoxelFaces, UpdatesOfChangedLayersEqualANewList) {
  VoxelEdits edits(scattered_grid({VoxelCell::Zero(), {12, 12, 12}}, 0.5, 3));
  VoxelFaceList updated;
  updated.update(edits.grid(), {}, edits.take_changed_layers());
  std::mt19937 random(4);
  const auto coordinate = [&] { return static_cast<int>(random() % 14) - 1; };
  for (int k = 0; k < 200; ++k) {
    const CellSet brush = ball_cells({coordinate(), coordinate(), coordinate()}, 1.5).value();
    if (k % 5 == 4)
      edits.undo();
    else
      ASSERT_TRUE(edits.apply(brush, static_cast<BrushMode>(random() % 4), 1));
    updated.update(edits.grid(), {}, edits.take_changed_layers());
    VoxelFaceList fresh;
    fresh.update(edits.grid(), {}, {});
    ASSERT_EQ(keys_of(updated), keys_of(fresh)) << k;
  }
  EXPECT_TRUE(updated.update(edits.grid(), {}, {}).is_empty());
}

/// Returns the smallest ray parameter >= 0 at which the ray is inside a filled cell of the box, or infinity.
/// Brute-force reference.
double nearest_voxel(const VoxelGrid& grid, const VoxelBox& visible, const Vec3& origin, const Vec3& direction) {
  double nearest = infinite;
  for (std::size_t i = 0; i < grid.cell_count(); ++i) {
    const VoxelCell cell = grid.cell_at(i);
    if (grid.codes()[i] == 0 || !visible.contains(cell)) continue;
    double enter = 0, leave = infinite;
    for (int axis = 0; axis < 3; ++axis) {
      if (direction[axis] == 0) {
        if (origin[axis] < cell[axis] || origin[axis] >= cell[axis] + 1) leave = -1;
        continue;
      }
      const double a = (cell[axis] - origin[axis]) / direction[axis],
                   b = (cell[axis] + 1 - origin[axis]) / direction[axis];
      enter = std::max(enter, std::min(a, b));
      leave = std::min(leave, std::max(a, b));
    }
    if (enter < leave) nearest = std::min(nearest, enter);
  }
  return nearest;
}

TEST(VoxelPick, EqualsTheNearestVoxelByBruteForce) {
  const VoxelGrid grid = scattered_grid({{-2, 1, 3}, {6, 5, 7}}, 0.1, 5);
  std::mt19937 random(6);
  std::uniform_real_distribution<double> place(-12, 16), way(-1, 1);
  int hits = 0;
  for (int k = 0; k < 4000; ++k) {
    const VoxelBox visible = k % 2 == 0 ? grid.box() : VoxelBox{{-1, 2, 3}, {3, 3, 6}};
    const Vec3 origin(place(random), place(random), place(random));
    Vec3 direction(way(random), way(random), way(random));
    if (k % 3 == 0) direction = Vec3(1.3, 4.2, 6.1) - origin;  // towards the grid
    if (k % 7 == 0) direction[static_cast<int>(random() % 3)] = 0;
    const auto hit = pick_voxel(grid, visible, origin, direction);
    const double expected = nearest_voxel(grid, visible, origin, direction);
    ASSERT_EQ(hit.has_value(), expected < infinite) << k;
    if (!hit) continue;
    ++hits;
    EXPECT_NE(grid.code(hit->cell), 0);
    EXPECT_NEAR(hit->distance, expected, 1e-9 * (1 + expected));
    EXPECT_EQ(hit->adjacent, hit->cell + normal_of(hit->face));
    EXPECT_LT(normal_of(hit->face).cast<double>().dot(direction), 0);
    // Unless the ray starts inside the voxel, the hit point must lie on the face.
    const int axis = axis_of(hit->face);
    const double plane = hit->cell[axis] + (static_cast<int>(hit->face) % 2);
    if (hit->distance > 0) {
      EXPECT_NEAR(origin[axis] + hit->distance * direction[axis], plane, 1e-9 * (1 + expected));
    }
  }
  EXPECT_GT(hits, 300);
}

TEST(VoxelPick, HandlesRaysAlongAxesAndBadNumbers) {
  VoxelGrid grid({VoxelCell::Zero(), {3, 3, 3}}, {"soft"});
  grid.set_code(grid.index({1, 1, 1}), 1);
  const auto hit = pick_voxel(grid, grid.box(), {1.5, 10, 1.5}, {0, -2, 0});
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->cell, VoxelCell(1, 1, 1));
  EXPECT_EQ(hit->face, CellFace::plus_y);
  EXPECT_EQ(hit->adjacent, VoxelCell(1, 2, 1));
  EXPECT_DOUBLE_EQ(hit->distance, 4);
  EXPECT_FALSE(pick_voxel(grid, grid.box(), {1.5, 10, 1.5}, {0, 2, 0}));
  EXPECT_FALSE(pick_voxel(grid, grid.box(), {1.5, 10, 1.5}, {0, 0, 0}));
  EXPECT_FALSE(pick_voxel(grid, grid.box(), {infinite, 10, 1.5}, {0, 1, 0}));
  EXPECT_FALSE(pick_voxel(grid, grid.box(), {1.5, std::nan(""), 1.5}, {0, 1, 0}));
  EXPECT_FALSE(pick_voxel(grid, {}, {1.5, 10, 1.5}, {0, -1, 0}));
  const auto inside = pick_voxel(grid, grid.box(), {1.5, 1.5, 1.5}, {0, 0.1, 1});
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->face, CellFace::minus_z);
  EXPECT_EQ(inside->distance, 0);
  EXPECT_EQ(pick_in_layer(1, 0, {0.2, 5.5, 7.9}, {1, -1, 0}).value(), VoxelCell(5, 0, 7));
  EXPECT_FALSE(pick_in_layer(1, 0, {0, 5, 7}, {1, 1, 0}));
  EXPECT_FALSE(pick_in_layer(1, 0, {0, 5, 7}, {1, 0, 0}));
  EXPECT_FALSE(pick_in_layer(1, 0, {0, 5, 7}, {1, -1e-300, 0}));
}

}  // namespace
}  // namespace vw
