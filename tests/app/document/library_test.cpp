// Assigning materials of the library to nodes of a scene.
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "app/window/document/document.h"
#include "app/window/document/scene_loader.h"
#include "app/window/library/material_assignment.h"
#include "sim/api/run.h"

namespace vw {
namespace {

MaterialLibrary packaged_library() {
  const std::vector<std::string> folders{packaged_materials_folder()};
  return read_material_library(folders);
}

/// Returns a scene with a voxel body, a rigid body with a mass, and a fluid without phases.
Node library_scene() {
  Node scene = api::new_scene();
  add_child(scene, "material", "voxel_material", "rubber");
  add_child(scene, "system", "voxel_body", "cube").set("size", Vec3(2, 2, 2));
  Node& box = add_child(add_child(scene, "system", "rigid", "boxes"), "body", "box", "box");
  box.set("mass", 3.0);
  box.set("position", Vec3(1, 0, 0));
  Node& pool = add_child(scene, "system", "fluid", "pool");
  pool.set("spacing", 0.1);
  add_child(pool, "fill", "box", "fill");
  return scene;
}

/// Applies an assignment to a document, as the window does.
void apply_to(Document& document, const MaterialAssignment& assignment) {
  if (assignment.node_changes.empty()) {
    const auto edited = document.edit_all(assignment.assignments);
    ASSERT_TRUE(edited) << edited.error().message();
    document.end_gesture();
    return;
  }
  const auto changed = document.change(assignment.node_changes, assignment.assignments);
  ASSERT_TRUE(changed) << changed.error().message();
}

double number_at(const Node& root, const std::string& path) {
  return std::get<double>(find_parameter(const_cast<Node&>(root), path)->value());
}

TEST(WindowLibrary, AMaterialNodeGetsTheFiguresAndTheNotesSayTheRest) {
  const MaterialLibrary library = packaged_library();
  LibraryMaterial silicone = *library.find("dragon-skin-30");
  const auto ratio = std::ranges::find(figure_kinds(), std::string("poissons_ratio"), &FigureKind::key);
  silicone.figures.push_back({.kind = &*ratio, .value = 0.495, .at = {}, .source = "test", .read = true});
  Document document(library_scene());
  const auto assigned = assign_material(document.root(), "material.rubber", silicone);
  ASSERT_TRUE(assigned) << assigned.error().message();
  apply_to(document, *assigned);
  const Node& rubber = *document.root().find("material", "rubber");
  EXPECT_EQ(std::get<double>(rubber.value("density")), silicone.find("density")->value);
  EXPECT_EQ(std::get<double>(rubber.value("youngs_modulus")), silicone.find("youngs_modulus")->value);
  EXPECT_EQ(std::get<double>(rubber.value("failure_stress")), silicone.find("failure_stress")->value);
  EXPECT_EQ(std::get<Vec3>(rubber.value("color")), silicone.color);
  EXPECT_EQ(std::get<double>(rubber.value("poissons_ratio")), 0.49) << "limited to the largest value of the parameter";
  const std::string notes = notes_of(*assigned);
  EXPECT_NE(notes.find("Poisson's ratio 0.495 is outside the range of the parameter, which is set to 0.49."),
            std::string::npos)
      << notes;
  EXPECT_NE(notes.find("The library has no value for: "), std::string::npos) << notes;
  EXPECT_NE(notes.find("friction"), std::string::npos) << notes;
  EXPECT_EQ(matching_material(library, rubber), library.find("dragon-skin-30"));
  (void)document.undo();
  EXPECT_TRUE(same_node(document.root(), library_scene())) << "the assignment must be one undo step";
}

TEST(WindowLibrary, AMatchNeedsEveryValueExactly) {
  const MaterialLibrary library = packaged_library();
  Node scene = library_scene();
  EXPECT_EQ(matching_material(library, *scene.find("material", "rubber")), nullptr);
  for (const LibraryMaterial& material : library.materials) {
    if (material.state != MatterState::solid) continue;
    NodeChange change = material_nodes(scene, material).back();
    const LibraryMaterial* found = matching_material(library, change.node);
    ASSERT_NE(found, nullptr) << material.name;
    EXPECT_EQ(found->name, material.name);
    const double density = std::get<double>(change.node.value("density"));
    change.node.set("density", std::nextafter(density, 2 * density));
    EXPECT_EQ(matching_material(library, change.node), nullptr) << material.name;
  }
}

TEST(WindowLibrary, AVoxelBodyGetsAMaterialNodeOfThatName) {
  const MaterialLibrary library = packaged_library();
  const LibraryMaterial& steel = *library.find("steel-s235");
  Document document(library_scene());
  apply_to(document, assign_material(document.root(), "system.cube", steel).value());
  EXPECT_EQ(std::get<std::string>(*document.value("system.cube.material")), "steel-s235");
  EXPECT_EQ(number_at(document.root(), "material.steel-s235.youngs_modulus"), 210e9);
  // The node exists now, so a second assignment must not add another.
  const auto again = assign_material(document.root(), "system.cube", steel);
  ASSERT_TRUE(again);
  EXPECT_TRUE(again->node_changes.empty());
  // A node of that name with other values must stay as it is. The assignment then adds a node with a numbered name.
  ASSERT_TRUE(document.edit("material.steel-s235.density", 1000.0));
  const auto other = assign_material(document.root(), "system.cube", steel);
  ASSERT_TRUE(other);
  ASSERT_EQ(other->node_changes.size(), 1U);
  EXPECT_EQ(other->node_changes[0].node.name, "steel-s235-2");
  document.end_gesture();
  (void)document.undo();
  (void)document.undo();
  EXPECT_TRUE(same_node(document.root(), library_scene())) << "adding the node and the reference must be one undo step";
}

TEST(WindowLibrary, OtherBodiesKeepTheDefaultMaterial) {
  const MaterialLibrary library = packaged_library();
  Node scene = api::new_scene();
  add_child(scene, "system", "voxel_body", "cube");
  const auto alone = assign_material(scene, "system.cube", *library.find("dragon-skin-30"));
  ASSERT_TRUE(alone) << alone.error().message();
  EXPECT_EQ(alone->node_changes.size(), 1U);
  add_child(scene, "system", "voxel_body", "other");
  const auto beside = assign_material(scene, "system.cube", *library.find("dragon-skin-30"));
  ASSERT_TRUE(beside) << beside.error().message();
  Document document(scene);
  apply_to(document, *beside);
  const auto materials = document.root().all("material");
  ASSERT_EQ(materials.size(), 2U);
  EXPECT_TRUE(same_node(*materials[0], make_node(*materials[0]->schema, materials[0]->name, materials[0]->slot)));
  EXPECT_EQ(std::get<std::string>(find_node(document.root(), "system.cube")->value("material")), materials[1]->name);
}

TEST(WindowLibrary, ABodyOfSeveralMaterialsNamesThem) {
  Node scene = library_scene();
  find_node(scene, "system.cube")->set("shape", std::string("layers"));
  const MaterialLibrary library = packaged_library();
  const auto refused = assign_material(scene, "system.cube", *library.find("steel-s235"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(
      refused.error().message(),
      "system.cube: the layers of this body list their materials; assign \"Structural steel S235\" to one of these "
      "materials");
}

TEST(WindowLibrary, ARigidBodyFollowsTheDensityInsteadOfItsMass) {
  const MaterialLibrary library = packaged_library();
  Document document(library_scene());
  const auto assigned = assign_material(document.root(), "system.boxes.body.box", *library.find("balsa"));
  ASSERT_TRUE(assigned);
  apply_to(document, *assigned);
  EXPECT_EQ(number_at(document.root(), "system.boxes.body.box.density"), library.find("balsa")->find("density")->value);
  EXPECT_EQ(number_at(document.root(), "system.boxes.body.box.mass"), 0);
  EXPECT_NE(notes_of(*assigned).find("The node has no parameter for: Young's modulus"), std::string::npos);
  EXPECT_EQ(matching_material(library, *find_node(document.root(), "system.boxes.body.box"))->name, "balsa");
}

TEST(WindowLibrary, AFluidGetsAPhaseAndItsOnlyPhaseIsChanged) {
  const MaterialLibrary library = packaged_library();
  Document document(library_scene());
  apply_to(document, assign_material(document.root(), "system.pool", *library.find("glycerol")).value());
  ASSERT_EQ(document.root().find("system", "pool")->all("phase").size(), 1U);
  EXPECT_EQ(number_at(document.root(), "system.pool.phase.glycerol.viscosity"), 1.414);
  EXPECT_EQ(number_at(document.root(), "system.pool.phase.glycerol.tension"),
            library.find("glycerol")->find("surface_tension")->value);
  apply_to(document, assign_material(document.root(), "system.pool", *library.find("water")).value());
  EXPECT_EQ(number_at(document.root(), "system.pool.phase.glycerol.viscosity"), 0.0010016) << "dynamic viscosity";
  Node two = document.root();
  add_child(*find_node(two, "system.pool"), "phase", "phase", "oil");
  const auto refused = assign_material(two, "system.pool", *library.find("water"));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message().find("several phases"), std::string::npos);
  EXPECT_TRUE(assign_material(two, "system.pool.phase.oil", *library.find("water")));
}

TEST(WindowLibrary, AGasFillsTheWorld) {
  const MaterialLibrary library = packaged_library();
  Document document(library_scene());
  apply_to(document, assign_material(document.root(), "world", *library.find("air-5000-m")).value());
  EXPECT_EQ(number_at(document.root(), "world.medium_density"), 0.73643);
  EXPECT_EQ(number_at(document.root(), "world.medium_viscosity"), 1.6282e-5);
  EXPECT_EQ(matching_material(library, *document.root().only("world"))->name, "air-5000-m");
}

TEST(WindowLibrary, EachMaterialIsAcceptedByNodesOfItsStateOnlyAndItsWorldCanBeMade) {
  const Node scene = library_scene();
  const std::vector<std::string> paths{"world",       "material.rubber", "system.cube",
                                       "system.pool", "system.boxes",    "system.boxes.body.box"};
  for (const LibraryMaterial& material : packaged_library().materials)
    for (const std::string& path : paths) {
      const auto assigned = assign_material(scene, path, material);
      EXPECT_EQ(assigned.has_value(), takes_material(scene, path, material.state)) << path << ", " << material.name;
      EXPECT_EQ(path == "system.boxes" && assigned, false);
      if (!assigned) continue;
      Document document(scene);
      apply_to(document, *assigned);
      const auto run = api::Run::create({"scene.toml", document.root(), {}, {}});
      EXPECT_TRUE(run) << path << ", " << material.name << ": " << run.error().message();
    }
  const auto refused = assign_material(scene, "world", *packaged_library().find("water"));
  EXPECT_EQ(refused.error().message(),
            "world: \"Water, 20 °C\" is a liquid and can be assigned only to a fluid or a phase of a fluid");
}

}  // namespace
}  // namespace vw
