// Colliders in scene files: every kind is read back equal, files are found relative to the scene, and each mistake
// gives one error message.
#include "scene_test_support.h"
#include "sim/world/world.h"

namespace vw {
namespace {

using namespace scene_test;

const char* const every_kind = R"([[collider]]
name = "ground"
kind = "plane"
friction = "wet"
wetness = 0.25
decides = true
[[collider]]
name = "tray"
kind = "box"
size = [1, 0.1, 1]
two_sided = true
carried_by = "creature"
carried_element = 3
[[collider]]
name = "paddle"
kind = "capsule"
radius = 0.02
length = 0.3
key_path = "linear"
key_end = "hold"
[[collider.key]]
rotation = [0, 0, 1]
[[collider.key]]
name = "up"
time = 0.5
position = [0, 0.2, 0]
[[collider]]
kind = "sphere"
[[collider]]
kind = "cylinder"
[[collider]]
kind = "mesh"
source = "jug.obj"
scale = 0.001
[[collider]]
kind = "heightfield"
source = "dunes.png"
high = 3
[[collider]]
kind = "distance_grid"
source = "jug.obj"
resolution = 100
[[system]]
kind = "voxel_body"
name = "creature"
)";

TEST(SceneColliders, EveryKindReadsBackEqual) {
  const auto scene = read_scene_toml(every_kind, "pool.toml");
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(scene->root.all("collider").size(), collider_schemas().size());
  const Node& paddle = *scene->root.find("collider", "paddle");
  ASSERT_EQ(paddle.all("key").size(), 2U);
  EXPECT_EQ(value_of<Vec3>(*paddle.find("key", "up"), "position"), Vec3(0, 0.2, 0));
  const auto again = read_scene_toml(write_scene_toml(scene->root), "again.toml");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_TRUE(same_node(scene->root, again->root));
}

TEST(SceneColliders, MistakesAreOneSentence) {
  const Mistake mistakes[] = {
      {"[[collider]]\nkind = \"capsul\"\n",
       "pool.toml:2: collider.kind = \"capsul\": must be one of box, capsule, cylinder, distance_grid, heightfield, "
       "mesh, plane, sphere (did you "
       "mean "
       "\"capsule\"?)"},
      {"[[collider]]\nkind = \"plane\"\nname = \"ground\"\nfriction = \"moist\"\n",
       "pool.toml:4: collider.ground.friction = \"moist\": must be one of dry, wet, wet_linear, frictionless"},
      {"[[collider]]\nkind = \"cylinder\"\nradius = -1\n",
       "pool.toml:3: collider.cylinder.radius = -1 m: must lie in [1e-06, 10000] m"},
      {"[[collider]]\nkind = \"box\"\n[[collider.key]]\ntime = -1\n",
       "pool.toml:4: collider.box.key.key.time = -1 s: must lie in [0, 1e+06] s"},
  };
  for (const Mistake& m : mistakes) EXPECT_EQ(toml_error(m.text), m.sentence);
}

TEST(SceneColliders, FilesAreFoundBesideTheSceneAndMissedWithALine) {
  const Scratch folder;
  const std::string sheet = folder.write("models/sheet.obj", "v 0 0 0\nv 1 0 0\nv 0 0 -1\nf 1 2 3\n");
  const auto scene = load_scene(
      folder.write("pool.toml", "[[collider]]\nkind = \"mesh\"\nsource = \"models/sheet.obj\"\ntwo_sided = true\n"));
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(value_of<std::string>(*scene->root.find("collider", "mesh"), "source"), sheet);
  const auto world = World::create(scene->root);
  EXPECT_TRUE(world) << (world ? "" : world.error().message());
  std::filesystem::remove(sheet);
  const auto without = World::create(scene->root);
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().line, 1);
  EXPECT_EQ(without.error().key, "collider.mesh.source");
  EXPECT_EQ(without.error().message().find('\n'), std::string::npos);
}

}  // namespace
}  // namespace vw
