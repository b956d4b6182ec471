// Pictures and videos that store a moment (the session up to the state that they show): the chunk of a PNG file, the
// boxes of an MP4 file, and opening them. Damaged files give an error message of one sentence.
#include "app/window/document/picture_file.h"

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/capture/capture.h"
#include "app/capture/embedded_moment.h"
#include "app/window/document/preferences.h"
#include "app/window/document/scene_loader.h"
#include "sim/base/files/file.h"
#include "tests/app/capture_video.h"
#include "tests/support/balls_scene.h"
#include "tests/support/checked.h"
#include "tests/support/own_process.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

using test::balls_toml;
using test::checked;
using testing::HasSubstr;

Image grey_picture(int width, int height, std::uint8_t level) {
  return {width, height,
          std::vector<std::uint8_t>(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height), level)};
}

class PictureFile : public ::testing::Test {
 protected:
  PictureFile() : run_(checked(api::Run::create(checked(api::open_scene_text(balls_toml, "balls.toml"))))) {}

  [[nodiscard]] std::string path(const std::string& name) const { return folder_.path(name); }
  [[nodiscard]] std::string bytes_of(const std::string& name) const {
    return checked(read_file(path(name), std::uint64_t{1} << 24));
  }
  /// Returns the packed moment of the run's present state. With `video`, the moment is that of a video that ends there.
  [[nodiscard]] std::string moment(const std::string& name, std::optional<api::VideoFrames> video = {}) {
    Snapshot shown;
    run_.snapshot(shown);
    api::SavedMoment moment = video ? api::moment_of(shown, run_.scene(), *video) : api::moment_of(shown, run_.scene());
    api::add_session(moment, run_.journal(), nullptr);
    return checked(api::pack_moment(std::move(moment), path(name)));
  }
  /// Returns the error message from opening a file with these bytes. The message is empty if the file opens.
  [[nodiscard]] std::string error_of(const std::string& bytes, const std::string& name = "bad.png") const {
    const auto opened = open_picture(folder_.write(name, bytes));
    return opened ? std::string() : opened.error().message();
  }

  test::Scratch folder_;
  api::Run run_;
};

TEST_F(PictureFile, APngReopensTheStateThatItShows) {
  ASSERT_TRUE(run_.step(12));
  ASSERT_TRUE(run_.apply(Push{"balls", 0, {1, 0, 0}, 0}));
  ASSERT_TRUE(run_.step(3));
  ASSERT_TRUE(write_png(grey_picture(20, 10, 70), path("shot.png"), moment("shot.png")));
  auto opened = checked(open_picture(path("shot.png")));
  EXPECT_EQ(opened.run.hash(), run_.hash());
  EXPECT_TRUE(opened.agrees);
  EXPECT_EQ(checked(read_png(path("shot.png"), 1000)).rgba, checked(read_png(path("shot.png"), 1000)).rgba);
  ASSERT_TRUE(write_png(grey_picture(20, 10, 70), path("plain.png")));
  EXPECT_EQ(checked(read_png(path("shot.png"), 1000)).rgba, checked(read_png(path("plain.png"), 1000)).rgba)
      << "the moment does not change the pixels";
  EXPECT_TRUE(same_node(checked(scene_of_picture(path("shot.png"))), run_.scene()));
}

TEST_F(PictureFile, AnOrdinaryPictureSaysThatItHasNoMoment) {
  ASSERT_TRUE(write_png(grey_picture(20, 10, 70), path("plain.png")));
  EXPECT_EQ(open_picture(path("plain.png")).error().message(),
            path("plain.png") +
                ": holds no Voxwake session: it was written without one, or another program has removed it, so its "
                "scene cannot be opened");
  EXPECT_THAT(error_of("GIF89a", "a.png"), HasSubstr("is neither a PNG picture nor an MP4 video"));
  EXPECT_THAT(error_of("", "a.png"), HasSubstr("is neither a PNG picture nor an MP4 video"));
  EXPECT_THAT(open_picture(path("missing.png")).error().message(), HasSubstr("No such file"));
  EXPECT_THAT(open_picture(folder_.folder()).error().message(), HasSubstr("is not a regular file"));
}

TEST_F(PictureFile, ADamagedPngIsAnErrorOrOpens) {
  ASSERT_TRUE(run_.step(2));
  ASSERT_TRUE(write_png(grey_picture(20, 10, 70), path("shot.png"), moment("shot.png")));
  const std::string bytes = bytes_of("shot.png");
  const std::size_t end = png_header_bytes + png_moment_chunk(moment("shot.png")).size();
  for (std::size_t length = 0; length < bytes.size(); length += 5) {
    const std::string error = error_of(bytes.substr(0, length));
    EXPECT_EQ(error.empty(), length >= end) << length << ": " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
  for (std::size_t at = png_header_bytes; at < end; at += 3) {
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ 0x08);
    EXPECT_NE(error_of(flipped), "") << at;
  }
  std::string huge = bytes;
  huge.replace(png_header_bytes, 4, "\xff\xff\xff\xff");
  EXPECT_THAT(error_of(huge), HasSubstr("damaged or truncated"));
}

/// Makes a text chunk of a given type, as programs that edit pictures do when they convert an iTXt chunk.
std::string chunk_of(const std::string& type, const std::string& data) {
  const auto number = [](std::uint32_t value) {
    std::string text;
    for (const int shift : {24, 16, 8, 0}) text += static_cast<char>(value >> static_cast<unsigned>(shift) & 0xffU);
    return text;
  };
  std::uint32_t sum = 0xffffffffU;  // PNG specification, third edition, annex D
  for (const char byte : type + data) {
    sum ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) sum = (sum & 1U) != 0 ? 0xedb88320U ^ sum >> 1U : sum >> 1U;
  }
  return number(static_cast<std::uint32_t>(data.size())) + type + data + number(~sum);
}

TEST_F(PictureFile, OtherKindsOfTextChunksAreRead) {
  ASSERT_TRUE(run_.step(2));
  ASSERT_TRUE(write_png(grey_picture(20, 10, 70), path("plain.png")));
  const std::string plain = bytes_of("plain.png"), packed = moment("a.png");
  const std::string key("Voxwake moment\0", 15);
  const auto with = [&](const std::string& chunk) { return std::string(plain).insert(png_header_bytes, chunk); };
  EXPECT_EQ(error_of(with(chunk_of("zTXt", key + '\0' + packed))), "");
  EXPECT_EQ(error_of(with(chunk_of("iTXt", key + std::string("\1\0en\0moment\0", 12) + packed))), "");
  EXPECT_THAT(error_of(with(chunk_of("zTXt", key))), HasSubstr("damaged or truncated"));
  EXPECT_THAT(error_of(with(chunk_of("iTXt", key + std::string("\1\0\0", 3)))), HasSubstr("damaged or truncated"));
  EXPECT_THAT(error_of(with(chunk_of("zTXt", key + '\7' + packed))), HasSubstr("damaged or truncated"));
  EXPECT_THAT(error_of(with(chunk_of("tEXt", key + "hello"))), HasSubstr("damaged, truncated or longer"));
  EXPECT_THAT(error_of(with(chunk_of("tEXt", key + "{}"))), HasSubstr("\"voxwake_moment\" is missing"));
  EXPECT_THAT(error_of(with(chunk_of("tEXt", std::string("Voxwake moments\0x", 17)))),
              HasSubstr("holds no Voxwake session"));
}

TEST_F(PictureFile, AFolderOfPicturesHoldsOneMomentForAllFrames) {
  auto writer = checked(VideoWriter::open(path("film"), {32, 32, 30}));
  api::VideoFrames frames{.fps = 30, .frame_s = 1.0 / 30, .points = {}, .cameras = {}};
  std::vector<std::uint64_t> hashes;
  Snapshot shown;
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(run_.step(4));
    run_.snapshot(shown);
    frames.add(shown, {1, 1, 1}, {0, 0, 0});
    hashes.push_back(run_.hash());
    ASSERT_TRUE(writer->add(grey_picture(32, 32, 50)));
  }
  frames.is_complete = true;
  writer->set_moment(moment("film", frames), VideoWriter::MomentPart::whole);
  ASSERT_TRUE(writer->finish());
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(checked(open_picture(path("film/frame_00000" + std::to_string(i + 1) + ".png"))).run.hash(), hashes[i]);
  std::filesystem::remove(path("film/voxwake.moment"));
  EXPECT_THAT(open_picture(path("film/frame_000001.png")).error().message(), HasSubstr("holds no Voxwake session"));
}

TEST_F(PictureFile, ALargeMomentOfAFolderOfPicturesIsFoundBesideTheFolder) {
  ASSERT_TRUE(run_.step(4));
  Snapshot shown;
  run_.snapshot(shown);
  api::VideoFrames frames{.fps = 30, .frame_s = 1.0 / 30, .points = {}, .cameras = {}};
  frames.add(shown, {1, 1, 1}, {0, 0, 0});
  frames.is_complete = true;
  api::SavedMoment moment = api::moment_of(shown, run_.scene(), frames);
  api::add_session(moment, run_.journal(), nullptr);
  constexpr std::size_t limit = 16;  // bytes; a larger moment gets a file of its own
  auto writer = checked(VideoWriter::open(path("film"), {32, 32, 30}));
  ASSERT_TRUE(writer->add(grey_picture(32, 32, 50)));
  writer->set_moment(checked(api::pack_moment(std::move(moment), path("film"), limit)), VideoWriter::MomentPart::whole);
  ASSERT_TRUE(writer->finish());
  EXPECT_TRUE(std::filesystem::exists(path("film.moment")));
  EXPECT_EQ(checked(open_picture(path("film/frame_000001.png"))).run.hash(), run_.hash());
}

TEST_F(PictureFile, NewPicturesInAFolderDoNotOpenTheSceneOfOlderOnes) {
  Snapshot shown;
  run_.snapshot(shown);
  api::VideoFrames frames{.fps = 30, .frame_s = 1.0 / 30, .points = {}, .cameras = {}};
  frames.add(shown, {1, 1, 1}, {0, 0, 0});
  const auto record = [&](bool with_moment) {
    auto writer = checked(VideoWriter::open(path("film"), {32, 32, 30}));
    if (with_moment) writer->set_moment(moment("film", frames), VideoWriter::MomentPart::start);
    ASSERT_TRUE(writer->add(grey_picture(32, 32, 50)));
    ASSERT_TRUE(writer->finish());
  };
  record(true);
  EXPECT_TRUE(std::filesystem::exists(path("film/voxwake.moment")));
  record(false);
  EXPECT_FALSE(std::filesystem::exists(path("film/voxwake.moment")));
  EXPECT_THAT(open_picture(path("film/frame_000001.png")).error().message(), HasSubstr("holds no Voxwake session"));
}

TEST_F(PictureFile, TheWindowLoadsAPictureAsASceneWithoutAFile) {
  ASSERT_TRUE(run_.step(12));
  ASSERT_TRUE(write_png(grey_picture(20, 10, 70), path("shot.png"), moment("shot.png")));
  auto loaded = checked(load_run({.path = path("shot.png"), .sets = {"world.speed=0.5"}}));
  EXPECT_EQ(loaded.path, "");
  EXPECT_EQ(loaded.picture, path("shot.png"));
  EXPECT_EQ(loaded.run.tick(), 12U);
  EXPECT_EQ(std::get<double>(find_parameter(loaded.scene, "world.speed")->value()), 0.5);
  EXPECT_FALSE(load_run({.path = path("shot.png")}, [] { return true; })) << "loading was cancelled";
}

TEST(PicturePreferences, TheChoiceToStoreNoMomentsIsKept) {
  const test::Scratch folder;
  {
    Preferences preferences(folder.folder());
    EXPECT_TRUE(preferences.embeds_moments());
    ASSERT_TRUE(preferences.set_embeds_moments(false));
    ASSERT_TRUE(preferences.set_tour_seen());
  }
  Preferences preferences(folder.folder());
  EXPECT_FALSE(preferences.embeds_moments());
  EXPECT_TRUE(preferences.tour_seen());
  ASSERT_TRUE(preferences.set_embeds_moments(true));
  EXPECT_TRUE(Preferences(folder.folder()).embeds_moments());
}

#ifdef VOXWAKE_HAVE_FFMPEG

/// Records a video of 40 frames that are two steps apart. By default, the file also stores a moment at the start of the
/// video and one at its end.

class VideoFile : public PictureFile {
 protected:
  void record(const std::string& name, bool with_moments = true) {
    auto writer = checked(VideoWriter::open(path(name), {64, 48, 20}));
    api::VideoFrames frames{.fps = 20, .frame_s = 2 * run_.dt_s(), .points = {}, .cameras = {}};
    if (with_moments) writer->set_moment(moment(name, frames), VideoWriter::MomentPart::start);
    Snapshot shown;
    for (int i = 0; i < 40; ++i) {
      if (i == 20) {
        ASSERT_TRUE(run_.apply(Push{"balls", 0, {1, 0, 0}, 0}));
      }
      run_.snapshot(shown);
      frames.add(shown, {1, 1, 1}, {0, 0, 0});
      hashes_.push_back(run_.hash());
      ASSERT_TRUE(writer->add(grey_picture(64, 48, static_cast<std::uint8_t>(4 * i))));
      ASSERT_TRUE(run_.step(2));
    }
    frames.is_complete = true;
    if (with_moments) writer->set_moment(moment(name, frames), VideoWriter::MomentPart::whole);
    ASSERT_TRUE(writer->finish());
  }
  std::vector<std::uint64_t> hashes_;  ///< state hashes of the frames
};

TEST_F(VideoFile, AnMp4ReopensAtEachTimeAndPlays) {
  record("film.mp4");
  const auto video = read_video(path("film.mp4"));
  ASSERT_TRUE(video.opened);
  EXPECT_EQ(video.times_s.size(), 40U);
  for (const std::size_t frame : {0U, 1U, 19U, 20U, 21U, 39U}) {
    auto opened = checked(open_picture(path("film.mp4"), {.at_s = static_cast<double>(frame) / 20}));
    EXPECT_EQ(opened.run.hash(), hashes_[frame]) << frame;
    EXPECT_TRUE(opened.agrees);
    EXPECT_THAT(opened.notes, testing::IsEmpty());
  }
  EXPECT_EQ(checked(open_picture(path("film.mp4"))).run.hash(), hashes_[0]) << "without a time, the start opens";
}

TEST_F(VideoFile, AVideoWithoutAMomentSaysSo) {
  record("film.mp4", false);
  EXPECT_THAT(open_picture(path("film.mp4")).error().message(), HasSubstr("film.mp4: holds no Voxwake session"));
}

TEST_F(VideoFile, ATruncatedVideoOpensAsFarAsItsMomentsAreIntact) {
  record("film.mp4");
  const std::string bytes = bytes_of("film.mp4");
  std::size_t opened = 0;
  for (std::size_t length = 0; length < bytes.size(); length += 97) {
    const std::string error = error_of(bytes.substr(0, length), "cut.mp4");
    if (error.empty()) ++opened;
    EXPECT_EQ(error.find('\n'), std::string::npos);
  }
  EXPECT_GT(opened, 0U);
}

TEST_F(VideoFile, ADamagedNewestMomentFallsBackToTheEarlierOne) {
  record("film.mp4");
  std::string bytes = bytes_of("film.mp4") + mp4_moment_box("not a moment");
  folder_.write("film.mp4", bytes);
  auto opened = checked(open_picture(path("film.mp4"), {.at_s = 1.0}));
  EXPECT_EQ(opened.run.hash(), hashes_[20]);
  ASSERT_EQ(opened.notes.size(), 1U);
  EXPECT_EQ(opened.notes[0], "the newest moment in this file is damaged, so an earlier one was opened");
}

TEST_F(VideoFile, BoxesWithWrongSizesAreErrorsOfOneSentence) {
  const std::string head(
      "\0\0\0\x10"
      "ftypisom\0\0\0\0",
      16),
      packed = moment("a.mp4");
  const std::string box = mp4_moment_box(packed);
  EXPECT_EQ(error_of(head + box, "a.mp4"), "");
  std::string to_the_end = box;
  to_the_end.replace(0, 4, std::string("\0\0\0\0", 4));
  EXPECT_EQ(error_of(head + to_the_end, "a.mp4"), "") << "a box of size 0 extends to the end of the file";
  const auto wide_size = static_cast<std::uint32_t>(box.size() + 8);  // a 64-bit size needs 8 more bytes
  std::string wide("\0\0\0\1uuid\0\0\0\0", 12);
  for (const unsigned shift : {24U, 16U, 8U, 0U}) wide += static_cast<char>(wide_size >> shift & 0xffU);
  wide += box.substr(8);
  EXPECT_EQ(error_of(head + wide, "a.mp4"), "") << "a box with a size of 64 bits is valid";
  for (const std::string& size :
       {std::string("\0\0\0\7", 4), std::string("\0\0\0\x17", 4), std::string("\xff\xff\xff\xff", 4)}) {
    std::string bad = box;
    bad.replace(0, 4, size);
    EXPECT_THAT(error_of(head + bad, "a.mp4"), HasSubstr("holds no Voxwake session"));
  }
  std::string endless = box;
  endless.replace(0, 4, std::string("\0\0\0\1", 4));
  EXPECT_THAT(error_of(head + endless, "a.mp4"), HasSubstr("holds no Voxwake session"));
}

/// Records until the file has 8,000 bytes, and then kills its own process. The next test runs this one in a separate
/// process. The file `PATH.start` holds the moment of the video's start.
TEST_F(VideoFile, DISABLED_RecordsUntilItIsKilled) {
  const std::string file = test::path_of_own_process();
  if (file.empty()) GTEST_SKIP() << "is run by AKilledRecordingReopensByTheTimesOfItsFrames";
  auto writer = checked(VideoWriter::open(file, {64, 48, 20}));
  writer->set_moment(checked(read_file(file + ".start", std::uint64_t{1} << 24)), VideoWriter::MomentPart::start);
  for (std::uint8_t level = 0;; ++level) {
    ASSERT_TRUE(writer->add(grey_picture(64, 48, level)));
    std::error_code error;
    if (std::filesystem::file_size(file, error) > 8000 && !error) (void)kill(getpid(), SIGKILL);
  }
}

TEST_F(VideoFile, AKilledRecordingReopensByTheTimesOfItsFrames) {
  ASSERT_TRUE(run_.step(5));
  const std::string start =
      moment("killed.mp4", api::VideoFrames{.fps = 20, .frame_s = 2 * run_.dt_s(), .points = {}, .cameras = {}});
  folder_.write("killed.mp4.start", start);
  const int status = test::run_in_own_process("VideoFile.DISABLED_RecordsUntilItIsKilled", path("killed.mp4"));
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_TRUE(read_video(path("killed.mp4")).opened);
  ASSERT_TRUE(run_.step(6));
  auto opened = checked(open_picture(path("killed.mp4"), {.at_s = 0.15}));
  EXPECT_EQ(opened.run.hash(), run_.hash()) << "frame 3, with two steps per frame";
  ASSERT_EQ(opened.notes.size(), 1U);
  EXPECT_THAT(opened.notes[0], HasSubstr("the recording did not end normally"));
}

#endif

}  // namespace
}  // namespace vw
