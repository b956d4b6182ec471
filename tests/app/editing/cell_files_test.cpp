// Files of voxel designs that the voxel editor opens and saves.
#include <gtest/gtest.h>

#include "app/window/voxel_edit/brush_shapes.h"
#include "app/window/voxel_edit/cells/cell_files.h"
#include "app/window/voxel_edit/edit_changes.h"
#include "app/window/voxel_edit/voxel_edits.h"
#include "sim/api/open_scene.h"
#include "sim/api/run.h"
#include "sim/scene/scene.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

const std::string file_body_path = "system.creature";

Node creature_of(const std::string& material, double youngs_pa) {
  Node scene = api::new_scene();
  add_child(scene, "material", "voxel_material", material).set("youngs_modulus", youngs_pa);
  Node& body = add_child(scene, "system", "voxel_body", "creature");
  body.set("size", Vec3(5, 4, 3));
  body.set("voxel_size", 0.004);
  return scene;
}

OpenedVoxelBody opened_body_of(const Node& scene) {
  return open_voxel_body(*scene.find("system", "creature"), scene).value();
}

/// Returns a body of two materials with phases and without symmetry, whose voxels touch all sides of its lattice.
Node painted_scene() {
  const Node scene = creature_of("soft", 3e5);
  OpenedVoxelBody opened = opened_body_of(scene);
  VoxelEdits edits(opened.grid);
  EXPECT_TRUE(edits.set_palette({"soft", "stiff"}));
  EXPECT_TRUE(edits.apply(box_cells({2, 1, 0}, {4, 2, 1}).value(), BrushMode::paint, 2));
  EXPECT_TRUE(edits.apply(box_cells({1, 2, 1}, {4, 3, 1}).value(), BrushMode::remove, 0));
  EXPECT_TRUE(edits.paint_gradient(cells_with_code(edits.grid(), any_material), PaintLayer::phase, 0, 0.125, 0.5));
  return edited_scene(edits.grid(), opened, scene, file_body_path).value();
}

std::string saved_as(const test::Scratch& scratch, const std::string& name, const Node& scene) {
  const auto design = write_design(scene, "creature", name);
  EXPECT_TRUE(design) << design.error().message();
  return scratch.write(name, design ? design->text : std::string());
}

TEST(CellFiles, ASavedDesignHasTheSameCellsMaterialsAndPhases) {
  const test::Scratch scratch;
  const Node scene = painted_scene();
  const VoxelGrid grid = opened_body_of(scene).grid;
  const auto cells = read_cells(saved_as(scratch, "creature.vxa", scene));
  ASSERT_TRUE(cells) << cells.error().message();
  EXPECT_DOUBLE_EQ(cells->voxel_size_m, 0.004);
  ASSERT_EQ(cells->grid.box(), grid.box());
  for (std::size_t i = 0; i < grid.cell_count(); ++i) {
    const VoxelSample before = sample_of(grid, grid.cell_at(i)), after = sample_of(cells->grid, grid.cell_at(i));
    EXPECT_EQ(after.material, before.material) << i;
    if (before.code != 0) {
      EXPECT_NEAR(after.phase, before.phase, 1e-9) << i;
    }
  }
  const auto soft = std::ranges::find(cells->materials, "soft", &Node::name);
  ASSERT_NE(soft, cells->materials.end());
  EXPECT_DOUBLE_EQ(std::get<double>(soft->value("youngs_modulus")), 3e5);
}

TEST(CellFiles, MaterialsKeepTheFrictionOfTheFile) {
  const test::Scratch scratch;
  const auto cells = read_cells(scratch.write(
      "mixed.vxc",
      "<VXC><Palette><Material><Name>rough</Name><Mechanical><uStatic>0.5</uStatic></Mechanical></Material>"
      "<Material><Name>rougher</Name><Mechanical><uStatic>0.8</uStatic></Mechanical></Material></Palette>"
      "<Structure Compression=\"ASCII_READABLE\"><X_Voxels>2</X_Voxels><Y_Voxels>1</Y_Voxels><Z_Voxels>1</Z_Voxels>"
      "<Data><Layer>12</Layer></Data></Structure></VXC>"));
  ASSERT_TRUE(cells) << cells.error().message();
  const auto rough = std::ranges::find(cells->materials, "rough", &Node::name);
  ASSERT_NE(rough, cells->materials.end());
  EXPECT_EQ(std::get<double>(rough->value("mu_static")), 0.5);
}

TEST(CellFiles, OtherFormatsHaveTheSameFilledCells) {
  const test::Scratch scratch;
  const Node scene = painted_scene();
  const VoxelGrid grid = opened_body_of(scene).grid;
  for (const char* name : {"creature.vox", "creature.binvox"}) {
    const auto cells = read_cells(saved_as(scratch, name, scene));
    ASSERT_TRUE(cells) << cells.error().message();
    ASSERT_EQ(cells->grid.box(), grid.box()) << name;
    EXPECT_EQ(cells_with_code(cells->grid, any_material), cells_with_code(grid, any_material)) << name;
  }
}

TEST(CellFiles, ARobotChangesTheDesignBesideIt) {
  const test::Scratch scratch;
  saved_as(scratch, "base.vxa", painted_scene());
  const auto cells = read_cells(scratch.write(
      "robot.vxd",
      "<VXD><Structure replace=\"VXA.VXC.Structure\" Compression=\"ASCII_READABLE\"><X_Voxels>2</X_Voxels>"
      "<Y_Voxels>1</Y_Voxels><Z_Voxels>1</Z_Voxels><Data><Layer>12</Layer></Data></Structure></VXD>"));
  ASSERT_TRUE(cells) << cells.error().message();
  EXPECT_EQ(cells->grid.box(), (VoxelBox{{0, 0, 0}, {2, 1, 1}}));
  EXPECT_EQ(sample_of(cells->grid, {0, 0, 0}).material, "soft");
  EXPECT_EQ(sample_of(cells->grid, {1, 0, 0}).material, "stiff");
}

TEST(CellFiles, OpeningIsOneUndoStep) {
  const VoxelGrid of_file = opened_body_of(painted_scene()).grid;
  const Node scene = creature_of("rubber", 1e6);
  VoxelEdits edits(opened_body_of(scene).grid);
  ASSERT_TRUE(edits.apply(CellSet::of_box({{-2, 0, 0}, {1, 7, 1}}), BrushMode::add, 1));
  ASSERT_TRUE(edits.paint_value(CellSet::of_box(edits.grid().box()), PaintLayer::stiffness, 2e6));
  edits.select_all();
  edits.set_symmetry(VoxelSymmetry::about_center(edits.grid().box(), {true, true, true}));
  edits.set_is_growing(false);
  edits.set_is_limited_to_selection(true);
  const VoxelGrid before = edits.grid();
  const CellSet selection = edits.selection();
  ASSERT_TRUE(edits.replace_all(of_file));
  EXPECT_EQ(edits.grid().box(), of_file.box());
  EXPECT_EQ(edits.grid().palette(), of_file.palette());
  EXPECT_TRUE(std::ranges::equal(edits.grid().codes(), of_file.codes()));
  for (const VoxelCell& cell : {VoxelCell(0, 0, 0), VoxelCell(4, 1, 2)})
    EXPECT_EQ(edits.grid().paint_at(cell, PaintLayer::phase), of_file.paint_at(cell, PaintLayer::phase));
  EXPECT_FALSE(edits.grid().has_paint(PaintLayer::stiffness));
  EXPECT_TRUE(edits.selection().is_empty());
  edits.undo();
  EXPECT_EQ(edits.grid(), before);
  EXPECT_EQ(edits.selection(), selection);
  edits.redo();
  EXPECT_TRUE(std::ranges::equal(edits.grid().codes(), of_file.codes()));
  edits.undo();
  EXPECT_EQ(edits.grid(), before);

  VoxelGrid wrong({VoxelCell::Zero(), VoxelCell::Ones()}, {"soft"});
  wrong.set_code(0, 2);
  EXPECT_FALSE(edits.replace_all(wrong));
  EXPECT_EQ(edits.grid(), before);
}

TEST(CellFiles, MaterialsOfTheFileAreAddedToASceneThatLacksThem) {
  const test::Scratch scratch;
  const auto cells = read_cells(saved_as(scratch, "creature.vxa", painted_scene()));
  ASSERT_TRUE(cells) << cells.error().message();
  const Node scene = creature_of("rubber", 1e6);
  OpenedVoxelBody opened = opened_body_of(scene);
  EXPECT_EQ(adopt_materials(*cells, scene, opened), "");
  VoxelEdits edits(opened.grid);
  ASSERT_TRUE(edits.replace_all(cells->grid));
  const Node after = edited_scene(edits.grid(), opened, scene, file_body_path).value();
  ASSERT_NE(after.find("material", "soft"), nullptr);
  EXPECT_DOUBLE_EQ(std::get<double>(after.find("material", "soft")->value("youngs_modulus")), 3e5);
  EXPECT_NE(after.find("material", "rubber"), nullptr);
  EXPECT_TRUE(api::Run::create({"scene.toml", after, {}, {}}));

  const Node same_name = creature_of("soft", 7e6);
  OpenedVoxelBody other = opened_body_of(same_name);
  EXPECT_EQ(adopt_materials(*cells, same_name, other),
            "These materials keep the values of the scene, not those of the file: soft");
  const Node kept = edited_scene(cells->grid, other, same_name, file_body_path).value();
  EXPECT_EQ(std::get<double>(kept.find("material", "soft")->value("youngs_modulus")), 7e6);
}

TEST(CellFiles, ErrorsNameTheFile) {
  const test::Scratch scratch;
  for (const char* name : {"scene.toml", "mesh.obj", "walk.history", "text"}) {
    const auto cells = read_cells(scratch.write(name, "text"));
    ASSERT_FALSE(cells) << name;
    EXPECT_NE(cells.error().message().find(std::string(name) + ": its name must end in one of .vxa"), std::string::npos)
        << cells.error().message();
  }
  for (const char* name : {"cut.vxa", "cut.vox", "cut.binvox"}) {
    const auto cells = read_cells(scratch.write(name, "text"));
    ASSERT_FALSE(cells) << name;
    EXPECT_NE(cells.error().message().find(name), std::string::npos) << cells.error().message();
  }
  EXPECT_FALSE(read_cells(scratch.path("missing.vxa")));
}

}  // namespace
}  // namespace vw
