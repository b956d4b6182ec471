// Scene files: a written scene is read back equal, and every mistake gives one error message with file, line and key.
#include <cmath>
#include <random>

#include "scene_test_support.h"
#include "sim/scene/toml/text.h"
#include "sim/system/voxel/lattice/lattice.h"

namespace vw {
namespace {

using namespace scene_test;

TEST(SceneFile, ReadsWhatItSaysAndLeavesTheRestAtItsDefaults) {
  const auto scene = read_scene_toml(R"(
format = 1
title = "Two cubes"
[world]
gravity = [0, -1.62, 0]
[[material]]
name = "rubber"
youngs_modulus = 200000
[[system]]
kind = "voxel_body"
name = "cube"
material = "rubber"
size = [2, 3, 4]
[[system.region]]
name = "foot"
max = [1, 0.1, 1]
[[system]]
kind = "voxel_body"
)",
                                     "pool.toml");
  ASSERT_TRUE(scene) << scene.error().message();
  const Node& root = scene->root;
  EXPECT_EQ(value_of<std::string>(root, "title"), "Two cubes");
  EXPECT_EQ(value_of<Vec3>(*root.only("world"), "gravity"), Vec3(0, -1.62, 0));
  EXPECT_EQ(value_of<double>(*root.find("material", "rubber"), "youngs_modulus"), 200000.0);
  const Node* cube = root.find("system", "cube");
  ASSERT_NE(cube, nullptr);
  EXPECT_EQ(value_of<Vec3>(*cube, "size"), Vec3(2, 3, 4));
  EXPECT_EQ(value_of<double>(*cube, "voxel_size"),
            std::get<double>(make_node(voxel_body_schema()).value("voxel_size")));
  ASSERT_NE(cube->find("region", "foot"), nullptr);
  EXPECT_EQ(cube->line, 9);
  EXPECT_NE(root.find("system", "voxel_body"), nullptr) << "a table without a name is called by its kind";
}

TEST(SceneFile, AnEmptyFileIsTheDefaultScene) {
  const auto scene = read_scene_toml("", "pool.toml");
  ASSERT_TRUE(scene);
  EXPECT_TRUE(same_node(scene->root, make_node(scene_schema())));
}

TEST(SceneFile, EveryMistakeIsOneSentenceWithFileLineAndKey) {
  const Mistake mistakes[] = {
      {"\n[[system]]\nkind = \"voxel_body\"\nname = \"cube\"\nvoxel_size = -2\n",
       "pool.toml:5: system.cube.voxel_size = -2 m: must lie in [1e-09, 1000] m"},
      {"[[system]]\nkind = \"voxel_body\"\nname = \"cube\"\nvoxel_sise = 2\n",
       "pool.toml:4: system.cube.voxel_sise: unknown key \"voxel_sise\" of voxel_body (did you mean \"voxel_size\"?)"},
      {"titel = \"x\"\n", "pool.toml:1: titel: unknown key \"titel\" of scene (did you mean \"title\"?)"},
      {"[[sistem]]\n", "pool.toml:1: sistem: unknown key \"sistem\" of scene (did you mean \"system\"?)"},
      {"[world]\ndt = nan\n", "pool.toml:2: world.dt = nan s: must be finite"},
      {"[world]\ndt = inf\n", "pool.toml:2: world.dt = inf s: must be finite"},
      {"[world]\ndt = \"fast\"\n", "pool.toml:2: world.dt = \"fast\": must be a number"},
      {"[world]\ngravity = [0, 1]\n", "pool.toml:2: world.gravity = [0.0, 1.0]: must be three numbers [x, y, z]"},
      {"[world]\ngravity = [0, 1, \"z\"]\n",
       "pool.toml:2: world.gravity = a list of mixed types: must be three numbers [x, y, z]"},
      {"[world]\ndt = 1979-05-27\n", "pool.toml:2: world.dt = a date or time: must be a number"},
      {"[world]\ndt = { a = 1 }\n", "pool.toml:2: world.dt = a table: must be a number"},
      {"[world]\nseed = 1.5\n", "pool.toml:2: world.seed = 1.5: must be a whole number"},
      {"title = 3\n", "pool.toml:1: title = 3: must be a string in quotes"},
      {"world = 3\n", "pool.toml:1: world = a value: expected a single table; write it as [world]"},
      {"world = [1, 2]\n", "pool.toml:1: world = a list: expected a single table; write it as [world]"},
      {"system = [1, 2]\n", "pool.toml:1: system = a list: expected a list of tables; write each as [[system]]"},
      {"[[world]]\n", "pool.toml:1: world = [[world]]: expected a single table; write it as [world]"},
      {"[system]\nkind = \"voxel_body\"\n",
       "pool.toml:1: system = [system]: expected a list of tables; write each as [[system]]"},
      {"[[system]]\nkind = \"voxel_bodi\"\n", nullptr},
      {"[[system]]\nkind = 3\n", nullptr},
      {"[[material]]\nname = \"a\"\n[[material]]\nname = \"a\"\n",
       "pool.toml:4: material.name = \"a\": must be unique: the material in line 2 has the same name"},
      {"[[material]]\nname = \"a b\"\n",
       "pool.toml:2: material.name = \"a b\": must consist of letters, digits, _ and -"},
      {"[[material]]\nname = 3\n", "pool.toml:2: material.name: must be a string in quotes"},
      {"format = 2\n", "pool.toml:1: format = 2: must be at most 1; a newer version of Voxwake wrote this scene"},
      {"format = 0\n", "pool.toml:1: format = 0: must lie in [1, 1]"},
      {"format = \"1\"\n", "pool.toml:1: format = \"1\": must be a whole number"},
      {"title = \"a\ntitle\n", nullptr},
      {"title = \"a\"\ntitle = \"b\"\n", nullptr},
      {"a.b.c = [[[[1]]]]", "pool.toml:1: a: unknown key \"a\" of scene"},
  };
  for (const Mistake& mistake : mistakes) {
    const std::string found = toml_error(mistake.text);
    EXPECT_NE(found, "accepted") << mistake.text;
    EXPECT_EQ(found.rfind("pool.toml:", 0), 0U) << found;
    if (mistake.sentence != nullptr) {
      EXPECT_EQ(found, mistake.sentence);
    }
  }
}

TEST(SceneFile, AMissingKindListsThePossibleOnes) {
  const std::string found = toml_error("\n[[collider]]\nname = \"ball\"\n");
  EXPECT_EQ(found,
            "pool.toml:2: collider.kind: is missing; it must be one of box, capsule, cylinder, distance_grid, "
            "heightfield, mesh, plane, sphere");
  EXPECT_EQ(toml_error("[[collider]]\nkind = \"spere\"\n"),
            "pool.toml:2: collider.kind = \"spere\": must be one of box, capsule, cylinder, distance_grid, "
            "heightfield, mesh, plane, sphere (did you "
            "mean \"sphere\"?)");
}

TEST(SceneFile, WritesOnlyWhatDiffersFromTheDefaults) {
  Node scene = make_node(scene_schema());
  EXPECT_EQ(write_scene_toml(scene), "format = 1\n");
  scene.set("title", std::string("A \"cube\""));
  Node& rubber = add_child(scene, "material", voxel_material_schema().kind, "rubber");
  rubber.set("youngs_modulus", 2.5e5);
  Node& cube = add_child(scene, "system", "voxel_body", "cube");
  cube.set("shape", std::string("layers"));
  cube.set("size", Vec3(3, 2, 1));
  cube.set("layers", TextList{"111", "1.1"});
  cube.set("palette", TextList{"rubber"});
  EXPECT_EQ(write_scene_toml(scene), R"(format = 1
title = "A \"cube\""

[[material]]
name = "rubber"
youngs_modulus = 250000

[[system]]
name = "cube"
kind = "voxel_body"
shape = "layers"
size = [3, 2, 1]
palette = ["rubber"]
layers = ["111", "1.1"]
)");
}

/// Random trees that contain every declared kind of node. Values lie within their bounds or at a bound, and strings
/// contain all characters that need escapes.
class RandomTree {
 public:
  explicit RandomTree(unsigned seed) : random_(seed) {}

  Node scene() {
    Node root = make_node(scene_schema());
    fill(root, 0);
    return root;
  }

 private:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  double unit() { return std::uniform_real_distribution<double>(0, 1)(random_); }

  double number(const Bounds& b) {
    switch (below(4)) {
      case 0: return b.min;
      case 1: return b.max;
      case 2: return std::clamp(std::ldexp(unit(), static_cast<int>(below(60)) - 30), b.min, b.max);
      default: return std::clamp(b.min + unit() * (std::min(b.max, 1e9) - b.min), b.min, b.max);
    }
  }

  std::string text() {
    const char* texts[] = {"",
                           "plain",
                           "quo\"te 'both'",
                           "back\\slash",
                           "two\nlines\n",
                           "\"\"\"\nthree quotes",
                           "tab\tand \x01",
                           "\xC3\xBC\xE2\x82\xAC",
                           "# no comment",
                           "crlf\r\n"};
    return texts[below(std::size(texts))];
  }

  Value value(const ParamSpec& spec) {
    switch (spec.type) {
      case ParamType::boolean: return below(2) == 0;
      case ParamType::integer:
        return static_cast<std::int64_t>(
            std::llround(std::clamp(number(spec.bounds), spec.bounds.min, std::min(spec.bounds.max, 9e15))));
      case ParamType::real: return number(spec.bounds);
      case ParamType::vec3:
      case ParamType::color: return Vec3(number(spec.bounds), number(spec.bounds), number(spec.bounds));
      case ParamType::choice: return spec.choices[below(spec.choices.size())];
      case ParamType::text: return text();
      case ParamType::number_list: {
        NumberList list(below(60));
        for (double& x : list) x = number(spec.bounds);
        return list;
      }
      case ParamType::text_list: {
        TextList list(below(20));
        for (auto& x : list) x = text();
        return list;
      }
    }
    return spec.default_value;
  }

  void fill(Node& node, int depth) {
    for (std::size_t i = 0; i < node.values.size(); ++i) {
      const ParamSpec& spec = node.schema->params[i];
      if (spec.name == "format" || below(2) == 0) continue;
      const auto checked = check_value(spec, value(spec));
      ASSERT_TRUE(checked) << spec.name << ": " << checked.error().message();
      node.values[i] = *checked;
    }
    for (Node& child : node.children) fill(child, depth + 1);
    for (std::size_t s = 0; s < node.schema->slots.size(); ++s) {
      const Slot& slot = node.schema->slots[s];
      const std::size_t count = slot.many ? below(4) : 0;
      for (std::size_t i = 0; i < count; ++i) {
        Node& child = add_child(node, slot.name, slot.kinds[below(slot.kinds.size())]->kind,
                                "n" + std::to_string(i) + (below(2) == 0 ? "-x" : "_Y"));
        fill(child, depth + 1);
      }
    }
  }

  std::mt19937 random_;
};

TEST(SceneFile, RandomTreesReadBackEqual) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Node tree = RandomTree(seed).scene();
    const std::string text = write_scene_toml(tree);
    const auto back = read_scene_toml(text, "tree.toml");
    ASSERT_TRUE(back) << back.error().message() << "\n" << text;
    ASSERT_TRUE(same_node(tree, back->root)) << "seed " << seed << "\n"
                                             << text << "\n---\n"
                                             << write_scene_toml(back->root);
    ASSERT_EQ(write_scene_toml(back->root), text);
  }
}

TEST(SceneFile, WholeNumbersBeyondTheRangeOfIntegersReadBackEqual) {
  for (const double x : {9007199254740993.0, 9223372036854774784.0, 9223372036854775808.0, 12345678901234567168.0}) {
    Node scene = make_node(scene_schema());
    scene.only("world")->set("energy_limit", x);
    const auto back = read_scene_toml(write_scene_toml(scene), "t.toml");
    ASSERT_TRUE(back) << back.error().message();
    EXPECT_EQ(value_of<double>(*back->root.only("world"), "energy_limit"), x);
  }
}

TEST(SceneFile, TextThatIsNoUtf8IsRepairedWhenSaved) {
  Node scene = make_node(scene_schema());
  scene.set("title", std::string("caf\xE9"));
  const auto back = read_scene_toml(write_scene_toml(scene), "t.toml");
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_EQ(value_of<std::string>(back->root, "title"), "caf\xEF\xBF\xBD");
}

TEST(SceneFile, SavesAtomicallyAndLoadsAgain) {
  const Scratch folder;
  const std::string path = folder.path("scene.toml");
  Node scene = make_node(scene_schema());
  scene.set("title", std::string("saved"));
  ASSERT_TRUE(save_scene(scene, path));
  const auto back = load_scene(path);
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_TRUE(same_node(back->root, scene));
  EXPECT_FALSE(save_scene(scene, folder.path("no/such/folder.toml")));
}

TEST(LoadScene, SaysWhatItCanOpen) {
  EXPECT_EQ(load_scene("creature.obj").error().message(),
            "creature.obj: a mesh is not a scene; add it to a scene with the command `voxwake import`");
  EXPECT_EQ(load_scene("creature.txt").error().message(),
            "creature.txt: cannot be opened: its name must end in one of .toml .vxa .vxc .vxd .vxl.json .vox .binvox "
            ".npz .json .history");
  const std::string missing = load_scene("no/such/scene.toml").error().message();
  EXPECT_EQ(missing.rfind("no/such/scene.toml: ", 0), 0U) << missing;
}

TEST(LoadScene, ReportsWrongReferencesWithFileAndLine) {
  const Scratch folder;
  const std::string path = folder.write(
      "pool.toml",
      "[[material]]\nname = \"rubber\"\n\n[[system]]\nkind = \"voxel_body\"\nname = \"cube\"\nmaterial = \"ruber\"\n");
  const auto scene = load_scene(path);
  ASSERT_FALSE(scene);
  EXPECT_EQ(
      scene.error().message(),
      path + ":4: system.cube.material = \"ruber\": must name a material of this scene (did you mean \"rubber\"?)");
}

TEST(SceneFile, NamesOfFilesBecomeNamesOfSystems) {
  EXPECT_EQ(as_node_name("soft robot+1", "body"), "soft_robotplus1");
  EXPECT_EQ(as_node_name("Gr\xC3\xBC\xC3\x9F 2", "body"), "Gr__2");     // umlaut and sharp s, then a space
  EXPECT_EQ(as_node_name("\xE7\x94\x9F\xE7\x89\xA9", "body"), "body");  // two Chinese characters
  EXPECT_EQ(as_node_name("\xE7\x94\x9F\xE7\x89\xA9Z", "body"), "_Z");
  EXPECT_EQ(as_node_name("---", "body"), "body");
}

TEST(LoadScene, TakesALatticeFromADesign) {
  const Scratch folder;
  folder.write("creature.VXA", small_design());
  const std::string path = folder.write("pool.toml", R"(
[[material]]
name = "walker_Soft"
[[system]]
kind = "voxel_body"
name = "walker"
source = "creature.VXA"
position = [0, 1, 0]
[[system]]
kind = "voxel_body"
name = "twin"
source = "creature.VXA"
voxel_size = 0.05
)");
  const auto scene = load_scene(path);
  ASSERT_TRUE(scene) << scene.error().message();
  const Node& walker = *scene->root.find("system", "walker");
  EXPECT_EQ(value_of<std::string>(walker, "source"), "");
  EXPECT_EQ(value_of<TextList>(walker, "palette"), (TextList{"walker_Soft_2", "walker_Active_plus"}));
  EXPECT_EQ(value_of<Vec3>(walker, "position"), Vec3(0, 1, 0)) << "the scene says where it stands";
  EXPECT_EQ(value_of<double>(walker, "voxel_size"), 0.02);
  EXPECT_EQ(value_of<std::string>(walker, "temperature_wave"), "sine");
  EXPECT_EQ(walker.all("region").size(), 1U);
  EXPECT_EQ(value_of<double>(*scene->root.find("system", "twin"), "voxel_size"), 0.05) << "what the scene says stands";
  EXPECT_EQ(value_of<Vec3>(*scene->root.only("world"), "gravity"), Vec3(0, -9.81, 0)) << "the world is the scene's";
  EXPECT_TRUE(scene->root.all("collider").empty());
  ASSERT_TRUE(make_lattice(walker, scene->root));
  // The scene is self-contained: it can be read back without the design.
  const auto back = read_scene_toml(write_scene_toml(scene->root), "copy.toml");
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_TRUE(same_node(back->root, scene->root));
}

TEST(LoadScene, ASourceThatIsMissingOrNoDesignIsOneSentence) {
  const Scratch folder;
  const auto error = [&](const std::string& source) {
    const std::string path =
        folder.write("pool.toml", "[[system]]\nkind = \"voxel_body\"\nname = \"cube\"\nsource = \"" + source + "\"\n");
    const auto scene = load_scene(path);
    return scene ? std::string("accepted") : scene.error().message().substr(path.size() - 9);
  };
  EXPECT_EQ(error("none.vxa").rfind("pool.toml:1: system.cube.source = \"none.vxa\": must be a readable file", 0), 0U)
      << error("none.vxa");
  EXPECT_EQ(error("pool.toml"),
            "pool.toml:1: system.cube.source = \"pool.toml\": must be a design (.vxa .vxc .vxd .vxl.json .vox "
            ".binvox .npz .json) or a mesh (.obj .stl .ply .gltf .glb)");
  EXPECT_EQ(error("none.obj").rfind("pool.toml:1: system.cube.source = \"none.obj\": must be a readable mesh: ", 0), 0U)
      << error("none.obj");
}

// A mesh of six quads: a box of 2 x 3 x 4 units with its lower corner at (1, 2, 3).
const char* const block_obj =
    "v 1 2 3\nv 3 2 3\nv 3 5 3\nv 1 5 3\nv 1 2 7\nv 3 2 7\nv 3 5 7\nv 1 5 7\n"
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 4 8 7 3\nf 1 5 8 4\nf 2 3 7 6\n";

TEST(LoadScene, AMeshIsFilledWithVoxelsWhereItStands) {
  const Scratch folder;
  folder.write("block.obj", block_obj);
  const auto load = [&](const std::string& more) {
    return load_scene(folder.write(
        "pool.toml", "[[system]]\nkind = \"voxel_body\"\nname = \"cube\"\nsource = \"block.obj\"\n" + more));
  };
  const auto scene = load("source_scale = 0.1\nvoxel_size = 0.05\n");
  ASSERT_TRUE(scene) << scene.error().message();
  const Node& body = *scene->root.find("system", "cube");
  const auto lattice = make_lattice(body, scene->root);
  ASSERT_TRUE(lattice) << lattice.error().message();
  EXPECT_EQ(lattice->cell.size(), 4U * 6 * 8);
  EXPECT_EQ(lattice->material_name.size(), 1U);
  EXPECT_LT((std::get<Vec3>(body.value("position")) - Vec3(0.1, 0.2, 0.3)).norm(), 1e-9);
  // The scene is self-contained: it can be read back without the mesh.
  const auto back = read_scene_toml(write_scene_toml(scene->root), "copy.toml");
  ASSERT_TRUE(back) << back.error().message();
  EXPECT_TRUE(same_node(back->root, scene->root));

  EXPECT_TRUE(scene->warnings.empty());

  const auto coarse = load("source_scale = 0.1\nvoxel_size = 0.15\n");
  ASSERT_TRUE(coarse) << coarse.error().message();
  EXPECT_EQ(coarse->warnings,
            std::vector<std::string>{"block.obj: 6 voxels of 0.15 m have 0.84 times the volume of the mesh; choose a "
                                     "smaller voxel_size for a better approximation"});

  const auto too_fine = load("voxel_size = 1e-6\n");
  ASSERT_FALSE(too_fine);
  EXPECT_NE(
      too_fine.error().message().find("system.cube.voxel_size = 1e-06 m for a mesh of 2 x 3 x 4 m: must be larger"),
      std::string::npos)
      << too_fine.error().message();

  folder.write("block.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
  const auto sheet = load("");
  ASSERT_FALSE(sheet);
  EXPECT_NE(sheet.error().message().find(
                "system.cube.source = \"block.obj\": must be a closed mesh; this mesh is an open sheet"),
            std::string::npos)
      << sheet.error().message();
}

TEST(OldKeys, AreReadAsTheKeysThatReplacedThemWithOneWarning) {
  const auto scene = read_scene_toml("[view]\nbackground = \"white\"\n", "old.toml");
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(std::get<std::string>(scene->root.only("view")->value("environment")), "white");
  ASSERT_EQ(scene->warnings.size(), 1U);
  EXPECT_EQ(scene->warnings[0], "old.toml:2: view.background is an old key: write view.environment = \"white\"");
  const auto wrong = read_scene_toml("[view]\nbackground = \"pink\"\n", "old.toml");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message(), "old.toml:2: view.background: must be one of scene, white, dark, transparent");
}

}  // namespace
}  // namespace vw
