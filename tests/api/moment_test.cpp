// A picture file contains the moment of the session that the picture shows. Opening the file restores the session at
// this moment, bit for bit. A damaged moment gives one error message.
#include "sim/api/moment.h"

#include <filesystem>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/base/files/file.h"
#include "sim/base/parallel/parallel.h"
#include "sim/scene/codec.h"
#include "sim/scene/scene.h"
#include "tests/support/checked.h"
#include "tests/support/scratch.h"

namespace vw::api {
namespace {

using test::checked;
using test::Scratch;
using testing::HasSubstr;

constexpr const char* two_boxes = R"(
title = "Two boxes"
[[collider]]
kind = "plane"
name = "ground"
[[system]]
kind = "rigid"
name = "boxes"
[[system.body]]
kind = "box"
name = "low"
position = [0.0, 0.4, 0.0]
[[system.body]]
kind = "box"
name = "high"
position = [0.05, 1.2, 0.0]
)";

Run run_of(const std::string& toml) { return checked(Run::create(checked(open_scene_text(toml, "scene.toml")))); }
Run run_of_packaged(const std::string& name) { return checked(Run::create(checked(open_scene(name)))); }

/// Returns the moment of the present state of a run, with the view of its scene.
SavedMoment moment_now(Run& run) {
  Snapshot shown;
  run.snapshot(shown);
  SavedMoment moment = moment_of(shown, run.scene());
  add_session(moment, run.journal(), run.start());
  return moment;
}

/// Writes the moment of the present state and opens it again.
ReopenedMoment reopened(Run& run, const MomentOptions& options = {}) {
  const std::string bytes = checked(pack_moment(moment_now(run), "shot.png"));
  return checked(open_moment(checked(unpack_moment(bytes, "shot.png")), "shot.png", options));
}

/// Returns the error message with which a changed text of a moment is rejected. The message is empty if the text is
/// accepted.
std::string refusal(const std::string& text) {
  const auto read = unpack_moment(text, "shot.png");
  return read ? std::string() : read.error().message();
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  if (at == std::string::npos) throw std::runtime_error(from + " is not in the text");
  return text.replace(at, from.size(), to);
}

std::string text_of_moment(Run& run) {
  return *inflate_zlib(checked(pack_moment(moment_now(run), "shot.png")), largest_moment_text);
}

class ThreadCount {
 public:
  explicit ThreadCount(int count) { set_thread_count(count); }
  ~ThreadCount() { set_thread_count(0); }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;
};

TEST(Moment, APackagedSceneReopensWithTheSameStateOnAnyNumberOfThreads) {
  for (const char* name : {"jelly-drop", "dominoes", "particle-fountain", "starlings", "droplet"}) {
    SCOPED_TRACE(name);
    auto run = run_of_packaged(name);
    ASSERT_TRUE(run.step(25));
    for (const int threads : {1, 2}) {
      const ThreadCount set(threads);
      ReopenedMoment again = reopened(run);
      EXPECT_EQ(again.run.hash(), run.hash()) << threads;
      EXPECT_EQ(again.run.time_s(), run.time_s());
      EXPECT_TRUE(again.agrees);
      EXPECT_EQ(again.hashes_checked, 2U) << "the hash at the start, and that of the picture";
      EXPECT_THAT(again.notes, testing::IsEmpty());
      ASSERT_TRUE(again.run.step(5));
    }
  }
}

/// Changes the session by every kind of change that the window offers.
void disturb(Run& run) {
  ASSERT_TRUE(run.step(10));
  ASSERT_TRUE(run.assign("world.gravity=0,-5,0"));
  ASSERT_TRUE(run.apply(Grab{"boxes", 1, {0.5, 1.5, 0}, 50}));
  ASSERT_TRUE(run.step(7));
  ASSERT_TRUE(run.apply(MoveGrab{{1, 1.5, 0}}));
  ASSERT_TRUE(run.step(7));
  ASSERT_TRUE(run.apply(Release{}));
  ASSERT_TRUE(run.apply(Push{"boxes", 0, {0.2, 0, 0.1}, 0}));
  ASSERT_TRUE(run.step(130));
  ASSERT_TRUE(run.reset());
  ASSERT_TRUE(run.step(20));
  Node scene = run.scene();
  Node rain = add_child(scene, "system", "particles", "rain");
  add_child(rain, "emitter", "box", "cloud").set("rate", 300.0);
  ASSERT_TRUE(run.apply(change_command(run.scene(), std::vector<NodeChange>{{.node = rain}})));
  ASSERT_TRUE(run.step(30));
  ASSERT_TRUE(run.assign("collider.ground.color=[1,0,0]"));
}

TEST(Moment, EditsGrabsResetsAndChangesOfNodesAreRepeated) {
  auto run = run_of(two_boxes);
  disturb(run);
  for (const int threads : {1, 2}) {
    const ThreadCount set(threads);
    ReopenedMoment again = reopened(run);
    EXPECT_EQ(again.run.hash(), run.hash());
    EXPECT_TRUE(again.agrees);
    EXPECT_EQ(again.run.tick(), run.tick());
    EXPECT_EQ(again.run.commands(), run.commands());
    EXPECT_TRUE(same_node(again.scene, run.scene()));
  }
}

TEST(Moment, APictureOfTheMiddleOfASessionReopensThere) {
  auto run = run_of(two_boxes);
  ASSERT_TRUE(run.step(10));
  ASSERT_TRUE(run.assign("world.gravity=0,-5,0"));
  Snapshot shown;
  run.snapshot(shown);
  EXPECT_EQ(shown.tick, 10U);
  EXPECT_EQ(shown.commands, 1U);
  const std::uint64_t hash = run.hash();
  ASSERT_TRUE(run.assign("world.gravity=0,5,0"));  // after the picture, so it must not be repeated
  ASSERT_TRUE(run.step(5));
  SavedMoment moment = moment_of(shown, run.scene());
  add_session(moment, run.journal(), nullptr);
  ReopenedMoment again = checked(open_moment(moment, "shot.png"));
  EXPECT_EQ(again.run.hash(), hash);
  EXPECT_EQ(again.run.tick(), 10U);
}

TEST(Moment, AReopenedMomentCanBeStoredAgain) {
  auto run = run_of(two_boxes);
  disturb(run);
  ReopenedMoment second = reopened(run);
  ASSERT_TRUE(second.run.step(3));
  ReopenedMoment third = reopened(second.run);
  EXPECT_EQ(third.run.hash(), second.run.hash());
  EXPECT_TRUE(third.agrees);
}

TEST(Moment, TheSceneShowsTheViewAndPlotsOfThePicture) {
  auto run = run_of(two_boxes);
  Node shown = run.scene();
  ASSERT_TRUE(set_parameter(shown, "view.eye", Value(Vec3(1, 2, 3))));
  add_child(shown, "plot", shown.schema->slots.back().kinds.front()->kind, "ours");
  Snapshot snapshot;
  run.snapshot(snapshot);
  SavedMoment moment = moment_of(snapshot, shown);
  add_session(moment, run.journal(), nullptr);
  const auto again = checked(open_moment(moment, "shot.png"));
  EXPECT_TRUE(same_node(again.scene, shown)) << write_scene_toml(again.scene);
}

TEST(Moment, ARunThatWasResumedHoldsTheStateFromWhichItBegan) {
  const Scratch folder;
  auto first = run_of(two_boxes);
  disturb(first);
  ASSERT_TRUE(first.save(folder.path("a.state")));
  auto run = checked(api::Run::resume(checked(open_checkpoint(folder.path("a.state")))));
  ASSERT_TRUE(run.assign("world.gravity=0,-2,0"));
  ASSERT_TRUE(run.step(15));
  std::filesystem::remove(folder.path("a.state"));
  ReopenedMoment again = reopened(run);
  EXPECT_EQ(again.run.hash(), run.hash());
  EXPECT_TRUE(again.agrees);
  EXPECT_EQ(again.run.step_count(), run.step_count());
}

TEST(Moment, ALargeSessionGoesToAFileBesideThePicture) {
  const Scratch folder;
  auto run = run_of(two_boxes);
  ASSERT_TRUE(run.step(10));
  const std::string picture = folder.path("shot.png"), beside = picture + ".moment";
  const std::string bytes = checked(pack_moment(moment_now(run), picture, 200));
  EXPECT_LT(bytes.size(), 200U);
  ReopenedMoment again = checked(open_moment(checked(unpack_moment(bytes, picture)), picture));
  EXPECT_EQ(again.run.hash(), run.hash());

  folder.write("shot.png.moment", checked(read_file(beside, 1 << 20)) + "x");
  EXPECT_THAT(unpack_moment(bytes, picture).error().message(), HasSubstr("was changed since the picture was written"));
  std::filesystem::remove(beside);
  EXPECT_THAT(unpack_moment(bytes, picture).error().message(), HasSubstr("its session is in a separate file"));
  for (const char* name : {"../shot.png.moment", "/etc/passwd", "..", ""})
    EXPECT_THAT(refusal(R"({"voxwake_moment":1,"hash":"0","file":")" + std::string(name) + "\"}"),
                HasSubstr("not the name of a file in the same folder"))
        << name;
}

TEST(Moment, FilesOfTheSceneAreFoundBesideThePictureIfTheyAreTheSame) {
  const Scratch folder;
  const std::string mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  folder.write("old/rock.obj", mesh);
  const std::string scene =
      "[[collider]]\nkind = \"mesh\"\nname = \"rock\"\nsource = \"" + folder.path("old/rock.obj") + "\"\n";
  auto run = run_of(scene + std::string(two_boxes).substr(std::string(two_boxes).find("[[collider]]")));
  ASSERT_TRUE(run.step(5));
  const std::string picture = folder.path("new/shot.png");
  folder.write("new/rock.obj", mesh);
  const std::string bytes = checked(pack_moment(moment_now(run), picture));
  const SavedMoment moment = checked(unpack_moment(bytes, picture));
  EXPECT_EQ(moment.sources.size(), 1U);

  folder.write("old/rock.obj", replaced(mesh, "v 0 0 1", "v 0 0 1.0"));
  const auto changed = checked(open_moment(moment, picture));
  ASSERT_EQ(changed.notes.size(), 1U);
  EXPECT_THAT(changed.notes[0], HasSubstr("rock.obj was changed since the session was saved"));

  std::filesystem::remove(folder.path("old/rock.obj"));
  ReopenedMoment moved = checked(open_moment(moment, picture));
  EXPECT_EQ(moved.run.hash(), run.hash());
  folder.write("new/rock.obj", mesh + "# another file\n");
  const auto lost = open_moment(moment, picture);
  ASSERT_FALSE(lost);
  EXPECT_THAT(lost.error().message(), HasSubstr("rock.obj"));
}

TEST(Moment, ADifferentStateIsANoteWithBothBuilds) {
  auto run = run_of(two_boxes);
  ASSERT_TRUE(run.step(10));
  SavedMoment moment = moment_now(run);
  moment.journal.entries.back().hash ^= 1U;
  moment.build = "voxwake 9.9.9 (another machine)";
  const auto again = checked(open_moment(moment, "shot.png"));
  EXPECT_FALSE(again.agrees);
  ASSERT_EQ(again.notes.size(), 1U);
  EXPECT_THAT(again.notes[0], HasSubstr("at step 10, the repeated run differs from the recorded run. The picture was "
                                        "written by voxwake 9.9.9 (another machine); this program is voxwake"));
}

TEST(Moment, ACommandThatCannotBeAppliedIsANote) {
  auto run = run_of(two_boxes);
  ASSERT_TRUE(run.apply(Push{"boxes", 0, {0.2, 0, 0.1}, 0}));
  ASSERT_TRUE(run.step(4));
  SavedMoment moment = moment_now(run);
  for (JournalEntry& entry : moment.journal.entries)
    if (auto* push = std::get_if<Push>(&entry.command)) push->element = 99;
  const auto again = checked(open_moment(moment, "shot.png"));
  ASSERT_FALSE(again.notes.empty());
  EXPECT_THAT(again.notes[0], HasSubstr("a command at step 0 cannot be applied and is left out"));
  EXPECT_EQ(again.run.tick(), 4U);
}

TEST(Moment, OpeningCanBeStopped) {
  auto run = run_of(two_boxes);
  ASSERT_TRUE(run.step(10));
  int calls = 0;
  const auto stopped = open_moment(moment_now(run), "shot.png", {.progress = [&](double) { return ++calls < 3; }});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(calls, 3);
}

// ---- Videos ---------------------------------------------------------------------------------------------------------

TEST(FramePoints, AreThePointsThatWereAdded) {
  const std::vector<SessionPoint> all{{3, 0}, {5, 0}, {7, 0}, {7, 0}, {7, 2}, {9, 2}, {11, 2}, {4, 1}};
  FramePoints points;
  for (const SessionPoint& point : all) points.add(point);
  points.add(SessionPoint{20, 9}, 3);
  ASSERT_EQ(points.count(), 11U);
  for (std::size_t i = 0; i < 7; ++i) EXPECT_EQ(points.at(i), all[i]) << i;
  EXPECT_EQ(points.at(7), all[6]) << "an earlier point counts as the point before it";
  for (std::size_t i = 8; i < 11; ++i) EXPECT_EQ(points.at(i), (SessionPoint{20, 9})) << i;
  EXPECT_EQ(points.at(1000), points.last());
  FramePoints steady;
  for (std::uint64_t i = 0; i < 100'000; ++i) steady.add(SessionPoint{2 * i, 0});
  EXPECT_LE(steady.runs().size(), 2U);
}

/// A video with two frames per step, and the state hash of each step.
struct Film {
  SavedMoment moment;
  std::vector<std::uint64_t> hashes;
};
Film film_of(Run& run) {
  Film film;
  VideoFrames video{.fps = 60, .frame_s = 0.5 * run.dt_s(), .is_complete = true, .points = {}, .cameras = {}};
  Snapshot shown;
  for (int i = 0; i < 20; ++i) {
    if (i == 10) {
      EXPECT_TRUE(run.assign("world.gravity=0,3,0"));
    }
    if (i == 15) {
      EXPECT_TRUE(run.reset());
    }
    run.snapshot(shown);
    video.add(shown, {1, 1, i < 8 ? 1.0 : 2.0}, {0, 0, 0});
    video.repeat(1);
    film.hashes.push_back(run.hash());
    EXPECT_TRUE(run.step());
  }
  film.moment = moment_of(shown, run.scene(), video);
  add_session(film.moment, run.journal(), nullptr);
  return film;
}

TEST(Moment, EachFrameOfAVideoReopensWithItsCamera) {
  auto run = run_of(two_boxes);
  const Film film = film_of(run);
  const SavedMoment moment = checked(unpack_moment(checked(pack_moment(film.moment, "film.mp4")), "film.mp4"));
  EXPECT_EQ(moment.point.tick, 19U) << "the point of the last frame, not the end of the run";
  for (const std::size_t step : {0U, 7U, 9U, 10U, 15U, 19U}) {
    const double at_s = static_cast<double>(2 * step) / 60;
    ReopenedMoment again = checked(open_moment(moment, "film.mp4", {.at_s = at_s}));
    EXPECT_EQ(again.run.hash(), film.hashes[step]) << step;
    EXPECT_EQ(std::get<Vec3>(find_parameter(again.scene, "view.eye")->value()).z(), step < 8 ? 1 : 2);
  }
  const auto late = open_moment(moment, "film.mp4", {.at_s = 0.8});
  ASSERT_FALSE(late);
  EXPECT_THAT(late.error().message(),
              HasSubstr("film.mp4: the time 0.8 s is outside the video, which is 0.667 s long"));
}

TEST(Moment, FramesBeforeTheSessionWentBackAreNotOpened) {
  auto run = run_of(two_boxes);
  VideoFrames video{.fps = 10, .frame_s = 0.1, .is_complete = true, .points = {}, .cameras = {}};
  Snapshot shown;
  for (const std::uint64_t tick : {4U, 5U, 6U, 2U, 3U}) {
    shown.tick = tick;
    video.add(shown, {0, 0, 1}, {0, 0, 0});
  }
  EXPECT_EQ(video.lost, 3U);
  shown.place.branch = 1;
  video.add(shown, {0, 0, 1}, {0, 0, 0});
  EXPECT_EQ(video.lost, 5U) << "frames of a branch that was left";
  EXPECT_EQ(video.count(), 6U);
  SavedMoment moment = moment_of(shown, run.scene(), video);
  add_session(moment, run.journal(), nullptr);
  moment = checked(unpack_moment(checked(pack_moment(moment, "film.mp4")), "film.mp4"));
  EXPECT_EQ(checked(open_moment(moment, "film.mp4")).run.tick(), 3U) << "without a time, the first known frame opens";
  const auto lost = open_moment(moment, "film.mp4", {.at_s = 0.2});
  ASSERT_FALSE(lost);
  EXPECT_THAT(lost.error().message(), HasSubstr("the part of the video before 0.5 s cannot be opened"));
}

TEST(Moment, ASessionWithoutAllCommandsIsNotStored) {
  auto run = run_of(two_boxes);
  ASSERT_TRUE(run.step(2));
  SavedMoment moment = moment_now(run);
  moment.point.commands = 1;
  EXPECT_FALSE(pack_moment(moment, "shot.png"));
}

TEST(Moment, ARecordingThatDidNotEndReopensByTheTimesOfItsFrames) {
  auto run = run_of(two_boxes);
  ASSERT_TRUE(run.step(4));
  Snapshot shown;
  run.snapshot(shown);
  SavedMoment moment =
      moment_of(shown, run.scene(), {.fps = 30, .frame_s = 2 * run.dt_s(), .points = {}, .cameras = {}});
  add_session(moment, run.journal(), nullptr);
  ASSERT_TRUE(run.step(6));
  moment = checked(unpack_moment(checked(pack_moment(moment, "film.mp4")), "film.mp4"));
  ReopenedMoment again = checked(open_moment(moment, "film.mp4", {.at_s = 0.1}));
  EXPECT_EQ(again.run.hash(), run.hash());
  ASSERT_EQ(again.notes.size(), 1U);
  EXPECT_THAT(again.notes[0], HasSubstr("the recording did not end normally"));
}

TEST(Moment, APictureHasNoTime) {
  auto run = run_of(two_boxes);
  const auto opened = open_moment(moment_now(run), "shot.png", {.at_s = 1.0});
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message(), HasSubstr("shot.png: is a picture: a time can be given only for a video"));
}

// ---- Comparisons ----------------------------------------------------------------------------------------------------

TEST(Moment, TheValuesOfTheSecondRunOfAComparisonAreStored) {
  auto run = run_of(two_boxes);
  ASSERT_TRUE(run.step(3));
  SavedMoment moment = moment_now(run);
  moment.compared = {.name = "Gravity (default)",
                     .values = {{"world.gravity", Value(Vec3(0, -1, 0))}, {"world.title", Value(std::string("B"))}},
                     .is_ghost = true,
                     .shows_difference = true,
                     .ghost_percent = 25};
  const auto opened =
      checked(open_moment(checked(unpack_moment(checked(pack_moment(moment, "shot.png")), "shot.png")), "shot.png"));
  ASSERT_TRUE(opened.compared);
  EXPECT_EQ(opened.compared->name, "Gravity (default)");
  ASSERT_EQ(opened.compared->values.size(), 2U);
  EXPECT_EQ(opened.compared->values[0].path, "world.gravity");
  EXPECT_EQ(std::get<Vec3>(opened.compared->values[0].value), Vec3(0, -1, 0));
  EXPECT_TRUE(opened.compared->is_ghost);
  EXPECT_TRUE(opened.compared->shows_difference);
  EXPECT_EQ(opened.compared->ghost_percent, 25);
}

TEST(Moment, TheSessionOfTheSecondRunOfAComparisonIsStoredWithItsFiles) {
  const Scratch folder;
  const std::string first = folder.write("first/triangle.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  std::filesystem::create_directories(folder.path("second"));
  auto b = run_of("[[collider]]\nkind = \"mesh\"\nname = \"plate\"\nsource = \"" + first + "\"\n");
  ASSERT_TRUE(b.step(3));
  auto run = run_of(two_boxes);
  ASSERT_TRUE(run.step(3));
  SavedMoment moment = moment_now(run);
  moment.compared = {.name = "plate", .journal = b.journal()};
  const std::string bytes = checked(pack_moment(moment, folder.path("first/shot.png")));
  const std::string moved = folder.path("second/triangle.obj"), picture = folder.path("second/shot.png");
  std::filesystem::rename(first, moved);
  const auto opened = checked(open_moment(checked(unpack_moment(bytes, picture)), picture));
  ASSERT_TRUE(opened.compared);
  EXPECT_THAT(opened.compared->journal.scene_text, HasSubstr("second/triangle.obj"));
  EXPECT_EQ(opened.compared->journal.entries.size(), b.journal().entries.size());
  EXPECT_FALSE(opened.compared->is_ghost);
}

// ---- Damage ---------------------------------------------------------------------------------------------------------

TEST(Moment, WrongTypesAndValuesAreOneSentence) {
  auto run = run_of(two_boxes);
  ASSERT_TRUE(run.step(3));
  const std::string text = text_of_moment(run);
  EXPECT_EQ(refusal(text), "") << "uncompressed text, which other programs may store";
  const std::vector<std::array<std::string, 3>> cases{
      {"\"voxwake_moment\":1", "\"voxwake_moment\":2", "has format 2: expected a format from 1 to 1"},
      {"\"voxwake_moment\":1", "\"voxwake_moment\":\"1\"", "\"voxwake_moment\" is missing or is not a whole number"},
      {"\"tick\":3", "\"tick\":-3", "\"tick\" is missing or is not a whole number"},
      {"\"tick\":3", "\"tick\":3000000000", "exceeds 1000000000"},
      {"\"commands\":0", "\"commands\":[0]", "\"commands\" is missing"},
      {"\"time_s\":", "\"time_s\":1e999,\"x\":", "first line is not valid JSON"},
      {"\"sources\":{}", "\"sources\":7", "\"sources\" is missing or is not a JSON object"},
      {"\"display\":\"", "\"display\":4,\"x\":\"", "\"display\" is missing or is not a string"},
      {"\"build\":\"", "\"build\":null,\"x\":\"", "\"build\" is missing or is not a string"},
      {"\"step\":", "\"start\":\"!!\",\"step\":", "\"start\" is not Base64 text"},
      {"\"step\":", "\"start\":\"AAAA\",\"step\":", "\"start\": is not a Voxwake checkpoint"},
      {"\"step\":", "\"video\":[],\"step\":", "\"video\": \"fps\" is missing"},
      {"\"step\":", "\"video\":{\"fps\":0,\"frame_s\":0,\"complete\":true},\"step\":", "is out of range"},
      {"\"step\":", "\"video\":{\"fps\":60,\"frame_s\":0,\"complete\":true},\"step\":", "\"frames\" is missing"},
      {"\"step\":", R"("video":{"fps":60,"frame_s":0,"complete":true,"frames":"1,2"},"step":)",
       "not a list of entries COUNT"},
      {"\"step\":", R"("video":{"fps":60,"frame_s":0,"complete":true,"frames":"1,2,3;"},"step":)", "not a list of"},
      {"\"step\":", R"("video":{"fps":60,"frame_s":0,"complete":true,"frames":"0,2,3"},"step":)", "not a list of"},
      {"\"step\":", R"("video":{"fps":60,"frame_s":0,"complete":true,"frames":"1000000000,1000000000,0"},"step":)",
       "too many frames or steps"},
      {"\"step\":", R"("video":{"fps":60,"frame_s":0,"complete":true,"frames":"1,0,0","cameras":[[1]]},"step":)",
       "a frame number and six finite numbers"},
      {"\"step\":", "\"compared\":3,\"step\":", "\"compared\": \"name\" is missing"},
      {"\"step\":", R"("compared":{"name":"B","ghost":1},"step":)", "\"ghost\" is missing"},
      {"\"step\":", R"("compared":{"name":"B","ghost":false,"difference":false,"ghost_percent":101},"step":)",
       "\"ghost_percent\" is not between 0 and 100"},
      {"\"step\":", R"("compared":{"name":"B","ghost":false,"difference":false,"ghost_percent":50},"step":)",
       "\"journal\" is missing"},
      {"\"step\":",
       R"("compared":{"name":"B","ghost":false,"difference":false,"ghost_percent":50,"values":[]},"step":)",
       "\"values\" is not a list of 1 to "},
      {"\"step\":",
       R"("compared":{"name":"B","ghost":false,"difference":false,"ghost_percent":50,"values":[{"do":"reset"}]},"step":)",
       "\"compared\": "},
      {"\"step\":",
       R"("compared":{"name":"B","ghost":false,"difference":false,"ghost_percent":50,"journal":"{"},"step":)",
       "\"compared\": \"journal\": "},
      {"{\"build\"", "{\"deep\":" + std::string(100, '[') + std::string(100, ']') + ",\"build\"", "nested more than"},
      {"\"voxwake_journal\":1", "\"voxwake_journal\":3", "its journal: "},
      {"\"voxwake_journal\":1", "\"voxwake_journal\":1,\"resumed\":true", "the state from which the session began"},
  };
  for (const auto& [from, to, sentence] : cases) {
    const std::string refused = refusal(replaced(text, from, to));
    EXPECT_THAT(refused, HasSubstr(sentence)) << to;
    EXPECT_THAT(refused, testing::StartsWith("shot.png: the Voxwake session in this file"));
    EXPECT_EQ(refused.find('\n'), std::string::npos);
  }
}

TEST(Moment, TruncatedAndFlippedBytesAreErrorsOrReadAsMoments) {
  auto run = run_of(two_boxes);
  disturb(run);
  const std::string bytes = checked(pack_moment(moment_now(run), "shot.png"));
  for (std::size_t length = 0; length < bytes.size(); length += 7)
    EXPECT_THAT(refusal(bytes.substr(0, length)), HasSubstr("damaged, truncated or longer than 256 MiB")) << length;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x10);
    // A flipped bit changes the checksum of zlib, unless it is one of the unused bits after the compressed data.
    if (refusal(flipped).empty()) {
      EXPECT_EQ(*inflate_zlib(flipped, largest_moment_text), *inflate_zlib(bytes, largest_moment_text)) << at;
    }
  }
  const std::string text = text_of_moment(run);
  for (std::size_t at = 0; at < text.size(); at += 11) {
    std::string flipped = text;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x04);
    const std::string refused = refusal(flipped);
    EXPECT_EQ(refused.find('\n'), std::string::npos) << at;
  }
}

TEST(Moment, AnEnormousTextIsNotDecompressed) {
  const std::string bomb = deflate_zlib(std::string(largest_moment_text + 1, ' '));
  EXPECT_LT(bomb.size(), std::size_t{1} << 20);
  EXPECT_THAT(refusal(bomb), HasSubstr("damaged, truncated or longer than 256 MiB"));
}

}  // namespace
}  // namespace vw::api
