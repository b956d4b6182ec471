// Muscles painted in the voxel editor: the nodes and waves (actuators) that an edit adds to the scene.
#include <gtest/gtest.h>

#include <cmath>

#include "app/window/voxel_edit/brush_shapes.h"
#include "app/window/voxel_edit/edit_changes.h"
#include "app/window/voxel_edit/painted_muscles.h"
#include "app/window/voxel_edit/voxel_edits.h"
#include "sim/api/open_scene.h"
#include "sim/api/run.h"

namespace vw {
namespace {

const std::string muscle_body_path = "system.creature";

/// Returns a body of 4 x 2 x 2 voxels.
Node creature_scene() {
  Node scene = api::new_scene();
  add_child(scene, "material", "voxel_material", "soft");
  Node& body = add_child(scene, "system", "voxel_body", "creature");
  body.set("size", Vec3(4, 2, 2));
  body.set("voxel_size", 0.01);
  body.set("position", Vec3(0, 0.1, 0));
  return scene;
}

OpenedVoxelBody opened_creature(const Node& scene) {
  auto opened = open_voxel_body(*scene.find("system", "creature"), scene);
  EXPECT_TRUE(opened) << opened.error().message();
  return opened.value();
}

/// Returns cells with x in [from, to) of a lattice with the corner (0, 0, 0).
CellSet muscle_slab(int from, int to) { return box_cells({from, 0, 0}, {to - 1, 1, 1}).value(); }

/// Returns the scene with the edited body, and expects that a world can be created from it.
Node scene_after_painting(const VoxelEdits& edits, const OpenedVoxelBody& opened, const Node& scene) {
  const auto edited = edited_scene(edits.grid(), opened, scene, muscle_body_path);
  EXPECT_TRUE(edited) << edited.error().message();
  if (!edited) return scene;
  const auto run = api::Run::create({"scene.toml", *edited, {}, {}});
  EXPECT_TRUE(run) << run.error().message();
  return *edited;
}

const Node* muscle_of(const Node& scene, const std::string& name) {
  return scene.find("system", "creature")->find("muscle", name);
}
const NumberList& muscle_weights(const Node& scene, const std::string& name) {
  static const NumberList none;
  const Node* muscle = muscle_of(scene, name);
  EXPECT_NE(muscle, nullptr) << name;
  return muscle == nullptr ? none : std::get<NumberList>(muscle->value("cells"));
}
/// Returns the weights of a muscle: 1 in cells with x in [from, to), 0 elsewhere.
NumberList slab_weights(int from, int to) {
  NumberList list;
  for (int row = 0; row < 4; ++row)
    for (int x = 0; x < 4; ++x) list.push_back(x >= from && x < to ? 1 : 0);
  return list;
}
double wave_phase(const Node& scene, const std::string& wave) {
  const Node* node = scene.find("actuator", wave);
  EXPECT_NE(node, nullptr) << wave;
  return node == nullptr ? -1 : std::get<double>(node->value("phase"));
}

TEST(PaintedMuscles, TwoGroupsBecomeTwoMusclesWithWavesInAntiphase) {
  const Node scene = creature_scene();
  const OpenedVoxelBody opened = opened_creature(scene);
  VoxelEdits edits(opened.grid);
  ASSERT_TRUE(edits.paint_value(muscle_slab(0, 2), PaintLayer::muscle, 1));
  ASSERT_TRUE(edits.paint_value(muscle_slab(2, 4), PaintLayer::muscle, 2));
  const Node after = scene_after_painting(edits, opened, scene);
  EXPECT_EQ(muscle_weights(after, "muscle-1"), slab_weights(0, 2));
  EXPECT_EQ(muscle_weights(after, "muscle-2"), slab_weights(2, 4));
  EXPECT_EQ(after.all("actuator").size(), 2U);
  EXPECT_EQ(wave_phase(after, "creature-muscle-1"), 0);
  EXPECT_EQ(wave_phase(after, "creature-muscle-2"), 0.5);
  for (const char* name : {"muscle-1", "muscle-2"})
    EXPECT_EQ(std::get<TextList>(after.find("actuator", std::string("creature-") + name)->value("targets")),
              TextList{muscle_body_path + ".muscle." + name + ".strain"});
}

TEST(PaintedMuscles, RepaintedCellsBelongToTheNewMuscleOnly) {
  const Node scene = creature_scene();
  const OpenedVoxelBody opened = opened_creature(scene);
  VoxelEdits edits(opened.grid);
  ASSERT_TRUE(edits.paint_value(muscle_slab(0, 3), PaintLayer::muscle, 1));
  ASSERT_TRUE(edits.paint_value(muscle_slab(2, 4), PaintLayer::muscle, 2));
  Node after = scene_after_painting(edits, opened, scene);
  EXPECT_EQ(muscle_weights(after, "muscle-1"), slab_weights(0, 2));
  EXPECT_EQ(muscle_weights(after, "muscle-2"), slab_weights(2, 4));
  ASSERT_TRUE(edits.paint_value(muscle_slab(0, 4), PaintLayer::muscle, 2));
  after = scene_after_painting(edits, opened, scene);
  EXPECT_EQ(muscle_of(after, "muscle-1"), nullptr) << "a muscle without cells must be removed";
  EXPECT_EQ(muscle_weights(after, "muscle-2"), slab_weights(0, 4));
  EXPECT_EQ(after.all("actuator").size(), 1U);
}

TEST(PaintedMuscles, ErasedCellsAndRemovedVoxelsBelongToNoMuscle) {
  const Node scene = creature_scene();
  const OpenedVoxelBody opened = opened_creature(scene);
  VoxelEdits edits(opened.grid);
  ASSERT_TRUE(edits.paint_value(muscle_slab(0, 4), PaintLayer::muscle, 1));
  ASSERT_TRUE(edits.paint_value(muscle_slab(0, 1), PaintLayer::muscle, 0));
  ASSERT_TRUE(edits.apply(muscle_slab(3, 4), BrushMode::remove, 0));
  ASSERT_TRUE(edits.apply(muscle_slab(3, 4), BrushMode::add, 1));
  EXPECT_EQ(muscle_weights(scene_after_painting(edits, opened, scene), "muscle-1"), slab_weights(1, 3));
  ASSERT_TRUE(edits.clear_paint(PaintLayer::muscle));
  const Node after = scene_after_painting(edits, opened, scene);
  EXPECT_TRUE(after.find("system", "creature")->all("muscle").empty());
  EXPECT_TRUE(after.all("actuator").empty());
}

TEST(PaintedMuscles, UndoAndRedoRestoreTheNumbersOfAllCells) {
  const Node scene = creature_scene();
  VoxelEdits edits(opened_creature(scene).grid);
  std::vector<VoxelGrid> grids{edits.grid()};
  ASSERT_TRUE(edits.paint_value(muscle_slab(0, 3), PaintLayer::muscle, 1));
  grids.push_back(edits.grid());
  ASSERT_TRUE(edits.paint_value(muscle_slab(1, 4), PaintLayer::muscle, 2));
  grids.push_back(edits.grid());
  ASSERT_TRUE(edits.paint_value(muscle_slab(1, 2), PaintLayer::muscle, 0));
  grids.push_back(edits.grid());
  ASSERT_TRUE(edits.clear_paint(PaintLayer::muscle));
  grids.push_back(edits.grid());
  for (std::size_t i = grids.size() - 1; i-- > 0;) {
    edits.undo();
    EXPECT_EQ(edits.grid(), grids[i]) << i;
  }
  EXPECT_FALSE(edits.can_undo());
  for (std::size_t i = 1; i < grids.size(); ++i) {
    edits.redo();
    EXPECT_EQ(edits.grid(), grids[i]) << i;
  }
}

TEST(PaintedMuscles, UnchangedCellsOfAMuscleKeepTheirWeights) {
  Node scene = creature_scene();
  Node& body = *find_node(scene, muscle_body_path);
  NumberList half = slab_weights(0, 2);
  for (double& weight : half) weight *= 0.5;
  add_child(body, "muscle", "muscle", "flexor").set("cells", Value(half));
  add_child(body, "muscle", "muscle", "shaped").set("max", Vec3(1, 0.5, 1));
  const OpenedVoxelBody opened = opened_creature(scene);
  EXPECT_TRUE(is_painted_muscle(opened, 1));
  EXPECT_FALSE(is_painted_muscle(opened, 2)) << "a muscle given by a shape is not painted";
  EXPECT_TRUE(is_painted_muscle(opened, 3)) << "a new muscle is painted";
  VoxelEdits edits(opened.grid);
  ASSERT_TRUE(edits.paint_value(muscle_slab(1, 2), PaintLayer::muscle, 0));
  ASSERT_TRUE(edits.paint_value(muscle_slab(2, 3), PaintLayer::muscle, 1));
  ASSERT_TRUE(edits.paint_value(muscle_slab(3, 4), PaintLayer::muscle, 3));
  const Node after = scene_after_painting(edits, opened, scene);
  NumberList expected = slab_weights(2, 3);
  for (std::size_t i = 0; i < expected.size(); i += 4) expected[i] = 0.5;
  EXPECT_EQ(muscle_weights(after, "flexor"), expected);
  EXPECT_TRUE(muscle_weights(after, "shaped").empty());
  EXPECT_EQ(muscle_weights(after, "muscle-3"), slab_weights(3, 4));
  EXPECT_EQ(after.all("actuator").size(), 1U) << "muscles of the scene keep their actuators";
  EXPECT_EQ(wave_phase(after, "creature-muscle-3"), 0) << "muscles of odd number have the phase 0";
}

TEST(PaintedMuscles, CellsStayWithTheirVoxelsWhenTheLatticeGrows) {
  const Node scene = creature_scene();
  const OpenedVoxelBody opened = opened_creature(scene);
  VoxelEdits edits(opened.grid);
  ASSERT_TRUE(edits.paint_value(muscle_slab(0, 1), PaintLayer::muscle, 1));
  ASSERT_TRUE(edits.apply(CellSet::of_box({{-1, 0, 0}, {1, 1, 1}}), BrushMode::add, 1));
  const NumberList cells = muscle_weights(scene_after_painting(edits, opened, scene), "muscle-1");
  ASSERT_EQ(cells.size(), 20U);
  for (std::size_t i = 0; i < cells.size(); ++i) EXPECT_EQ(cells[i], i % 5 == 1 ? 1 : 0) << i;
}

TEST(PaintedMuscles, ASecondEditOfTheSameBodyUpdatesTheMusclesOfTheFirst) {
  const Node scene = creature_scene();
  const OpenedVoxelBody opened = opened_creature(scene);
  VoxelEdits edits(opened.grid);
  ASSERT_TRUE(edits.paint_value(muscle_slab(0, 2), PaintLayer::muscle, 1));
  const Node first = scene_after_painting(edits, opened, scene);
  ASSERT_TRUE(edits.paint_value(muscle_slab(2, 4), PaintLayer::muscle, 2));
  const Node second = scene_after_painting(edits, opened, first);
  EXPECT_EQ(second.all("actuator").size(), 2U);
  EXPECT_EQ(wave_phase(second, "creature-muscle-2"), 0.5) << "in antiphase to the muscle of the first edit";
  ASSERT_TRUE(edits.paint_value(muscle_slab(0, 2), PaintLayer::muscle, 0));
  ASSERT_TRUE(edits.apply(CellSet::of_box({{-1, 0, 0}, {1, 1, 1}}), BrushMode::add, 1));
  const Node third = scene_after_painting(edits, opened, second);
  EXPECT_EQ(muscle_weights(third, "muscle-1"), NumberList(20, 0.0)) << "the wave still refers to it";
  EXPECT_EQ(third.all("actuator").size(), 2U);
}

TEST(PaintedMuscles, ARegionThatWasRemovedSinceTheOpeningPreventsNoEdit) {
  Node scene = creature_scene();
  add_child(*find_node(scene, muscle_body_path), "region", "region", "base");
  const OpenedVoxelBody opened = opened_creature(scene);
  VoxelEdits edits(opened.grid);
  ASSERT_TRUE(edits.paint_value(muscle_slab(0, 2), PaintLayer::muscle, 1));
  const Node without = creature_scene();
  EXPECT_EQ(muscle_weights(scene_after_painting(edits, opened, without), "muscle-1"), slab_weights(0, 2));
}

TEST(PaintedMuscles, NamesOfNewMusclesAndWavesAreUnused) {
  Node scene = creature_scene();
  add_child(*find_node(scene, muscle_body_path), "muscle", "muscle", "muscle-2");
  add_child(scene, "actuator", "wave", "creature-muscle-2-new")
      .set("targets", Value(TextList{muscle_body_path + ".muscle.muscle-2.strain"}));
  const OpenedVoxelBody opened = opened_creature(scene);
  VoxelEdits edits(opened.grid);
  ASSERT_TRUE(edits.paint_value(muscle_slab(0, 2), PaintLayer::muscle, 2));
  const Node after = scene_after_painting(edits, opened, scene);
  EXPECT_EQ(muscle_weights(after, "muscle-2-new"), slab_weights(0, 2));
  EXPECT_EQ(wave_phase(after, "creature-muscle-2-new-2"), 0.5);
}

TEST(PaintedMuscles, BadNumbersAndListsAreErrors) {
  Node scene = creature_scene();
  const OpenedVoxelBody opened = opened_creature(scene);
  VoxelEdits edits(opened.grid);
  for (const double number : {-1.0, 0.5, 1.0 + max_painted_muscles, std::nan(""), HUGE_VAL})
    EXPECT_FALSE(edits.paint_value(muscle_slab(0, 2), PaintLayer::muscle, number)) << number;
  EXPECT_FALSE(edits.paint_gradient(muscle_slab(0, 4), PaintLayer::muscle, 0, 1, 4))
      << "muscle numbers cannot have a gradient";
  EXPECT_EQ(edits.grid(), opened.grid);
  EXPECT_FALSE(edits.can_undo());
  EXPECT_TRUE(edits.paint_value(muscle_slab(0, 2), PaintLayer::muscle, max_painted_muscles));

  add_child(*find_node(scene, muscle_body_path), "muscle", "muscle", "flexor").set("cells", Value(NumberList{1, 2, 3}));
  const auto wrong = open_voxel_body(*scene.find("system", "creature"), scene);
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message().find("system.creature.muscle.flexor.cells = 3 numbers"), std::string::npos)
      << wrong.error().message();

  ASSERT_TRUE(edits.apply(muscle_slab(0, 4), BrushMode::remove, 0));
  EXPECT_FALSE(edited_scene(edits.grid(), opened, creature_scene(), muscle_body_path)) << "a body without a voxel";
}

}  // namespace
}  // namespace vw
