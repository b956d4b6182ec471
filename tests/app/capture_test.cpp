// Recorded images and videos are read back and compared with their input. The times of the frame clock are compared
// with an independent calculation.
#include <gtest/gtest.h>
#include <png.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "app/capture/capture.h"
#include "app/capture/frame_clock.h"
#include "tests/app/capture_video.h"
#include "tests/support/own_process.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

namespace fs = std::filesystem;

class Capture : public ::testing::Test {
 protected:
  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }
  test::Scratch folder_;
};

Image grey(int width, int height, std::uint8_t level) {
  return {width, height,
          std::vector<std::uint8_t>(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height), level)};
}

Image pattern(int width, int height) {
  Image image = grey(width, height, 0);
  for (std::size_t i = 0; i < image.rgba.size(); ++i)
    image.rgba[i] = static_cast<std::uint8_t>((i * 2654435761U) >> 7U);
  return image;
}

TEST_F(Capture, APngReadsBackToTheSamePixels) {
  const Image image = pattern(37, 23);
  ASSERT_TRUE(write_png(image, path("a.png")));
  png_image header{};
  header.version = PNG_IMAGE_VERSION;
  ASSERT_NE(png_image_begin_read_from_file(&header, path("a.png").c_str()), 0);
  EXPECT_EQ(header.width, 37U);
  EXPECT_EQ(header.height, 23U);
  EXPECT_EQ(header.flags & PNG_IMAGE_FLAG_COLORSPACE_NOT_sRGB, 0U);
  header.format = PNG_FORMAT_RGB;
  std::vector<std::uint8_t> rgb(PNG_IMAGE_SIZE(header));
  ASSERT_NE(png_image_finish_read(&header, nullptr, rgb.data(), 0, nullptr), 0);
  for (std::size_t i = 0; i < rgb.size(); ++i) ASSERT_EQ(rgb[i], image.rgba[i / 3 * 4 + i % 3]) << i;
  std::ifstream in(path("a.png"), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(bytes.find("sRGB"), std::string::npos);
}

TEST_F(Capture, An8KPictureIsWritten) {
  ASSERT_TRUE(write_png(grey(7680, 4320, 90), path("8k.png")));
  EXPECT_GT(fs::file_size(path("8k.png")), 1000U);
}

TEST_F(Capture, APictureThatCannotBeWrittenLeavesTheOldFileAndSaysWhere) {
  const auto missing = write_png(grey(4, 4, 0), path("no/such/folder.png"));
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message().find("no/such/folder.png"), std::string::npos);
  ASSERT_FALSE(write_png(Image{4, 4, {}}, path("empty.png")));
  EXPECT_FALSE(fs::exists(path("empty.png")));
}

TEST_F(Capture, ANameWithoutEndingIsAFolderOfNumberedPictures) {
  auto writer = VideoWriter::open(path("pictures"), {32, 32, 30});
  ASSERT_TRUE(writer) << writer.error().message();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE((*writer)->add(grey(32, 32, 10)));
  ASSERT_TRUE((*writer)->finish());
  EXPECT_EQ((*writer)->frames(), 3U);
  EXPECT_TRUE(fs::exists(path("pictures/frame_000001.png")));
  EXPECT_TRUE(fs::exists(path("pictures/frame_000003.png")));
  EXPECT_FALSE(fs::exists(path("pictures/frame_000004.png")));
}

TEST_F(Capture, VideosRefuseWhatTheyCannotBe) {
  EXPECT_FALSE(VideoWriter::open(path("a.avi"), {32, 32, 30}));
  EXPECT_FALSE(VideoWriter::open(path("a.mp4"), {0, 32, 30}));
  EXPECT_FALSE(VideoWriter::open(path("a.mp4"), {32, 32, 0}));
}

TEST_F(Capture, AFinishedVideoTakesNoMorePictures) {
  auto writer = VideoWriter::open(path("done"), {32, 32, 30});
  ASSERT_TRUE(writer);
  ASSERT_TRUE((*writer)->finish());
  EXPECT_FALSE((*writer)->add(grey(32, 32, 0)));
  EXPECT_TRUE((*writer)->finish());
}

#ifdef VOXWAKE_HAVE_FFMPEG

TEST_F(Capture, AVideoHoldsExactlyThePicturesHandedInAtAConstantRate) {
  constexpr int frames = 137, fps = 24;
  auto writer = VideoWriter::open(path("a.mp4"), {160, 120, fps});
  ASSERT_TRUE(writer) << writer.error().message();
  for (int i = 0; i < frames; ++i) ASSERT_TRUE((*writer)->add(grey(160, 120, static_cast<std::uint8_t>(i))));
  ASSERT_TRUE((*writer)->finish());
  const auto video = read_video(path("a.mp4"));
  ASSERT_TRUE(video.opened);
  ASSERT_EQ(video.times_s.size(), static_cast<std::size_t>(frames));
  EXPECT_EQ(video.width, 160);
  EXPECT_EQ(video.height, 120);
  EXPECT_EQ(video.colorspace, AVCOL_SPC_BT709);
  EXPECT_NEAR(video.fps, fps, 1e-9);
  for (int i = 0; i < frames; ++i) {
    const auto at = static_cast<std::size_t>(i);
    // The file stores times in units of 1/12288 s = 8.1e-5 s, hence the tolerance.
    EXPECT_NEAR(video.times_s[at] - video.times_s[0], static_cast<double>(i) / fps, 1e-4);
    // In limited range, the luma of a grey value is 16 + 219 * grey / 255. The encoder has an error of one or two
    // levels on uniform images.
    EXPECT_NEAR(video.middle_luma[at], 16 + 219.0 * i / 255, 3) << i;
  }
}

TEST_F(Capture, ARepeatedPictureIsTheOneBefore) {
  for (const char* name : {"again.mp4", "again"}) {
    auto writer = VideoWriter::open(path(name), {64, 48, 30});
    ASSERT_TRUE(writer) << writer.error().message();
    (*writer)->repeat(3);  // has no effect, because no frame exists yet
    ASSERT_TRUE((*writer)->add(grey(64, 48, 50)));
    (*writer)->repeat(20);
    ASSERT_TRUE((*writer)->add(grey(64, 48, 200)));
    (*writer)->repeat(1);
    (*writer)->repeat(1);
    EXPECT_EQ((*writer)->frames(), 24U);
    ASSERT_TRUE((*writer)->finish());
  }
  const auto video = read_video(path("again.mp4"));
  ASSERT_EQ(video.middle_luma.size(), 24U);
  for (std::size_t i = 0; i < 24; ++i)
    EXPECT_NEAR(video.middle_luma[i], 16 + 219.0 * (i < 21 ? 50 : 200) / 255, 3) << i;
  EXPECT_TRUE(fs::exists(path("again/frame_000024.png")));
  EXPECT_FALSE(fs::exists(path("again/frame_000025.png")));
}

TEST_F(Capture, OddSizesLoseTheirLastRowAndColumn) {
  auto writer = VideoWriter::open(path("odd.mp4"), {101, 51, 10});
  ASSERT_TRUE(writer) << writer.error().message();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE((*writer)->add(grey(101, 51, 128)));
  ASSERT_TRUE((*writer)->finish());
  const auto video = read_video(path("odd.mp4"));
  EXPECT_EQ(video.width, 100);
  EXPECT_EQ(video.height, 50);
  EXPECT_EQ(video.times_s.size(), 5U);
}

TEST_F(Capture, APictureOfAnotherSizeIsAnErrorNotAPicture) {
  auto writer = VideoWriter::open(path("size.mp4"), {64, 64, 10});
  ASSERT_TRUE(writer);
  (void)(*writer)->add(grey(32, 32, 0));
  const auto finished = (*writer)->finish();
  ASSERT_FALSE(finished);
  EXPECT_NE(finished.error().message().find("32 x 32"), std::string::npos);
}

TEST_F(Capture, AVideoThatCannotBeOpenedSaysWhy) {
  const auto writer = VideoWriter::open(path("no/such/a.mp4"), {64, 64, 10});
  ASSERT_FALSE(writer);
  EXPECT_NE(writer.error().message().find("No such file"), std::string::npos) << writer.error().message();
}

TEST_F(Capture, AFullDiskIsAnError) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  fs::create_symlink("/dev/full", path("full.mp4"));
  auto writer = VideoWriter::open(path("full.mp4"), {64, 64, 10});
  if (writer) {
    for (int i = 0; i < 100; ++i) (void)(*writer)->add(pattern(64, 64));
    EXPECT_FALSE((*writer)->finish());
  }
}

/// Writes frames until the file has 400,000 bytes, and then kills its own process. The next test runs this one in a
/// separate process.
TEST_F(Capture, DISABLED_RecordsUntilItIsKilled) {
  const std::string file = test::path_of_own_process();
  if (file.empty()) GTEST_SKIP() << "is run by AKilledRecordingLeavesAPlayableFile";
  auto writer = VideoWriter::open(file, {160, 120, 30});
  ASSERT_TRUE(writer);
  for (;;) {
    ASSERT_TRUE((*writer)->add(pattern(160, 120)));
    std::error_code error;
    if (fs::file_size(file, error) > 400000 && !error) (void)kill(getpid(), SIGKILL);
  }
}

TEST_F(Capture, AKilledRecordingLeavesAPlayableFile) {
  const std::string file = path("killed.mp4");
  const int status = test::run_in_own_process("Capture.DISABLED_RecordsUntilItIsKilled", file);
  ASSERT_TRUE(WIFSIGNALED(status));
  const auto video = read_video(file);
  ASSERT_TRUE(video.opened);
  EXPECT_GE(video.times_s.size(), 15U);  // at least one complete fragment was written
}

TEST_F(Capture, SamePicturesGiveTheSameFile) {
  for (const char* name : {"one.mp4", "two.mp4"}) {
    auto writer = VideoWriter::open(path(name), {64, 48, 30});
    ASSERT_TRUE(writer);
    for (int i = 0; i < 40; ++i) ASSERT_TRUE((*writer)->add(grey(64, 48, static_cast<std::uint8_t>(3 * i))));
    ASSERT_TRUE((*writer)->finish());
  }
  std::ifstream one(path("one.mp4"), std::ios::binary), two(path("two.mp4"), std::ios::binary);
  const std::string a{std::istreambuf_iterator<char>(one), {}}, b{std::istreambuf_iterator<char>(two), {}};
  EXPECT_FALSE(a.empty());
  EXPECT_EQ(a, b);
}

#endif

/// Tests of a frame clock. The parameter is the frame rate [1/s]. As in a world, the times of the steps are multiples
/// of dt.
class FrameClockAtEveryRate : public ::testing::TestWithParam<int> {};

TEST_P(FrameClockAtEveryRate, GivesExactlyThatManyPicturesASecondEachAtItsMoment) {
  const int k = GetParam();
  constexpr double dt = 1.0 / 120;
  constexpr int seconds = 7;
  FrameClock clock(k, 0);
  double previous = 0, newest = 0;
  std::uint64_t frames = 0;
  const auto take_due = [&] {
    while (const auto blend = clock.next()) {
      const double moment = previous + static_cast<double>(*blend) * (newest - previous);
      // The weight between two snapshots is a float, so rounding shifts the time by less than 1e-7 of a step. The
      // tolerance is a thousandth of a frame.
      if (newest > previous) {
        EXPECT_NEAR(moment, static_cast<double>(frames) / k, 1e-3 / k + 1e-9);
      }
      ++frames;
    }
  };
  take_due();
  EXPECT_EQ(frames, 1U);  // the frame at the start
  for (int step = 1; step <= seconds * 120; ++step) {
    previous = newest;
    newest = step * dt;
    clock.advance(newest);
    take_due();
    if (step % 120 == 0) {
      EXPECT_EQ(frames, static_cast<std::uint64_t>(k * (step / 120) + 1));  // includes the frame on the boundary
    }
  }
  EXPECT_EQ(clock.count_until(seconds), static_cast<std::uint64_t>(k * seconds));
}
INSTANTIATE_TEST_SUITE_P(Rates, FrameClockAtEveryRate, ::testing::Values(24, 25, 30, 50, 60, 120, 1000));

TEST(FrameClock, PicturesOnAStepShowThatStepAlone) {
  FrameClock clock(60, 0);
  EXPECT_EQ(clock.next(), 1.0F);
  EXPECT_FALSE(clock.next());
  clock.advance(1.0 / 120);
  EXPECT_FALSE(clock.next());
  clock.advance(2.0 / 120);
  ASSERT_EQ(clock.next(), 1.0F);
}

TEST(FrameClock, StartsWhereTheWorldStands) {
  FrameClock clock(10, 5.0);
  EXPECT_TRUE(clock.next());
  clock.advance(5.25);
  EXPECT_NEAR(clock.next().value(), 0.4F, 1e-6);
  EXPECT_NEAR(clock.next().value(), 0.8F, 1e-6);
  EXPECT_FALSE(clock.next());
  EXPECT_EQ(clock.count_until(6.0), 10U);
}

}  // namespace
}  // namespace vw
