// A run on the simulation thread, used as the drawing thread uses it. Every wait ends when a condition is true, not
// after a fixed time. The time limit of a wait only turns a hang into a failure.
#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <future>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/api/live/live_run.h"
#include "sim/world/session.h"
#include "sim/world/state/journal.h"
#include "tests/support/checked.h"
#include "tests/support/scratch.h"
#include "tests/support/waiting.h"
#include "tests/world/mock_world.h"

namespace vw::api {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;

Node simple_scene() {
  Node scene = mock::empty_scene();
  mock::add_balls(scene, "slow", "balls").set("velocity", Vec3(1, 0, 0));
  return scene;
}

std::unique_ptr<LiveRun> start(LiveRun::Start at_start, Node scene = simple_scene(), const std::string& journal = {}) {
  return std::make_unique<LiveRun>(
      Run(test::checked(Session::create(std::move(scene), "the scene", journal, mock::registry()))), at_start);
}

/// Acquires snapshots until one satisfies the condition.
template <class Condition>
testing::AssertionResult wait_for(LiveRun& run, Condition condition) {
  if (test::in_time([&] { return run.acquire() && condition(run.newest()); })) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "never happened";
}

testing::AssertionResult wait_for_message(LiveRun& run, const std::string& part) {
  const auto told = [&] {
    const auto messages = run.take_messages();
    return std::any_of(messages.begin(), messages.end(),
                       [&](const auto& message) { return message.find(part) != std::string::npos; });
  };
  if (test::in_time(told)) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no message with \"" << part << "\"";
}

Result<void> wait_for_result(const std::function<void(std::function<void(Result<void>)>)>& ask) {
  auto promise = std::make_shared<std::promise<Result<void>>>();
  auto future = promise->get_future();
  ask([promise](Result<void> result) { promise->set_value(std::move(result)); });
  if (future.wait_for(test::patience) != std::future_status::ready) return fail("no answer");
  return future.get();
}

TEST(LiveRun, PublishesTheStartWhilePaused) {
  const auto run = start(LiveRun::Start::paused);
  ASSERT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.sequence == 1; }));
  EXPECT_EQ(run->newest().step, 0U);
  EXPECT_TRUE(run->newest().paused);
  EXPECT_EQ(run->newest().systems.size(), 1U);
}

TEST(LiveRun, SingleStepsExactlyAsOftenAsAsked) {
  const auto run = start(LiveRun::Start::paused);
  run->single_step();
  run->single_step(4);
  ASSERT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.step == 5; }));
  run->submit(MoveGrab{Vec3(0, 0, 0)});  // Any request makes the run publish another snapshot.
  const auto sequence = run->newest().sequence;
  ASSERT_TRUE(wait_for(*run, [&](const Snapshot& s) { return s.sequence > sequence; }));
  EXPECT_EQ(run->newest().step, 5U);
}

TEST(LiveRun, RunsPausesAndResets) {
  const auto run = start(LiveRun::Start::running);
  ASSERT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.step >= 5 && !s.paused; }));
  run->set_paused(true);
  ASSERT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.paused; }));
  const auto epoch = run->newest().epoch;
  run->submit(Reset{});
  ASSERT_TRUE(wait_for(*run, [&](const Snapshot& s) { return s.epoch != epoch; }));
  EXPECT_EQ(run->newest().step, 0U);
  EXPECT_EQ(run->newest().time_s, 0.0);
  EXPECT_TRUE(run->newest().paused);
}

TEST(LiveRun, ASpeedFactorIsACommandThatShows) {
  const auto run = start(LiveRun::Start::paused);
  run->set_speed(50);
  ASSERT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.asked_speed == 50; }));
  run->set_speed(-1);
  EXPECT_TRUE(wait_for_message(*run, "world.speed"));
}

TEST(LiveRun, SubscribedChannelsArriveAndBadCommandsAreReported) {
  const auto run = start(LiveRun::Start::paused);
  run->subscribe({.channels = {"speed"}});
  ASSERT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.systems[0].channels.size() == 1; }));
  run->submit(SetParameter{"system.bals.gravity", true});
  EXPECT_TRUE(wait_for_message(*run, "did you mean \"balls\""));
}

TEST(LiveRun, TheAirIsShownAsSubscribed) {
  Node scene = simple_scene();
  add_child(scene, "field", "uniform", "wind").set("velocity", Vec3(3, 0, 0));
  const auto run = start(LiveRun::Start::running, scene);
  FieldViewParams look;
  look.plane_z = true;
  run->subscribe({.air = look});
  ASSERT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.field.slices.size() == 1; }));
  EXPECT_EQ(run->newest().field.slices[0].value[0], 3);
  run->submit(SetParameter{"field.wind.velocity", Vec3(0, 0, 4)});
  EXPECT_TRUE(
      wait_for(*run, [](const Snapshot& s) { return s.field.slices.size() == 1 && s.field.slices[0].value[0] == 4; }));
  run->subscribe({});
  EXPECT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.field.slices.empty(); }));
}

TEST(LiveRun, AHealthFailurePausesWithOneSentence) {
  Node scene = simple_scene();
  ASSERT_TRUE(set_parameter(scene, "system.balls.break_time", 0.1));
  const auto run = start(LiveRun::Start::running, scene);
  ASSERT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.health.failed; }));
  EXPECT_TRUE(run->newest().paused);
  EXPECT_THAT(run->newest().health.sentence, HasSubstr("position is not finite"));
  EXPECT_TRUE(wait_for_message(*run, "position is not finite"));
  run->submit(Reset{});
  ASSERT_TRUE(wait_for(*run, [](const Snapshot& s) { return !s.health.failed; }));
}

/// Records the step numbers of the received snapshots. While the sink is full, offer() blocks.
class CountingSink final : public SnapshotSink {
 public:
  void offer(const Snapshot& snapshot, const std::atomic<bool>& stop_requested) override {
    std::unique_lock lock(mutex_);
    steps_.push_back(snapshot.step);
    while (full_ && !stop_requested) changed_.wait_for(lock, 1ms);
    changed_.notify_all();
  }
  void set_full(bool full) {
    const std::lock_guard lock(mutex_);
    full_ = full;
    changed_.notify_all();
  }
  std::vector<std::uint64_t> steps() {
    const std::lock_guard lock(mutex_);
    return steps_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::uint64_t> steps_;
  bool full_ = false;
};

TEST(LiveRun, ASinkMissesNothingEvenWhenTheWorldRunsFarAhead) {
  const auto run = start(LiveRun::Start::paused);
  const auto sink = std::make_shared<CountingSink>();
  run->set_sink(sink);
  run->set_speed(1000);
  run->set_paused(false);
  ASSERT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.step >= 500; }));
  run->set_paused(true);
  ASSERT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.paused; }));
  const auto steps = sink->steps();
  for (std::size_t i = 0; i < steps.size(); ++i) ASSERT_EQ(steps[i], i);
}

TEST(LiveRun, AFullSinkHoldsTheWorldBackAndItsRemovalFreesIt) {
  const auto run = start(LiveRun::Start::paused);
  const auto sink = std::make_shared<CountingSink>();
  sink->set_full(true);
  run->set_sink(sink);
  run->single_step(10);
  EXPECT_TRUE(test::in_time([&] { return !sink->steps().empty(); }));
  EXPECT_EQ(sink->steps().size(), 1U);
  run->set_sink(nullptr);
  ASSERT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.step == 10; }));
  EXPECT_LE(sink->steps().size(), 2U);
}

TEST(LiveRun, AWatcherBesideASinkMissesNothingEither) {
  const auto run = start(LiveRun::Start::paused);
  const auto sink = std::make_shared<CountingSink>(), watcher = std::make_shared<CountingSink>();
  run->set_watcher(watcher);
  run->set_speed(1000);
  run->set_paused(false);
  ASSERT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.step >= 200; }));
  // The sink receives all snapshots from the world's present step on. The world runs fast and may be far beyond step
  // 200, so the test counts the received snapshots instead of waiting for a step number.
  run->set_sink(sink);
  ASSERT_TRUE(test::in_time([&] { return sink->steps().size() >= 100; }));
  run->set_sink(nullptr);
  run->set_paused(true);
  ASSERT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.paused; }));
  const auto watched = watcher->steps(), sunk = sink->steps();
  for (std::size_t i = 0; i < watched.size(); ++i) ASSERT_EQ(watched[i], i) << "the start, and every step once";
  ASSERT_FALSE(sunk.empty());
  for (std::size_t i = 0; i < sunk.size(); ++i) ASSERT_EQ(sunk[i], sunk.front() + i);
  run->set_watcher(nullptr);
  run->single_step(3);
  ASSERT_TRUE(wait_for(*run, [&](const Snapshot& s) { return s.paused && s.step >= watched.size() + 2; }));
  EXPECT_EQ(watcher->steps().size(), watched.size()) << "a removed watcher must receive nothing";
}

TEST(LiveRun, EndsWhileASinkIsFull) {
  auto run = start(LiveRun::Start::running);
  const auto sink = std::make_shared<CountingSink>();
  sink->set_full(true);
  run->set_sink(sink);
  run.reset();  // hangs if the thread does not end
  EXPECT_EQ(sink.use_count(), 1) << "the thread must have ended and released its sink";
}

TEST(LiveRun, SavedJournalAndCheckpointLeadToTheSameState) {
  const test::Scratch scratch;
  const std::string journal_path = scratch.path("saved.journal"), live_path = scratch.path("live.journal"),
                    checkpoint_path = scratch.path("end.vwstate");
  {
    const auto run = start(LiveRun::Start::paused, simple_scene(), live_path);
    run->submit(SetParameter{"system.balls.gravity", true});
    run->single_step(7);
    run->submit(Push{"balls", 1, Vec3(0, 3, 0), 0});
    ASSERT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.step == 7; }));
    run->single_step(5);
    ASSERT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.step == 12; }));
    ASSERT_TRUE(wait_for_result([&](auto done) { run->save_journal(journal_path, done); }));
    ASSERT_TRUE(wait_for_result([&](auto done) { run->save_checkpoint(checkpoint_path, done); }));
    EXPECT_FALSE(wait_for_result([&](auto done) { run->save_journal("/nowhere/at/all", done); }));
  }
  const auto world = mock::make_world(simple_scene());
  for (const auto& path : {journal_path, live_path}) {
    const auto journal = read_journal(path);
    ASSERT_TRUE(journal) << journal.error().message();
    EXPECT_TRUE(journal->complete);
    const auto fresh = mock::make_world(simple_scene());
    const auto outcome = replay(*fresh, *journal);
    ASSERT_TRUE(outcome) << outcome.error().message();
    EXPECT_EQ(outcome->steps, 12U);
    const auto resumed = resume_world(simple_scene(), *load_checkpoint(checkpoint_path), mock::registry());
    ASSERT_TRUE(resumed);
    EXPECT_EQ((*resumed)->hash(), fresh->hash());
  }
}

TEST(LiveRun, ServesPendingSavesBeforeItEnds) {
  const test::Scratch scratch;
  const std::string checkpoint = scratch.path("end.vwstate"), journal = scratch.path("end.journal"),
                    session = scratch.path("end.vwj");
  std::atomic<int> saved{0};
  const auto count = [&saved](const Result<void>& good) { saved += good ? 1 : 0; };
  const SetParameter edit{"world.gravity", Vec3(0, -3, 0)};
  auto run = start(LiveRun::Start::paused);
  const auto sink = std::make_shared<CountingSink>();
  sink->set_full(true);
  run->set_sink(sink);
  // The sink holds the simulation thread, so the requests below are pending when the run ends.
  ASSERT_TRUE(test::in_time([&] { return !sink->steps().empty(); }));
  run->submit(edit);
  run->save_checkpoint(checkpoint, count);
  run->save_journal(journal, count);
  run->save_session(session, 0, count);
  run.reset();
  EXPECT_EQ(saved.load(), 3);
  EXPECT_TRUE(std::filesystem::exists(session));
  const auto world = mock::make_world(simple_scene());
  ASSERT_TRUE(world->apply(edit));
  const auto resumed = resume_world(simple_scene(), test::checked(load_checkpoint(checkpoint)), mock::registry());
  ASSERT_TRUE(resumed);
  EXPECT_TRUE(same_node((*resumed)->scene(), world->scene()));
  EXPECT_TRUE(test::checked(read_journal(journal)).complete);
}

TEST(LiveRun, AJournalThatEndsAtAPastMomentCanBeReplayed) {
  const test::Scratch scratch;
  const std::string path = scratch.path("past.journal");
  {
    const auto run = start(LiveRun::Start::paused, simple_scene(), path);
    run->single_step(9);
    ASSERT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.step == 9; }));
    run->seek(0, 4);
    ASSERT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.step == 4 && !s.place.is_seeking; }));
  }
  const auto journal = read_journal(path);
  ASSERT_TRUE(journal) << journal.error().message();
  EXPECT_TRUE(journal->complete);
  const auto outcome = replay(*mock::make_world(simple_scene()), *journal);
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(outcome->steps, 4U);
}

/// Blocks the next step of a mock world until the test calls release().
class HeldStep {
 public:
  HeldStep() {
    mock::set_substep_hook([this] {
      std::unique_lock lock(mutex_);
      inside_ = true;
      changed_.notify_all();
      changed_.wait(lock, [this] { return released_; });
    });
  }
  ~HeldStep() {
    release();
    mock::set_substep_hook({});
  }
  bool wait_until_inside() {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, test::patience, [this] { return inside_; });
  }
  void release() {
    const std::lock_guard lock(mutex_);
    released_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool inside_ = false, released_ = false;
};

TEST(LiveRun, NoCallOfTheDrawingThreadWaitsForAStep) {
  const auto run = start(LiveRun::Start::paused);
  ASSERT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.sequence == 1; }));
  HeldStep step;
  run->single_step();
  ASSERT_TRUE(step.wait_until_inside());
  // The step cannot end before release() below. If a call waited for the step, not all of these calls would return.
  auto calls = std::async(std::launch::async, [&] {
    for (int i = 0; i < 1000; ++i) {
      run->set_paused(true);
      run->set_speed(2);
      run->submit(MoveGrab{Vec3(0, 0, 0)});
      run->subscribe({.channels = {"speed"}});
      run->set_sink(nullptr);
      run->single_step(0);
      run->save_journal("/nowhere/at/all", {});
      (void)run->acquire();
      (void)run->newest();
      (void)run->take_messages();
    }
  });
  const bool returned = calls.wait_for(test::patience) == std::future_status::ready;
  step.release();
  EXPECT_TRUE(returned);
  EXPECT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.step == 1; }));
}

TEST(LiveRun, TakesCommandsFromTheDrawingThreadWhileItRuns) {
  const auto run = start(LiveRun::Start::running);
  run->set_speed(20);
  for (int i = 0; i < 300; ++i) {
    run->submit(SetParameter{"world.gravity", Vec3(0, -i, 0)});
    if (i % 10 == 0) run->submit(Grab{"balls", i % 3, Vec3(0, 1, 0), 10});
    if (i % 50 == 0) run->submit(Reset{});
    if (i % 7 == 0) run->subscribe(i % 2 == 0 ? SnapshotRequest{.channels = {"speed"}} : SnapshotRequest{});
    if (run->acquire()) {
      double sum = 0;
      for (const auto& system : run->newest().systems)
        for (const auto& p : system.position) sum += static_cast<double>(p.x());
      EXPECT_TRUE(std::isfinite(sum));
    }
  }
  EXPECT_TRUE(wait_for(*run, [](const Snapshot& s) { return s.step > 10; }));
  EXPECT_TRUE(run->take_messages().empty());
}

}  // namespace
}  // namespace vw::api
