// Pictures and recordings of a live run open at the snapshot that they show, even though the run has continued.
#include <gtest/gtest.h>

#include <thread>

#include "app/window/pending_moment.h"
#include "app/window/snapshot_queue.h"
#include "app/window/video_recorder.h"
#include "tests/support/balls_scene.h"
#include "tests/support/checked.h"
#include "tests/support/waiting.h"

namespace vw {
namespace {

using test::balls_toml;
using test::checked;

class WindowMoment : public ::testing::Test {
 protected:
  WindowMoment()
      : run_(std::make_unique<api::LiveRun>(
            checked(api::Run::create(checked(api::open_scene_text(balls_toml, "balls.toml")))))),
        scene_(checked(api::open_scene_text(balls_toml, "balls.toml")).root) {}

  /// Waits for a snapshot of this tick (step number) or of a later tick.
  void wait_for_tick(std::uint64_t tick) {
    ASSERT_TRUE(test::in_time([&] {
      run_->acquire();
      return run_->newest().sequence > 0 && run_->newest().tick >= tick;
    }));
  }
  [[nodiscard]] std::shared_ptr<PendingMoment> moment_now() {
    return std::make_shared<PendingMoment>(api::moment_of(run_->newest(), scene_), *run_);
  }
  /// Returns the positions of the elements after the moment has been opened.
  [[nodiscard]] static std::vector<Vec3f> places(const std::string& bytes, const api::MomentOptions& options = {}) {
    auto opened = checked(api::open_moment(checked(api::unpack_moment(bytes, "file")), "file", options));
    EXPECT_TRUE(opened.agrees);
    Snapshot shown;
    opened.run.snapshot(shown);
    return shown.systems.at(0).position;
  }

  std::unique_ptr<api::LiveRun> run_;
  Node scene_;
};

TEST_F(WindowMoment, APictureOfARunningWorldOpensAtItsSnapshot) {
  run_->set_paused(false);
  for (const std::uint64_t tick : {5U, 20U, 40U}) {
    wait_for_tick(tick);
    const std::vector<Vec3f> shown = run_->newest().systems.at(0).position;
    const auto moment = moment_now();
    run_->submit(Push{"balls", 0, {0.1, 0, 0}, 0});  // a command after the picture must not be repeated
    EXPECT_EQ(places(checked(moment->packed("file"))), shown) << tick;
  }
}

TEST_F(WindowMoment, APictureOfAPausedWorldHoldsTheHashOfItsState) {
  run_->single_step(7);
  wait_for_tick(7);
  const auto moment = checked(api::unpack_moment(checked(moment_now()->packed("file")), "file"));
  EXPECT_EQ(checked(api::open_moment(moment, "file")).hashes_checked, 2U);
}

TEST_F(WindowMoment, ARunThatEndsStillProvidesItsJournal) {
  run_->single_step(7);
  wait_for_tick(7);
  const std::vector<Vec3f> shown = run_->newest().systems.at(0).position;
  const auto moment = moment_now();
  std::thread([&] { run_.reset(); }).join();
  EXPECT_EQ(places(checked(moment->packed("file"))), shown);
}

TEST_F(WindowMoment, NoMomentGivesNoBytes) { EXPECT_EQ(checked(PendingMoment().packed("file")), ""); }

/// Accepts frames without encoding them.
class Sink final : public VideoWriter {
 public:
  Result<void> add(Image) override {
    ++frames_;
    return {};
  }
  void repeat(std::size_t times) override { frames_ += times; }
  [[nodiscard]] bool has_room() const override { return true; }
  Result<void> finish() override { return {}; }
  [[nodiscard]] std::size_t frames() const override { return frames_; }

 private:
  std::size_t frames_ = 0;
};

TEST_F(WindowMoment, EachFrameOfARecordingOpensAtItsStep) {
  auto queue = std::make_shared<SnapshotQueue>();
  VideoRecorder recorder;
  RecordSettings settings;
  settings.by_simulated_time = true;
  settings.frames_per_simulated_s = 50;
  recorder.start(std::make_shared<Sink>(), settings, queue, 0);
  run_->set_sink(queue);
  run_->set_paused(false);
  std::vector<std::vector<Vec3f>> shown;
  ASSERT_TRUE(test::in_time([&] {
    EXPECT_TRUE(recorder.pump_simulated(0.02, [&](const Frame& frame) -> Result<Image> {
      shown.push_back(frame.newest->systems.at(0).position);
      if (shown.size() == 20) run_->submit(Push{"balls", 0, {0.1, 0, 0}, 0});
      if (shown.size() == 40) run_->submit(Reset{});
      return Image{2, 2, std::vector<std::uint8_t>(16)};
    }));
    return shown.size() >= 60;
  }));
  run_->set_sink(nullptr);
  (void)recorder.stop(0);
  run_->acquire();
  EXPECT_EQ(recorder.shown().count(), shown.size());
  PendingMoment moment(api::moment_of(run_->newest(), scene_, recorder.shown()), *run_);
  const std::string bytes = checked(moment.packed("file"));
  for (std::size_t i = 0; i < shown.size(); i += 7) EXPECT_EQ(places(bytes, {.frame = i}), shown[i]) << i;
}

}  // namespace
}  // namespace vw
