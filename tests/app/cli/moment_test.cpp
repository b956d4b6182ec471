// Pictures and videos as input instead of a scene: `run`, `check` and `render` continue from the moment that they show.
#include <algorithm>
#include <filesystem>

#include <gmock/gmock.h>

#include "tests/app/capture_video.h"
#include "tests/app/cli/program.h"

namespace vw {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// Returns the final state hash in the output of `voxwake run`, or the whole output if there is none.
std::string hash_in(const ProgramResult& result) {
  const auto at = result.out.rfind("state hash ");
  return at == std::string::npos ? result.out + result.err : result.out.substr(at);
}

TEST_F(CliTest, APictureContinuesAsTheSceneItself) {
  const auto drawn = run({"render", "small.toml", "--until", "0.2", "--frame", "shot.png", "--size", "64x48",
                          "--software", "--set", "world.gravity=[0,-3,0]"});
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  const auto whole = run({"run", "small.toml", "--until", "0.4", "--set", "world.gravity=[0,-3,0]"});
  std::filesystem::remove(path("small.toml"));
  for (const char* threads : {"1", "2"}) {
    const auto continued = run({"run", "shot.png", "--until", "0.4", "--threads", threads});
    EXPECT_EQ(continued.code, 0) << continued.err;
    EXPECT_EQ(continued.err, "");
    EXPECT_EQ(hash_in(continued), hash_in(whole)) << threads;
  }
  const auto checked = run({"check", "shot.png"});
  EXPECT_EQ(checked.code, 0) << checked.err;
  EXPECT_THAT(checked.out, StartsWith("OK shot.png: 2 systems, "));
  EXPECT_THAT(checked.out, EndsWith("; at the time 0.2 s, 2 recorded states compared\n"));
}

TEST_F(CliTest, APictureOfAPictureShowsTheSameMoment) {
  ASSERT_EQ(run({"render", "small.toml", "--until", "0.1", "--frame", "a.png", "--size", "64x48", "--software"}).code,
            0);
  const auto again = run({"render", "a.png", "--frame", "b.png", "--size", "64x48", "--software"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.out, "b.png: 64x48 at 0.1 s\n");
  EXPECT_EQ(slurp(path("a.png")), slurp(path("b.png")));
  const auto edited =
      run({"run", "a.png", "--until", "0.2", "--journal", "a.journal", "--set", "world.gravity=[0,1,0]"});
  ASSERT_EQ(edited.code, 0) << edited.err;
  const auto replayed = run({"replay", "a.journal"});
  EXPECT_EQ(replayed.code, 0) << replayed.err;
  EXPECT_EQ(hash_in(replayed), hash_in(edited)) << "the journal holds the whole session";
}

TEST_F(CliTest, NoMomentLeavesTheSceneOutOfThePicture) {
  ASSERT_EQ(run({"render", "small.toml", "--until", "0.05", "--frame", "shot.png", "--size", "64x48", "--software",
                 "--no-moment"})
                .code,
            0);
  EXPECT_EQ(slurp(path("shot.png")).find("Voxwake"), std::string::npos);
  for (const char* command : {"run", "check"}) {
    const auto opened = run({command, "shot.png"});
    EXPECT_EQ(opened.code, 2);
    EXPECT_THAT(opened.err, StartsWith("voxwake: shot.png: holds no Voxwake session"));
    EXPECT_EQ(std::count(opened.err.begin(), opened.err.end(), '\n'), 1);
  }
}

TEST_F(CliTest, CommandsSayWhichOfThemOpenPictures) {
  write("shot.png", "");
  const auto exported = run({"export", "shot.png", "--out", "a.vxa"});
  EXPECT_EQ(exported.code, 2);
  EXPECT_THAT(exported.err, HasSubstr("shot.png: is a picture or a video; this command opens scenes only"));
  const auto at = run({"run", "small.toml", "--at", "1"});
  EXPECT_EQ(at.code, 2);
  EXPECT_THAT(at.err, HasSubstr("--at 1: applies only to a video, but small.toml is not a video"));
}

TEST_F(CliTest, AFolderOfPicturesOpensAtEachFrame) {
  const auto drawn = run(
      {"render", "small.toml", "--until", "0.2", "--video", "film", "--fps", "20", "--size", "64x48", "--software"});
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  const auto opened = run({"check", "film/frame_000003.png"});
  EXPECT_EQ(opened.code, 0) << opened.err;
  EXPECT_THAT(opened.out, HasSubstr("at the time 0.1 s"));
}

#ifdef VOXWAKE_HAVE_FFMPEG

TEST_F(CliTest, AVideoOpensAtATime) {
  const auto drawn = run({"render", "small.toml", "--until", "0.4", "--video", "film.mp4", "--fps", "20", "--size",
                          "64x48", "--software"});
  ASSERT_EQ(drawn.code, 0) << drawn.err;
  const auto frame = run({"render", "film.mp4", "--at", "0.25", "--frame", "out.png", "--size", "64x48", "--software"});
  ASSERT_EQ(frame.code, 0) << frame.err;
  EXPECT_EQ(frame.out, "out.png: 64x48 at 0.25 s\n");
  const auto whole = run({"run", "small.toml", "--until", "0.3"});
  const auto continued = run({"run", "film.mp4", "--at", "0.25", "--until", "0.3"});
  EXPECT_EQ(hash_in(continued), hash_in(whole));
  const auto late = run({"check", "film.mp4", "--at", "2"});
  EXPECT_EQ(late.code, 2);
  EXPECT_THAT(late.err, HasSubstr("the time 2 s is outside the video, which is 0.4 s long"));
}

#endif

}  // namespace
}  // namespace vw
