// Presets of nodes, stored values of parameters, and random values, without a window.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>

#include "app/window/document/document.h"
#include "app/window/library/presets.h"
#include "app/window/library/randomise.h"
#include "app/window/library/variants.h"
#include "sim/api/run.h"
#include "sim/base/files/file.h"
#include "sim/scene/scene.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

/// Returns a scene with two materials, a voxel body, and a rigid system with two bodies.
Node preset_scene() {
  Node scene = api::new_scene();
  Node& rubber = add_child(scene, "material", "voxel_material", "rubber");
  rubber.set("density", 1070.0);
  rubber.set("youngs_modulus", 2e5);
  add_child(scene, "material", "voxel_material", "foam");
  Node& cube = add_child(scene, "system", "voxel_body", "cube");
  cube.set("size", Vec3(2, 2, 2));
  cube.set("material", std::string("rubber"));
  Node& boxes = add_child(scene, "system", "rigid", "boxes");
  add_child(boxes, "body", "box", "left");
  add_child(boxes, "body", "box", "right").set("mass", 3.0);
  return scene;
}

const Node& node_at(const Node& scene, const std::string& path) { return *find_node(scene, path); }

std::string preset_error(const std::string& text) {
  const auto preset =
      read_preset(text, "soft.toml", "material-voxel_material", *node_at(preset_scene(), "material.rubber").schema);
  return preset ? std::string() : preset.error().message();
}

TEST(WindowPresets, TheKindOfANodeConsistsOfItsSlotAndItsSchema) {
  const Node scene = preset_scene();
  EXPECT_EQ(kind_key(scene, "material.rubber"), "material-voxel_material");
  EXPECT_EQ(kind_key(scene, "system.boxes.body.left"), "body-box");
  EXPECT_EQ(kind_key(scene, "world"), "world");
  EXPECT_EQ(kind_key(scene, "system.none"), "");
}

TEST(WindowPresets, EveryNodeOfASceneIsReadBackAsItWasSaved) {
  const test::Scratch folder;
  const Node scene = preset_scene();
  for (const std::string path :
       {"world", "material.rubber", "system.cube", "system.boxes", "system.boxes.body.right"}) {
    const Node& node = node_at(scene, path);
    const std::string kind = kind_key(scene, path);
    const auto file = save_preset(folder.folder(), kind, "my preset", node);
    ASSERT_TRUE(file) << file.error().message();
    EXPECT_EQ(*file, folder.path(kind + "/my preset.toml"));
    const PresetList list = read_presets(folder.folder(), kind, *node.schema);
    ASSERT_EQ(list.presets.size(), 1U) << path;
    EXPECT_TRUE(list.errors.empty());
    Node read = list.presets[0].node;
    read.name = node.name;
    read.slot = node.slot;
    EXPECT_TRUE(same_node(read, node)) << path;
  }
}

TEST(WindowPresets, APresetIsAppliedInOneUndoStep) {
  const test::Scratch folder;
  Document document(preset_scene());
  const std::string kind = "material-voxel_material";
  const Node& rubber = node_at(document.root(), "material.rubber");
  ASSERT_TRUE(save_preset(folder.folder(), kind, "soft", rubber));
  const PresetList list = read_presets(folder.folder(), kind, *rubber.schema);
  ASSERT_EQ(list.presets.size(), 1U);
  const PresetUse use = apply_preset(document.root(), "material.foam", list.presets[0]);
  EXPECT_TRUE(use.notes.empty());
  ASSERT_TRUE(document.edit_all(use.assignments));
  EXPECT_EQ(std::get<double>(*document.value("material.foam.density")), 1070);
  EXPECT_EQ(std::get<double>(*document.value("material.foam.youngs_modulus")), 2e5);
  EXPECT_TRUE(apply_preset(document.root(), "material.foam", list.presets[0]).assignments.empty())
      << "the node already has these values";
  (void)document.undo();
  EXPECT_TRUE(same_node(document.root(), preset_scene()));
  EXPECT_TRUE(apply_preset(document.root(), "system.cube", list.presets[0]).assignments.empty())
      << "the preset is for another kind of node";
}

TEST(WindowPresets, ANoteNamesWhatIsNotApplied) {
  const Node scene = preset_scene();
  Preset body{"body", "body.toml", node_at(scene, "system.cube")};
  body.node.set("material", std::string("steel"));
  body.node.set("size", Vec3(3, 2, 2));
  const PresetUse use = apply_preset(scene, "system.cube", body);
  ASSERT_EQ(use.notes.size(), 1U);
  EXPECT_NE(use.notes[0].find("\"steel\" was not applied, because the scene has no such node"), std::string::npos)
      << use.notes[0];
  ASSERT_EQ(use.assignments.size(), 1U);
  EXPECT_EQ(use.assignments[0].path, "system.cube.size");
  const Preset boxes{"boxes", "boxes.toml", node_at(scene, "system.boxes")};
  const PresetUse parts = apply_preset(scene, "system.boxes", boxes);
  ASSERT_EQ(parts.notes.size(), 1U);
  EXPECT_EQ(parts.notes[0],
            "The child nodes of the preset were not added, because the node already exists: body left, body right.");
}

TEST(WindowPresets, ANoteNamesTargetsThatTheSceneLacks) {
  Node scene = preset_scene();
  Node& wave = add_child(scene, "actuator", "wave", "beat");
  wave.set("targets", Value(TextList{"system.fish.muscle.left.strain"}));
  wave.set("frequency", 3.0);
  const Preset beat{"beat", "beat.toml", wave};
  wave.set("targets", Value(TextList()));
  wave.set("frequency", 2.0);
  const PresetUse use = apply_preset(scene, "actuator.beat", beat);
  EXPECT_EQ(use.notes.size(), 1U);
  ASSERT_EQ(use.assignments.size(), 1U);
  EXPECT_EQ(use.assignments[0].path, "actuator.beat.frequency");
}

TEST(WindowPresets, ANewNodeHasTheChildrenOfThePresetAndAnUnusedName) {
  Node scene = preset_scene();
  const Preset boxes{"boxes", "boxes.toml", node_at(scene, "system.boxes")};
  NodeChange added = node_from_preset(scene, "system.boxes", boxes);
  EXPECT_EQ(added.node.name, "boxes-2");
  EXPECT_EQ(added.parent, "");
  ASSERT_TRUE(apply(scene, added));
  EXPECT_EQ(node_at(scene, "system.boxes-2").all("body").size(), 2U);
  const Preset named{"my soft box", "my soft box.toml", node_at(scene, "system.boxes.body.right")};
  const NodeChange part = node_from_preset(scene, "system.boxes.body.left", named);
  EXPECT_EQ(part.parent, "system.boxes");
  EXPECT_EQ(part.node.name, "my_soft_box");
  EXPECT_TRUE(api::Run::create({"scene.toml", scene, {}, {}}));
}

TEST(WindowPresets, AHostileFileGivesOneSentenceAndDoesNotHideTheOthers) {
  const std::string head = "preset = \"material-voxel_material\"\n";
  EXPECT_EQ(preset_error(head), "") << "a preset may consist of default values";
  EXPECT_EQ(preset_error("preset = \"body-box\"\n[node]\nmass = 1\n"),
            "soft.toml: is a preset of body-box; expected a preset of material-voxel_material");
  EXPECT_EQ(preset_error(""),
            "soft.toml: does not name its kind; expected the line preset = \"material-voxel_material\"");
  const auto names = [&](const std::string& text, const std::string& part) {
    const std::string said = preset_error(text);
    EXPECT_TRUE(said.starts_with("soft.toml")) << said;
    EXPECT_NE(said.find(part), std::string::npos) << said;
    EXPECT_EQ(said.find('\n'), std::string::npos) << said;
  };
  names(head + "[node]\ndensity = -1\n", "soft.toml:3: node.density = -1");
  names(head + "[node]\ndensty = 1\n", "did you mean \"density\"");
  names(head + "[[node]]\n", "write it as [node]");
  names(head + "[node]\ndensity = nan\n", "node.density");
  names(head + "[node\n", "soft.toml");
  names(head + "[node]\nfill = {}\n", "node.fill");
  names("preset = 3\n", "preset");
  names("\xFF\xFE", "soft.toml");
  names(std::string(5000, '['), "soft.toml");
  const test::Scratch folder;
  folder.write("world/good.toml", "preset = \"world\"\n");
  folder.write("world/bad.toml", "preset = \"world\"\n[node]\ndt = \"long\"\n");
  folder.write("world/notes.txt", "not a preset");
  const Node scene = preset_scene();
  const PresetList list = read_presets(folder.folder(), "world", *node_at(scene, "world").schema);
  ASSERT_EQ(list.presets.size(), 1U);
  EXPECT_EQ(list.presets[0].name, "good");
  ASSERT_EQ(list.errors.size(), 1U);
  EXPECT_NE(list.errors[0].message().find("bad.toml:3: node.dt"), std::string::npos) << list.errors[0].message();
}

TEST(WindowPresets, ANameCannotLeaveTheFolder) {
  EXPECT_EQ(preset_name_error("soft rubber-2_b"), "");
  EXPECT_EQ(preset_name_error(""), "Enter a name.");
  EXPECT_EQ(preset_name_error("  "), "Enter a name.");
  for (const std::string name : {"../soft", "a/b", "a.b", "a\nb", "caf\xC3\xA9", "a=b"})
    EXPECT_EQ(preset_name_error(name), "A name consists of letters, digits, spaces, _ and -.") << name;
  EXPECT_EQ(preset_name_error(std::string(61, 'a')), "A name has at most 60 characters.");
  const Node scene = preset_scene();
  const test::Scratch folder;
  EXPECT_FALSE(save_preset(folder.folder(), "world", "../world", node_at(scene, "world")));
  EXPECT_FALSE(save_preset("", "world", "good", node_at(scene, "world")));
  EXPECT_TRUE(std::filesystem::is_empty(folder.folder()));
}

TEST(WindowPresets, ADeletedPresetIsGone) {
  const test::Scratch folder;
  const Node scene = preset_scene();
  const Node& world = node_at(scene, "world");
  ASSERT_TRUE(save_preset(folder.folder(), "world", "calm", world));
  const PresetList list = read_presets(folder.folder(), "world", *world.schema);
  ASSERT_EQ(list.presets.size(), 1U);
  EXPECT_TRUE(remove_preset(list.presets[0]));
  EXPECT_FALSE(remove_preset(list.presets[0])) << "a preset cannot be deleted twice";
  EXPECT_TRUE(read_presets(folder.folder(), "world", *world.schema).presets.empty());
}

const ParamSpec& spec_of(const std::string& path, const std::string& param) {
  static const Node scene = preset_scene();
  const auto& params = node_at(scene, path).schema->params;
  return *std::ranges::find(params, param, &ParamSpec::name);
}

TEST(WindowVariants, KeptValuesAreSharedAndSortedByName) {
  const test::Scratch folder;
  const ParamSpec& modulus = spec_of("material.rubber", "youngs_modulus");
  const ParamSpec& size = spec_of("system.cube", "size");
  Variants mine(folder.folder()), other(folder.folder());
  ASSERT_TRUE(mine.keep("material-voxel_material", modulus, "soft", Value(5e4)));
  ASSERT_TRUE(other.keep("material-voxel_material", modulus, "hard", Value(1e9)))
      << "stores a value from another window";
  ASSERT_TRUE(mine.keep("system-voxel_body", size, "long", Value(Vec3(9, 1, 1))));
  ASSERT_TRUE(mine.keep("material-voxel_material", modulus, "soft", Value(6e4))) << "replaces the value of this name";
  const auto kept = Variants(folder.folder()).of("material-voxel_material", modulus);
  ASSERT_EQ(kept.size(), 2U);
  EXPECT_EQ(kept[0].name, "hard");
  EXPECT_EQ(kept[1].name, "soft");
  EXPECT_EQ(std::get<double>(kept[1].value), 6e4);
  ASSERT_EQ(mine.of("system-voxel_body", size).size(), 1U);
  EXPECT_EQ(std::get<Vec3>(mine.of("system-voxel_body", size)[0].value), Vec3(9, 1, 1));
  EXPECT_TRUE(mine.of("body-box", size).empty());
  ASSERT_TRUE(mine.remove("material-voxel_material", modulus, "hard"));
  EXPECT_EQ(Variants(folder.folder()).of("material-voxel_material", modulus).size(), 1U);
}

TEST(WindowVariants, UnreadableLinesStayInTheFileAndInvalidValuesAreNotOffered) {
  const test::Scratch folder;
  const std::string file = folder.write(
      "variants", "a remark\nmaterial-voxel_material.density.light = 10.0\nmaterial-voxel_material.density.bad = -1\n");
  Variants variants(folder.folder());
  const ParamSpec& density = spec_of("material.rubber", "density");
  ASSERT_EQ(variants.of("material-voxel_material", density).size(), 1U);
  EXPECT_EQ(variants.of("material-voxel_material", density)[0].name, "light");
  ASSERT_TRUE(variants.keep("material-voxel_material", density, "heavy", Value(8000.0)));
  EXPECT_NE(read_file(file, 1 << 16)->find("a remark\n"), std::string::npos);
  EXPECT_FALSE(variants.keep("material-voxel_material", density, "a.b", Value(1.0)));
  EXPECT_FALSE(Variants("").keep("material-voxel_material", density, "good", Value(1.0)));
}

RandomiseSettings random_settings(std::vector<std::string> params, RandomRange range, std::uint64_t seed) {
  RandomiseSettings settings;
  settings.params = std::move(params);
  settings.range = range;
  settings.seed = seed;
  return settings;
}

TEST(WindowRandomise, TheSameSeedGivesTheSameValuesWhateverElseIsChosen) {
  const Node scene = preset_scene();
  const Node& rubber = node_at(scene, "material.rubber");
  const auto one = randomised(rubber, "material.rubber", random_settings({"density"}, RandomRange::percent, 7));
  const auto two =
      randomised(rubber, "material.rubber", random_settings({"youngs_modulus", "density"}, RandomRange::percent, 7));
  const auto next = randomised(rubber, "material.rubber", random_settings({"density"}, RandomRange::percent, 8));
  ASSERT_EQ(one.size(), 1U);
  ASSERT_EQ(two.size(), 2U);
  const auto same = std::ranges::find(two, one[0].path, &Assignment::path);
  ASSERT_NE(same, two.end());
  EXPECT_TRUE(same_value(one[0].value, same->value));
  EXPECT_FALSE(same_value(one[0].value, next[0].value));
  EXPECT_EQ(one[0].path, "material.rubber.density");
}

TEST(WindowRandomise, ValuesLieWithinTheirRange) {
  const Node scene = preset_scene();
  const Node& rubber = node_at(scene, "material.rubber");
  double least = 1e30, most = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomiseSettings settings = random_settings({"density"}, RandomRange::percent, seed);
    settings.percent = 10;
    const double value = std::get<double>(randomised(rubber, "material.rubber", settings)[0].value);
    least = std::min(least, value);
    most = std::max(most, value);
  }
  // The range contains at least [0.9 x, 1.1 x] on a linear scale and [x / 1.1, 1.1 x] on a logarithmic scale.
  EXPECT_GE(least, 1070 * 0.9);
  EXPECT_LE(most, 1070 * 1.1 * (1 + 1e-12));
  EXPECT_LT(least, 1070 * 0.93) << "200 draws come near the ends of the range";
  EXPECT_GT(most, 1070 * 1.08);
}

/// Returns the names of all parameters of a node that can have random values.
std::vector<std::string> all_random_params(const Node& node) {
  std::vector<std::string> names;
  for (const ParamSpec* spec : randomisable_params(*node.schema)) names.push_back(spec->name);
  return names;
}

TEST(WindowRandomise, AllValuesOfAllNodesAreWithinTheBounds) {
  Node scene = preset_scene();
  for (const std::string path : {"world", "material.rubber", "system.cube", "system.boxes.body.right", "view"}) {
    const Node& node = node_at(scene, path);
    for (const RandomRange range : {RandomRange::percent, RandomRange::bounds})
      for (std::uint64_t seed = 0; seed < 20; ++seed) {
        RandomiseSettings settings = random_settings(all_random_params(node), range, seed);
        settings.percent = 500;
        settings.fraction = 1;
        for (const Assignment& one : randomised(node, path, settings)) {
          const auto ref = find_parameter(scene, one.path);
          ASSERT_TRUE(ref) << one.path;
          const auto checked = check_value(*ref->spec, one.value);
          EXPECT_TRUE(checked) << one.path << ": " << checked.error().message();
          EXPECT_EQ(one.value.index(), ref->value().index()) << one.path << " must keep its type";
        }
      }
  }
}

TEST(WindowRandomise, AZeroStaysZeroWithPercentAndUnboundedParametersAreOmittedWithBounds) {
  const Node scene = preset_scene();
  Node body = node_at(scene, "system.boxes.body.right");
  body.set("mass", 0.0);
  const auto around = randomised(body, "body", random_settings({"mass"}, RandomRange::percent, 3));
  ASSERT_EQ(around.size(), 1U);
  EXPECT_EQ(std::get<double>(around[0].value), 0);
  for (const ParamSpec* spec : randomisable_params(*body.schema)) {
    const auto drawn = randomised(body, "body", random_settings({spec->name}, RandomRange::bounds, 3));
    EXPECT_EQ(drawn.size(), has_finite_bounds(*spec) ? 1U : 0U) << spec->name;
  }
}

}  // namespace
}  // namespace vw
