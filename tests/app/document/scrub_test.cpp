// Moves back and forth on the timeline while a video is recorded and the scene is edited. The threads of the run, the
// recorder, the comparison and the window then work at the same time. ThreadSanitizer runs this test
// (tools/tsan-quick.sh window).
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include "app/window/snapshot_queue.h"
#include "tests/app/window/input.h"
#include "tests/support/packaged.h"

namespace vw::ui {
namespace {

class CountedVideo final : public VideoWriter {
 public:
  Result<void> add(Image) override { return ++frames_, Result<void>(); }
  void repeat(std::size_t times) override { frames_ += times; }
  [[nodiscard]] bool has_room() const override { return true; }
  Result<void> finish() override { return {}; }
  [[nodiscard]] std::size_t frames() const override { return frames_; }

 private:
  std::size_t frames_ = 0;
};

class WindowScrub : public WindowInput {
 protected:
  [[nodiscard]] const Snapshot& now() const { return app.session.run->newest(); }
  App app{WindowOptions{}};
};

TEST_F(WindowScrub, WhileAVideoIsRecordedAndTheSceneIsEdited) {
  open(app, test::packaged_path("lab-bounce"));
  frames_until(app, [&] { return app.session.document != nullptr && app.session.have_snapshot; });
  set_playing(app, true);
  frames_until(app, [&] { return now().place.elapsed_s > 0.3; });
  RecordSettings settings;
  settings.by_simulated_time = true;
  auto queue = std::make_shared<SnapshotQueue>();
  app.session.run->set_sink(queue);
  app.view.recorder.start(std::make_shared<CountedVideo>(), settings, queue, app.times.wall_s);
  const auto draw = [](const Frame&) -> Result<Image> { return Image{2, 2, std::vector<std::uint8_t>(16)}; };
  const auto pump = [&] { ASSERT_TRUE(app.view.recorder.pump_simulated(0.001, draw)); };
  for (int round = 0; round < 12; ++round) {
    const double target_s = 0.02 * (round % 5);
    if (round % 3 == 0) set_playing(app, false);  // so that the edit is made exactly at the target
    seek(app, now().place.branch, target_s);
    for (int i = 0; i < 4; ++i) pump(), frames(app);
    if (round % 3 == 0)
      frames_until(app, [&] {
        pump();
        return !now().place.is_seeking && now().place.elapsed_s < target_s + now().dt_s;
      });
    if (round % 3 == 0) edit(app, {{"world.gravity", Value(Vec3(0, -1.0 - round, 0))}});
    if (round == 4) compare_with_branch(app, 0);
    if (round == 9) end_comparison(app);
    set_playing(app, true);
    // The next target must lie in the past again, so that an edit there begins a branch.
    frames_until(app, [&] {
      pump();
      return now().place.elapsed_s > 0.15;
    });
  }
  frames_until(app, [&] {
    pump();
    return app.session.run->timeline()->branches.size() >= 4 && app.view.recorder.frames() > 10;
  });
  app.session.run->set_sink(nullptr);
  (void)app.view.recorder.stop(app.times.wall_s);
  EXPECT_FALSE(now().health.failed);
}

}  // namespace
}  // namespace vw::ui
#endif
