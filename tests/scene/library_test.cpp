// The packaged scenes and the generated reference pages.
#include <cmath>
#include <cstdlib>

#include "scene_test_support.h"
#include "sim/api/run.h"
#include "sim/base/files/file.h"
#include "sim/scene/materials/materials_page.h"
#include "sim/scene/scenes_page.h"
#include "sim/system/voxel/lattice/lattice.h"
#include "tests/support/packaged.h"

namespace vw {
namespace {

using namespace scene_test;

TEST(PackagedScenes, HaveNamesTitlesAndDescriptions) {
  const auto scenes = packaged_scenes();
  const std::vector<std::string> promised{
      "bent-strips",      "cantilever",  "flag",   "hail",       "incline",     "jelly-drop",    "particle-fountain",
      "bodies-dam-break", "cart",        "debris", "dominoes",   "lab-chain",   "raft",          "ship",
      "water-wheel",      "showcase",    "snap",   "stiff-drop", "tuning-fork", "walker",        "wind-tunnel",
      "fish-and-raft",    "gusty-tower", "school", "shark",      "starlings",   "lab-alignment", "walk-in-the-wind"};
  for (const auto& name : promised)
    EXPECT_TRUE(std::any_of(scenes.begin(), scenes.end(), [&](const PackagedScene& s) { return s.name == name; }))
        << name;
  EXPECT_TRUE(std::is_sorted(scenes.begin(), scenes.end(),
                             [](const PackagedScene& a, const PackagedScene& b) { return a.name < b.name; }));
  for (const auto& packaged : scenes) {
    EXPECT_FALSE(packaged.title.empty()) << packaged.name;
    const auto scene = load_scene(packaged.path, {.strict = true});
    ASSERT_TRUE(scene) << scene.error().message();
    EXPECT_FALSE(value_of<std::string>(scene->root, "description").empty()) << packaged.name;
    EXPECT_TRUE(scene->warnings.empty()) << packaged.name;
  }
}

TEST(PackagedScenes, ReadBackEqualAfterSaving) {
  for (const auto& packaged : packaged_scenes()) {
    const auto text = read_file(packaged.path, 1 << 20);
    ASSERT_TRUE(text);
    const auto plain = read_scene_toml(*text, packaged.path);
    ASSERT_TRUE(plain) << plain.error().message();
    const auto again = read_scene_toml(write_scene_toml(plain->root), "copy.toml");
    ASSERT_TRUE(again) << again.error().message();
    EXPECT_TRUE(same_node(plain->root, again->root)) << packaged.name;

    const auto loaded = load_scene(packaged.path);
    ASSERT_TRUE(loaded) << loaded.error().message();
    const Scratch folder;
    ASSERT_TRUE(save_scene(loaded->root, folder.path("copy.toml")));
    const auto reloaded = load_scene(folder.path("copy.toml"));
    ASSERT_TRUE(reloaded) << reloaded.error().message();
    EXPECT_TRUE(same_node(loaded->root, reloaded->root))
        << packaged.name << ": a saved scene must not need its design files";
  }
}

TEST(PackagedScenes, RunWithoutAHealthFailure) {
  for (const auto& packaged : packaged_scenes()) {
    auto scene = api::open_scene(packaged.path);
    ASSERT_TRUE(scene) << scene.error().message();
    auto run = api::Run::create(std::move(*scene));
    ASSERT_TRUE(run) << run.error().message();
    for (const std::string& note : run->notes())
      EXPECT_EQ(note.find("contains no voxel"), std::string::npos) << packaged.name << ": " << note;
    const auto stepped = run->step(12);
    ASSERT_TRUE(stepped) << packaged.name << " at step " << run->step_count() << ": " << stepped.error().message();
  }
}

double total_after(const std::string& scene, double seconds, const std::string& system, std::string_view total) {
  auto run = test::checked(api::Run::create(test::checked(api::open_scene(scene, {.strict = true}))));
  while (run.time_s() < seconds)
    if (!run.step()) return std::nan("");
  const std::vector<Total> totals = test::checked(run.totals(system));
  for (const Total& one : totals)
    if (one.name == total) return one.value;
  return std::nan("");
}

TEST(PackagedScenes, TheBarSnapsAndOnlyTheSoftStripYields) {
  EXPECT_GT(total_after("snap", 0.5, "bar", "broken_bonds"), 6) << "the cross-section of 2 x 3 voxels must break";
  EXPECT_GT(total_after("bent-strips", 1.5, "plastic-strip", "plastic_bonds"), 50);
  EXPECT_EQ(total_after("bent-strips", 1.5, "elastic-strip", "plastic_bonds"), 0);
}

TEST(PackagedScenes, AFluidWithoutALiquidIsWaterWithEditableValues) {
  Node water = test::packaged_scene("dam-break");
  ASSERT_EQ(water.find("system", "water")->all("phase").size(), 1U);
  EXPECT_TRUE(set_parameter(water, "system.water.phase.water.viscosity", Value(0.1)));
  EXPECT_EQ(test::packaged_scene("honey").find("system", "honey")->all("phase").size(), 1U)
      << "a named liquid must be the only one";
}

TEST(SceneTemplates, OpenAndRunWithoutAWarning) {
  const auto templates = scene_templates();
  std::vector<std::string> names;
  for (const PackagedScene& one : templates) {
    names.push_back(one.name);
    EXPECT_FALSE(one.title.empty() || one.description.empty()) << one.name;
    auto run = test::checked(api::Run::create(test::checked(api::open_scene(one.path, {.strict = true}))));
    EXPECT_TRUE(run.notes().empty()) << one.name << ": " << run.notes().front();
    const auto stepped = run.step(24);
    EXPECT_TRUE(stepped) << one.name << ": " << stepped.error().message();
  }
  EXPECT_EQ(names, (std::vector<std::string>{"empty", "ground", "lab-bench", "leaves", "tank", "wind-tunnel"}));
}

TEST(FindScene, TakesAPathOrANameAndSuggestsTheNearest) {
  const auto walker = find_scene("walker");
  ASSERT_TRUE(walker) << walker.error().message();
  EXPECT_EQ(find_scene(*walker).value(), *walker);
  EXPECT_EQ(find_scene("walkr").error().message(),
            "\"walkr\" is neither a file nor a packaged scene (did you mean \"walker\"?)");
}

TEST(FindScene, AMissingSceneFailsTheTestThatAsksForItAndNoOther) {
  EXPECT_THROW((void)test::packaged_path("walkr"), std::runtime_error);
  EXPECT_THROW((void)test::packaged_scene("walkr"), std::runtime_error);
}

TEST(FindScene, LooksWhereTheUserSays) {
  const Scratch folder;
  folder.write("scenes/mine.toml", "title = \"Mine\"\n");
  ASSERT_EQ(setenv("VOXWAKE_ASSETS", folder.folder().c_str(), 1), 0);
  const auto scenes = packaged_scenes();
  const auto found = find_scene("mine");
  unsetenv("VOXWAKE_ASSETS");
  ASSERT_EQ(scenes.size(), 1U);
  EXPECT_EQ(scenes[0].name, "mine");
  EXPECT_EQ(scenes[0].title, "Mine");
  EXPECT_TRUE(found);
}

/// Compares a generated page with the file in docs. If VOXWAKE_UPDATE_DOCS is 1, writes the file instead.
void expect_fresh(const std::string& page, const std::string& name) {
  const std::string path = std::string(VOXWAKE_SOURCE_DIR) + "/docs/" + name;
  if (const char* update = std::getenv("VOXWAKE_UPDATE_DOCS"); update != nullptr && std::string(update) == "1") {
    ASSERT_TRUE(write_file_atomic(path, page));
    return;
  }
  const auto committed = read_file(path, 1 << 24);
  ASSERT_TRUE(committed) << committed.error().message();
  EXPECT_TRUE(*committed == page) << path << " is stale: run ./test.sh pages";
}

TEST(ReferencePages, AreFresh) {
  expect_fresh(scene_format_page(), "scene-format.md");
  expect_fresh(parameters_page(), "parameters.md");
  expect_fresh(scenes_page(), "scenes.md");
  expect_fresh(materials_page(), "materials.md");
}

TEST(ReferencePages, NameEveryParameter) {
  Node scene = make_node(scene_schema());
  for (const Slot& slot : scene_schema().slots)
    if (slot.many)
      for (const Schema* kind : slot.kinds) add_child(scene, slot.name, kind->kind, "NAME");
  const std::string page = parameters_page();
  for (const auto& ref : all_parameters(scene)) {
    EXPECT_NE(page.find("`" + ref.path + "`"), std::string::npos) << ref.path;
    EXPECT_FALSE(ref.spec->doc.empty()) << ref.path;
  }
}

}  // namespace
}  // namespace vw
