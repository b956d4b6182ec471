// Filling cells in the voxel editor from meshes, and by formulas that choose the material.
#include <gtest/gtest.h>

#include <cmath>

#include <fmt/format.h>

#include "app/window/voxel_edit/cells/mesh_cells.h"
#include "app/window/voxel_edit/material_formula.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

/// Returns the OBJ text of a closed box from (0, 0, 0) to `size`.
std::string box_obj(const Vec3& size) {
  std::string text;
  for (unsigned corner = 0; corner < 8; ++corner)
    text += fmt::format("v {} {} {}\n", (corner & 1U) != 0 ? size.x() : 0.0, (corner & 2U) != 0 ? size.y() : 0.0,
                        (corner & 4U) != 0 ? size.z() : 0.0);
  return text +
         "f 1 3 4 2\n"
         "f 5 6 8 7\n"
         "f 1 2 6 5\n"
         "f 3 7 8 4\n"
         "f 1 5 7 3\n"
         "f 2 4 8 6\n";
}

/// OBJ text of the octahedron |x| + |y| + |z| <= 1.
const char* octahedron_obj =
    "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n"
    "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";

TEST(MeshCells, AFittedMeshFillsTheBoxAlongItsLongestSide) {
  const test::Scratch scratch;
  const std::string path = scratch.write("brick.obj", box_obj(Vec3(30, 15, 15)));
  const auto mesh = mesh_cells(path, {.box = {{2, -1, 3}, {8, 8, 8}}, .voxel_size_m = 0.01});
  ASSERT_TRUE(mesh) << mesh.error().message();
  EXPECT_TRUE(mesh->notes.empty());
  // The mesh must fill 8 x 4 x 4 cells, on the lowest layer of the box and centred along z.
  EXPECT_EQ(mesh->cells, CellSet::of_box({{2, -1, 5}, {8, 4, 4}}));
}

TEST(MeshCells, AScaledMeshHasTheSizeInTheFileAndMayReachBeyondTheBox) {
  const test::Scratch scratch;
  const std::string path = scratch.write("brick.obj", box_obj(Vec3(30, 15, 15)));
  MeshPlacement placement{.box = {{0, 0, 0}, {10, 2, 3}}, .voxel_size_m = 0.01, .scale = 0.002};
  EXPECT_EQ(mesh_cells(path, placement)->cells, CellSet::of_box({{2, 0, 0}, {6, 3, 3}}));
  placement.scale = 0.01;
  EXPECT_EQ(mesh_cells(path, placement)->cells, CellSet::of_box({{-10, 0, -6}, {30, 15, 15}}));
}

TEST(MeshCells, CellsWhoseCentresLieInsideAreFilled) {
  const test::Scratch scratch;
  const std::string path = scratch.write("octahedron.obj", octahedron_obj);
  const VoxelBox box{{0, 0, 0}, {11, 11, 11}};
  const auto mesh = mesh_cells(path, {.box = box, .voxel_size_m = 0.003});
  ASSERT_TRUE(mesh) << mesh.error().message();
  // No cell centre lies on the surface: the sum of its distances from the middle along x, y and z is an integer,
  // whereas the octahedron has the radius 5.5.
  const auto inside =
      cells_where(box, [](const VoxelCell& cell) { return (cell - VoxelCell::Constant(5)).cwiseAbs().sum() <= 5; });
  EXPECT_EQ(mesh->cells, *inside);
}

TEST(MeshCells, FilesThatCannotBeFilledAreErrors) {
  const test::Scratch scratch;
  const MeshPlacement placement{.box = {{0, 0, 0}, {8, 8, 8}}, .voxel_size_m = 0.01};
  const auto error_of = [&](const std::string& path, const MeshPlacement& how) {
    const auto mesh = mesh_cells(path, how);
    return mesh ? std::string("no error") : mesh.error().message();
  };
  const std::string sheet = scratch.write("sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_NE(error_of(sheet, placement).find("closed mesh"), std::string::npos) << error_of(sheet, placement);
  EXPECT_NE(error_of(scratch.write("empty.obj", ""), placement), "no error");
  EXPECT_NE(error_of(scratch.path("missing.stl"), placement), "no error");
  EXPECT_NE(error_of(scratch.write("cells.vxa", "text"), placement), "no error") << "not a mesh";
  const std::string brick = scratch.write("brick.obj", box_obj(Vec3(30, 15, 15)));
  EXPECT_NE(error_of(brick, {.box = {}, .voxel_size_m = 0.01}), "no error") << "no box";
  MeshPlacement wrong = placement;
  for (const double scale : {0.0, -1.0, 1e6, std::nan("")}) {
    wrong.scale = scale;
    EXPECT_NE(error_of(brick, wrong), "no error") << scale;
  }
}

VoxelGrid grid_of_three_materials() { return VoxelGrid({{0, 0, 0}, {6, 2, 2}}, {"soft", "medium", "hard"}); }

Result<std::size_t> fill_grid(VoxelEdits& edits, const std::string& formula, BrushMode mode = BrushMode::set) {
  return fill_by_formula(edits, edits.grid().box(), formula, FormulaUnits::fractions, 0.01, mode);
}

TEST(MaterialFormula, ChoosesTheMaterialOfEachCell) {
  VoxelEdits edits(grid_of_three_materials());
  const auto changed = fill_grid(edits, "x < 1/3 ? 1 : x < 2/3 ? 2 : 3");
  ASSERT_TRUE(changed) << changed.error().message();
  EXPECT_EQ(*changed, 24U);
  for (std::size_t i = 0; i < edits.grid().cell_count(); ++i)
    EXPECT_EQ(edits.grid().codes()[i], 1 + edits.grid().cell_at(i).x() / 2);
  edits.undo();
  EXPECT_EQ(edits.grid(), grid_of_three_materials()) << "the fill must be one undo step";
  EXPECT_FALSE(edits.can_undo());
}

TEST(MaterialFormula, ValuesAreRoundedAndZeroEmptiesCells) {
  VoxelEdits edits(grid_of_three_materials());
  ASSERT_TRUE(fill_grid(edits, "2"));
  // The centres of the six cells along x are at 1/12, 3/12, ... The formula gives 0.25, 0.75, 1.25, 1.75, 2.25 and
  // 2.75.
  ASSERT_TRUE(fill_grid(edits, "3*x"));
  const std::array<int, 6> expected{0, 1, 1, 2, 2, 3};
  for (std::size_t i = 0; i < edits.grid().cell_count(); ++i) EXPECT_EQ(edits.grid().codes()[i], expected[i % 6]) << i;
}

TEST(MaterialFormula, PaintingChangesVoxelsOnly) {
  VoxelEdits edits(grid_of_three_materials());
  ASSERT_TRUE(edits.apply(box_cells({0, 0, 0}, {2, 1, 1}).value(), BrushMode::add, 1));
  ASSERT_TRUE(fill_grid(edits, "x < 1/6 ? 0 : 3", BrushMode::paint));
  const std::array<int, 6> expected{1, 3, 3, 0, 0, 0};
  for (std::size_t i = 0; i < edits.grid().cell_count(); ++i) EXPECT_EQ(edits.grid().codes()[i], expected[i % 6]) << i;
}

TEST(MaterialFormula, UndefinedValuesAndTheSymmetryModeChangeNothing) {
  VoxelEdits edits(grid_of_three_materials());
  ASSERT_TRUE(fill_grid(edits, "1"));
  const VoxelSymmetry symmetry = VoxelSymmetry::about_center(edits.grid().box(), {true, true, true});
  edits.set_symmetry(symmetry);
  ASSERT_TRUE(fill_grid(edits, "x < 0.5 ? sqrt(-1) : 2"));
  for (std::size_t i = 0; i < edits.grid().cell_count(); ++i)
    EXPECT_EQ(edits.grid().codes()[i], i % 6 < 3 ? 1 : 2) << i;
  EXPECT_EQ(edits.symmetry().twice_plane, symmetry.twice_plane);
}

TEST(MaterialFormula, WrongFormulasAndValuesChangeNothing) {
  VoxelEdits edits(grid_of_three_materials());
  for (const char* formula : {"x +", "material", "4", "-1", "1/0", "x > 0.9 ? 7 : 1"})
    EXPECT_FALSE(fill_grid(edits, formula)) << formula;
  EXPECT_EQ(
      fill_grid(edits, "5*x").error().message(),
      "The formula gives 4 in cell (4, 0, 0): expected 0 for an empty cell, or the number of a material, 1 to 3.");
  EXPECT_EQ(edits.grid(), grid_of_three_materials());
  EXPECT_FALSE(edits.can_undo());
}

}  // namespace
}  // namespace vw
