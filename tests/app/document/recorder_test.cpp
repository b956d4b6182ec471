// Recording of videos. In simulated time, the simulation waits, so that no frame is lost. In real time, the video keeps
// wall-clock time.
#include <gtest/gtest.h>

#include <thread>

#include "app/window/snapshot_queue.h"
#include "app/window/video_recorder.h"

namespace vw {
namespace {

/// Frames that a CountingWriter has received: their number, their images, and the numbers of repetitions. The writer
/// does not encode frames. It accepts at most `room` frames.
struct Seen {
  std::size_t frames = 0;
  std::size_t room = 1000000;
  std::vector<Image> images;
  std::vector<std::size_t> repeats;
};
class CountingWriter final : public VideoWriter {
 public:
  explicit CountingWriter(Seen& seen) : seen_(seen) {}
  Result<void> add(Image frame) override {
    ++seen_.frames;
    seen_.images.push_back(std::move(frame));
    return {};
  }
  void repeat(std::size_t times) override {
    seen_.frames += times;
    seen_.repeats.push_back(times);
  }
  [[nodiscard]] bool has_room() const override { return seen_.frames < seen_.room; }
  Result<void> finish() override { return {}; }
  [[nodiscard]] std::size_t frames() const override { return seen_.frames; }

 private:
  Seen& seen_;
};

Snapshot at(double time, std::uint64_t epoch = 0) {
  Snapshot snapshot;
  snapshot.time_s = time;
  snapshot.epoch = epoch;
  return snapshot;
}

struct Recording {
  explicit Recording(int k, Seen& seen, std::size_t capacity = 4) : queue(std::make_shared<SnapshotQueue>(capacity)) {
    RecordSettings settings;
    settings.by_simulated_time = true;
    settings.frames_per_simulated_s = k;
    recorder.start(std::make_unique<CountingWriter>(seen), settings, queue, 0);
  }
  void pump() {
    const auto draw = [this](const Frame& frame) -> Result<Image> {
      const double a = frame.previous->time_s, b = frame.newest->time_s;
      moments.push_back(a + static_cast<double>(frame.blend) * (b - a));
      return Image{2, 2, std::vector<std::uint8_t>(16)};
    };
    ASSERT_TRUE(recorder.pump_simulated(10, draw));
  }
  std::shared_ptr<SnapshotQueue> queue;
  VideoRecorder recorder;
  std::vector<double> moments;
  std::atomic<bool> stop{false};
};

TEST(WindowRecorder, LosesNoPictureWhileOneIsNotReady) {
  Seen seen;
  Recording recording(100, seen, 64);
  for (int step = 0; step <= 20; ++step) recording.queue->offer(at(step / 120.0), recording.stop);
  std::vector<double> times;
  const auto time_of = [](const Frame& frame) {
    const double a = frame.previous->time_s, b = frame.newest->time_s;
    return a + static_cast<double>(frame.blend) * (b - a);
  };
  const auto draw = [&](const Frame& frame) -> Result<Image> {
    times.push_back(time_of(frame));
    return Image{2, 2, std::vector<std::uint8_t>(16)};
  };
  int asked = 0;
  const auto ready = [&](const Frame&) { return ++asked % 3 == 0; };
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(recording.recorder.pump_simulated(0.001, draw, false, ready));
  ASSERT_EQ(times.size(), 17U);
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], static_cast<double>(i) / 100, 1e-6);
}

TEST(WindowRecorder, DrawsExactlyKPicturesASimulatedSecondWhateverTheStep) {
  for (const int k : {30, 50, 60, 100, 240, 1000}) {  // 50 and 100 do not divide 120 steps per second
    Seen seen;
    Recording recording(k, seen);
    for (int step = 0; step <= 120; ++step) {
      recording.queue->offer(at(step / 120.0), recording.stop);
      recording.pump();
    }
    ASSERT_EQ(seen.frames, static_cast<std::size_t>(k) + 1) << k;  // there is a frame at both ends of the second
    // The blend within a step of 1/120 s is a float, with an error of 6e-8 of the step. Times are doubles.
    for (std::size_t i = 0; i < recording.moments.size(); ++i)
      EXPECT_NEAR(recording.moments[i], static_cast<double>(i) / k, 1e-8) << k << " picture " << i;
  }
}

TEST(WindowRecorder, AFullEncoderLosesNothing) {
  Seen seen;
  seen.room = 10;
  Recording recording(60, seen, 1000);
  for (int step = 0; step <= 120; ++step) recording.queue->offer(at(step / 120.0), recording.stop);
  recording.pump();
  EXPECT_EQ(seen.frames, 10U);
  seen.room = 1000;
  recording.pump();
  EXPECT_EQ(seen.frames, 61U);
}

TEST(WindowRecorder, AResetGoesOnFromTheNewStart) {
  Seen seen;
  Recording recording(60, seen, 1000);
  for (int step = 0; step <= 60; ++step) recording.queue->offer(at(step / 120.0), recording.stop);
  for (int step = 0; step <= 60; ++step) recording.queue->offer(at(step / 120.0, 1), recording.stop);
  recording.pump();
  EXPECT_EQ(seen.frames, 31U + 31U);
}

TEST(WindowRecorder, AFullQueueHoldsTheSimulationBackUntilSomethingIsTaken) {
  SnapshotQueue queue(2);
  std::atomic<bool> stop{false};
  std::atomic<int> offered{0};
  std::thread simulation([&] {
    for (int i = 0; i < 5; ++i) {
      queue.offer(at(i), stop);
      ++offered;
    }
  });
  Snapshot out;
  for (int i = 0; i < 5; ++i) {
    while (!queue.take(out)) std::this_thread::yield();
    EXPECT_EQ(out.time_s, i);              // no frame is skipped
    EXPECT_LE(offered.load(), i + 1 + 3);  // two frames in the queue and one in transfer
  }
  simulation.join();
}

TEST(WindowRecorder, ClosingOrStoppingReleasesASimulationThatIsHeldBack) {
  for (const bool by_close : {true, false}) {
    SnapshotQueue queue(1);
    std::atomic<bool> stop{false};
    queue.offer(at(0), stop);
    std::atomic<bool> released{false};
    std::thread simulation([&] {
      queue.offer(at(1), stop);
      released = true;
    });
    if (by_close)
      queue.close();
    else
      stop = true;
    simulation.join();  // would hang if the simulation were not released
    EXPECT_TRUE(released) << by_close;
  }
}

/// Starts a recording in real time with 60 frames of 2 x 2 pixels per second.
void start_live(VideoRecorder& recorder, Seen& seen, double wall_s) {
  RecordSettings settings;
  settings.video.width = settings.video.height = 2;
  settings.video.fps = 60;
  recorder.start(std::make_unique<CountingWriter>(seen), settings, nullptr, wall_s);
}

TEST(WindowRecorder, RealTimePicturesAreRepeatedWhenDrawingIsSlow) {
  Seen seen;
  VideoRecorder recorder;
  start_live(recorder, seen, 100.0);
  const Image image{2, 2, std::vector<std::uint8_t>(16)};
  for (int drawn = 0; drawn < 10; ++drawn)
    ASSERT_TRUE(recorder.add_live(image, recorder.due(100.0 + 0.1 * drawn + 1e-6)));
  EXPECT_EQ(seen.frames, 55U);  // 0.9 s at 60 frames per second, and the first frame
  EXPECT_EQ(seen.images.size(), 10U) << "each picture must be passed on only once";
  EXPECT_EQ(recorder.due(100.9), 0U);
}

TEST(WindowRecorder, ARealTimeRecordingIsAsLongAsTheClockSaysThoughTheEncoderIsSlow) {
  Seen seen;
  VideoRecorder recorder;
  start_live(recorder, seen, 0);
  const Image image{2, 2, std::vector<std::uint8_t>(16)};
  ASSERT_TRUE(recorder.add_live(image, recorder.due(0)));
  seen.room = 0;
  EXPECT_EQ(recorder.due(1), 0U) << "the writer accepts no more frames";
  seen.room = 1000000;
  ASSERT_TRUE(recorder.add_live(image, recorder.due(2)));
  EXPECT_EQ(seen.repeats.back(), 119U) << "the first picture must be repeated until then";
  (void)recorder.stop(3);
  EXPECT_EQ(seen.frames, 181U) << "three seconds, and the frame at the start";
}

TEST(WindowRecorder, ARealTimeRecordingFitsEveryPictureToTheVideo) {
  const Image image{3, 1, {1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}};
  const Image fitted = fit_image(image, 2, 2);
  EXPECT_EQ(fitted.rgba, (std::vector<std::uint8_t>{1, 1, 1, 1, 2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0}));
}

}  // namespace
}  // namespace vw
