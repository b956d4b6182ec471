// Operations of the voxel editor on small grids. Each is compared with a simple reference implementation.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "app/window/voxel_edit/block_transform.h"
#include "app/window/voxel_edit/brush_shapes.h"
#include "app/window/voxel_edit/voxel_edits.h"

namespace vw {
namespace {

const TextList three_materials{"soft", "hard", "muscle"};

VoxelBox box_of(int x, int y, int z) { return {VoxelCell::Zero(), {x, y, z}}; }

/// Calls visit(cell) for all cells of a box, in the order of a grid.
template <class Visit>
void for_each_cell_of(const VoxelBox& box, Visit visit) {
  for (int y = box.lower.y(); y < box.upper().y(); ++y)
    for (int z = box.lower.z(); z < box.upper().z(); ++z)
      for (int x = box.lower.x(); x < box.upper().x(); ++x) visit(VoxelCell(x, y, z));
}

/// Returns a grid in which each cell is filled at random with the probability `share`.
VoxelGrid random_grid(const VoxelBox& box, double share, unsigned seed) {
  std::mt19937 random(seed);
  VoxelGrid grid(box, three_materials);
  for (std::size_t i = 0; i < grid.cell_count(); ++i)
    if (static_cast<double>(random() % 1000) < 1000 * share)
      grid.set_code(i, static_cast<std::uint16_t>(1 + random() % 3));
  return grid;
}

/// Expects that each cell of the grid, and of a margin of 3 cells around it, has the code that `reference` gives.
void expect_codes(const VoxelGrid& grid, const std::function<std::uint16_t(const VoxelCell&)>& reference) {
  for_each_cell_of(extended(grid.box(), 3),
                   [&](const VoxelCell& cell) { ASSERT_EQ(grid.code(cell), reference(cell)) << cell.transpose(); });
}

TEST(CellSet, SetOperationsEqualThoseOnMasks) {
  const VoxelBox box{{-2, 1, 3}, {9, 5, 4}};
  for (unsigned seed = 0; seed < 20; ++seed) {
    const CellSet a = cells_with_code(random_grid(box, 0.5, seed), any_material);
    const CellSet b = cells_with_code(random_grid(box, 0.3, seed + 100), any_material);
    const CellSet either = a.united(b), both = a.common(b), rest = a.without(b);
    std::size_t count = 0;
    for_each_cell_of(extended(box, 1), [&](const VoxelCell& cell) {
      const bool is_in_a = a.contains(cell), is_in_b = b.contains(cell);
      count += is_in_a ? 1 : 0;
      EXPECT_EQ(either.contains(cell), is_in_a || is_in_b);
      EXPECT_EQ(both.contains(cell), is_in_a && is_in_b);
      EXPECT_EQ(rest.contains(cell), is_in_a && !is_in_b);
    });
    EXPECT_EQ(a.count(), count);
    EXPECT_EQ(CellSet::of_mask(box, a.mask(box)), a);
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_EQ(a.mirrored(axis, 5).mirrored(axis, 5), a);
      const CellSet image = a.mirrored(axis, 5);
      for_each_cell_of(box, [&](VoxelCell cell) {
        const bool is_in_a = a.contains(cell);
        cell[axis] = 4 - cell[axis];
        EXPECT_EQ(image.contains(cell), is_in_a);
      });
    }
  }
}

TEST(CellSet, GrowsAndShrinksByTheChessboardDistance) {
  const VoxelBox box = box_of(7, 6, 5);
  for (unsigned seed = 0; seed < 8; ++seed)
    for (int n = 1; n <= 3; ++n) {
      const CellSet sparse = cells_with_code(random_grid(box, 0.03, seed), any_material);
      const CellSet dense = cells_with_code(random_grid(box, 0.97, seed), any_material);
      const CellSet grown = sparse.grown(n, box), shrunk = dense.shrunk(n);
      for_each_cell_of(box, [&](const VoxelCell& cell) {
        bool is_near = false, is_inner = true;
        for_each_cell_of({cell - VoxelCell::Constant(n), VoxelCell::Constant(2 * n + 1)}, [&](const VoxelCell& other) {
          is_near = is_near || sparse.contains(other);
          is_inner = is_inner && dense.contains(other);
        });
        EXPECT_EQ(grown.contains(cell), is_near);
        EXPECT_EQ(shrunk.contains(cell), is_inner);
      });
    }
}

TEST(BrushShapes, LinesConnectTheirEnds) {
  std::mt19937 random(3);
  const auto coordinate = [&] { return static_cast<int>(random() % 21) - 10; };
  for (int k = 0; k < 300; ++k) {
    const VoxelCell a(coordinate(), coordinate(), coordinate()), b(coordinate(), coordinate(), coordinate());
    const CellSet line = line_cells(a, b).value(), thin = line_cells(a, b, LineKind::thin).value();
    EXPECT_TRUE(line.contains(a) && line.contains(b) && thin.contains(a) && thin.contains(b));
    EXPECT_EQ(line.count(), static_cast<std::size_t>((b - a).cwiseAbs().sum() + 1));
    EXPECT_EQ(thin.count(), static_cast<std::size_t>((b - a).cwiseAbs().maxCoeff() + 1));
    VoxelGrid grid(line.bounds(), three_materials);
    const Vec3 way = (b - a).cast<double>();
    for_each_cell_of(line.bounds(), [&](const VoxelCell& cell) {
      if (!line.contains(cell)) return;
      grid.set_code(grid.index(cell), 1);
      const Vec3 from_a = (cell - a).cast<double>();
      const double distance = a == b ? from_a.norm() : from_a.cross(way).norm() / way.norm();
      EXPECT_LE(distance, 0.8661);  // half the diagonal of a cell: the line passes through the cell
    });
    EXPECT_EQ(connected_cells(grid, a, CellMatch::filled).count(), line.count());
  }
}

TEST(BrushShapes, SolidsContainTheCellsWhoseCentresLieInside) {
  const Vec3 center(3.2, 4.5, 2.9);
  for (int axis = 0; axis < 3; ++axis) {
    const RoundSolid solid{.center = center, .axis = axis, .radius = 3.1, .length = 6, .inner_radius = 1.2};
    const CellSet cylinder = cylinder_cells(solid).value(), cone = cone_cells(solid).value(),
                  torus = torus_cells(solid).value(), tube = tube_cells(solid).value();
    const CellSet ellipsoid = ellipsoid_cells(center, {2.5, 4, 1.7}).value();
    for_each_cell_of({{-6, -6, -6}, {18, 18, 18}}, [&](const VoxelCell& cell) {
      const Vec3 at = cell.cast<double>() + Vec3::Constant(0.5) - center;
      const double along = at[axis];
      Vec3 across = at;
      across[axis] = 0;
      const double r = across.norm();
      const bool is_between = std::abs(along) <= 3;
      EXPECT_EQ(cylinder.contains(cell), r <= 3.1 && is_between);
      EXPECT_EQ(tube.contains(cell), r <= 3.1 && r >= 1.2 && is_between);
      EXPECT_EQ(cone.contains(cell), is_between && r <= 3.1 + (along / 6 + 0.5) * (1.2 - 3.1));
      EXPECT_EQ(torus.contains(cell), (r - 3.1) * (r - 3.1) + along * along <= 1.2 * 1.2);
      EXPECT_EQ(ellipsoid.contains(cell), at.cwiseQuotient(Vec3(2.5, 4, 1.7)).squaredNorm() <= 1);
    });
  }
  EXPECT_EQ(ball_cells({4, 5, 6}, 0).value(), CellSet::of_box({{4, 5, 6}, {1, 1, 1}}));
  EXPECT_EQ(ball_cells({4, 5, 6}, 1).value().count(), 7U);
}

TEST(BrushShapes, FormulasUseCellCentres) {
  const VoxelBox box{{-2, 0, 4}, {8, 3, 5}};
  const CellSet metric = formula_cells(box, "x - 0.2 * z", FormulaUnits::metres, 0.1).value();
  const CellSet relative = formula_cells(box, "x > 0.5 && y < 0.5", FormulaUnits::fractions, 0.1).value();
  for_each_cell_of(box, [&](const VoxelCell& cell) {
    EXPECT_EQ(metric.contains(cell), 0.1 * (cell.x() + 0.5) - 0.2 * (0.1 * (cell.z() + 0.5)) > 0);
    EXPECT_EQ(relative.contains(cell), cell.x() >= 2 && cell.y() == 0);
  });
  EXPECT_FALSE(formula_cells(box, "x + ", FormulaUnits::metres, 0.1));
  EXPECT_FALSE(formula_cells(box, "x + w", FormulaUnits::metres, 0.1));
  EXPECT_TRUE(formula_cells(box, "ln(-1)", FormulaUnits::metres, 0.1).value().is_empty());
  const auto even = cells_where(box, [](const VoxelCell& cell) { return cell.sum() % 2 == 0; });
  EXPECT_EQ(even.value().count(), 60U);
}

TEST(VoxelEdits, BrushModesChangeTheCellsThatTheyName) {
  const VoxelGrid start = random_grid(box_of(8, 6, 7), 0.5, 1);
  const CellSet brush = box_cells({6, 4, -2}, {2, 7, 4}).value();  // extends beyond the grid on three sides
  for (const BrushMode mode : {BrushMode::add, BrushMode::remove, BrushMode::paint, BrushMode::set}) {
    VoxelEdits edits(start);
    ASSERT_TRUE(edits.apply(brush, mode, 2));
    const bool is_growing = mode == BrushMode::add || mode == BrushMode::set;
    EXPECT_EQ(edits.grid().box(), is_growing ? (VoxelBox{{0, 0, -2}, {8, 8, 9}}) : start.box());
    expect_codes(edits.grid(), [&](const VoxelCell& cell) -> std::uint16_t {
      const std::uint16_t before = start.code(cell);
      if (!brush.contains(cell)) return before;
      switch (mode) {
        case BrushMode::add: return before == 0 ? 2 : before;
        case BrushMode::remove: return 0;
        case BrushMode::paint: return before == 0 ? 0 : 2;
        case BrushMode::set: return 2;
      }
      return 0;
    });
    edits.undo();
    EXPECT_EQ(edits.grid(), start);
  }
}

TEST(VoxelEdits, GrowthMovesNoVoxelAndMayBeSwitchedOff) {
  const VoxelGrid start = random_grid(box_of(3, 3, 3), 0.5, 2);
  VoxelEdits edits(start);
  edits.set_is_growing(false);
  EXPECT_EQ(edits.apply(box_cells({-1, -1, -1}, {-1, 5, 5}).value(), BrushMode::set, 1).value(), 0U);
  EXPECT_EQ(edits.grid(), start);
  EXPECT_FALSE(edits.can_undo());
  edits.set_is_growing(true);
  EXPECT_EQ(edits.apply(box_cells({-1, -4, 9}, {-1, -4, 9}).value(), BrushMode::add, 3).value(), 1U);
  EXPECT_EQ(edits.grid().box(), (VoxelBox{{-1, -4, 0}, {4, 7, 10}}));
  expect_codes(edits.grid(), [&](const VoxelCell& cell) -> std::uint16_t {
    return cell == VoxelCell(-1, -4, 9) ? 3 : start.code(cell);
  });
}

TEST(VoxelEdits, FloodFillStaysWithinConnectedCellsOfOneCode) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const VoxelGrid start = random_grid(box_of(6, 5, 4), 0.4, seed);
    const VoxelCell seed_cell = start.cell_at(seed * 7);
    std::vector<VoxelCell> region{seed_cell};  // breadth-first search as reference
    for (std::size_t i = 0; i < region.size(); ++i)
      for (int face = 0; face < 6; ++face) {
        const VoxelCell next = region[i] + normal_of(static_cast<CellFace>(face));
        if (start.box().contains(next) && start.code(next) == start.code(seed_cell) &&
            std::find(region.begin(), region.end(), next) == region.end())
          region.push_back(next);
      }
    VoxelEdits edits(start);
    const std::uint16_t code = start.code(seed_cell) == 3 ? 0 : 3;
    EXPECT_EQ(edits.flood_fill(seed_cell, code).value(), region.size());
    expect_codes(edits.grid(), [&](const VoxelCell& cell) {
      return std::find(region.begin(), region.end(), cell) == region.end() ? start.code(cell) : code;
    });
  }
}

TEST(VoxelEdits, ExtrusionMovesAFlatFaceOutAndIn) {
  VoxelGrid start(box_of(5, 4, 5), three_materials);
  for_each_cell_of(box_of(5, 2, 5),
                   [&](const VoxelCell& cell) { start.set_code(start.index(cell), cell.x() < 3 ? 1 : 2); });
  start.set_code(start.index({1, 2, 1}), 3);  // covers one cell of the face
  const auto is_in_region = [](int x, int z) { return x >= 0 && x < 3 && z >= 0 && z < 5 && !(x == 1 && z == 1); };
  VoxelEdits edits(start);
  EXPECT_EQ(edits.extrude({0, 1, 4}, CellFace::plus_y, 3).value(), 14U * 3);
  EXPECT_EQ(edits.grid().box(), box_of(5, 5, 5));
  expect_codes(edits.grid(), [&](const VoxelCell& cell) -> std::uint16_t {
    return cell.y() >= 2 && cell.y() < 5 && is_in_region(cell.x(), cell.z()) ? 1 : start.code(cell);
  });
  edits.undo();
  EXPECT_EQ(edits.extrude({0, 1, 4}, CellFace::plus_y, -1).value(), 14U);
  expect_codes(edits.grid(), [&](const VoxelCell& cell) -> std::uint16_t {
    return cell.y() == 1 && is_in_region(cell.x(), cell.z()) ? 0 : start.code(cell);
  });
  edits.undo();
  EXPECT_FALSE(edits.extrude({0, 0, 0}, CellFace::plus_y, 1));  // a voxel covers the face
  EXPECT_FALSE(edits.extrude({0, 3, 0}, CellFace::plus_y, 1));  // the cell contains no voxel
  EXPECT_EQ(edits.extrude({4, 0, 4}, CellFace::plus_x, std::numeric_limits<int>::min()).value(), 5U * 2 * 5);
  EXPECT_FALSE(edits.extrude({1, 2, 1}, CellFace::plus_y, std::numeric_limits<int>::max()));
}

TEST(VoxelEdits, SymmetryKeepsASymmetricBodySymmetric) {
  for (const int twice_plane : {8, 9}) {
    VoxelEdits edits(VoxelGrid(box_of(8, 8, 8), three_materials));
    VoxelSymmetry symmetry;
    symmetry.twice_plane = {twice_plane, 7, std::nullopt};
    edits.set_symmetry(symmetry);
    std::mt19937 random(5);
    const auto coordinate = [&] { return static_cast<int>(random() % 12) - 2; };
    for (int k = 0; k < 60; ++k) {
      const VoxelCell a(coordinate(), coordinate(), coordinate()), b(coordinate(), coordinate(), coordinate());
      const auto code = static_cast<std::uint16_t>(1 + random() % 3);
      if (k % 6 == 0) {
        ASSERT_TRUE(edits.apply(box_cells(a, b).value(), BrushMode::remove, 0));
      }
      if (k % 6 == 1) {
        ASSERT_TRUE(edits.apply(ball_cells(a, 2.2).value(), BrushMode::set, code));
      }
      if (k % 6 == 2) {
        ASSERT_TRUE(edits.apply(line_cells(a, b).value(), BrushMode::add, code));
      }
      if (k % 6 == 3) {
        ASSERT_TRUE(edits.paint_value(ball_cells(a, 3).value(), PaintLayer::phase, 0.1 * k));
      }
      if (k % 6 == 4 && edits.grid().code(a) != 0)
        (void)edits.extrude(a, static_cast<CellFace>(random() % 6), 1);  // fails if the face is covered
      if (k % 6 == 5) {
        edits.select(box_cells(a, a + VoxelCell(0, 0, 3)).value());
        ASSERT_TRUE(edits.delete_selection());
        edits.select_none();
      }
      const VoxelGrid& grid = edits.grid();
      for_each_cell_of(grid.box(), [&](const VoxelCell& cell) {
        const VoxelCell x_image(twice_plane - 1 - cell.x(), cell.y(), cell.z());
        const VoxelCell y_image(cell.x(), 6 - cell.y(), cell.z());
        ASSERT_EQ(grid.code(cell), grid.code(x_image)) << k;
        ASSERT_EQ(grid.code(cell), grid.code(y_image)) << k;
        ASSERT_EQ(grid.paint_at(cell, PaintLayer::phase), grid.paint_at(x_image, PaintLayer::phase)) << k;
      });
    }
  }
}

TEST(VoxelEdits, MirroringCopiesOneSideToTheOther) {
  VoxelGrid start = random_grid(box_of(6, 5, 4), 0.5, 4);
  start.set_has_paint(PaintLayer::stiffness, true);
  for (std::size_t i = 0; i < start.cell_count(); ++i)
    start.set_paint(i, PaintLayer::stiffness, start.codes()[i] == 0 ? 0 : static_cast<double>(i));
  for (int axis = 0; axis < 3; ++axis)
    for (int plane = 1; plane < 2 * start.box().size[axis]; ++plane)
      for (const bool is_from_low : {true, false}) {
        VoxelEdits edits(start);
        ASSERT_TRUE(edits.mirror(axis, plane, is_from_low));
        const VoxelGrid& grid = edits.grid();
        for_each_cell_of(extended(grid.box(), 2), [&](const VoxelCell& cell) {
          const bool is_source = is_from_low ? 2 * cell[axis] + 1 <= plane : 2 * cell[axis] + 1 >= plane;
          VoxelCell origin = cell;
          if (!is_source) origin[axis] = plane - 1 - cell[axis];
          ASSERT_EQ(grid.code(cell), start.code(origin));
          ASSERT_EQ(grid.paint_at(cell, PaintLayer::stiffness), start.paint_at(origin, PaintLayer::stiffness));
        });
      }
}

TEST(VoxelEdits, HollowingKeepsAConnectedShell) {
  VoxelEdits edits(VoxelGrid(box_of(21, 21, 21), three_materials));
  ASSERT_TRUE(edits.apply(ball_cells({10, 10, 10}, 9.7).value(), BrushMode::set, 1));
  const VoxelGrid solid = edits.grid();
  ASSERT_TRUE(edits.hollow(2));
  expect_codes(edits.grid(), [&](const VoxelCell& cell) -> std::uint16_t {
    bool is_deep = true;
    for_each_cell_of({cell - VoxelCell::Constant(2), VoxelCell::Constant(5)},
                     [&](const VoxelCell& other) { is_deep = is_deep && solid.code(other) != 0; });
    return is_deep ? 0 : solid.code(cell);
  });
  const CellSet shell = cells_with_code(edits.grid(), any_material);
  EXPECT_EQ(connected_cells(edits.grid(), {10, 20 - 1, 10}, CellMatch::filled), shell);

  const VoxelGrid hollow = edits.grid();
  ASSERT_TRUE(edits.add_shell(3, 2));
  expect_codes(edits.grid(), [&](const VoxelCell& cell) -> std::uint16_t {
    if (hollow.code(cell) != 0 || solid.code(cell) != 0) return hollow.code(cell);  // the cavity must stay empty
    bool is_near = false;
    for_each_cell_of({cell - VoxelCell::Constant(3), VoxelCell::Constant(7)},
                     [&](const VoxelCell& other) { is_near = is_near || hollow.code(other) != 0; });
    return is_near ? 2 : 0;
  });
}

TEST(VoxelEdits, ReplacementActsOnTheSelectionOrOnAll) {
  const VoxelGrid start = random_grid(box_of(5, 5, 5), 0.7, 6);
  const CellSet half = box_cells({0, 0, 0}, {4, 1, 4}).value();
  VoxelEdits edits(start);
  ASSERT_TRUE(edits.replace_material(1, 2));
  expect_codes(edits.grid(),
               [&](const VoxelCell& cell) -> std::uint16_t { return start.code(cell) == 1 ? 2 : start.code(cell); });
  edits.undo();
  edits.select(half);
  ASSERT_TRUE(edits.replace_material(1, 0));
  expect_codes(edits.grid(), [&](const VoxelCell& cell) -> std::uint16_t {
    return start.code(cell) == 1 && half.contains(cell) ? 0 : start.code(cell);
  });
}

TEST(VoxelEdits, CropKeepsTheVoxelsAndTheirPlaces) {
  VoxelEdits edits(VoxelGrid(box_of(9, 9, 9), three_materials));
  ASSERT_TRUE(edits.apply(box_cells({2, 3, 4}, {5, 3, 8}).value(), BrushMode::set, 1));
  const VoxelGrid before = edits.grid();
  ASSERT_TRUE(edits.crop());
  EXPECT_EQ(edits.grid().box(), (VoxelBox{{2, 3, 4}, {4, 1, 5}}));
  expect_codes(edits.grid(), [&](const VoxelCell& cell) { return before.code(cell); });
  ASSERT_TRUE(edits.set_box({{4, 0, 0}, {9, 9, 9}}));  // removes the voxels with x < 4
  expect_codes(edits.grid(),
               [&](const VoxelCell& cell) -> std::uint16_t { return cell.x() < 4 ? 0 : before.code(cell); });
  edits.undo();
  edits.undo();
  EXPECT_EQ(edits.grid(), before);
  edits.select_all();
  ASSERT_TRUE(edits.delete_selection());
  ASSERT_TRUE(edits.crop());
  EXPECT_EQ(edits.grid().cell_count(), 1U);
}

TEST(VoxelEdits, PaintedValuesBelongToVoxels) {
  VoxelGrid start = random_grid(box_of(6, 4, 3), 0.6, 8);
  VoxelEdits edits(start);
  const CellSet brush = box_cells({1, 0, 0}, {5, 3, 2}).value();
  ASSERT_TRUE(edits.paint_gradient(brush, PaintLayer::phase, 0, -1, 1));
  ASSERT_TRUE(edits.paint_value(brush, PaintLayer::amplitude_scale, 2.5));
  for_each_cell_of(start.box(), [&](const VoxelCell& cell) {
    const bool is_painted = brush.contains(cell) && start.code(cell) != 0;
    EXPECT_EQ(edits.grid().paint_at(cell, PaintLayer::phase), is_painted ? -1 + 0.5 * (cell.x() - 1) : 0);
    EXPECT_EQ(edits.grid().paint_at(cell, PaintLayer::amplitude_scale), is_painted ? 2.5 : 1);
  });
  EXPECT_FALSE(edits.grid().has_paint(PaintLayer::stiffness));
  const auto values = formula_values(start.box(), "1e6 * (1 + y)", FormulaUnits::fractions, 1).value();
  ASSERT_TRUE(edits.paint_values(brush, PaintLayer::stiffness, start.box(), values));
  for_each_cell_of(start.box(), [&](const VoxelCell& cell) {
    const bool is_painted = brush.contains(cell) && start.code(cell) != 0;
    EXPECT_EQ(edits.grid().paint_at(cell, PaintLayer::stiffness), is_painted ? values[start.index(cell)] : 0);
  });
  ASSERT_TRUE(edits.apply(brush, BrushMode::remove, 0));
  ASSERT_TRUE(edits.apply(brush, BrushMode::add, 1));
  for (const PaintLayer layer : paint_layers)
    for (const double value : edits.grid().paint(layer)) EXPECT_EQ(value, default_paint(layer));
  EXPECT_EQ(edits.clear_paint(PaintLayer::phase).value(), 0U) << "all cells already had the default value";
  EXPECT_FALSE(edits.grid().has_paint(PaintLayer::phase));
  for (int k = 0; k < 6; ++k) edits.undo();
  EXPECT_EQ(edits.grid(), start);
  EXPECT_FALSE(edits.paint_value(brush, PaintLayer::stiffness, -1));
  EXPECT_FALSE(edits.paint_value(brush, PaintLayer::phase, std::nan("")));
}

}  // namespace
}  // namespace vw
