// The output files of `voxwake render`: images and videos without a display. Drawing itself is tested in tests/render.
#include <algorithm>

#include "app/capture/capture.h"
#include "tests/app/capture_video.h"
#include "tests/app/cli/program.h"

namespace vw {
namespace {

/// Reads a big-endian integer at byte `at` of a PNG file. The width is at byte 16, the height at byte 20.
int png_number(const std::string& bytes, std::size_t at) {
  int number = 0;
  for (std::size_t i = 0; i < 4; ++i) number = number * 256 + static_cast<unsigned char>(bytes.at(at + i));
  return number;
}

TEST_F(CliTest, RenderWritesThePictureOfTheLastStateInTheAskedSize) {
  const auto result = run({"render", "small.toml", "--until", "0.1", "--frame", "last.png", "--size", "320x200",
                           "--vectors", "--color-by", "speed"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out, "last.png: 320x200 at 0.1 s\n");
  const auto bytes = slurp(path("last.png"));
  ASSERT_GT(bytes.size(), 100U);
  EXPECT_EQ(png_number(bytes, 16), 320);
  EXPECT_EQ(png_number(bytes, 20), 200);
}

TEST_F(CliTest, RenderContinuesTheNumberedPicturesOfAnInterruptedCommand) {
  const std::vector<std::string> command{"render",  "small.toml", "--until", "0.3",   "--fps",     "10",
                                         "--video", "film",       "--size",  "64x48", "--software"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> all = command;
    all.insert(all.end(), more.begin(), more.end());
    return run(all);
  };
  const auto first = with({"--continue"});
  ASSERT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(first.out, "film: 3 frames, 10 per second, 64x48\n");
  const std::string second_picture = slurp(path("film/frame_000002.png"));
  std::filesystem::remove(path("film/frame_000002.png"));
  write("film/frame_000001.png", "kept as it is");
  const auto again = with({"--continue"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.out, "film: 3 frames (2 kept), 10 per second, 64x48\n");
  EXPECT_EQ(slurp(path("film/frame_000002.png")), second_picture);
  EXPECT_EQ(slurp(path("film/frame_000001.png")), "kept as it is");
  // With other options, the command must fail: it may neither keep nor overwrite the pictures.
  const auto other = with({"--continue", "--vectors"});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("holds pictures of a command with another scene"), std::string::npos) << other.err;
  EXPECT_EQ(slurp(path("film/frame_000001.png")), "kept as it is");
  const auto anew = with({});
  EXPECT_EQ(anew.code, 0) << anew.err;
  EXPECT_NE(slurp(path("film/frame_000001.png")), "kept as it is");
  // A picture file that is older than the start of this command was left by another command, and is drawn again.
  const auto begun = std::filesystem::last_write_time(path("film/voxwake.pictures"));
  std::filesystem::last_write_time(path("film/frame_000003.png"), begun - std::chrono::hours(1));
  const auto mixed = with({"--continue"});
  EXPECT_EQ(mixed.out, "film: 3 frames (2 kept), 10 per second, 64x48\n") << mixed.err;
  const auto no_folder =
      run({"render", "small.toml", "--until", "0.3", "--frame", "a.png", "--video", "a.mp4", "--continue"});
  EXPECT_EQ(no_folder.code, 2);
  EXPECT_NE(no_folder.err.find("--continue requires --video FOLDER"), std::string::npos) << no_folder.err;
}

TEST_F(CliTest, RenderRefusesAColourThatTheSceneDoesNotHave) {
  const auto result = run({"render", "small.toml", "--until", "0", "--frame", "last.png", "--color-by", "sped"});
  EXPECT_EQ(result.code, 2);
  EXPECT_NE(result.err.find("did you mean \"speed\"?"), std::string::npos) << result.err;
}

TEST_F(CliTest, RenderDrawsForcesOfARuleWhereTheViewAsksForThem) {
  std::vector<std::string> pictures;
  for (const char* forces : {"[]", "[\"particles_voxel_body\"]"}) {
    const auto result = run({"render", "small.toml", "--until", "0.5", "--frame", "last.png", "--size", "160x100",
                             "--software", "--no-moment", "--set", std::string("view.forces=") + forces});
    ASSERT_EQ(result.code, 0) << result.err;
    pictures.push_back(slurp(path("last.png")));
  }
  EXPECT_NE(pictures[0], pictures[1]) << "the second picture must have arrows and a legend";
  const auto lost =
      run({"render", "small.toml", "--until", "0", "--frame", "last.png", "--set", "view.forces=[\"voxels\"]"});
  EXPECT_EQ(lost.code, 2);
  EXPECT_NE(lost.err.find("view.forces = \"voxels\": must name a rule of this scene"), std::string::npos) << lost.err;
}

TEST_F(CliTest, RenderDrawsInSoftwareWhenAskedTo) {
  std::string before;
  for (const char* threads : {"1", "3"}) {
    const auto result = run({"render", "small.toml", "--until", "0.1", "--frame", "last.png", "--size", "160x100",
                             "--software", "--threads", threads});
    ASSERT_EQ(result.code, 0) << result.err;
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(result.out, "last.png: 160x100 at 0.1 s\n");
    const auto bytes = slurp(path("last.png"));
    EXPECT_GT(bytes.size(), 1000U);
    EXPECT_TRUE(before.empty() || before == bytes) << "the same picture with any number of threads";
    before = bytes;
  }
}

TEST_F(CliTest, WhereThereIsNoOpenGlRenderSaysSoAndDrawsInSoftware) {
  std::filesystem::create_directories(path("empty"));
  const auto software =
      run({"render", "small.toml", "--until", "0.1", "--frame", "asked.png", "--size", "160x100", "--software"});
  ASSERT_EQ(software.code, 0) << software.err;
  // This variable names the folder in which the EGL loader (libglvnd) searches for drivers.
  setenv("__EGL_VENDOR_LIBRARY_DIRS", path("empty").c_str(), 1);
  const auto result = run({"render", "small.toml", "--until", "0.1", "--frame", "fallen.png", "--size", "160x100"});
  unsetenv("__EGL_VENDOR_LIBRARY_DIRS");
  ASSERT_EQ(result.code, 0) << result.err;
  if (result.err.empty()) GTEST_SKIP() << "this EGL cannot be kept from its drivers";
  EXPECT_TRUE(result.err.starts_with("voxwake: warning: OpenGL")) << result.err;
  EXPECT_NE(result.err.find("the pictures are drawn without OpenGL, as with --software"), std::string::npos)
      << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << "the message must be one line";
  EXPECT_EQ(slurp(path("fallen.png")), slurp(path("asked.png")));
}

TEST_F(CliTest, ANameWithoutEndingGetsNumberedPictures) {
  const auto result =
      run({"render", "small.toml", "--until", "0.1", "--video", "pictures", "--fps", "40", "--size", "64x48"});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::exists(path("pictures/frame_000004.png")));
  EXPECT_FALSE(std::filesystem::exists(path("pictures/frame_000005.png")));
}

#ifdef VOXWAKE_HAVE_FFMPEG

TEST_F(CliTest, AVideoHoldsExactlyKPicturesASecondEvenWhereKDoesNotDivideTheStepRate) {
  for (const int k : {25, 60, 125}) {
    const auto result = run({"render", "small.toml", "--until", "0.4", "--video", "film.mp4", "--fps",
                             std::to_string(k), "--size", "64x48"});
    ASSERT_EQ(result.code, 0) << result.err;
    const auto video = read_video(path("film.mp4"));
    ASSERT_TRUE(video.opened);
    EXPECT_EQ(video.times_s.size(), static_cast<std::size_t>(k * 2 / 5)) << k;
    EXPECT_NEAR(video.fps, k, 1e-9);
  }
}

TEST_F(CliTest, TheSameSceneGivesTheSameVideoWithAnyNumberOfThreads) {
  for (const char* threads : {"1", "3"}) {
    const auto result = run({"render", "small.toml", "--until", "0.3", "--video", std::string(threads) + ".mp4",
                             "--size", "64x48", "--threads", threads});
    ASSERT_EQ(result.code, 0) << result.err;
  }
  EXPECT_FALSE(slurp(path("1.mp4")).empty());
  EXPECT_EQ(slurp(path("1.mp4")), slurp(path("3.mp4")));
}

TEST_F(CliTest, CtrlCLeavesAFinishedVideo) {
  const pid_t child = start({"render", "small.toml", "--until", "100000", "--video", "film.mp4", "--size", "64x48"});
  EXPECT_TRUE(grows_to("film.mp4", 3000)) << "the file must contain a fragment before the interrupt";
  kill(child, SIGINT);
  const auto result = wait_for(child);
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("interrupted at "), std::string::npos) << result.err;
  const auto video = read_video(path("film.mp4"));
  ASSERT_TRUE(video.opened);
  EXPECT_GT(video.times_s.size(), 10U);
  EXPECT_NE(result.out.find(std::to_string(video.times_s.size()) + " frames"), std::string::npos) << result.out;
}

#endif

TEST_F(CliTest, RenderFramesTheSubjectWhereItIsAtTheEnd) {
  write("ball.toml", R"(format = 1
title = "Ball"

[world]
gravity = [0, 0, 0]

[view]
eye = [0, 0, 3]
target = [0, 0, 0]
legend = false

[[system]]
kind = "particles"
name = "ball"
capacity = 1
radius = 0.12
color = [0.9, 0.1, 0.1]

[[system.emitter]]
kind = "point"
name = "start"
position = [0, 0, 0]
direction = [1, 0, 0]
rate = 0
burst = 1
speed = 0.4
lifetime = 0
)");
  const auto result = run({"render", "ball.toml", "--until", "0.2", "--frame", "ball.png", "--size", "320x180"});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto image = read_png(path("ball.png"), std::size_t{1} << 20);
  ASSERT_TRUE(image);
  double column = 0, count = 0;
  for (int y = 0; y < image->height; ++y)
    for (int x = 0; x < image->width; ++x) {
      const std::uint8_t* pixel =
          &image->rgba[4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(image->width) +
                            static_cast<std::size_t>(x))];
      if (pixel[0] < pixel[1] + 60) continue;
      column += x;
      ++count;
    }
  ASSERT_GT(count, 1000) << "the ball is in the picture";
  // The camera of the first picture would show the ball 40 pixels to the right of the middle.
  EXPECT_NEAR(column / count, 160, 3);
}

}  // namespace
}  // namespace vw
