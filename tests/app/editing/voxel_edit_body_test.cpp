// Conversion of voxel bodies between scene nodes and grids of the voxel editor. The simulation is the reference: its
// voxels must have the positions and materials of the grid's cells.
#include <gtest/gtest.h>

#include <random>

#include "app/window/voxel_edit/brush_shapes.h"
#include "app/window/voxel_edit/cells/voxel_body_cells.h"
#include "app/window/voxel_edit/voxel_edits.h"
#include "sim/api/open_scene.h"
#include "sim/api/run.h"
#include "sim/base/data/layer_text.h"

namespace vw {
namespace {

/// Returns a scene with two materials of different density and a body of 5 x 4 x 6 voxels.
Node editor_scene() {
  Node scene = api::new_scene();
  add_child(scene, "material", "voxel_material", "light").set("density", 500.0);
  add_child(scene, "material", "voxel_material", "heavy").set("density", 3000.0);
  Node& body = add_child(scene, "system", "voxel_body", "creature");
  body.set("size", Vec3(5, 4, 6));
  body.set("voxel_size", 0.25);
  body.set("position", Vec3(1, 2, 3));
  return scene;
}

const Node& body_of(const Node& scene) { return *scene.find("system", "creature"); }

/// Position [m] and mass [kg] of each voxel of the simulated body, in the order of rows.
struct SimulatedVoxels {
  std::vector<Vec3> places;
  std::vector<double> masses;
};
SimulatedVoxels simulated_voxels(const Node& scene) {
  SimulatedVoxels voxels;
  const auto run = api::Run::create({"scene.toml", scene, {}, {}});
  EXPECT_TRUE(run) << run.error().message();
  if (!run) return voxels;
  const auto places = run->array("creature", "position").value(), masses = run->array("creature", "mass").value();
  for (std::size_t i = 0; i < places.rows; ++i)
    voxels.places.emplace_back(places.values[3 * i], places.values[3 * i + 1], places.values[3 * i + 2]);
  voxels.masses.assign(masses.values.begin(), masses.values.end());
  return voxels;
}

/// Expects a simulated voxel at each filled cell of the grid, with the mass of its material. The body must not be
/// rotated.
void expect_cells(const SimulatedVoxels& voxels, const VoxelGrid& grid, const Vec3& origin, double edge_m) {
  std::size_t row = 0;
  for (std::size_t i = 0; i < grid.cell_count(); ++i) {
    if (grid.codes()[i] == 0) continue;
    ASSERT_LT(row, voxels.places.size());
    const Vec3 place = origin + edge_m * (grid.cell_at(i).cast<double>() + Vec3::Constant(0.5));
    EXPECT_LT((voxels.places[row] - place).norm(), 1e-12);
    const double density = grid.palette()[grid.codes()[i] - 1U] == "light" ? 500 : 3000;
    EXPECT_NEAR(voxels.masses[row], density * edge_m * edge_m * edge_m, 1e-9);
    ++row;
  }
  EXPECT_EQ(row, voxels.places.size());
}

void assign_all(Node& scene, const std::vector<Assignment>& assignments) {
  for (const Assignment& one : assignments) {
    const auto done = set_parameter(scene, one.path, one.value);
    EXPECT_TRUE(done) << done.error().message();
  }
}

TEST(VoxelBodyCells, EveryShapeHasTheCellsThatTheSimulationFills) {
  for (const Vec3& size : {Vec3(5, 4, 6), Vec3(1, 1, 1), Vec3(9, 9, 9), Vec3(16, 3, 11), Vec3(2, 7, 2)})
    for (const char* shape : {"box", "ellipsoid", "cylinder"}) {
      Node scene = editor_scene();
      assign_all(scene, {{"system.creature.shape", std::string(shape)},
                         {"system.creature.size", size},
                         {"system.creature.material", std::string("heavy")}});
      const auto opened = open_voxel_body(body_of(scene), scene);
      ASSERT_TRUE(opened) << opened.error().message();
      EXPECT_EQ(opened->grid.palette(), TextList{"heavy"});
      expect_cells(simulated_voxels(scene), opened->grid, {1, 2, 3}, 0.25);

      // The body is converted to the shape "layers" and must keep its cells.
      VoxelEdits edits(opened->grid);
      const VoxelCell corner = opened->grid.box().upper() - VoxelCell::Ones();
      ASSERT_TRUE(edits.apply(CellSet::of_box({corner, {1, 1, 1}}), BrushMode::set, 1));
      ASSERT_TRUE(edits.set_palette({"heavy", "light"}));
      const auto assignments = voxel_body_assignments(edits.grid(), *opened, "system.creature");
      ASSERT_TRUE(assignments);
      assign_all(scene, *assignments);
      EXPECT_EQ(std::get<std::string>(body_of(scene).value("shape")), "layers");
      const auto again = open_voxel_body(body_of(scene), scene);
      ASSERT_TRUE(again) << again.error().message();
      EXPECT_EQ(again->grid, edits.grid());
      expect_cells(simulated_voxels(scene), edits.grid(), {1, 2, 3}, 0.25);
    }
}

TEST(VoxelBodyCells, LayersAreReadFromTheBottomWithRowsAlongZ) {
  Node scene = editor_scene();
  assign_all(scene, {{"system.creature.shape", std::string("layers")},
                     {"system.creature.size", Vec3(3, 2, 2)},
                     {"system.creature.palette", TextList{"light", "heavy"}},
                     {"system.creature.layers", TextList{"120/..1", "2 0 0/0,0,1"}},
                     {"system.creature.phase", NumberList{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}});
  const auto opened = open_voxel_body(body_of(scene), scene);
  ASSERT_TRUE(opened) << opened.error().message();
  const VoxelGrid& grid = opened->grid;
  EXPECT_EQ(grid.code({0, 0, 0}), 1);
  EXPECT_EQ(grid.code({1, 0, 0}), 2);
  EXPECT_EQ(grid.code({2, 0, 1}), 1);
  EXPECT_EQ(grid.code({0, 1, 0}), 2);
  EXPECT_EQ(grid.code({2, 1, 1}), 1);
  // In the list of painted values, x varies fastest, then z, then y.
  EXPECT_EQ(grid.paint_at({1, 0, 0}, PaintLayer::phase), 1);
  EXPECT_EQ(grid.paint_at({0, 0, 1}, PaintLayer::phase), 3);
  EXPECT_EQ(grid.paint_at({0, 1, 0}, PaintLayer::phase), 6);
  expect_cells(simulated_voxels(scene), grid, {1, 2, 3}, 0.25);
}

TEST(VoxelBodyCells, AnUnchangedBodyKeepsItsValues) {
  Node scene = editor_scene();
  add_child(*const_cast<Node*>(scene.find("system", "creature")), "region", "region", "base")
      .set("max", Vec3(0.7, 1.0 / 3, 1));
  const Node before = scene;
  const auto opened = open_voxel_body(body_of(scene), scene).value();
  VoxelEdits edits(opened.grid);
  ASSERT_TRUE(edits.apply(CellSet::of_box({{-3, 9, 0}, {1, 1, 1}}), BrushMode::add, 1));
  assign_all(scene, voxel_body_assignments(edits.grid(), opened, "system.creature").value());
  EXPECT_FALSE(same_node(scene, before));
  edits.undo();
  assign_all(scene, voxel_body_assignments(edits.grid(), opened, "system.creature").value());
  EXPECT_TRUE(same_node(scene, before));
}

TEST(VoxelBodyCells, VoxelsAndRegionsStayWhereTheyAreWhenTheLatticeChanges) {
  for (const Vec3& rotation : {Vec3(0, 0, 0), Vec3(0.4, -1.1, 0.7)}) {
    Node scene = editor_scene();
    assign_all(scene, {{"system.creature.rotation", rotation}});
    Node& region = add_child(*const_cast<Node*>(scene.find("system", "creature")), "region", "region", "base");
    region.set("min", Vec3(0.2, 0, 0.5));
    region.set("max", Vec3(0.6, 0.25, 1));
    region.set("center", Vec3(0.4, 0.5, 0.5));
    region.set("radius", 0.5);  // 3 voxels
    const SimulatedVoxels before = simulated_voxels(scene);
    const auto opened = open_voxel_body(body_of(scene), scene).value();
    VoxelEdits edits(opened.grid);
    ASSERT_TRUE(edits.apply(CellSet::of_box({{-2, 3, 0}, {1, 1, 1}}), BrushMode::add, 1));
    ASSERT_TRUE(edits.apply(CellSet::of_box({{0, 6, 7}, {1, 1, 1}}), BrushMode::add, 1));
    ASSERT_EQ(edits.grid().box(), (VoxelBox{{-2, 0, 0}, {7, 7, 8}}));
    assign_all(scene, voxel_body_assignments(edits.grid(), opened, "system.creature").value());
    const SimulatedVoxels after = simulated_voxels(scene);
    ASSERT_EQ(after.places.size(), before.places.size() + 2);
    for (const Vec3& place : before.places)
      EXPECT_TRUE(std::ranges::any_of(after.places, [&](const Vec3& other) { return (other - place).norm() < 1e-12; }));
    const Node& moved = *body_of(scene).find("region", "base");
    const Vec3 size(7, 7, 8);
    EXPECT_LT((std::get<Vec3>(moved.value("min")).cwiseProduct(size) - Vec3(3, 0, 3)).norm(), 1e-12);
    EXPECT_LT((std::get<Vec3>(moved.value("max")).cwiseProduct(size) - Vec3(5, 1, 6)).norm(), 1e-12);
    EXPECT_LT((std::get<Vec3>(moved.value("center")).cwiseProduct(size) - Vec3(4, 2, 3)).norm(), 1e-12);
    EXPECT_NEAR(std::get<double>(moved.value("radius")) * 8, 3, 1e-12);
    // After cropping the lattice, the remaining voxels must keep their positions.
    edits.select_all();
    edits.select(box_cells({2, 1, 1}, {3, 2, 2}).value(), SelectMode::remove);
    ASSERT_TRUE(edits.delete_selection());
    ASSERT_TRUE(edits.crop());
    assign_all(scene, voxel_body_assignments(edits.grid(), opened, "system.creature").value());
    const SimulatedVoxels cropped = simulated_voxels(scene);
    EXPECT_EQ(cropped.places.size(), 8U);
    for (const Vec3& place : cropped.places)
      EXPECT_TRUE(
          std::ranges::any_of(before.places, [&](const Vec3& other) { return (other - place).norm() < 1e-12; }));
  }
}

TEST(VoxelBodyCells, EditsOfTheSceneAfterTheCellsWereAppliedAreKept) {
  Node scene = editor_scene();
  Node& region = add_child(*find_node(scene, "system.creature"), "region", "region", "base");
  region.set("min", Vec3(0, 0, 0));
  region.set("max", Vec3(1, 0.25, 1));
  OpenedVoxelBody opened = open_voxel_body(body_of(scene), scene).value();
  VoxelEdits edits(opened.grid);
  ASSERT_TRUE(edits.apply(CellSet::of_box({{-1, 0, 0}, {1, 1, 1}}), BrushMode::add, 1));
  const VoxelBox applied = edits.grid().box();
  ASSERT_EQ(applied, (VoxelBox{{-1, 0, 0}, {6, 4, 6}}));
  assign_all(scene, voxel_body_assignments(edits.grid(), opened, "system.creature").value());
  const Vec3 place = std::get<Vec3>(body_of(scene).value("position"));
  EXPECT_LT((place - Vec3(0.75, 2, 3)).norm(), 1e-12);
  take_scene_edits(body_of(scene), applied, opened);
  EXPECT_EQ(std::get<Vec3>(opened.body.value("position")), Vec3(1, 2, 3)) << "nothing was edited";

  assign_all(scene, {{"system.creature.position", Vec3(place + Vec3(0, 1, 0))},
                     {"system.creature.region.base.max", Vec3(1, 0.5, 1)}});
  take_scene_edits(body_of(scene), applied, opened);
  ASSERT_TRUE(edits.apply(CellSet::of_box({{-2, 0, 0}, {1, 1, 1}}), BrushMode::add, 1));
  assign_all(scene, voxel_body_assignments(edits.grid(), opened, "system.creature").value());
  EXPECT_LT((std::get<Vec3>(body_of(scene).value("position")) - Vec3(0.5, 3, 3)).norm(), 1e-12);
  const Node& base = *body_of(scene).find("region", "base");
  EXPECT_NEAR(std::get<Vec3>(base.value("max")).y(), 0.5, 1e-12);
  EXPECT_NEAR(7 * std::get<Vec3>(base.value("max")).x(), 7, 1e-12);
}

TEST(VoxelBodyCells, RandomGridsSurviveARoundTripBitForBit) {
  std::mt19937 random(7);
  for (const std::uint16_t materials : std::initializer_list<std::uint16_t>{1, 61, 62, 300}) {
    Node scene = editor_scene();
    TextList palette;
    for (int k = 0; k < materials; ++k) palette.push_back(k % 2 == 0 ? "light" : "heavy");
    for (int round = 0; round < 5; ++round) {
      const auto opened = open_voxel_body(body_of(editor_scene()), scene).value();
      const auto edge = [&] { return 1 + static_cast<int>(random() % 7); };
      VoxelGrid grid({{0, 0, 0}, {edge(), edge(), edge()}}, palette);
      if (round > 1)
        for (const PaintLayer layer : paint_layers)
          grid.set_has_paint(layer,
                             layer != PaintLayer::muscle);  // painted_muscles_test.cpp has round trips of muscles
      for (std::size_t i = 0; i < grid.cell_count(); ++i) {
        grid.set_code(i, static_cast<std::uint16_t>(random() % (materials + 1U)));
        for (const PaintLayer layer : paint_layers)
          if (grid.has_paint(layer)) grid.set_paint(i, layer, static_cast<double>(random()) / 7e8);
      }
      grid.set_code(0, materials);
      assign_all(scene, voxel_body_assignments(grid, opened, "system.creature").value());
      const auto again = open_voxel_body(body_of(scene), scene);
      ASSERT_TRUE(again) << again.error().message();
      EXPECT_EQ(again->grid, grid);
      const auto& first = std::get<TextList>(body_of(scene).value("layers")).front();
      EXPECT_EQ(first.find(' ') != std::string::npos, materials > 61);
      expect_cells(simulated_voxels(scene), grid, {1, 2, 3}, 0.25);
    }
  }
}

TEST(VoxelBodyCells, MaterialsComeFromTheBodyOrTheScene) {
  Node scene = editor_scene();
  EXPECT_EQ(open_voxel_body(body_of(scene), scene)->grid.palette(), TextList{"light"});
  Node bare = api::new_scene();
  add_child(bare, "system", "voxel_body", "creature");
  const auto opened = open_voxel_body(body_of(bare), bare).value();
  EXPECT_EQ(opened.grid.palette(), TextList{default_material_name});
  EXPECT_EQ(missing_materials(opened.grid, bare), std::vector<std::string>{default_material_name});
  EXPECT_TRUE(missing_materials(open_voxel_body(body_of(scene), scene)->grid, scene).empty());
}

TEST(VoxelBodyCells, ErrorsNameTheKey) {
  const auto message = [](const std::vector<Assignment>& assignments) {
    Node scene = editor_scene();
    assign_all(scene, assignments);
    const auto opened = open_voxel_body(body_of(scene), scene);
    return opened ? std::string("no error") : opened.error().message();
  };
  const std::string path = "system.creature.";
  const Assignment layers{path + "shape", std::string("layers")};
  EXPECT_NE(message({{path + "source", std::string("bunny.stl")}}).find("system.creature.source"), std::string::npos);
  EXPECT_NE(message({{path + "size", Vec3(2.5, 2, 2)}}).find("system.creature.size"), std::string::npos);
  EXPECT_NE(message({{path + "size", Vec3(1e5, 1e5, 1e5)}}).find("system.creature.size"), std::string::npos);
  EXPECT_NE(message({{path + "phase", NumberList{1, 2}}}).find("system.creature.phase"), std::string::npos);
  EXPECT_NE(message({layers}).find("system.creature.layers = 0 layers"), std::string::npos);
  const auto one_cell = [&](const char* text) {
    return message({layers,
                    {path + "size", Vec3(1, 1, 1)},
                    {path + "palette", TextList{"light"}},
                    {path + "layers", TextList{text}}});
  };
  EXPECT_EQ(one_cell("1"), "no error");
  EXPECT_EQ(one_cell("."), "no error");  // a body without a voxel may be opened and then filled
  EXPECT_NE(one_cell("2").find("code 2"), std::string::npos);
  EXPECT_NE(one_cell("?").find("not a code"), std::string::npos);
  EXPECT_NE(one_cell("11").find("2 codes"), std::string::npos);
  EXPECT_NE(one_cell("").find("0 codes"), std::string::npos);
  EXPECT_NE(one_cell(" 99999999999").find("not a code"), std::string::npos);
  EXPECT_NE(one_cell(std::string(5000, '1').c_str()).find("5000 characters"), std::string::npos);

  Node scene = editor_scene();
  EXPECT_TRUE(has_cells_in_file([&] {
    Node body = body_of(scene);
    body.set("source", std::string("bunny.stl"));
    return body;
  }()));
  const auto opened = open_voxel_body(body_of(scene), scene).value();
  EXPECT_FALSE(voxel_body_assignments(VoxelGrid(opened.grid.box(), {"light"}), opened, "system.creature"));
  EXPECT_FALSE(open_voxel_body(scene, scene));
}

}  // namespace
}  // namespace vw
