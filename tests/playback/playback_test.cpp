// Recordings of voxcraft: a recording is either read completely or rejected with an error message. Playback is a
// function of time.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>
#include <unistd.h>

#include "sim/scene/scene.h"
#include "sim/system/playback/playback.h"
#include "sim/system/playback/recording.h"
#include "sim/world/registry.h"
#include "sim/world/world.h"
#include "tests/support/checked.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

/// Returns a record of one voxel of 10 mm. The position is in millimetres. The voxel is rotated about the file's z
/// axis.
std::string voxel(double x, double y, double z, double degrees = 0, int material = 1) {
  std::string text =
      std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(z) + "," + std::to_string(degrees);
  text += degrees == 0 ? ",0,0,0" : ",0,0,0.3";
  return text + ",-5,-5,-5,5,5,5," + std::to_string(material) + ",0.0,;";
}

std::string frame(double time, const std::string& voxels) {
  return "<<<Step0 Time:" + std::to_string(time) + ">>>" + voxels + "<<<>>>\n";
}

const char* const head =
    "1 GPU found.\n\x1b[0;32m0) Simulation 0 runs\n{{{setting}}}<rescale>0.001</rescale>\n"
    "{{{setting}}}<matcolor><id>3</id><r>1.0</r><g>0.5</g><b>0</b><a>0.9</a></"
    "matcolor>\n{{{setting}}}<voxel_size>0.01</voxel_size>\n";

/// Returns a recording of two voxels that move 10 mm along x and turn by 90 degrees in 1 s. Two frames of a single
/// different voxel follow.
std::string small_recording() {
  return head + frame(1, voxel(0, 0, 0) + voxel(10, 0, 0)) + "some log\n" +
         frame(2, voxel(10, 0, 0, 90) + voxel(20, 0, 0, 90)) + frame(3, voxel(100, 20, 30, 0, 3)) +
         frame(5, voxel(100, 40, 30, 0, 3));
}

/// A recording in a file and a world that plays it.
class Player {
 public:
  explicit Player(const std::string& text, const std::string& keys = "") {
    folder_.write("run.history", text);
    auto scene = test::checked(load_scene(folder_.write(
        "pool.toml",
        "[world]\ndt = 0.125\n[[system]]\nkind = \"playback\"\nname = \"run\"\nsource = \"run.history\"\n" + keys)));
    world = test::checked(World::create(std::move(scene.root)));
  }

  void play_to(double time) {
    while (world->time() < time - 1e-9) ASSERT_TRUE(world->step()) << world->health().sentence();
  }
  [[nodiscard]] const Elements& elements() const { return world->system(0).elements(); }
  [[nodiscard]] SystemSnapshot picture() const {
    SystemSnapshot out;
    world->system(0).snapshot(out);
    return out;
  }

  std::unique_ptr<World> world;

 private:
  test::Scratch folder_;
};

TEST(Recording, IsReadIntoOurAxesAndMetres) {
  const auto recording = parse_recording(small_recording(), "run.history");
  ASSERT_TRUE(recording) << recording.error().message();
  ASSERT_EQ(recording->frames.size(), 4U);
  EXPECT_EQ(recording->duration_s(), 4.0);
  EXPECT_EQ(recording->voxel_size_m, 0.01);
  EXPECT_LT((recording->position[4] - Vec3f(0.1F, 0.03F, -0.02F)).norm(), 1e-6F)
      << "z up to y up, millimetres to metres, in floats";
  EXPECT_NEAR(recording->edge[4], 0.01F, 1e-8F);
  // The file's z axis is the world's y axis, so a rotation by 90 degrees about this axis turns x into -z.
  EXPECT_LT((recording->orientation[2] * Vec3f::UnitX() - Vec3f(0, 0, -1)).norm(), 1e-6F);
  EXPECT_EQ(recording->palette_names[recording->material[4]], "material 3");
  EXPECT_NEAR(recording->palette[recording->material[4]].y(), 0.2140F, 1e-4F) << "sRGB 0.5 in linear light";
  EXPECT_EQ(recording->frames[1].segment, 0U);
  EXPECT_EQ(recording->frames[2].segment, 1U) << "one voxel cannot be two";
  EXPECT_EQ(recording->segments(), 2U);
}

TEST(Recording, LinksAndLogAreSkipped) {
  std::string text = small_recording();
  const auto at = text.find("<<<>>>");
  text.insert(at, "|[[[1]]]0.1,0.2,0.3,0.4,0.5,0.6,;[[[]]]");
  const auto with = parse_recording(text, "run.history"), without = parse_recording(small_recording(), "run.history");
  ASSERT_TRUE(with) << with.error().message();
  EXPECT_EQ(with->position, without->position);
}

TEST(Recording, UnequalCornersShiftTheMiddle) {
  const auto recording = parse_recording("<<<Step0 Time:0>>>0,0,0,0,0,0,0,-4,-5,-5,6,5,8,1,0,;<<<>>>", "run.history");
  ASSERT_TRUE(recording) << recording.error().message();
  EXPECT_LT((recording->position[0] - Vec3f(0.001F, 0.0015F, 0)).norm(), 1e-8F);
  EXPECT_NEAR(recording->edge[0], 0.033F / 3, 1e-8F);
}

TEST(Recording, ACutOffEndIsLeftOutAndSaid) {
  const std::string whole = small_recording();
  const auto recording = parse_recording(whole.substr(0, whole.size() - 20), "run.history");
  ASSERT_TRUE(recording) << recording.error().message();
  EXPECT_TRUE(recording->cut_off);
  EXPECT_EQ(recording->frames.size(), 3U);
  EXPECT_FALSE(parse_recording(whole, "run.history")->cut_off);
}

TEST(Recording, MistakesAreOneSentenceWithTheirLine) {
  const auto error = [](const std::string& text) {
    const auto recording = parse_recording(text, "run.history");
    return recording ? std::string("accepted") : recording.error().message();
  };
  EXPECT_EQ(error(""),
            "run.history: no complete frame: must contain at least one frame, which begins with <<<Step0 Time:0>>> and "
            "ends with <<<>>>");
  EXPECT_EQ(error(frame(1, "") + "<<<Step1 Time:2>>>" + voxel(0, 0, 0) + "\n" + frame(3, "")).substr(0, 24),
            "run.history:2: frame = \"");
  EXPECT_EQ(error(frame(2, "") + frame(1, "")),
            "run.history:2: Time = 1 s after 2 s: must not be earlier than the frame before");
  EXPECT_EQ(error("<<<Step1>>><<<>>>"), "run.history:1: frame = \"<<<Step1\": must give its time as Time:SECONDS");
  EXPECT_EQ(error("<<<Step1 Time:1e308>>><<<>>>"), "run.history:1: Time = 1e+308 s: must be within 1e+09 s of 0");
  EXPECT_EQ(error("<<<Step1 Time:nan>>><<<>>>"),
            "run.history:1: frame = \"<<<Step1 Time:nan\": must give its time as Time:SECONDS");
  EXPECT_EQ(error(frame(0, voxel(0, 0, 0) + "1,2,3;")),
            "run.history:1: voxel 2 = \"1,2,3\": must be at least 14 finite numbers, separated by commas");
  EXPECT_EQ(error(frame(0, "0,0,nan,0,0,0,0,-5,-5,-5,5,5,5,1;")),
            "run.history:1: voxel 1 = \"0,0,nan,0,0,0,0,-5,-5,-5,5,5,5,1\": must be at least 14 finite numbers, "
            "separated by commas");
  EXPECT_EQ(error(frame(0, "1e300,0,0,0,0,0,0,-5,-5,-5,5,5,5,1;")),
            "run.history:1: voxel 1 = \"1e300,0,0,0,0,0,0,-5,-5,-5,5,5,5,1\": must lie within 1e+06 m of the origin");
  EXPECT_EQ(error(frame(0, "0,0,0,0,0,0,0,-5,-5,-5,5,5,5,1.5;")),
            "run.history:1: voxel 1 = material 1.5: must be a whole number from 0 to 65535");
  EXPECT_EQ(error("{{{setting}}}<rescale>-1</rescale>"),
            "run.history:1: rescale = \"-1\": must be a number above 0 and at most 1000");
  EXPECT_EQ(error("{{{setting}}}<matcolor><id>1e9</id></matcolor>").substr(0, 28), "run.history:1: matcolor.id =");
}

TEST(Playback, ShowsPlacesBetweenTwoFrames) {
  Player player(small_recording());
  player.play_to(0.5);
  ASSERT_EQ(player.elements().size(), 2U);
  EXPECT_LT((player.elements().position[1] - Vec3(0.015, 0, 0)).norm(), 1e-8) << "floats of centimetres";
  EXPECT_LT((player.elements().velocity[1] - Vec3(0.01, 0, 0)).norm(), 1e-8);
  EXPECT_LT((player.elements().orientation[1] * Vec3::UnitX() - Vec3(std::sqrt(0.5), 0, -std::sqrt(0.5))).norm(), 1e-6)
      << "half of 90 degrees";
  EXPECT_LT((player.elements().angular_velocity[1] - Vec3(0, 0.5 * pi, 0)).norm(), 1e-6);
}

TEST(Playback, OtherVoxelsAreAnotherRevision) {
  Player player(small_recording());
  const SystemSnapshot first = player.picture();
  player.play_to(1.5);
  EXPECT_EQ(player.picture().revision, first.revision);
  EXPECT_LT((player.elements().position[0] - Vec3(0.01, 0, 0)).norm(), 1e-8) << "stays until the others come";
  EXPECT_EQ(player.elements().velocity[0], Vec3(0, 0, 0));
  player.play_to(2);
  const SystemSnapshot second = player.picture();
  EXPECT_NE(second.revision, first.revision);
  ASSERT_EQ(second.position.size(), 1U);
  EXPECT_EQ(skin_of(first)->quads.size(), 12U);
  EXPECT_EQ(skin_of(second)->quads.size(), 6U);
  EXPECT_NE(second.id[0], first.id[0]);
  EXPECT_EQ(second.palette_names[second.material[0]], "material 3");
}

TEST(Playback, LoopsOrHoldsAtTheEnd) {
  Player loop(small_recording());
  const auto revision = loop.picture().revision;
  loop.play_to(4.5);
  EXPECT_EQ(loop.elements().size(), 2U);
  EXPECT_LT((loop.elements().position[0] - Vec3(0.005, 0, 0)).norm(), 1e-8);
  EXPECT_NE(loop.picture().revision, revision) << "nothing is interpolated from the end to the beginning";
  Player hold(small_recording(), "at_end = \"hold\"\n");
  hold.play_to(6);
  ASSERT_EQ(hold.elements().size(), 1U);
  EXPECT_LT((hold.elements().position[0] - Vec3(0.1, 0.03, -0.04)).norm(), 1e-7);
  EXPECT_EQ(hold.elements().velocity[0], Vec3(0, 0, 0));
}

TEST(Playback, PlaysAtItsSpeedAndPlace) {
  Player player(small_recording(), "speed = 0.5\nposition = [1, 2, 3]\n");
  player.play_to(1);
  EXPECT_LT((player.elements().position[0] - Vec3(1.005, 2, 3)).norm(), 1e-8);
  EXPECT_LT((player.elements().velocity[0] - Vec3(0.005, 0, 0)).norm(), 1e-8);
}

TEST(Playback, IsRestoredFromItsTimeAlone) {
  Player player(small_recording());
  player.play_to(0.5);
  StateBlock block;
  player.world->save_state(block);
  const auto hash = player.world->hash();
  const auto places = player.elements().position;
  player.play_to(3);
  ASSERT_TRUE(player.world->load_state(block));
  EXPECT_EQ(player.elements().position, places);
  EXPECT_EQ(player.world->hash(), hash);
}

TEST(Playback, NothingMovesIt) {
  Player player(small_recording()), pushed(small_recording());
  ASSERT_TRUE(pushed.world->apply(Push{"run", 0, Vec3(100, 100, 100), 0}));
  player.play_to(0.5);
  pushed.play_to(0.5);
  EXPECT_EQ(player.elements().position, pushed.elements().position);
  EXPECT_EQ(pushed.elements().impulse[0], Vec3(0, 0, 0));
}

TEST(Playback, ParticlesLandOnIt) {
  // A voxel of 100 mm rises by 100 mm in 2 s and carries a particle that fell on it. The particle's centre ends one
  // radius above the voxel's upper face.
  const auto plate = [](double z) { return "0,0," + std::to_string(z) + ",0,0,0,0,-50,-50,-50,50,50,50,1,0,;"; };
  Player player(frame(0, plate(0)) + frame(2, plate(100)),
                "at_end = \"hold\"\n[[system]]\nkind = \"particles\"\nname = \"grain\"\nradius = 0.01\nmass = 0.01\n"
                "[[system.emitter]]\nkind = \"point\"\nname = \"drop\"\nposition = [0, 0.1, 0]\nrate = 0\nburst = "
                "1\nspeed = 0\n");
  // Systems are ordered by name.
  const auto height = [&] { return player.world->system(0).elements().position.front().y(); };
  ASSERT_EQ(player.world->system(0).name(), "grain");
  player.play_to(5);
  ASSERT_EQ(player.world->system(0).elements().size(), 1U);
  EXPECT_NEAR(height(), 0.16, 0.001) << "it sinks in by m g / stiffness = 0.2 mm";
}

TEST(Playback, OneFrameStandsStill) {
  Player player(frame(7, voxel(0, 0, 0)));
  player.play_to(2);
  EXPECT_EQ(player.elements().velocity[0], Vec3(0, 0, 0));
}

TEST(Playback, ASceneOfAWideRecordingOpensAgainAfterItIsSaved) {
  const test::Scratch folder;
  const std::string path = folder.write("wide.history", head + frame(1, voxel(-9e8, 0, 0) + voxel(9e8, 0, 0)));
  const auto scene = load_scene(path);
  ASSERT_TRUE(scene) << scene.error().message();
  const auto saved = read_scene_toml(write_scene_toml(scene->root), "wide.toml");
  EXPECT_TRUE(saved) << saved.error().message();
}

TEST(Playback, AMissingRecordingIsOneSentence) {
  const auto scene = read_scene_toml("[[system]]\nkind = \"playback\"\nname = \"run\"\n", "pool.toml");
  ASSERT_TRUE(scene);
  EXPECT_EQ(World::create(scene->root).error().message(), "system.run.source = \"\": must name a recording (.history)");
}

TEST(PlaybackSample, TheRealRecordingOpensPlaysAndFillsThePicture) {
  const std::string path = std::string(VOXWAKE_SOURCE_DIR) + "/../shared/samples/voxcraft_m190_first20lines.history";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no samples beside the source tree";
  auto scene = load_scene(path);
  ASSERT_TRUE(scene) << scene.error().message();
  EXPECT_TRUE(scene->warnings.empty());
  auto world = World::create(scene->root);
  ASSERT_TRUE(world) << world.error().message();
  // 154 is the number of voxel records in the file, counted with another program.
  EXPECT_EQ((*world)->system(0).elements().size(), 154U);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE((*world)->step());
  EXPECT_EQ((*world)->system(0).elements().size(), 154U);
}

TEST(PlaybackSample, FacesOfNeighboursMeet) {
  const std::string path = std::string(VOXWAKE_SOURCE_DIR) + "/../shared/samples/voxcraft_m190_first20lines.history";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "no samples beside the source tree";
  const auto recording = read_recording(path);
  ASSERT_TRUE(recording) << recording.error().message();
  const auto &first = recording->frames.front(), &last = recording->frames.back();
  ASSERT_EQ(last.segment, 0U);
  double gap = 0, unturned = 0;
  int pairs = 0;
  for (std::size_t i = 0; i < first.end - first.begin; ++i)
    for (std::size_t j = 0; j < first.end - first.begin; ++j) {
      const Vec3f apart = recording->position[first.begin + j] - recording->position[first.begin + i];
      Vec3f axis = Vec3f::Zero();
      for (int k = 0; k < 3; ++k)
        if (std::abs(apart[k] - 0.016667F) < 2e-4F && std::abs(apart.norm() - 0.016667F) < 2e-4F) axis[k] = 1;
      if (axis.isZero(0)) continue;
      const std::size_t a = last.begin + i, b = last.begin + j;
      const auto face = [&](std::size_t v, float side, bool turn) {
        const Vec3f arm = side * 0.5F * recording->edge[v] * axis;
        return Vec3f(recording->position[v] + (turn ? Vec3f(recording->orientation[v] * arm) : arm));
      };
      gap += static_cast<double>((face(a, 1, true) - face(b, -1, true)).norm());
      unturned += static_cast<double>((face(a, 1, false) - face(b, -1, false)).norm());
      ++pairs;
    }
  ASSERT_GT(pairs, 100);
  // The body bends by ten degrees here. A wrong sense or axis of rotation would separate the faces by 2 to 4 mm.
  // Rounding and shear cause gaps of 0.3 mm.
  EXPECT_LT(gap / pairs, 4e-4);
  EXPECT_GT(unturned / pairs, 1.5e-3) << "the turn matters here";
}

}  // namespace
}  // namespace vw
