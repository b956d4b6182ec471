// The library's stable interface: how scenes are opened, and each function of Run.
#include "sim/api/run.h"

#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/files/file.h"
#include "sim/scene/scene.h"
#include "sim/world/session.h"
#include "tests/scene/scene_test_support.h"
#include "tests/support/checked.h"
#include "tests/support/scratch.h"

namespace vw::api {
namespace {

using test::checked;
using test::Scratch;
using testing::ElementsAre;
using testing::HasSubstr;

/// Two systems of different kinds under gravity: a block of 27 voxels above the ground, and particles from an emitter
/// far from the block.
constexpr const char* scene_toml = R"(
[[material]]
name = "soft"
[[collider]]
kind = "plane"
name = "ground"
[[field]]
kind = "uniform"
name = "wind"
velocity = [3.0, 0.0, 0.0]
[[system]]
kind = "voxel_body"
name = "block"
size = [3, 3, 3]
position = [0.0, 0.5, 0.0]
[[system]]
kind = "particles"
name = "rain"
capacity = 200
[[system.emitter]]
kind = "box"
name = "cloud"
position = [2.0, 1.0, 0.0]
rate = 1000.0
)";

OpenedScene small_scene(const OpenOptions& options = {}) {
  return checked(open_scene_text(scene_toml, "small", {}, options));
}
Run small_run(const OpenOptions& options = {}) { return checked(api::Run::create(small_scene(options))); }

FieldViewParams one_plane() {
  FieldViewParams view;
  view.plane_z = true;
  return view;
}

std::vector<std::string> names_of(const std::vector<ArrayInfo>& infos) {
  std::vector<std::string> names;
  for (const ArrayInfo& info : infos) names.push_back(info.name);
  return names;
}

// ---- Opening --------------------------------------------------------------------------------------------------------

TEST(OpenScene, ReadsFilesPackagedNamesAndTextAlike) {
  const Scratch folder;
  const auto from_file = open_scene(folder.write("small.toml", scene_toml));
  ASSERT_TRUE(from_file) << from_file.error().message();
  const OpenedScene from_text = small_scene();
  EXPECT_TRUE(same_node(from_file->root, from_text.root));
  EXPECT_EQ(from_file->text, from_text.text);
  EXPECT_EQ(from_text.name, "small");

  const auto packaged = open_scene("jelly-drop");
  ASSERT_TRUE(packaged) << packaged.error().message();
  EXPECT_EQ(packaged->name, "jelly-drop");
  EXPECT_TRUE(packaged->warnings.empty());
  const auto again = open_scene_text(packaged->text, "copy");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_TRUE(same_node(again->root, packaged->root));
}

TEST(OpenScene, AppliesAssignmentsInTheirOrder) {
  const OpenedScene scene =
      small_scene({.assignments = {"world.gravity=0,-2,0", "world.gravity=0,-1.5,0", "system.block.size=2,2,2"}});
  EXPECT_EQ(std::get<Vec3>(scene.root.only("world")->value("gravity")), Vec3(0, -1.5, 0));
  EXPECT_EQ(std::get<Vec3>(scene.root.find("system", "block")->value("size")), Vec3(2, 2, 2));
}

TEST(OpenScene, FilesInTextAreRelativeToTheFolder) {
  const Scratch folder;
  folder.write("tetrahedron.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  const std::string text = "[[collider]]\nkind = \"mesh\"\nname = \"rock\"\nsource = \"tetrahedron.obj\"\n";
  const auto scene = open_scene_text(text, "rock", folder.folder());
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_EQ(std::get<std::string>(scene->root.find("collider", "rock")->value("source")),
            std::filesystem::path(folder.path("tetrahedron.obj")).lexically_normal().generic_string());
}

TEST(OpenScene, ErrorsNameTheMistake) {
  const auto missing = open_scene("jely-drop");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message(), HasSubstr("jelly-drop"));
  const auto wrong = open_scene_text("[world]\ngravitas = 3\n", "wrong.toml");
  ASSERT_FALSE(wrong);
  EXPECT_THAT(wrong.error().message(), HasSubstr("wrong.toml:"));
  EXPECT_FALSE(open_scene_text(scene_toml, "small", {}, {.assignments = {"world.gravitas=3"}}));
  EXPECT_FALSE(open_scene_text(scene_toml, "small", {}, {.assignments = {"no assignment"}}));
  EXPECT_FALSE(open_checkpoint("/no/such/file"));
}

TEST(OpenScene, WarnsAlsoIfALaterAssignmentFails) {
  const Scratch folder;
  // The design's contact damping is above critical, which is not supported. Opening the design therefore gives a
  // warning.
  const std::string design =
      folder.write("odd.vxa", scene_test::replaced(scene_test::small_design(), "<ColDampingZ>0.8", "<ColDampingZ>3"));
  std::vector<std::string> said;
  OpenOptions options{.warn = [&](const std::string& warning) { said.push_back(warning); }};
  const auto opened = open_scene(design, options);
  ASSERT_TRUE(opened) << opened.error().message();
  EXPECT_EQ(said, opened->warnings);
  ASSERT_FALSE(said.empty());
  const std::size_t warnings = said.size();
  options.assignments = {"world.gravitas=3"};
  EXPECT_FALSE(open_scene(design, options));
  EXPECT_EQ(said.size(), 2 * warnings);
}

// ---- Steps and hashes -----------------------------------------------------------------------------------------------

TEST(Run, GivesTheSameHashAsASession) {
  OpenedScene scene = small_scene();
  auto session = checked(Session::create(scene.root, scene.text));
  api::Run run = checked(api::Run::create(std::move(scene)));
  EXPECT_EQ(run.hash(), session.world().hash());
  EXPECT_EQ(session.run(0.2), Session::End::reached);
  const auto end = run.run_until(0.2);
  ASSERT_TRUE(end) << end.error().message();
  EXPECT_EQ(*end, End::reached);
  const SetParameter wind{"field.wind.velocity", Vec3(0, 0, 5)};
  ASSERT_TRUE(session.apply(wind));
  ASSERT_TRUE(run.apply(wind));
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(session.step());
  ASSERT_TRUE(run.step(10));
  EXPECT_EQ(run.hash(), session.world().hash());
  EXPECT_EQ(run.tick(), session.tick());
  EXPECT_EQ(run.time_s(), session.world().time());
}

TEST(Run, ReadingAndSnapshotsChangeNoBit) {
  api::Run plain = small_run(), watched = small_run();
  watched.subscribe({.channels = {"speed"}, .vectors = {"acceleration"}, .air = one_plane()});
  Snapshot snapshot;
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(plain.step());
    ASSERT_TRUE(watched.step());
    watched.snapshot(snapshot);
    (void)watched.report();
    (void)watched.take_warnings();
    for (const std::string& system : watched.systems()) (void)watched.channel(system, "speed");
  }
  EXPECT_EQ(plain.hash(), watched.hash());
}

TEST(Run, StepsToATimeAndStopsOnRequest) {
  api::Run run = small_run();
  EXPECT_EQ(run.time_s(), 0);
  ASSERT_TRUE(run.step(3));
  EXPECT_EQ(run.step_count(), 3U);
  EXPECT_NEAR(run.time_s(), 3 * run.dt_s(), 1e-12);
  EXPECT_GT(run.wall_s(), 0);
  int calls = 0;
  const auto stopped = run.run_until(1, [&](api::Run& at) {
    EXPECT_EQ(&at, &run);
    return ++calls < 5;
  });
  ASSERT_TRUE(stopped);
  EXPECT_EQ(*stopped, End::stopped);
  EXPECT_EQ(run.tick(), 8U);
  ASSERT_TRUE(run.reset());
  EXPECT_EQ(run.step_count(), 0U);
  EXPECT_EQ(run.tick(), 8U) << "a reset does not set tick() back";
}

TEST(Run, AFailedHealthCheckIsAnErrorUntilAnEdit) {
  api::Run run = small_run({.assignments = {"system.block.size=12,12,12"}});
  EXPECT_EQ(run.failure(), "");
  ASSERT_TRUE(run.assign("world.step_budget=1e3"));
  const auto failed = run.step();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().message(), run.failure());
  EXPECT_EQ(run.step_count(), 0U);
  EXPECT_FALSE(run.run_until(1));
  ASSERT_TRUE(run.assign("world.step_budget=1e12"));
  EXPECT_TRUE(run.step());
  EXPECT_EQ(run.failure(), "");
}

// ---- Commands -------------------------------------------------------------------------------------------------------

TEST(Run, SetsParametersByPath) {
  api::Run run = small_run();
  ASSERT_TRUE(run.set("world.gravity", Vec3(0, -1, 0)));
  EXPECT_EQ(std::get<Vec3>(checked(run.value("world.gravity"))), Vec3(0, -1, 0));
  ASSERT_TRUE(run.assign("world.gravity=0,-2,0"));
  EXPECT_EQ(std::get<Vec3>(checked(run.value("world.gravity"))), Vec3(0, -2, 0));
  EXPECT_TRUE(run.pending().empty());
  EXPECT_FALSE(run.assign("world.gravitas=3"));
  EXPECT_FALSE(run.set("world.gravity", true));
  EXPECT_FALSE(run.value("world.gravitas"));
  EXPECT_THAT(run.scene_text(), HasSubstr("gravity = "));
  EXPECT_TRUE(open_scene_text(run.scene_text(), "edited"));
}

TEST(Run, ParametersThatAreNotLiveWaitForAReset) {
  api::Run run = small_run();
  ASSERT_TRUE(run.assign("system.block.size=2,2,2"));
  ASSERT_EQ(run.pending().size(), 1U);
  EXPECT_EQ(run.pending()[0].path, "system.block.size");
  EXPECT_EQ(checked(run.size("block")), 27U);
  ASSERT_TRUE(run.reset());
  EXPECT_TRUE(run.pending().empty());
  EXPECT_EQ(checked(run.size("block")), 8U);
}

TEST(Run, AppliesCommandsAndRejectsInvalidOnes) {
  api::Run run = small_run();
  ASSERT_TRUE(run.step());
  const double before = checked(run.diagnostics("block")).momentum.x();
  ASSERT_TRUE(run.apply(Push{"block", 0, Vec3(1e-4, 0, 0), 0}));
  ASSERT_TRUE(run.step());
  EXPECT_GT(checked(run.diagnostics("block")).momentum.x(), before);
  EXPECT_FALSE(run.apply(Push{"nobody", 0, Vec3(1, 0, 0), 0}));
  EXPECT_FALSE(run.apply(Push{"block", 27, Vec3(1, 0, 0), 0}));
}

// ---- Reading --------------------------------------------------------------------------------------------------------

TEST(Run, ReadsArraysOfElementsByName) {
  api::Run run = small_run();
  ASSERT_TRUE(run.run_until(0.1));
  EXPECT_THAT(run.systems(), ElementsAre("block", "rain"));
  EXPECT_THAT(names_of(checked(run.arrays("block"))),
              ElementsAre("position", "velocity", "mass", "radius", "orientation", "angular_velocity"));
  EXPECT_THAT(names_of(checked(run.arrays("rain"))), ElementsAre("position", "velocity", "mass", "radius"));
  const Elements& elements = run.world().system(0).elements();
  for (const ArrayInfo& info : checked(run.arrays("block"))) {
    const ArrayView view = checked(run.array("block", info.name));
    EXPECT_EQ(view.rows, 27U) << info.name;
    EXPECT_EQ(view.columns, info.columns);
    EXPECT_EQ(view.values.size(), view.rows * view.columns);
  }
  const ArrayView position = checked(run.array("block", "position"));
  const ArrayView orientation = checked(run.array("block", "orientation"));
  for (std::size_t row = 0; row < 27; ++row) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      EXPECT_EQ(position.values[3 * row + axis], elements.position[row][static_cast<Eigen::Index>(axis)]);
    EXPECT_EQ(orientation.values[4 * row], elements.orientation[row].x());
    EXPECT_EQ(orientation.values[4 * row + 3], elements.orientation[row].w());
  }
  EXPECT_EQ(position.values.data(), elements.position.front().data()) << "the view is not a copy";
  const auto rows = checked(run.ids("rain"));
  EXPECT_EQ(rows.size(), checked(run.size("rain")));
  EXPECT_GT(rows.size(), 0U);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
}

TEST(Run, AnEmptySystemHasArraysWithoutRows) {
  const api::Run run = small_run();
  EXPECT_EQ(checked(run.size("rain")), 0U);
  const ArrayView view = checked(run.array("rain", "velocity"));
  EXPECT_EQ(view.rows, 0U);
  EXPECT_EQ(view.columns, 3U);
  EXPECT_TRUE(view.values.empty());
}

TEST(Run, ReadsChannelsVectorsTotalsAndDiagnostics) {
  api::Run run = small_run();
  ASSERT_TRUE(run.run_until(0.1));
  for (const std::string& system : run.systems()) {
    const std::size_t size = checked(run.size(system));
    for (const ChannelInfo& info : checked(run.channels(system))) {
      const ArrayCopy values = checked(run.channel(system, info.name));
      EXPECT_EQ(values.rows, size) << info.name;
      EXPECT_EQ(values.columns, 1U);
      EXPECT_EQ(values.values.size(), size);
    }
    for (const ChannelInfo& info : checked(run.vectors(system))) {
      const ArrayCopy values = checked(run.vector(system, info.name));
      EXPECT_EQ(values.rows, size) << info.name;
      EXPECT_EQ(values.columns, 3U);
      EXPECT_EQ(values.values.size(), 3 * size);
    }
    const Diagnostics found = checked(run.diagnostics(system));
    EXPECT_EQ(found.count, size);
    EXPECT_GT(found.mass, 0);
    EXPECT_TRUE(found.center_of_mass.allFinite());
    std::vector<Total> totals;
    run.world().find_system(system)->totals(totals);
    EXPECT_EQ(checked(run.totals(system)).size(), totals.size());
  }
  const ArrayCopy speed = checked(run.channel("block", "speed"));
  std::vector<Channel> all;
  ASSERT_TRUE(run.all_channels("block", all));
  const std::vector<ChannelInfo> infos = checked(run.channels("block"));
  ASSERT_EQ(all.size(), infos.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(all[i].values, checked(run.channel("block", infos[i].name)).values) << infos[i].name;
  EXPECT_TRUE(same_node(run.scene(), checked(open_scene_text(run.scene_text(), "copy")).root));
  const ArrayView velocity = checked(run.array("block", "velocity"));
  const double exact = Vec3(velocity.values[0], velocity.values[1], velocity.values[2]).norm();
  EXPECT_NEAR(speed.values[0], exact, 1e-5 * exact);
}

TEST(Run, UnknownNamesAreErrorsWithASuggestion) {
  api::Run run = small_run();
  ASSERT_TRUE(run.step());
  ASSERT_GT(checked(run.size("rain")), 0U);
  const auto system = run.array("blok", "position");
  ASSERT_FALSE(system);
  EXPECT_THAT(system.error().message(), HasSubstr("block"));
  const auto array = run.array("block", "positon");
  ASSERT_FALSE(array);
  EXPECT_THAT(array.error().message(), HasSubstr("position"));
  EXPECT_FALSE(run.array("rain", "orientation")) << "particles have no orientation";
  EXPECT_FALSE(run.channel("block", "sped"));
  EXPECT_FALSE(run.vector("block", "nothing"));
  for (const char* name : {"blok", ""}) {
    EXPECT_FALSE(run.size(name));
    EXPECT_FALSE(run.ids(name));
    EXPECT_FALSE(run.arrays(name));
    EXPECT_FALSE(run.channels(name));
    EXPECT_FALSE(run.vectors(name));
    EXPECT_FALSE(run.diagnostics(name));
    EXPECT_FALSE(run.totals(name));
  }
}

TEST(Run, SnapshotsHoldWhatWasSubscribedTo) {
  api::Run run = small_run();
  run.subscribe({.channels = {"speed"}, .vectors = {"acceleration"}, .air = one_plane()});
  ASSERT_TRUE(run.step(2));
  Snapshot snapshot;
  run.snapshot(snapshot);
  ASSERT_EQ(snapshot.systems.size(), 2U);
  ASSERT_EQ(snapshot.systems[0].channels.size(), 1U);
  EXPECT_EQ(snapshot.systems[0].channels[0].name, "speed");
  ASSERT_EQ(snapshot.systems[0].vectors.size(), 1U);
  EXPECT_EQ(snapshot.systems[0].vectors[0].values.size(), 27U);
  EXPECT_EQ(snapshot.field.slices.size(), 1U);
  EXPECT_EQ(snapshot.time_s, run.time_s());
  ASSERT_TRUE(run.assign("field.wind.velocity=7,0,0"));
  run.snapshot(snapshot, false);
  EXPECT_EQ(snapshot.field.slices[0].value.back(), 3) << "false keeps the field of the last snapshot";
  run.snapshot(snapshot);
  EXPECT_EQ(snapshot.field.slices[0].value.back(), 7);
  run.subscribe({});
  run.snapshot(snapshot);
  EXPECT_TRUE(snapshot.systems[0].channels.empty());
  EXPECT_TRUE(snapshot.systems[0].vectors.empty());
  EXPECT_TRUE(snapshot.field.slices.empty());
}

// ---- Checkpoints, journals, reports ---------------------------------------------------------------------------------

TEST(Run, ContinuesFromACheckpointBitForBit) {
  const Scratch folder;
  const std::string path = folder.path("state");
  api::Run run = small_run();
  ASSERT_TRUE(run.assign("field.wind.velocity=0,0,5"));
  ASSERT_TRUE(run.step(10));
  ASSERT_TRUE(run.save(path));
  const auto saved = open_checkpoint(path);
  ASSERT_TRUE(saved) << saved.error().message();
  EXPECT_EQ(saved->name, path);
  EXPECT_FALSE(saved->build.empty());
  auto again = api::Run::resume(*saved), third = api::Run::resume(*saved);
  ASSERT_TRUE(again && third) << again.error().message();
  EXPECT_EQ(again->hash(), run.hash());
  EXPECT_EQ(again->step_count(), 10U);
  EXPECT_EQ(again->tick(), 0U);
  ASSERT_TRUE(run.step(10));
  ASSERT_TRUE(again->step(10));
  EXPECT_EQ(again->hash(), run.hash());
  EXPECT_NE(third->hash(), run.hash()) << "runs from one checkpoint are independent";
  EXPECT_FALSE(run.save("/no/such/folder/state"));
}

TEST(Run, GivesACheckpointAsBytes) {
  api::Run run = small_run();
  ASSERT_TRUE(run.step(30));
  const std::string bytes = run.checkpoint_bytes();
  Scratch scratch;
  ASSERT_TRUE(run.save(scratch.path("state")));
  EXPECT_EQ(bytes, *read_file(scratch.path("state"), std::uint64_t{1} << 24));
  api::Run again = checked(api::Run::resume(checked(open_checkpoint_bytes(bytes, "kept"))));
  ASSERT_TRUE(run.step(10));
  ASSERT_TRUE(again.step(10));
  EXPECT_EQ(again.hash(), run.hash());

  EXPECT_THAT(open_checkpoint_bytes("no checkpoint", "kept").error().message(), HasSubstr("kept"));
  for (std::size_t length = 0; length < bytes.size(); length += 1 + bytes.size() / 40)
    EXPECT_FALSE(open_checkpoint_bytes(std::string_view(bytes).substr(0, length), "kept")) << length;
}

TEST(Run, GivesTheValuesOfActuatorsAndSensors) {
  api::Run run = checked(api::Run::create(checked(open_scene_text(std::string(scene_toml) + R"(
[[sensor]]
name = "height"
system = "block"
quantity = "height"
[[actuator]]
kind = "manual"
name = "lift"
targets = ["world.gravity.y"]
value = -2.0
)",
                                                                  "small"))));
  ASSERT_TRUE(run.step(3));
  Snapshot shown;
  run.snapshot(shown);
  const std::vector<SignalSnapshot> signals = run.signals();
  ASSERT_EQ(signals.size(), 2U);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    EXPECT_EQ(signals[i].name, shown.signals[i].name);
    EXPECT_EQ(signals[i].value, shown.signals[i].value);
  }
  EXPECT_GT(signals[signals[0].name == "sensor.height" ? 0 : 1].value, 0.4);
}

TEST(Run, AJournalRepeatsTheRun) {
  const Scratch folder;
  const std::string written = folder.path("written.jsonl"), kept = folder.path("kept.jsonl");
  api::Run run = checked(api::Run::create(small_scene(), written));
  ASSERT_TRUE(run.step(5));
  ASSERT_TRUE(run.assign("field.wind.velocity=0,0,5"));
  ASSERT_TRUE(run.step(5));
  ASSERT_TRUE(run.save_journal(kept));
  ASSERT_TRUE(run.finish());
  for (const std::string& path : {written, kept}) {
    const Journal journal = checked(read_journal(path));
    EXPECT_TRUE(journal.complete);
    api::Run again = small_run();
    int calls = 0;
    const auto outcome = again.replay(journal, [&](api::Run&) { ++calls; });
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_EQ(outcome->steps, 10U);
    EXPECT_GE(outcome->hashes_checked, 2U);
    EXPECT_EQ(calls, 10);
    EXPECT_EQ(again.tick(), 10U);
    EXPECT_EQ(again.hash(), run.hash());
  }
  EXPECT_FALSE(small_run({.assignments = {"world.gravity=0,-1,0"}}).replay(checked(read_journal(kept))));
  EXPECT_FALSE(api::Run::create(small_scene(), "/no/such/folder/journal"));
}

TEST(Run, ReportsUnderItsName) {
  api::Run run = small_run();
  ASSERT_TRUE(run.step(4));
  const std::string report = run.report();
  EXPECT_THAT(report, HasSubstr("\"small\""));
  EXPECT_THAT(report, HasSubstr(hash_text(run.hash())));
  EXPECT_TRUE(run.finish()) << "without a journal file there is nothing to close";
}

TEST(Run, AnErrorInTheSceneNamesTheScene) {
  OpenedScene scene = small_scene();
  scene.name = "mine.toml";
  const_cast<Node*>(scene.root.find("system", "block"))->set("material", std::string("nothing"));
  const auto run = api::Run::create(std::move(scene));
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message(), HasSubstr("mine.toml"));
}

TEST(Run, MovesWithoutInvalidatingViews) {
  api::Run first = small_run();
  const ArrayView view = checked(first.array("block", "position"));
  const api::Run second = std::move(first);
  EXPECT_EQ(checked(second.array("block", "position")).values.data(), view.values.data());
}

TEST(Run, PassesOnTheWarningsOfTheWorldOnce) {
  api::Run run = small_run();
  EXPECT_EQ(run.notes(), run.world().notes());
  ASSERT_TRUE(run.step());
  (void)run.take_warnings();
  EXPECT_TRUE(run.take_warnings().empty());
}

}  // namespace
}  // namespace vw::api
