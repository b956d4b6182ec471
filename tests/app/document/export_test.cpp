// Exports of frames over time, started in the window.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include "tests/app/window/capture.h"

namespace vw::ui {
namespace {

namespace fs = std::filesystem;

TEST(SeriesExportWind, FollowsAnEditOfAField) {
  const test::Scratch folder;
  Node scene = api::new_scene();
  add_child(scene, "field", "uniform", "breeze").set("velocity", Vec3(1, 0, 0));
  const Snapshot first{};
  auto series = SeriesExport::open({.out = {folder.path("a.pvd")}, .samples = 2}, scene, scene, first, 0);
  ASSERT_TRUE(series) << series.error().message();
  ASSERT_TRUE(series->add(first, 0));
  ASSERT_TRUE(series->follow(SeriesExport::air_of(scene)));
  ASSERT_TRUE(series->add(first, 0.1));
  EXPECT_FALSE(fs::exists(folder.path("a/wind-grid_000001.vti"))) << "wind that is the same needs no further file";
  ASSERT_TRUE(set_parameter(scene, "field.breeze.velocity", Value(Vec3(2, 0, 0))));
  ASSERT_TRUE(series->follow(SeriesExport::air_of(scene)));
  ASSERT_TRUE(series->add(first, 0.2));
  EXPECT_TRUE(fs::exists(folder.path("a/wind-grid_000002.vti")));
}

class WindowExport : public WindowCapture {
 protected:
  void SetUp() override {
    WindowCapture::SetUp();
    app.view.frame_export.frames_per_s = 60;
  }
  void choose_format(std::string_view ending) {
    const auto formats = export_formats();
    for (std::size_t i = 0; i < formats.size(); ++i)
      if (formats[i].ending == ending) app.view.frame_export.format = i;
  }
  void start() {
    start_export(app);
    frames_until(app, [&] { return app.view.frame_export.recorder != nullptr; });
  }
  void steps(int count) {
    const std::uint64_t until = app.session.run->newest().tick + static_cast<std::uint64_t>(count);
    app.session.run->single_step(count);
    frames_until(app, [&] { return app.session.run->newest().tick >= until; });
  }
};

TEST_F(WindowExport, WritesTheFramesThatAreDueWhileTheRunGoesOn) {
  choose_format(".npz");
  start();
  const auto recorder = app.view.frame_export.recorder;
  steps(20);  // each step takes 1/120 s; every second step is a frame
  frames_until(app, [&] { return recorder->frames() == 11; });
  frames(app);  // draws the panel with the new numbers
  EXPECT_NEAR(recorder->seconds(), 20.0 / 120, 1e-9);
  EXPECT_TRUE(is_shown("11 frames, 0.17 s"));
  EXPECT_TRUE(files(".npz").empty()) << "the file must not appear before it is complete";
  start_export(app);
  EXPECT_EQ(app.view.frame_export.recorder, recorder) << "a second export must not start";
  click(app, "Finish export");
  EXPECT_FALSE(exports_frames(app));
  frames_until(app, [&] { return files(".npz").size() == 1; });
  EXPECT_GT(fs::file_size(files(".npz").front()), 10'000U);
}

TEST_F(WindowExport, CancelLeavesNoFile) {
  choose_format(".npz");
  start();
  steps(4);
  click(app, "Cancel");
  EXPECT_FALSE(exports_frames(app));
  steps(4);
  start_export(app);
  cancel_export(app);
  EXPECT_FALSE(exports_frames(app));
  EXPECT_TRUE(files(".npz").empty());
}

TEST_F(WindowExport, GoingToAnotherMomentEndsTheExport) {
  choose_format(".npz");
  start();
  steps(10);
  const auto recorder = app.view.frame_export.recorder;
  seek(app, 0, 3 * app.session.run->newest().dt_s);
  frames_until(app, [&] { return !exports_frames(app); });
  EXPECT_EQ(recorder->end_reason(), "The run went to another moment, so the export has ended");
  EXPECT_EQ(recorder->frames(), 6U) << "only frames of the ten steps before the seek";
  frames_until(app, [&] { return files(".npz").size() == 1; });
  EXPECT_GT(fs::file_size(files(".npz").front()), 10'000U);
}

TEST_F(WindowExport, AVideoBySimulatedTimeAndAnExportExcludeEachOther) {
  choose_format(".npz");
  start();
  app.view.capture.record.by_simulated_time = app.view.capture.timing_chosen = true;
  start_recording(app);
  EXPECT_FALSE(app.view.recorder.active());
  finish_export(app);
}

TEST_F(WindowExport, GoesOnWhenAVideoByRealTimeEnds) {
  choose_format(".npz");
  start();
  const auto recorder = app.view.frame_export.recorder;
  auto writer = VideoWriter::open(scratch.path("video.gif"), {.width = 16, .height = 16, .fps = 10});
  ASSERT_TRUE(writer) << writer.error().message();
  app.view.recorder.start(std::move(*writer), RecordSettings{}, nullptr, app.times.wall_s);
  stop_recording(app);
  steps(20);
  frames_until(app, [&] { return recorder->frames() == 11; });
  EXPECT_EQ(recorder->frames(), 11U);
}

TEST_F(WindowExport, AFolderThatCannotBeWrittenIsAnError) {
  app.view.capture.folder = scratch.write("file", "no folder");
  choose_format(".pvd");
  start_export(app);
  frames_until(app, [&] { return !exports_frames(app); });
  EXPECT_FALSE(app.log.messages().empty());
  EXPECT_EQ(app.log.messages().back().level, Level::error);
}

}  // namespace
}  // namespace vw::ui
#endif
