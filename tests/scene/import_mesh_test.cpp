// Meshes imported into scenes: their position, and the nodes that the import creates.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/collision/mesh/mesh_builders.h"
#include "sim/scene/import_mesh.h"
#include "sim/scene/scene.h"
#include "sim/world/registry.h"
#include "tests/collision/mesh_files.h"
#include "tests/support/scratch.h"
#include "tests/support/world_of.h"

namespace vw {
using test::world_of;
using ::testing::HasSubstr;
namespace {

class ImportMesh : public ::testing::Test {
 protected:
  ImportMesh() : scene_(make_node(scene_schema())) {
    TriangleList box = box_mesh({0.2, 0.3, 0.4});
    for (Vec3& p : box.position) p += Vec3(1, 2, 3);
    path_ = folder_.write("my box.obj", test::obj_of(box));
  }
  /// Imports the mesh, adds the imported nodes to the scene and creates its world. Returns null if the import fails.
  std::unique_ptr<World> take(const MeshImport& how) {
    const auto imported = import_mesh(scene_, path_, how);
    EXPECT_TRUE(imported) << imported.error().message();
    if (!imported) return nullptr;
    add_nodes(scene_, imported->nodes);
    const auto back = read_scene_toml(write_scene_toml(scene_), "copy.toml");
    EXPECT_TRUE(back && same_node(back->root, scene_)) << "the saved scene must be read back equal";
    return world_of(scene_);
  }

  test::Scratch folder_;
  Node scene_;
  std::string path_;
};

TEST_F(ImportMesh, ARigidBodyStaysWhereTheFileHasItOrStandsWhereItIsAsked) {
  auto world = take({.density = 250});
  EXPECT_EQ(world->system(0).name(), "my_box");
  EXPECT_LT((world->system(0).elements().position[0] - Vec3(1, 2, 3)).norm(), 1e-6);
  EXPECT_NEAR(world->system(0).elements().mass[0], 250 * 0.4 * 0.6 * 0.8, 1e-4);
  world = take({.scale = 10, .foot = Vec3(5, 1, 0)});
  EXPECT_EQ(world->system(1).name(), "my_box_2");
  EXPECT_LT((world->system(1).elements().position[0] - Vec3(5, 4, 0)).norm(), 1e-5);
}

TEST_F(ImportMesh, AMeshOutsideTheRangeOfPositionsIsRefusedUnlessItIsPlaced) {
  TriangleList box = box_mesh({100, 100, 100});
  for (Vec3& p : box.position) p += Vec3(2e6, 0, 0);
  path_ = folder_.write("far.obj", test::obj_of(box));
  const auto refused = import_mesh(scene_, path_, {.voxels = true, .voxel_size_m = 50});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("a mesh must lie within 1e+06 m of the origin"));
  EXPECT_TRUE(import_mesh(scene_, path_, {.voxels = true, .voxel_size_m = 50, .foot = Vec3(0, 0, 0)}));
  EXPECT_FALSE(import_mesh(scene_, path_, {.foot = Vec3(0, 0, 0)})) << "the origin of the file would be too far away";
}

TEST_F(ImportMesh, AVoxelBodyBringsItsMaterialAndTheRulesThatJoinIt) {
  add_child(scene_, "system", "particles", "grains");
  const auto world = take({.voxels = true, .voxel_size_m = 0.1, .density = 800, .foot = Vec3(0, 0, 0)});
  ASSERT_NE(world, nullptr);
  const System& body = *world->find_system("my_box");
  EXPECT_EQ(body.elements().size(), 4U * 6 * 8);
  EXPECT_NEAR(body.elements().mass[0], 800 * 1e-3, 1e-9);
  Box3 box;
  for (const Vec3& p : body.elements().position) box.extend(p);
  EXPECT_LT((box.center() - Vec3(0, 0.3, 0)).norm(), 1e-6) << "the bottom must stand at the position";
  ASSERT_NE(scene_.find("material", "my_box_material"), nullptr);
  EXPECT_FALSE(scene_.all("interaction").empty());
  EXPECT_EQ(std::get<std::string>(scene_.find("system", "my_box")->value("source")), "") << "no mesh file";
}

TEST_F(ImportMesh, ReportsTheSizeOfAMesh) {
  const auto size = mesh_size(path_);
  ASSERT_TRUE(size) << size.error().message();
  EXPECT_LT((*size - Vec3(0.4, 0.6, 0.8)).norm(), 1e-6);
  EXPECT_FALSE(mesh_size(folder_.path("none.obj")));
}

TEST_F(ImportMesh, TwentyVoxelsAlongTheLongestSideUnlessAsked) {
  const auto world = take({.voxels = true});
  ASSERT_NE(world, nullptr);
  EXPECT_EQ(world->system(0).elements().size(), 10U * 15 * 20);
}

TEST_F(ImportMesh, AnImportErrorIsOneSentence) {
  const auto refusal = [&](const std::string& path, const MeshImport& how) {
    const auto imported = import_mesh(scene_, path, how);
    return imported ? std::string("accepted") : imported.error().message();
  };
  EXPECT_THAT(refusal("picture.png", {}), HasSubstr("picture.png: must be a mesh"));
  EXPECT_THAT(refusal(folder_.path("none.obj"), {}), HasSubstr("none.obj"));
  EXPECT_THAT(refusal(folder_.path("none.obj"), {.voxels = true}), HasSubstr("none.obj"));
  EXPECT_THAT(refusal(path_, {.voxels = true, .voxel_size_m = 1e-4}),
              HasSubstr("system.my_box.voxel_size = 0.0001 m for a mesh of 0.4 x 0.6 x 0.8 m"));
  EXPECT_THAT(refusal(path_, {.scale = 0}), HasSubstr("scale = 0.0: must lie in"));
  EXPECT_THAT(refusal(path_, {.density = 1e9}), HasSubstr("density = 1e+09 kg/m^3: must lie in"));
  EXPECT_THAT(refusal(path_, {.voxels = true, .density = 1e9}), HasSubstr("density = 1e+09 kg/m^3: must lie in"));
  const std::string sheet = folder_.write("sheet.obj", test::obj_of(sheet_mesh(1, 2)));
  EXPECT_THAT(refusal(sheet, {}), HasSubstr("encloses no volume"));
  EXPECT_THAT(refusal(sheet, {.voxels = true}), HasSubstr("this mesh is an open sheet"));
}

}  // namespace
}  // namespace vw
